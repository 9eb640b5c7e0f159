"""What is learned while playing is what `learn games --search` learns from the games afterwards."""

import math
import shutil
import struct
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet

from judge.report import Failed
from match_runner import Clock, Player, match, write
from place import SMALL, Book, Place, need

GAMES = 100
# Fixed depth for speed, and a clock, because games without one teach nothing by some rules.
CLOCK = Clock(start=60.0, increment=1.0, depth=5)
MAX_PLIES = 160

# All columns but `sources`, which name the players and the days.
COLUMNS = ["key", "move", "kind", "learn", "learn_count", "own_wins", "own_draws", "own_losses"]
COLUMNS += ["user_value", "priority", "nag", "eval", "depth"]
LEARNED_KINDS = {"book", "postbook", "seen", "position"}


@dataclass(frozen=True)
class Pupil:
    """A player that learns: how it calls itself in games, its engine and its rating."""

    name: str
    engine: str
    rating: int
    policy: str


@dataclass(frozen=True)
class Lesson:
    """A match between two players that learn by a rule, each into a file of its own."""

    rule: str
    family: str
    pupils: tuple[Pupil, Pupil]


# Ratings that are close, and ratings that are not.
LESSONS = (
    Lesson("terra", "a", (Pupil("Ada", "stockfish", 2400, "crafty"), Pupil("Bob", "toga2", 2300, "terra"))),
    Lesson(
        "lokasoft",
        "c2",
        (Pupil("Cleo", "glaurung", 2500, "lokasoft"), Pupil("Dan", "ethereal-chess", 2100, "crafty")),
    ),
)


def experience(place: Place, pupil: Pupil) -> Path:
    """The file that a player learns into."""
    return place.folder / f"{pupil.name}.experience.parquet"


def start(place: Place, book: Book, lesson: Lesson, pupil: Pupil) -> Player:
    """A player that learns."""
    flags = ["--learn", experience(place, pupil), "--rule", lesson.rule, "--family", lesson.family]
    flags += ["--name", pupil.name, "--own-rating", pupil.rating]
    flags += ["--policy", pupil.policy, "--seed", pupil.rating]
    command = place.adapter(book, pupil.engine, *flags)
    return Player(command, dict(SMALL), rating=pupil.rating, label=pupil.name)


def play_match(place: Place, book: Book, lesson: Lesson, games: int) -> None:
    """Plays a match, and keeps its games and the journals, which are emptied at the end."""
    one, other = lesson.pupils
    with start(place, book, lesson, one) as first, start(place, book, lesson, other) as second:
        text = write(list(match(first, second, games, CLOCK, max_plies=MAX_PLIES)))
        (place.folder / f"{lesson.rule}.pgn").write_text(text, "utf-8")
        for pupil in lesson.pupils:
            shutil.copy(place.folder / f"{pupil.name}.journal", place.folder / f"{pupil.name}.pgn")


def bits(value: object) -> object:
    """A float by its bits, so that -0.0 is not 0.0."""
    return struct.pack("<d", value) if isinstance(value, float) else value


def rows(path: Path) -> list[tuple[object, ...]]:
    """All rows, bit for bit."""
    table = pyarrow.parquet.read_table(path)
    unknown = set(table.column_names) - {*COLUMNS, "sources"}
    if unknown:
        raise Failed(f"{path.name} has columns that are not compared: {unknown}")
    return [tuple(bits(row[name]) for name in COLUMNS) for row in table.to_pylist()]


def of_runner(found: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """Rows with the number of games in place of their identities.

    Those depend on when a player began a game, which a runner's PGN does not say.
    """
    others = [row for row in found if row[COLUMNS.index("kind")] != "seen"]
    return [*others, ("seen", len(found) - len(others))]


def compare(one: Path, other: Path, *, is_of_runner: bool = False) -> int:
    """Fails unless two files have the same rows; how many."""
    ours, theirs = rows(one), rows(other)
    if is_of_runner:
        ours, theirs = of_runner(ours), of_runner(theirs)
    if ours != theirs:
        only = [row for row in ours if row not in set(theirs)][:3]
        others = [row for row in theirs if row not in set(ours)][:3]
        raise Failed(
            f"{one.name} has {len(ours)} rows, {other.name} {len(theirs)}; only the first has "
            f"{only}, only the other {others}"
        )
    return len(ours)


def learned(path: Path) -> tuple[int, int]:
    """Fails if nothing of a kind was learned; how many values and identities of games."""
    table = pyarrow.parquet.read_table(path, columns=["kind", "learn"]).to_pylist()
    kinds = {row["kind"] for row in table}
    values = sum(row["learn"] is not None and math.isfinite(row["learn"]) for row in table)
    if not kinds >= LEARNED_KINDS or values == 0:
        raise Failed(f"{path.name} holds {kinds} and {values} learned values")
    return values, sum(row["kind"] == "seen" for row in table)


def check(place: Place) -> str:
    """Plays with each rule, learns from the games again, and compares."""
    need(*(pupil.engine for lesson in LESSONS for pupil in lesson.pupils))
    book = place.sample_book()
    games = place.games(GAMES // len(LESSONS))
    with ProcessPoolExecutor(len(LESSONS)) as pool:
        for run in [pool.submit(play_match, place, book, lesson, games) for lesson in LESSONS]:
            run.result()
    compared = values = seen = 0
    for lesson in LESSONS:
        of_match = place.folder / f"{lesson.rule}.pgn"
        for pupil in lesson.pupils:
            file, journal = experience(place, pupil), place.folder / f"{pupil.name}.pgn"
            for pgn in (of_match, journal):
                again = place.folder / f"{pupil.name}-{pgn.stem}-again.experience.parquet"
                place.learn(book, pupil.name, pgn, again, "--rule", lesson.rule, "--family", lesson.family)
                compared += compare(file, again, is_of_runner=pgn == of_match)
            more, identities = learned(file)
            values, seen = values + more, seen + identities
    return (
        f"{games * len(LESSONS)} games, {2 * len(LESSONS)} players that learn: "
        f"{values} learned values and {seen} identities of games; {compared} rows are the same bit "
        "for bit when learned again from the runner's PGN and from the journals"
    )

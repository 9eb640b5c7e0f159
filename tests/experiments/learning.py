#!/usr/bin/env python3
"""Does learning help? A player learns in games, is frozen, and plays against engines it has not seen.

    PYTHONPATH=tests:tests/players tests/experiments/learning.py target/release/tabia target/learning --quick

The folder gets `games.parquet` (a row a game), `games.pgn`, `summary.json` and what was learned. Searches
go to fixed nodes or depths, and all draws have seeds, so the same seed and engines give the same games.
--jobs arms are played at the same time, which changes nothing. docs/experiments.md says what is measured.
"""

import json
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import chess
import chess.engine
import chess.pgn
import pyarrow
import pyarrow.parquet

from arms import ARMS, PREFIX, Arm, Library, count
from fixed_games import Seat, Strength, play, start
from judge.report import CORPUS, Skipped, command_line
from match_runner import write
from measures import Measured, measure, table
from place import Place, need
from played import Evaluator, Pairing, Row, row

LEARNER = Strength("stockfish", "nodes", 1000)
TEACHERS = (
    Strength("toga2", "depth", 5),
    Strength("glaurung", "depth", 5),
    Strength("stockfish", "nodes", 1500),
)
UNSEEN = (
    Strength("ethereal-chess", "depth", 5),
    Strength("ethereal-chess", "depth", 7),
    Strength("gnuchess", "depth", 4, "--uci"),
    Strength("gnuchess", "depth", 6, "--uci"),
)
# Opponents play from the plain book too, so that games differ.
OPPONENT = ("--policy", "polyglot", "--book-depth", 4)


@dataclass(frozen=True)
class Size:
    """How much is played and searched: games, and nodes of each search."""

    # Pairs of games, one with each colour, against each opponent.
    learn_pairs: int
    unseen_pairs: int
    planted_games: int
    minimax_nodes: int
    exit_nodes: int


FULL = Size(learn_pairs=50, unseen_pairs=100, planted_games=40, minimax_nodes=20_000, exit_nodes=1_000_000)
QUICK = Size(learn_pairs=4, unseen_pairs=3, planted_games=10, minimax_nodes=500, exit_nodes=20_000)


def paired(phase: str, opponents: tuple[Strength, ...], pairs: int, seed: int) -> Iterator[Pairing]:
    """Games against each opponent in turn, with both colours; each pair has a seed of its own."""
    for pair in range(pairs * len(opponents)):
        opponent = opponents[pair % len(opponents)]
        for which, color in enumerate(chess.COLORS):
            yield Pairing(phase, 2 * pair + which, seed + pair, opponent, color)


def planted(games: int, seed: int) -> Iterator[Pairing]:
    """Games that begin before the bad move."""
    for number in range(games):
        teacher = TEACHERS[number % len(TEACHERS)]
        yield Pairing("planted", number, seed + number, teacher, chess.WHITE, PREFIX)


@dataclass
class Series:
    """The games of an arm."""

    arm: Arm
    place: Place
    judge: Evaluator
    rows: list[Row]
    games: list[chess.pgn.Game]

    def play(self, pairing: Pairing, plain: Path, book: Path, *flags: object) -> None:
        """Plays a game with new processes; what the player learns is in its file afterwards."""
        of = (*self.arm.choice, "--seed", pairing.seed, *flags)
        opponent = pairing.opponent
        with ExitStack() as running:
            own = running.enter_context(start(self.place, book, LEARNER, of, f"Tabia {self.arm.name}"))
            theirs = (*OPPONENT, "--seed", pairing.seed + 1)
            other = running.enter_context(start(self.place, plain, opponent, theirs, opponent.label))
            seats = [Seat(own, LEARNER.limit), Seat(other, opponent.limit)]
            game = play(*(seats if pairing.color else reversed(seats)), pairing.opening)
        game.headers["Event"] = f"{self.arm.name} {pairing.phase} {pairing.number}"
        self.games.append(game)
        self.rows.append(row(self.arm.name, pairing, game, own, self.judge))

    def learn(self, pairings: Iterator[Pairing], library: Library, book: Path) -> Path:
        """Plays games and learns from each, if the arm learns; the book afterwards."""
        flags = (
            ("--learn", library.experience, "--name", "Tabia", *self.arm.learning)
            if self.arm.learning
            else ()
        )
        plain = library.plain()
        for pairing in pairings:
            self.play(pairing, plain, book, *flags)
        return library.frozen(self.arm) if self.arm.learning else book


@dataclass(frozen=True)
class Trial:
    """What came of an arm: its games, and the chance of the bad move before and after them."""

    rows: list[Row]
    pgn: str
    chances: tuple[float, float]


def run(arm: Arm, *, place: Place, tables: tuple[Path, Path], size: Size, seed: int) -> Trial:
    """Plays all games of an arm."""
    place = Place(place.binary, place.folder / arm.name, place.corpus)
    place.folder.mkdir()
    sample, bad = Library(place, tables[0], "sample"), Library(place, tables[1], "planted")
    with Evaluator(size.exit_nodes) as judge:
        series = Series(arm, place, judge, [], [])
        book = sample.own(arm, size.minimax_nodes)
        if arm.learning:
            book = series.learn(paired("learn", TEACHERS, size.learn_pairs, seed), sample, book)
        plain = sample.plain()
        for pairing in paired("unseen", UNSEEN, size.unseen_pairs, seed + 100_000):
            series.play(pairing, plain, book)
        before = bad.own(arm, size.minimax_nodes)
        after = series.learn(planted(size.planted_games, seed + 200_000), bad, before)
    chances = bad.chance(before, arm), bad.chance(after, arm)
    print(f"{arm.name}: {len(series.rows)} games", file=sys.stderr, flush=True)
    return Trial(series.rows, write(series.games), chances)


def names() -> dict[str, str]:
    """The engines, and as what they introduce themselves."""
    found = {}
    for strength in {one.engine: one for one in (LEARNER, *TEACHERS, *UNSEEN)}.values():
        with chess.engine.SimpleEngine.popen_uci(strength.command.split()) as engine:
            found[strength.engine] = engine.id.get("name", "?")
    return found


def write_all(
    folder: Path, trials: list[Trial], measured: list[Measured], settings: dict[str, object]
) -> None:
    """Writes games and measures."""
    rows = [asdict(row) for trial in trials for row in trial.rows]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), folder / "games.parquet")
    (folder / "games.pgn").write_text("".join(trial.pgn for trial in trials), "utf-8")
    summary = {**settings, "arms": [asdict(one) for one in measured]}
    (folder / "summary.json").write_text(json.dumps(summary, indent=2) + "\n", "utf-8")


def main() -> None:
    """Plays and measures all arms."""
    given = command_line(__doc__, "binary", "output", quick=False, jobs=1, seed=1)
    try:
        need(*(one.path for one in (LEARNER, *TEACHERS, *UNSEEN)))
    except Skipped as skipped:
        sys.exit(print(f"SKIPPED: {skipped}"))
    begun, size = time.monotonic(), QUICK if given.quick else FULL
    given.output.mkdir(parents=True)
    place = Place(given.binary, given.output, CORPUS)
    play_arm = partial(run, place=place, tables=count(place), size=size, seed=given.seed)
    with ProcessPoolExecutor(given.jobs) as pool:
        trials = list(pool.map(play_arm, ARMS))
    rows = {arm.name: trial.rows for arm, trial in zip(ARMS, trials, strict=True)}
    chances = {arm.name: trial.chances for arm, trial in zip(ARMS, trials, strict=True)}
    measured = [measure(arm.name, arm.control, rows, chances) for arm in ARMS]
    players = {"learner": LEARNER, "teachers": TEACHERS, "unseen": UNSEEN}
    shown = {
        name: asdict(of) if isinstance(of, Strength) else [*map(asdict, of)] for name, of in players.items()
    }
    settings = {"seed": given.seed, "size": asdict(size), "engines": names(), **shown}
    write_all(given.output, trials, measured, settings)
    print(table(measured))
    games = sum(map(len, rows.values()))
    print(f"{games} games in {time.monotonic() - begun:.0f} s, into {given.output}")


if __name__ == "__main__":
    main()

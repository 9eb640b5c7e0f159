"""All games of an arm: those that it learns from, those against unseen engines, those of the planted line."""

import json
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

import chess
import chess.pgn
import pyarrow
import pyarrow.parquet

from arms import PREFIX, Arm, Library
from fixed_games import Seat, Strength, play, start
from match_runner import write
from played import Evaluator, Pairing, Row, row
from recorded import Recorded

LEARNER = Strength("stockfish", "nodes", 1000)
TEACHERS = (
    Strength("toga2", "depth", 5),
    Strength("glaurung", "depth", 5),
    Strength("stockfish", "nodes", 1500),
)
UNSEEN = (
    Strength("ethereal-chess", "depth", 9),
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


FULL = Size(learn_pairs=50, unseen_pairs=100, planted_games=40, minimax_nodes=20_000, exit_nodes=200_000)
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
    place: Recorded
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

    def learn(self, pairings: Iterable[Pairing], library: Library, book: Path) -> Path:
        """Plays games and learns from each, if the arm learns; the book afterwards."""
        taught = ("--learn", library.experience, "--name", "Tabia", *self.arm.learning)
        flags = taught if self.arm.learning else ()
        plain = library.plain()
        for pairing in pairings:
            self.play(pairing, plain, book, *flags)
        return library.frozen(self.arm) if self.arm.learning else book

    def plant(self, pairings: Iterable[Pairing], library: Library, book: Path) -> list[float]:
        """Plays games of the planted line; the chance of its bad move at first, and after each game."""
        chances = [library.chance(book, self.arm)]
        for pairing in pairings:
            chances.append(library.chance(self.learn([pairing], library, book), self.arm))
        return chances


@dataclass(frozen=True)
class Trial:
    """What came of an arm: its games, and the chance of the bad move at first and after each planted game."""

    seed: int
    size: Size
    rows: list[Row]
    pgn: str
    chances: list[float]

    def keep(self, path: Path) -> None:
        """Writes it, so that a run that goes on need not play it again."""
        path.write_text(json.dumps(asdict(self)), "utf-8")

    @classmethod
    def kept(cls, path: Path, seed: int, size: Size) -> Self | None:
        """Reads what `keep` wrote, if it was played with the same seed and size."""
        found = json.loads(path.read_text("utf-8")) if path.exists() else {"seed": None}
        if (found["seed"], found.get("size")) != (seed, asdict(size)):
            return None
        return cls(seed, size, [Row(**one) for one in found["rows"]], found["pgn"], found["chances"])


def write_rows(rows: list[Row], path: Path) -> None:
    """Writes games as Parquet."""
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist([asdict(one) for one in rows]), path)


def run(arm: Arm, *, place: Recorded, tables: tuple[Path, Path], size: Size, seed: int) -> Trial:
    """Plays all games of an arm, or reads them if an earlier run came to the end of it."""
    place = Recorded(place.binary, place.folder / arm.name, place.corpus)
    finished = place.folder / "trial.json"
    if trial := Trial.kept(finished, seed, size):
        return trial
    # What an arm learned before it was stopped would be learned twice.
    shutil.rmtree(place.folder, ignore_errors=True)
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
        praised = bad.own(arm, size.minimax_nodes)
        chances = series.plant(planted(size.planted_games, seed + 200_000), bad, praised)
    trial = Trial(seed, size, series.rows, write(series.games), chances)
    trial.keep(finished)
    print(f"{arm.name}: {len(series.rows)} games", file=sys.stderr, flush=True)
    return trial

"""What is compared: ways to learn, controls without learning, and the book that each plays from."""

import json
from dataclasses import dataclass
from pathlib import Path

from judge.report import SAMPLE
from recorded import Recorded

MIN_GAMES = "3"
MIN_GAMES_PRUNED = "12"

CRAFTY = ("--policy", "crafty")
# Terra goes by own results. What searches taught would act by bans and by the evaluations of PostBook moves;
# both are off.
TERRA = ("--policy", "terra", "--set", "honour-bans=false", "--set", "postbook-limit=-1000")
MINIMAX = ("--policy", "minimax")

# A move that loses a bishop, and games that praise it: 600 won and 400 lost ones.
PREFIX = ("e4", "e5")
BAD_MOVE = "f1a6"
PLANTED = "1. e4 e5 2. Ba6 bxa6"
PLANTED_RESULTS = ("1-0",) * 600 + ("0-1",) * 400


@dataclass(frozen=True)
class Arm:
    """A way to play from a book, and perhaps to learn; `control` is the arm without what it adds."""

    name: str
    choice: tuple[str, ...]
    learning: tuple[str, ...] = ()
    min_games: str = MIN_GAMES
    is_evaluated: bool = False
    control: str | None = None


ARMS = (
    Arm("no-learning", CRAFTY),
    Arm("no-learning-terra", TERRA),
    Arm("results", TERRA, ("--rule", "terra"), control="no-learning-terra"),
    Arm("searches", CRAFTY, ("--rule", "crafty", "--family", "a"), control="no-learning"),
    Arm("searches-c2", CRAFTY, ("--rule", "crafty", "--family", "c2"), control="no-learning"),
    Arm("pruned", CRAFTY, min_games=MIN_GAMES_PRUNED, control="no-learning"),
    Arm("minimax", MINIMAX, is_evaluated=True, control="no-learning"),
)


@dataclass(frozen=True)
class Library:
    """Books of one table, in the folder of one arm."""

    place: Recorded
    table: Path
    name: str

    def compact(self, book: str, min_games: str, *flags: object) -> Path:
        """A book of the table."""
        path = self.place.folder / f"{self.name}-{book}.tabia"
        self.place.run(
            "compact", self.table, "--min-games", min_games, *flags, "-o", path, "--quiet", "--force"
        )
        return path

    def plain(self) -> Path:
        """The book that opponents play from, and that learners begin with."""
        return self.compact("plain", MIN_GAMES)

    @property
    def experience(self) -> Path:
        """What a learner learns into."""
        return self.place.folder / f"{self.name}.experience.parquet"

    def own(self, arm: Arm, nodes: int) -> Path:
        """The book of an arm before it has learned; evaluations are searches of so many nodes."""
        book = self.compact("own", arm.min_games)
        return self.evaluated(book, arm, nodes) if arm.is_evaluated else book

    def evaluated(self, book: Path, arm: Arm, nodes: int) -> Path:
        """The book with evaluations of its positions, backed up by minimax."""
        evaluations, values = (
            self.place.folder / f"{self.name}-{kind}.parquet" for kind in ("evals", "values")
        )
        engine = ("--engine", "/usr/games/stockfish", "--nodes", nodes, "--jobs", 1, "--quiet", "--force")
        search = ("learn", "engine", book, *engine, "-o", evaluations)
        self.place.run(*search)
        back_up = ("experience", "minimax", "--book", book, evaluations, "-o", values, "--quiet", "--force")
        self.place.run(*back_up)
        return self.compact("valued", arm.min_games, "--experience", values, "--evaluations")

    def frozen(self, arm: Arm) -> Path:
        """The book of a learner with what it has learned, which does not change any more."""
        return self.compact("frozen", arm.min_games, "--experience", self.experience)

    def chance(self, book: Path, arm: Arm) -> float:
        """With which chance an arm plays the bad move."""
        asked = ("--line", " ".join(PREFIX), *arm.choice, "--json")
        moves = json.loads(self.place.run("probe", book, *asked))["choice"]["moves"]
        return next((move["probability"] for move in moves if move["uci"] == BAD_MOVE), 0.0)


def count(place: Recorded) -> tuple[Path, Path]:
    """Tables of the sample, and of the sample with the planted line."""
    planted = place.folder / "planted.pgn"
    planted.write_text(
        "".join(f'[Result "{result}"]\n\n{PLANTED} {result}\n\n' for result in PLANTED_RESULTS), "utf-8"
    )
    tables = place.folder / "sample.table", place.folder / "planted.table"
    for table, games in zip(tables, ([SAMPLE], [SAMPLE, planted]), strict=True):
        place.run("count", *games, "-o", table, "--quiet", "--force")
    return tables

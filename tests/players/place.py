"""Where the checks work: the binary, the books that they play from, and the engines of Debian."""

import json
from dataclasses import dataclass
from pathlib import Path

from judge.report import SAMPLE, Skipped
from judge.run import must

# Engines of Debian, and what makes them small.
NAMES = ("stockfish", "toga2", "glaurung", "ethereal-chess")
ENGINES = {name: f"/usr/games/{name}" for name in NAMES}
SMALL: dict[str, str | int | bool | None] = {
    "Threads": 1,
    "Hash": 8,
    "OwnBook": False,
    "Move Overhead": 50,
    "MoveOverhead": 50,
}


@dataclass(frozen=True)
class Book:
    """A book with the table it was compacted from and the same moves as a Polyglot book."""

    path: Path
    table: Path
    polyglot: Path
    # The filters of the book.
    filters: tuple[str, ...]


@dataclass(frozen=True)
class Place:
    """The binary and the folder of a check."""

    binary: Path
    folder: Path
    corpus: Path
    # Percent of the games that a check plays.
    percent: int = 100

    def games(self, count: int) -> int:
        """How many games to play; an even number, so that both colours are played."""
        return max(2, count * self.percent // 100 // 2 * 2)

    def run(self, *arguments: object) -> str:
        """Runs the binary; gives its standard output."""
        return must(self.binary, *arguments, seconds=600).text

    def learn(self, book: Book, player: str, pgn: Path, output: Path, *flags: object) -> Path:
        """`learn games --search` of a player's games over a book; the experience."""
        of = ["--player", player, "--search", "--table", book.table, *book.filters, *flags]
        self.run("learn", "games", pgn, *of, "-o", output, "--quiet", "--force")
        return output

    def build(self, name: str, pgn: Path, *filters: str) -> Book:
        """Builds a book."""
        paths = (self.folder / f"{name}.{kind}" for kind in ("tabia", "table", "bin"))
        book = Book(*paths, filters)
        outputs = ["-o", book.path, "--table", book.table, "--polyglot", book.polyglot]
        self.run("build", pgn, *outputs, *filters, "--quiet", "--force")
        return book

    def sample_book(self) -> Book:
        """The book of the sample."""
        return self.build("sample", SAMPLE, "--min-games", "3")

    def other_book(self) -> Book:
        """A larger book of the corpus, if it is there; else the sample's with all moves."""
        pgn = self.corpus / "twic-a.pgn.zst"
        if pgn.exists():
            return self.build("corpus", pgn, "--min-games", "2")
        return self.build("all", SAMPLE, "--min-games", "1")

    def adapter(self, book: Book, engine: str | None, *flags: object) -> list[str]:
        """The command of a player: a book, and an engine of Debian or a command line."""
        command = [str(self.binary), "uci", str(book.path)]
        if engine:
            command += ["--engine", ENGINES.get(engine, engine)]
        return command + [str(flag) for flag in flags]

    def knows(self, book: Book, fen: str) -> bool:
        """Whether a position is in a book."""
        return json.loads(self.run("probe", book.path, "--fen", fen, "--json"))["found"]

    def chances(self, book: Book, fen: str, policy: str) -> dict[str, float]:
        """Moves of a position, and the chance of each, as `tabia probe` has them."""
        asked = ("--fen", fen, "--policy", policy, "--json")
        probed = json.loads(self.run("probe", book.path, *asked))
        return {move["uci"]: move["probability"] for move in probed["choice"]["moves"]}


def need(*engines: str) -> None:
    """Skips a check where an engine is not installed."""
    absent = [path for name in engines if not Path(path := ENGINES.get(name, name)).exists()]
    if absent:
        raise Skipped(f"not installed: {' '.join(absent)}")

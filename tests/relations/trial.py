"""One trial: files and options drawn by chance, and the binary that is asked of them."""

import random
import shlex
from dataclasses import dataclass, field
from pathlib import Path

import mutations
from drawn import Drawn, draw
from judge import compare
from judge.report import Failed
from judge.run import must, run

# A count of some hundred games takes a fraction of a second.
SECONDS_MAX = 120

FILES_MAX = 4
GAMES_MAX = 120


class Refused(Exception):
    """What was drawn cannot be asked for; the text is the message."""


@dataclass
class Trial:
    """A folder of its own with some files, and what was drawn."""

    binary: Path
    folder: Path
    chance: random.Random
    drawn: Drawn
    files: list[str] = field(default_factory=list)

    def tabia(self, command: str) -> bytes:
        """Runs a command; its standard output, unless it refuses."""
        return self.ask(shlex.split(command))

    def ask(self, words: list[str], given: bytes = b"") -> bytes:
        """Runs a command by its words, with a standard input."""
        ran = run([self.binary, *words], self.folder, given=given, seconds=SECONDS_MAX)
        asked = f"tabia {shlex.join(words)[:300]}"
        if ran.crash() or ran.code not in (0, 1, 2):
            raise Failed(f"{asked}: {ran.how}")
        if ran.code != 0:
            raise Refused(f"{asked}: {ran.how}")
        return ran.out

    def must(self, command: str | list[str], given: bytes = b"") -> bytes:
        """Runs a command of what was counted before: nothing may refuse it any more."""
        try:
            return self.ask(shlex.split(command) if isinstance(command, str) else command, given)
        except Refused as refused:
            raise Failed(str(refused)) from None

    def parts(self, table: str) -> list[bytes]:
        """The bytes of a table's parts, of which none has been damaged."""
        self.must(f"verify {table}")
        return [path.read_bytes() for path in sorted((self.folder / table).glob("part-*"))]

    def whole(self, table: str) -> dict[str, bytes]:
        """All files of a table."""
        return compare.contents(self.folder / table)

    def read(self, name: str) -> bytes:
        """The bytes of a file."""
        return (self.folder / name).read_bytes()


def begin(binary: Path, folder: Path, sources: list[bytes], seed: str) -> Trial:
    """Draws options, and writes files of mutated games of the sources."""
    chance = random.Random(seed)
    known = must(binary, "count", "--help").text
    trial = Trial(binary, folder, chance, draw(chance, known))
    for number in range(chance.randint(1, FILES_MAX)):
        text = b"".join(excerpt(chance, sources) for _ in range(chance.choice((1, 1, 2, 4))))
        name = f"{number}.pgn"
        (folder / name).write_bytes(mutations.mutated(chance, text))
        trial.files.append(name)
    return trial


def excerpt(chance: random.Random, sources: list[bytes]) -> bytes:
    """Some games that follow each other in a source."""
    games = chance.choice(sources).split(b"[Event ")[1:]
    first, most = chance.randrange(len(games)), chance.choice((1, 3, 20, GAMES_MAX))
    return b"".join(b"[Event " + game for game in games[first : first + most])

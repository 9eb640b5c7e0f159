"""One trial: files and options drawn by chance, and the binary that is asked of them."""

from __future__ import annotations

import random
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import mutations
from drawn import Drawn, draw, words

# A count of some hundred games takes a fraction of a second.
SECONDS_MAX = 120

FILES_MAX = 4
GAMES_MAX = 120


class Wrong(Exception):
    """A relation does not hold, or a command ended as none may."""


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

    def tabia(self, command: str) -> str:
        """Runs a command, which has to succeed; its standard output."""
        try:
            ran = subprocess.run(
                [str(self.binary), *words(command)],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=SECONDS_MAX,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise Wrong(f"tabia {command}: still running after {SECONDS_MAX} s") from None
        error = ran.stderr.decode("utf-8", "replace").strip()
        if ran.returncode not in (0, 1, 2) or "panicked" in error:
            raise Wrong(f"tabia {command}: exit {ran.returncode}: {error}")
        if ran.returncode != 0:
            raise Refused(f"tabia {command}: exit {ran.returncode}: {error}")
        return ran.stdout.decode("utf-8", "replace")

    def must(self, command: str) -> str:
        """Runs a command of what was counted before: nothing may refuse it any more."""
        try:
            return self.tabia(command)
        except Refused as refused:
            raise Wrong(str(refused)) from None

    def parts(self, table: str) -> list[bytes]:
        """The bytes of a table's parts, of which none has been damaged."""
        self.must(f"verify {table}")
        return [path.read_bytes() for path in sorted((self.folder / table).glob("part-*"))]

    def whole(self, table: str) -> dict[str, bytes]:
        """All files of a table."""
        return {path.name: path.read_bytes() for path in sorted((self.folder / table).iterdir())}

    def read(self, name: str) -> bytes:
        """The bytes of a file."""
        return (self.folder / name).read_bytes()


def begin(binary: Path, folder: Path, sources: list[bytes], seed: str) -> Trial:
    """Draws options, and writes files of mutated games of the sources."""
    chance = random.Random(seed)
    known = subprocess.run([str(binary), "count", "--help"], capture_output=True, check=True).stdout
    trial = Trial(binary, folder, chance, draw(chance, known.decode()))
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

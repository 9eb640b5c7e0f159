"""Cases, and how they end; the folders that they work in, and the games that they count."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

SAMPLE = Path(__file__).resolve().parents[2] / "data/sample.pgn"
# Of the sample, the games that are the larger input.
LARGE_GAMES = 1800

CORPUS = ("lichess-2013-01a", "twic-a")


class Failed(Exception):
    """What must not happen."""


class Skipped(Exception):
    """What cannot be tried on this machine."""


@dataclass(frozen=True)
class Case:
    """A case by name; its check gives a remark, or raises `Failed` or `Skipped`."""

    name: str
    check: Callable[[], str]

    def is_wanted(self, words: list[str] | None) -> bool:
        """Whether its name has one of the words, if there are any."""
        return not words or any(word in self.name for word in words)

    def judge(self) -> bool:
        """Runs it and prints how it ended; false if it failed."""
        begun = time.monotonic()
        try:
            ended, remark = "ok", self.check()
        except Skipped as skipped:
            ended, remark = "SKIPPED", str(skipped)
        except (Failed, OSError, subprocess.TimeoutExpired) as failed:
            ended, remark = "FAILED", str(failed)
        seconds = time.monotonic() - begun
        print(f"{ended:8}{seconds:6.1f} s  {self.name}{': ' if remark else ''}{remark}", flush=True)
        return ended != "FAILED"


@dataclass
class Folders:
    """A folder for each case."""

    folder: Path
    made: int = 0

    def new_folder(self, name: str) -> Path:
        """An empty folder."""
        self.made += 1
        folder = self.folder / f"{self.made:02}-{name}"
        folder.mkdir(parents=True)
        return folder


def games(folder: Path, corpus: Path | None) -> tuple[Path, Path]:
    """The corpus's Lichess and TWIC games; without a corpus, two parts of the sample."""
    folder.mkdir(parents=True)
    large, small = folder / "large.pgn", folder / "small.pgn"
    if corpus:
        for path, name in zip((large, small), CORPUS, strict=True):
            source = corpus / f"{name}.pgn.zst"
            subprocess.run(["zstd", "-dqf", str(source), "-o", str(path)], check=True)
        return large, small
    all_games = SAMPLE.read_text("utf-8").split("[Event ")[1:]
    for path, part in ((large, all_games[:LARGE_GAMES]), (small, all_games[LARGE_GAMES:])):
        path.write_text("".join(f"[Event {game}" for game in part), "utf-8")
    return large, small


def files(table: Path) -> dict[str, bytes]:
    """The files of a table."""
    return {path.name: path.read_bytes() for path in table.iterdir()}


def must_be_same(found: dict[str, bytes], expected: Path) -> None:
    """The files are those of a table, no more and no less."""
    theirs = files(expected)
    names = sorted(found.keys() | theirs.keys())
    different = [name for name in names if found.get(name) != theirs.get(name)]
    if different:
        raise Failed(f"not as in {expected}: {', '.join(different)}")


def must_say(code: int, err: str, words: tuple[str, ...], expected: int) -> None:
    """It exited with a code and these words, and without a panic or a stack."""
    if code != expected:
        raise Failed(f"exit {code} and not {expected}: {err[-1500:]}")
    missing = [word for word in words if word not in err]
    if missing:
        raise Failed(f"no {missing} in: {err[-1500:]}")
    if any(mark in err for mark in ("panicked", "\tat org.apache", "Traceback")):
        raise Failed(f"a panic or a stack: {err[-1500:]}")

"""Engines that die, hang or print nonsense, and GUIs that close their ends at any point."""

import re
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import scripted_engine
from judge.report import Failed
from pipe import Ended, Pipe, Silent
from place import Book, Place

SCRIPT = Path(scripted_engine.__file__)

# Seconds that a player gives its engine here, and that it may take to end besides: two for `quit`.
PATIENCE = 1
SECONDS_TO_END = 2 + 2
# `uci` and `isready` have six times the patience.
SECONDS_MAX = 6 * PATIENCE + SECONDS_TO_END

# What a GUI says, line by line; the engine plays, because the book ends before the first move.
SCRIPTED_GAME = (
    "uci",
    "isready",
    "ucinewgame",
    "position startpos",
    "go wtime 500 btime 500",
    "position startpos moves b2b3 b7b6",
    "go infinite",
    "stop",
    "isready",
)
ANSWERS = {"uci": "uciok", "isready": "readyok", "go wtime 500 btime 500": "bestmove"}
# After some faults the game goes on as if there were none; a command that cannot be is an error
# of use; all others end the player with 1.
EXIT_CODES = {
    "none": 0,
    "prints garbage": 0,
    "ignores quit": 0,
    "ignores quit and signals": 0,
    "an open quote": 2,
    "does not read, and the GUI quits": 0,
    "hangs at position, and the GUI quits": 0,
}

# As many lines as no pipe holds.
MANY_LINES = ["position startpos moves " + "g1f3 g8f6 f3g1 f6g8 " * 50] * 300


@dataclass(frozen=True)
class Talk:
    """All that a player said, and how it ended."""

    said: str
    ended: Ended
    seconds: float


def command(place: Place, book: Book, engine: str) -> list[str]:
    """A player whose book ends before the first move."""
    return place.adapter(book, engine, "--book-depth", 0, "--engine-timeout", PATIENCE)


def scripted(fault: str) -> str:
    """The command line of an engine with a fault."""
    return f"{sys.executable} -S -E {SCRIPT} '{fault}'"


def talk(arguments: list[str]) -> Talk:
    """Plays the scripted game, waiting for each answer."""
    begun = time.monotonic()
    pipe = Pipe(arguments)
    said: list[str] = []
    try:
        for line in SCRIPTED_GAME:
            pipe.say(line)
            if line in ANSWERS:
                said += pipe.read_to(ANSWERS[line], SECONDS_MAX)
    except Silent as why:
        said += why.lines
    pipe.say("quit")
    said.append(pipe.read_all(SECONDS_TO_END).decode("utf-8", "replace"))
    ended = pipe.end(SECONDS_TO_END)
    return Talk("\n".join(said), ended, time.monotonic() - begun)


def talk_much(arguments: list[str]) -> Talk:
    """Says more than a pipe holds, and quits."""
    begun = time.monotonic()
    pipe = Pipe(arguments)
    writer = threading.Thread(target=pipe.say, args=("uci", *MANY_LINES, "quit"))
    writer.start()
    said = pipe.read_all(SECONDS_MAX).decode("utf-8", "replace")
    ended = pipe.end(SECONDS_TO_END)
    writer.join()
    return Talk(said, ended, time.monotonic() - begun)


def judge_engine(name: str, done: Talk) -> str | None:
    """What is wrong with how a player ended with a broken engine."""
    ended = done.ended
    if ended.code is None:
        return f"{name}: does not end within {done.seconds:.0f} s"
    if ended.left:
        return f"{name}: leaves {ended.left}"
    expected = EXIT_CODES.get(name, 1)
    if ended.code != expected:
        return f"{name}: exit code {ended.code} and not {expected}: {ended.errors!r}"
    if expected == 0:
        return f"{name}: says {ended.errors!r}" if ended.errors else None
    if not re.fullmatch(r"tabia: .*engine.*\n", ended.errors):
        return f"{name}: is not clear: {ended.errors!r}"
    if expected == 1 and not re.search(r"^info string error: .*engine", done.said, re.MULTILINE):
        return f"{name}: the GUI reads no error: {done.said[-200:]!r}"
    return None


def check_engines(place: Place) -> str:
    """Plays with each fault."""
    book = place.sample_book()
    wrong, slowest = [], 0.0
    engines = {fault: scripted(fault) for fault in scripted_engine.FAULTS}
    engines |= {"no program": "/nowhere/engine", "no engine": "cat", "an open quote": "engine '"}
    for name, engine in engines.items():
        done = talk(command(place, book, engine))
        slowest = max(slowest, done.seconds)
        wrong.append(judge_engine(name, done))
    for name in ("does not read", "hangs at position"):
        done = talk_much(command(place, book, scripted(name)))
        wrong.append(judge_engine(f"{name}, and the GUI quits", done))
    found = [line for line in wrong if line]
    if found:
        raise Failed(f"{len(found)} of {len(wrong)}:\n  " + "\n  ".join(found))
    return (
        f"{len(wrong)} broken engines: each player ends with a clear message, the right exit code "
        f"and no process left, within {slowest:.1f} s"
    )


# What a GUI says before it closes its end; `go` in the book, by the engine, endless, pondering.
GUI_LINES = (
    "uci",
    "isready",
    "setoption name Hash value 8",
    "ucinewgame",
    "position startpos",
    "go wtime 60000 btime 60000",
    "position startpos moves b2b3 b7b6",
    "go wtime 60000 btime 60000",
    "go infinite",
    "stop",
    "go ponder wtime 60000 btime 60000",
    "ponderhit",
)


def check_guis(place: Place) -> str:
    """Closes the GUI's ends after each line: its output, its input, or both, at once or later."""
    book = place.sample_book()
    wrong, cases, slowest = [], 0, 0.0
    for engine in (None, scripted("none"), "stockfish"):
        for count in range(len(GUI_LINES) + 1):
            for ends in ("output", "input", "both", "output, later"):
                fault, seconds = close(place, book, engine, count, ends)
                cases, slowest = cases + 1, max(slowest, seconds)
                if fault:
                    wrong.append(f"{engine} after {GUI_LINES[:count][-1:]}, {ends}: {fault}")
    if wrong:
        raise Failed(f"{len(wrong)} of {cases}:\n  " + "\n  ".join(wrong))
    return (
        f"{cases} GUIs that closed an end: each player ends with exit code 0 and no process left, "
        f"within {slowest:.1f} s"
    )


def close(place: Place, book: Book, engine: str | None, count: int, ends: str) -> tuple[str | None, float]:
    """One GUI: what is wrong, and how long the player took to end."""
    pipe = Pipe(place.adapter(book, engine))
    pipe.say(*GUI_LINES[:count])
    if "later" in ends:
        time.sleep(0.05)
    if ends in ("input", "both"):
        pipe.process.stdout.close()
    if ends == "input":
        # The player finds out when it prints the next line.
        pipe.say("uci", "isready", "position startpos", "go depth 1")
    else:
        pipe.process.stdin.close()
    ended = pipe.end(SECONDS_TO_END)
    if ended.code != 0 or ended.left or ended.errors:
        return f"{ended}", ended.seconds
    return None, ended.seconds

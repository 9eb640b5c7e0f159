"""Debian's xboard as the GUI, with Debian's polyglot between it and the players."""

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet

from judge import boards
from judge.processes import left_of
from judge.report import Failed
from place import Book, Place, need

XBOARD, POLYGLOT, XVFB = "/usr/games/xboard", "/usr/games/polyglot", "/usr/bin/Xvfb"
GAMES = 6
# What the first player learns into.
LEARNED = "xboard.experience.parquet"
SECONDS_A_GAME = 30
SECONDS_TO_START = 10

# What xboard writes where a program does not keep to the rules.
FAULTS = re.compile(
    r"illegal|forfeit|crash|exited|disconnect|on time|hung|tellusererror|false|\berror\b", re.IGNORECASE
)
# Every line about an engine's own words would match; these are xboard's.
OF_XBOARD = re.compile(r"\d+ <(?:first|second) *: *(?!tellusererror)")


@dataclass(frozen=True)
class Match:
    """A match: the commands of both players, whether they ponder, and how many games they play."""

    name: str
    first: list[str]
    # A player without a book is an engine that polyglot adapts as it is.
    second: list[str]
    ponder: bool
    games: int


@contextmanager
def display() -> Iterator[str]:
    """An X server without a screen."""
    read, write = os.pipe()
    command = [XVFB, "-displayfd", str(write), "-screen", "0", "800x600x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as file:
            yield f":{file.readline().strip()}"
    finally:
        server.terminate()
        server.wait(timeout=SECONDS_TO_START)


def command_of(match: Match, pgn: Path, log: Path) -> list[str]:
    """Xboard's command line."""
    players = ["-fUCI", "-fcp", " ".join(match.first), "-sUCI", "-scp", " ".join(match.second)]
    folders = ["-fd", str(pgn.parent), "-sd", str(pgn.parent)]
    games = ["-mg", str(match.games), "-matchPause", "200", "-sgf", str(pgn)]
    clock = ["-tc", "0:03", "-inc", "0.03", "-ponderNextMove", str(match.ponder).lower()]
    ends = ["-adjudicateLossThreshold", "-900", "-adjudicateDrawMoves", "80"]
    quiet = ["-noGUI", "-soundProgram", "", "-saveSettingsOnExit", "false"]
    quiet += ["-popupExitMessage", "false"]
    small = ["-defaultHashSize", "16", "-smpCores", "1"]
    debug = ["-debugMode", "true", "-nameOfDebugFile", str(log)]
    return [XBOARD, *players, *folders, *games, *clock, *ends, *quiet, *small, *debug]


def run(match: Match, folder: Path, screen: str) -> tuple[Path, Path]:
    """Runs xboard until its match is over; the games, and its log."""
    pgn, log = folder / f"{match.name}.pgn", folder / f"{match.name}.log"
    home = folder / "home"
    home.mkdir(exist_ok=True)
    programs = f"{os.environ['PATH']}:/usr/games"
    environment = os.environ | {"DISPLAY": screen, "HOME": str(home), "PATH": programs}
    with (folder / f"{match.name}.err").open("wb") as errors:
        xboard = subprocess.Popen(
            command_of(match, pgn, log), env=environment, stdout=errors, stderr=errors, start_new_session=True
        )
        try:
            xboard.wait(timeout=SECONDS_TO_START + SECONDS_A_GAME * match.games)
        except subprocess.TimeoutExpired as late:
            raise Failed(f"xboard does not end; {faults(log)}") from late
        finally:
            left = left_of(xboard.pid, SECONDS_TO_START)
            if left or xboard.poll() is None:
                os.killpg(xboard.pid, signal.SIGKILL)
                xboard.wait()
    if left:
        raise Failed(f"xboard has ended, and these have not: {left}")
    return pgn, log


def faults(log: Path) -> list[str]:
    """Lines of a log that say that a program did not keep to the rules."""
    lines = log.read_text("utf-8", "replace").splitlines()
    return [line for line in lines if FAULTS.search(line) and not OF_XBOARD.match(line)]


def judge(match: Match, pgn: Path, log: Path) -> tuple[int, int]:
    """Fails if a game was not finished as it should be; plies, and moves of the books."""
    games = list(boards.games(pgn.read_text("utf-8")))
    if len(games) != match.games:
        raise Failed(f"{match.name}: {len(games)} games and not {match.games}; {faults(log)}")
    for game in games:
        ending = game.end().comment
        if game.errors or game.headers["Result"] == "*" or FAULTS.search(ending):
            raise Failed(f"{match.name}: {game.headers['Result']} {ending} {game.errors}")
    if wrong := faults(log):
        raise Failed(f"{match.name}: {wrong[:5]}")
    said = re.findall(r" <(?:first|second) *: .*\bbook \S+:", log.read_text("utf-8", "replace"))
    if not said:
        raise Failed(f"{match.name}: no move of a book was played")
    return sum(game.end().ply() for game in games), len(said)


def matches(place: Place, one: Book, other: Book) -> list[Match]:
    """A player against a player, without pondering and with it."""
    learn = ("--learn", place.folder / LEARNED, "--rule", "terra")
    first = place.adapter(one, "stockfish", "--policy", "terra", *learn)
    second = place.adapter(other, "glaurung", "--policy", "crafty")
    half = max(2, place.games(GAMES) // 2)
    return [
        Match("thinking", first, second, ponder=False, games=half),
        Match("pondering", first, second, ponder=True, games=half),
    ]


def check(place: Place) -> str:
    """Plays under xboard."""
    need(XBOARD, POLYGLOT, XVFB, "stockfish", "glaurung")
    books = (place.sample_book(), place.other_book())
    plies = from_book = games = 0
    with display() as screen:
        for match in matches(place, *books):
            of_match = judge(match, *run(match, place.folder, screen))
            plies, from_book = plies + of_match[0], from_book + of_match[1]
            games += match.games
    kinds = pyarrow.parquet.read_table(place.folder / LEARNED, columns=["kind"])["kind"].to_pylist()
    if kinds.count("seen") != games:
        raise Failed(f"of {games} games {kinds.count('seen')} have taught the first player")
    return (
        f"{games} games under xboard and polyglot, {plies} plies, {from_book} of them from the "
        f"books; no illegal move, no forfeit, no crash; {len(kinds)} rows learned"
    )

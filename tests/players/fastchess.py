"""The match runner fastchess as the GUI, built from its own sources; the variable FASTCHESS names it."""

import os
import re
import shlex
import subprocess
from pathlib import Path

import pyarrow.parquet

from judge import boards
from judge.report import Failed, Skipped
from place import Book, Place, need

GAMES = 10
SECONDS_A_GAME = 30
# What fastchess prints where a player does not keep to the rules.  That a move of a book has no score, and
# that the match has no openings of its own, is as it should be.
FAULTS = re.compile(r"illegal|warning|disconnect|stall|timeout|on time|terminated|fatal", re.IGNORECASE)
EXPECTED = re.compile(r"Warning[:;] (?:No info line|No opening book|Unknown opening format)")


def player(name: str, command: list[str]) -> list[str]:
    """A player as fastchess takes it."""
    return ["-engine", f"name={name}", f"cmd={command[0]}", f"args={shlex.join(command[1:])}"]


def command_of(place: Place, program: str, one: Book, other: Book, learned: Path) -> list[str]:
    """A match of two players with books, of which the first one learns."""
    first = place.adapter(one, "stockfish", "--policy", "terra", "--learn", learned, "--rule", "terra")
    second = place.adapter(other, "glaurung", "--policy", "crafty")
    rounds = place.games(GAMES) // 2
    return [
        program,
        *player("first", first),
        *player("second", second),
        *("-each", "tc=2+0.02", "timemargin=500", "option.Hash=8"),
        *("-rounds", str(rounds), "-games", "2", "-concurrency", "1"),
        *("-pgnout", "file=fastchess.pgn", "-log", "file=fastchess.log"),
    ]


def judge(games: int, pgn: Path, said: str, learned: Path) -> str:
    """Fails if a game was not finished as it should be, or did not teach."""
    played = list(boards.games(pgn.read_text("utf-8")))
    if len(played) != games:
        raise Failed(f"{len(played)} games and not {games}: {said[-500:]}")
    for game in played:
        if game.errors or game.headers["Result"] == "*":
            raise Failed(f"{game.headers['Result']} {game.end().comment} {game.errors}")
    if wrong := [line for line in said.splitlines() if FAULTS.search(EXPECTED.sub("", line))]:
        raise Failed(f"fastchess says {wrong[:5]}")
    rows = pyarrow.parquet.read_table(learned, columns=["kind", "own_wins", "own_draws", "own_losses"])
    kinds = rows["kind"].to_pylist()
    if kinds.count("seen") != games or "book" not in kinds:
        raise Failed(f"of {games} games {kinds.count('seen')} have taught the first player")
    plies = sum(game.end().ply() for game in played)
    return f"{games} games under fastchess, {plies} plies, none lost by a fault; {len(kinds)} rows learned"


def check(place: Place) -> str:
    """Plays a match under fastchess."""
    need("stockfish", "glaurung")
    program = os.environ.get("FASTCHESS")
    if not program:
        raise Skipped("no FASTCHESS: no match is played under fastchess")
    learned = place.folder / "fastchess.experience.parquet"
    command = command_of(place, program, place.sample_book(), place.other_book(), learned)
    games = place.games(GAMES)
    ran = subprocess.run(
        command, cwd=place.folder, capture_output=True, text=True, timeout=SECONDS_A_GAME * games, check=False
    )
    if ran.returncode:
        raise Failed(f"fastchess ends with {ran.returncode}: {(ran.stdout + ran.stderr)[-500:]}")
    return judge(games, place.folder / "fastchess.pgn", ran.stdout + ran.stderr, learned)

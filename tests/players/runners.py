"""Match runners as the GUI, built from their own sources; the variables FASTCHESS and CUTECHESS name them."""

import os
import re
import shlex
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet

from judge import boards
from judge.report import Failed, Skipped
from place import Book, Place, need

GAMES = 10
SECONDS_A_GAME = 30
# What they print where a player does not keep to the rules.  That a move of a book has no score, and
# that the match has no openings of its own, is as it should be.
FAULTS = re.compile(r"illegal|warning|disconnect|stall|timeout|on time|terminated|fatal", re.IGNORECASE)
EXPECTED = re.compile(r"Warning[:;] (?:No info line|No opening book|Unknown opening format)")


@dataclass(frozen=True)
class Runner:
    """A match runner: its variable, how it takes the words of a command, and the flags of its games."""

    name: str
    arguments: Callable[[list[str]], list[str]]
    flags: tuple[str, ...]

    def player(self, name: str, command: list[str]) -> list[str]:
        """A player as the runner takes it."""
        return ["-engine", f"name={name}", f"cmd={command[0]}", *self.arguments(command[1:])]

    def command(self, place: Place, program: str, one: Book, other: Book, learned: Path) -> list[str]:
        """A match of two players with books, of which the first one learns."""
        first = place.adapter(one, "stockfish", "--policy", "terra", "--learn", learned, "--rule", "terra")
        second = place.adapter(other, "glaurung", "--policy", "crafty")
        rounds = place.games(GAMES) // 2
        return [
            program,
            *self.player("first", first),
            *self.player("second", second),
            *("-each", "tc=2+0.02", "timemargin=500", "option.Hash=8"),
            *("-rounds", str(rounds), "-games", "2", "-concurrency", "1"),
            *self.flags,
        ]

    def check(self, place: Place) -> str:
        """Plays a match under it."""
        need("stockfish", "glaurung")
        variable = self.name.upper()
        program = os.environ.get(variable)
        if not program:
            raise Skipped(f"no {variable}: no match is played under {self.name}")
        learned = place.folder / f"{self.name}.experience.parquet"
        command = self.command(place, program, place.sample_book(), place.other_book(), learned)
        games = place.games(GAMES)
        seconds = SECONDS_A_GAME * games
        ran = subprocess.run(
            command, cwd=place.folder, capture_output=True, text=True, timeout=seconds, check=False
        )
        if ran.returncode:
            raise Failed(f"{self.name} ends with {ran.returncode}: {(ran.stdout + ran.stderr)[-500:]}")
        return self.judge(games, place.folder / "match.pgn", ran.stdout + ran.stderr, learned)

    def judge(self, games: int, pgn: Path, said: str, learned: Path) -> str:
        """Fails if a game was not finished as it should be, or did not teach."""
        played = list(boards.games(pgn.read_text("utf-8")))
        if len(played) != games:
            raise Failed(f"{len(played)} games and not {games}: {said[-500:]}")
        for game in played:
            if game.errors or game.headers["Result"] == "*":
                raise Failed(f"{game.headers['Result']} {game.end().comment} {game.errors}")
        if wrong := [line for line in said.splitlines() if FAULTS.search(EXPECTED.sub("", line))]:
            raise Failed(f"{self.name} says {wrong[:5]}")
        rows = pyarrow.parquet.read_table(learned, columns=["kind", "own_wins", "own_draws", "own_losses"])
        kinds = rows["kind"].to_pylist()
        if kinds.count("seen") != games or "book" not in kinds:
            raise Failed(f"of {games} games {kinds.count('seen')} have taught the first player")
        plies = sum(game.end().ply() for game in played)
        return f"{games} games, {plies} plies, none lost by a fault; {len(kinds)} rows learned"


FASTCHESS = Runner(
    "fastchess",
    lambda words: [f"args={shlex.join(words)}"],
    ("-pgnout", "file=match.pgn", "-log", "file=fastchess.log"),
)
CUTECHESS = Runner(
    "cutechess", lambda words: ["proto=uci", *(f"arg={word}" for word in words)], ("-pgnout", "match.pgn")
)

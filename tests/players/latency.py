"""How long a player takes for a move of its book, from `go` to `bestmove` over a pipe."""

import random
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.polyglot

from judge.report import Failed
from pipe import Pipe
from place import Place, need

GOES = 1000
MEDIAN_MS_MAX = 1.0
PLIES_MAX = 30
POLICIES = ("crafty", "terra", "bayes")

# The engine has no time to lose where a policy plays no move of the book.
GO = "go wtime 60000 btime 60000 winc 100 binc 100 depth 1"


def lines_of(polyglot: Path) -> Iterator[list[str]]:
    """Random lines of a book whose last positions are in it."""
    draw = random.Random(1)
    with chess.polyglot.open_reader(polyglot) as reader:
        while True:
            board = chess.Board()
            for _ in range(draw.randrange(PLIES_MAX)):
                move = draw.choice(list(reader.find_all(board))).move
                board.push(move)
                if not any(reader.find_all(board)):
                    board.pop()
                    break
            yield [move.uci() for move in board.move_stack]


def measure(command: list[str], lines: Iterator[list[str]], count: int) -> list[float]:
    """Milliseconds of `count` goes that are answered from the book."""
    pipe = Pipe(command)
    pipe.ask("uciok", "uci")
    times: list[float] = []
    for line in lines:
        pipe.say("position startpos moves " + " ".join(line) if line else "position startpos")
        pipe.ask("readyok", "isready")
        begun = time.perf_counter()
        answer = pipe.ask("bestmove", GO)
        took = time.perf_counter() - begun
        # A policy may have no move that it plays where the book has one.
        if answer[-2].startswith("info string book "):
            times.append(1000 * took)
        if len(times) == count:
            break
    pipe.quit()
    return times


def check(place: Place) -> str:
    """Measures with an engine and several policies."""
    need("stockfish")
    book = place.other_book()
    count = place.games(GOES)
    said = []
    for policy in POLICIES:
        command = place.adapter(book, "stockfish", "--policy", policy)
        times = measure(command, lines_of(book.polyglot), count)
        median = statistics.median(times)
        highest = statistics.quantiles(times, n=100)[98]
        said.append(f"{policy} {median:.3f} ms, {highest:.3f} ms")
        if median >= MEDIAN_MS_MAX:
            raise Failed(f"{policy}: the median is {median:.3f} ms, not under {MEDIAN_MS_MAX} ms")
    return f"median and 99th percentile of {count} goes: " + "; ".join(said)

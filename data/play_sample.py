#!/usr/bin/env python3
"""Plays `data/sample.pgn`: Debian's stockfish against Debian's glaurung at fixed nodes.

Needs `apt-get install stockfish glaurung` and `pip install chess`.  Everything about a game
(opening line, its cut, levels, colours, node jitter) is drawn from a generator seeded by the game's
number, engines start every game with an empty hash and one thread, and games are written in the
order of their numbers; so the same engine versions give the same file with any number of workers.

    nice -n 10 data/play_sample.py --games 2400 --date 2026.11.20 --output data/sample.pgn
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

import chess
import chess.engine

SEED = 20
"""Mixed into every game's own seed."""

TASK_GAMES = 20
"""Games a worker plays before it takes the next task."""

OPENINGS: tuple[str, ...] = (
    "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6",
    "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4",
    "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6",
    "e4 e5 Nf3 Nc6 d4 exd4 Nxd4 Nf6",
    "e4 e5 Nf3 Nf6 Nxe5 d6 Nf3 Nxe4",
    "e4 e5 Nc3 Nf6 f4 d5 fxe5 Nxe4",
    "e4 e5 f4 exf4 Nf3 g5 h4 g4",
    "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6",
    "e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 g6",
    "e4 c5 Nf3 e6 d4 cxd4 Nxd4 a6",
    "e4 c5 c3 Nf6 e5 Nd5 d4 cxd4",
    "e4 c5 Nc3 Nc6 g3 g6 Bg2 Bg7",
    "e4 e6 d4 d5 Nc3 Bb4 e5 c5",
    "e4 e6 d4 d5 Nd2 Nf6 e5 Nfd7",
    "e4 e6 d4 d5 exd5 exd5 Nf3 Nf6",
    "e4 c6 d4 d5 Nc3 dxe4 Nxe4 Bf5",
    "e4 c6 d4 d5 e5 Bf5 Nf3 e6",
    "e4 d5 exd5 Qxd5 Nc3 Qa5 d4 Nf6",
    "e4 d6 d4 Nf6 Nc3 g6 Nf3 Bg7",
    "e4 g6 d4 Bg7 Nc3 d6 f4 Nf6",
    "e4 Nf6 e5 Nd5 d4 d6 Nf3 Bg4",
    "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7",
    "d4 d5 c4 c6 Nf3 Nf6 Nc3 dxc4",
    "d4 d5 c4 dxc4 Nf3 Nf6 e3 e6",
    "d4 d5 Nf3 Nf6 Bf4 c5 e3 Nc6",
    "d4 d5 c4 e5 dxe5 d4 Nf3 Nc6",
    "d4 Nf6 c4 e6 Nc3 Bb4 e3 O-O",
    "d4 Nf6 c4 e6 Nf3 b6 g3 Ba6",
    "d4 Nf6 c4 e6 g3 d5 Bg2 Be7",
    "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6",
    "d4 Nf6 c4 g6 Nc3 d5 cxd5 Nxd5",
    "d4 Nf6 c4 c5 d5 e6 Nc3 exd5",
    "d4 Nf6 c4 c5 d5 b5 cxb5 a6",
    "d4 Nf6 Bg5 Ne4 Bf4 d5 e3 c5",
    "d4 f5 g3 Nf6 Bg2 e6 Nf3 Be7",
    "c4 e5 Nc3 Nf6 Nf3 Nc6 g3 d5",
    "c4 c5 Nf3 Nf6 Nc3 d5 cxd5 Nxd5",
    "c4 Nf6 Nc3 e6 e4 d5 e5 Ne4",
    "Nf3 d5 g3 Nf6 Bg2 c6 O-O Bg4",
    "Nf3 Nf6 c4 g6 g3 Bg7 Bg2 O-O",
    "b3 e5 Bb2 Nc6 e3 d5 Bb5 Bd6",
    "f4 d5 Nf3 g6 g3 Bg7 Bg2 Nf6",
    "g3 d5 Bg2 e5 d3 Nf6 Nf3 Nc6",
)
"""Common openings, the more popular ones of each first move first."""


@dataclass(frozen=True)
class Level:
    """One engine at one strength."""

    name: str
    program: str
    nodes: int
    """Nodes a move, before jitter."""
    elo: int
    """Nominal: it only orders the levels (see data/README.md)."""


STOCKFISH = (
    Level("Stockfish 15.1 (100 nodes)", "stockfish", 100, 2100),
    Level("Stockfish 15.1 (300 nodes)", "stockfish", 300, 2300),
    Level("Stockfish 15.1 (900 nodes)", "stockfish", 900, 2500),
)
GLAURUNG = (
    Level("Glaurung 2.2 (3000 nodes)", "glaurung", 3000, 2100),
    Level("Glaurung 2.2 (9000 nodes)", "glaurung", 9000, 2300),
    Level("Glaurung 2.2 (27000 nodes)", "glaurung", 27000, 2500),
)


@dataclass(frozen=True)
class Pairing:
    """What is known of a game before its first engine move."""

    number: int
    white: Level
    black: Level
    opening: list[str]


@dataclass
class Adjudicator:
    """A match tool's rules: resign on agreed large scores, draw on agreed small ones.

    Scores are centipawns from White's side, one a ply.
    """

    resign_cp: int = 700
    resign_plies: int = 6
    draw_cp: int = 20
    draw_plies: int = 12
    draw_from_ply: int = 70
    plies_max: int = 160
    scores: list[int] = field(default_factory=list)

    def verdict(self, board: chess.Board) -> str | None:
        """The result, once a rule ends the game."""
        outcome = board.outcome(claim_draw=True)
        if outcome is not None:
            return outcome.result()
        last = self.scores[-self.resign_plies :]
        if len(last) == self.resign_plies:
            if min(last) >= self.resign_cp:
                return "1-0"
            if max(last) <= -self.resign_cp:
                return "0-1"
        if board.ply() >= self.plies_max or self.is_dead_draw(board.ply()):
            return "1/2-1/2"
        return None

    def is_dead_draw(self, ply: int) -> bool:
        """Both sides have evaluated the position as even for long enough."""
        last = self.scores[-self.draw_plies :]
        even = len(last) == self.draw_plies and max(map(abs, last)) <= self.draw_cp
        return even and ply >= self.draw_from_ply


def pair(number: int, dice: random.Random) -> Pairing:
    """Draws levels, colours and an opening for game `number`."""
    players = [dice.choice(STOCKFISH), dice.choice(GLAURUNG)]
    dice.shuffle(players)
    weights = [1 / (1 + rank) ** 0.5 for rank in range(len(OPENINGS))]
    line = dice.choices(OPENINGS, weights)[0].split()
    return Pairing(number, players[0], players[1], line[: dice.randint(2, len(line))])


def start_engines() -> dict[str, chess.engine.SimpleEngine]:
    """Both programs, one thread and a small hash each."""
    engines = {}
    for program in ("stockfish", "glaurung"):
        engine = chess.engine.SimpleEngine.popen_uci(f"/usr/games/{program}")
        wanted = {"Threads": 1, "Hash": 16, "OwnBook": False}
        managed = ("Ponder", "UCI_Chess960", "MultiPV")
        engine.configure(
            {k: v for k, v in wanted.items() if k in engine.options and k not in managed}
        )
        engines[program] = engine
    return engines


def ask(
    engine: chess.engine.SimpleEngine, board: chess.Board, nodes: int, game: int
) -> chess.engine.PlayResult:
    """One move; glaurung has none when it ran out of nodes in its first ply, and gets more."""
    reply = engine.play(
        board, chess.engine.Limit(nodes=nodes), game=game, info=chess.engine.INFO_SCORE
    )
    return reply if reply.move else ask(engine, board, 2 * nodes, game)


def play(
    pairing: Pairing, engines: dict[str, chess.engine.SimpleEngine], dice: random.Random
) -> tuple[chess.Board, str]:
    """Plays one game to its end; returns the last board and the result."""
    board = chess.Board()
    for san in pairing.opening:
        board.push_san(san)
    judge = Adjudicator()
    while (result := judge.verdict(board)) is None:
        level = pairing.white if board.turn else pairing.black
        nodes = round(level.nodes * dice.uniform(0.6, 1.4))
        reply = ask(engines[level.program], board, nodes, pairing.number)
        if "score" in reply.info:
            judge.scores.append(reply.info["score"].white().score(mate_score=100_000))
        board.push(reply.move)
    return board, result


def movetext(board: chess.Board, result: str) -> str:
    """Numbered SAN wrapped at 79 columns."""
    replay, words = chess.Board(), []
    for move in board.move_stack:
        if replay.turn:
            words.append(f"{replay.fullmove_number}.")
        words.append(replay.san_and_push(move))
    return textwrap.fill(" ".join([*words, result]), 79, break_on_hyphens=False)


def to_pgn(pairing: Pairing, board: chess.Board, result: str, date: str) -> str:
    """One game as PGN, with a blank line after it."""
    ended = board.outcome(claim_draw=True) is not None
    tags = {
        "Event": "Fixed-node match",
        "Site": "?",
        "Date": date,
        "Round": str(pairing.number),
        "White": pairing.white.name,
        "Black": pairing.black.name,
        "Result": result,
        "WhiteElo": str(pairing.white.elo),
        "BlackElo": str(pairing.black.elo),
        "UTCDate": date,
        "TimeControl": "-",
        "PlyCount": str(board.ply()),
        "Termination": "normal" if ended else "adjudication",
    }
    head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    return f"{head}\n{movetext(board, result)}\n\n"


def play_games(numbers: range, date: str) -> list[tuple[int, str]]:
    """One worker's task: plays some games with engines of its own; gives (number, PGN)."""
    engines = start_engines()
    games = []
    for number in numbers:
        dice = random.Random(SEED * 1_000_003 + number)
        pairing = pair(number, dice)
        board, result = play(pairing, engines, dice)
        games.append((number, to_pgn(pairing, board, result, date)))
    for engine in engines.values():
        engine.quit()
    return games


def main() -> None:
    """Plays all games and writes them in order."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=2400)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--date", required=True, help="yyyy.mm.dd, written into every game")
    parser.add_argument("--output", type=Path, required=True)
    args = parser.parse_args()

    tasks = [
        (range(first, min(first + TASK_GAMES, args.games + 1)), args.date)
        for first in range(1, args.games + 1, TASK_GAMES)
    ]
    with multiprocessing.Pool(args.workers) as pool:
        games = dict(game for part in pool.starmap(play_games, tasks, 1) for game in part)
    text = "".join(games[number] for number in sorted(games))
    args.output.write_text(text, encoding="ascii", newline="\n")


if __name__ == "__main__":
    main()

"""A match runner: two UCI engines play games with clocks, and each game is kept as PGN.

Games are played by python-chess's engine module. Values of searches are comments from the mover's view, as cutechess
writes them: `{+0.35/12}`. An illegal move, a lost clock or a line that is no UCI ends the match with an error.
"""

from __future__ import annotations

import datetime
import logging
import re
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import chess
import chess.engine
import chess.pgn

if TYPE_CHECKING:
    from collections.abc import Iterator

SCORE = re.compile(r" score (cp|mate) (-?\d+)")


class MatchError(Exception):
    """A match that did not go by the rules."""


class Complaints(logging.Handler):
    """What python-chess finds wrong with an engine's lines."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


@dataclass
class Clock:
    """Seconds at the start and for each move; or a depth for every search, of engines that all know it."""

    start: float = 2.0
    increment: float = 0.02
    depth: int | None = None


@dataclass
class Player:
    """A running UCI engine with all lines that it printed."""

    command: list[str]
    options: dict[str, str | int | bool | None] = field(default_factory=dict)
    rating: int | None = None
    lines: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.engine = chess.engine.SimpleEngine.popen_uci(self.command, timeout=20)
        protocol = self.engine.protocol
        received = protocol.line_received

        def line_received(line: str) -> None:
            self.lines.append(line)
            received(line)

        protocol.line_received = line_received
        self.engine.configure({name: value for name, value in self.options.items() if name in self.engine.options})

    @property
    def name(self) -> str:
        return self.engine.id.get("name", "?")

    def say(self, line: str) -> None:
        """Sends a line to the engine, as it is."""
        protocol = self.engine.protocol
        protocol.loop.call_soon_threadsafe(protocol.send_line, line)
        self.engine.ping()

    def meet(self, opponent: Player) -> None:
        """Names the opponent to the engine, if it wants to know."""
        if "UCI_Opponent" in self.engine.options:
            known = chess.engine.Opponent(opponent.name, None, opponent.rating, is_engine=True)
            self.engine.send_opponent_information(opponent=known, engine_rating=self.rating)

    def found(self) -> str | None:
        """The value of the search that these lines are of, as a comment; none for a move of a book."""
        for line in reversed(self.lines):
            score = SCORE.search(line)
            if not score or not line.startswith("info ") or " string " in line or "bound" in line:
                continue
            if " multipv " in line and " multipv 1 " not in line:
                continue
            depth = re.search(r" depth (\d+)", line)
            return comment(score[1], int(score[2]), int(depth[1]) if depth else 0)
        return None


def comment(kind: str, value: int, depth: int) -> str:
    """`+0.35/12`, and mates in plies."""
    sign = "-" if value < 0 else "+"
    if kind == "cp":
        return f"{sign}{abs(value) // 100}.{abs(value) % 100:02}/{depth}"
    plies = 2 * value - 1 if value > 0 else 2 * -value
    return f"{'+' if value > 0 else '-'}M{plies}/{depth}"


def play(white: Player, black: Player, clock: Clock, *, max_plies: int = 300) -> chess.pgn.Game:
    """Plays one game; the engines hear its result as the option `Result`, where they have it."""
    board, token = chess.Board(), object()
    game = chess.pgn.Game()
    node: chess.pgn.GameNode = game
    left = {chess.WHITE: clock.start, chess.BLACK: clock.start}
    white.meet(black)
    black.meet(white)
    while not board.is_game_over(claim_draw=True) and board.ply() < max_plies:
        side = board.turn
        player = white if side else black
        player.lines.clear()
        limit = chess.engine.Limit(depth=clock.depth) if clock.depth else chess.engine.Limit(
            white_clock=left[chess.WHITE], black_clock=left[chess.BLACK],
            white_inc=clock.increment, black_inc=clock.increment,
        )
        begun = time.perf_counter()
        move = player.engine.play(board, limit, game=token).move
        left[side] += clock.increment - (time.perf_counter() - begun)
        if left[side] < 0 and not clock.depth:
            raise MatchError(f"{player.name} lost on time at ply {board.ply()}")
        if move is None or move not in board.legal_moves:
            raise MatchError(f"{player.name} played {move} in {board.fen()}")
        node = node.add_variation(move)
        node.comment = player.found() or ""
        board.push(move)
    result = board.result(claim_draw=True)
    finish(game, white, black, "1/2-1/2" if result == "*" else result)
    for player in (white, black):
        if "Result" in player.engine.options:
            moves = " ".join(move.uci() for move in board.move_stack)
            player.say(f"position startpos moves {moves}")
            player.engine.configure({"Result": game.headers["Result"]})
    return game


def finish(game: chess.pgn.Game, white: Player, black: Player, result: str) -> None:
    """Fills in the tags."""
    tags = {"White": white.name, "Black": black.name, "Result": result}
    tags["Date"] = datetime.date.today().strftime("%Y.%m.%d")
    for name, player in (("WhiteElo", white), ("BlackElo", black)):
        if player.rating:
            tags[name] = str(player.rating)
    for name, value in tags.items():
        game.headers[name] = value


def match(one: Player, other: Player, games: int, clock: Clock) -> Iterator[chess.pgn.Game]:
    """Plays games with colours in turn."""
    complaints = Complaints()
    logging.getLogger("chess.engine").addHandler(complaints)
    for number in range(games):
        white, black = (one, other) if number % 2 == 0 else (other, one)
        yield play(white, black, clock)
        if complaints.lines:
            raise MatchError(f"no UCI: {complaints.lines}")

"""A game of an arm as a row, and how a position is valued in which a player left its book."""

from dataclasses import dataclass, field
from typing import Self

import chess
import chess.engine
import chess.pgn

from arms import BAD_MOVE, PREFIX
from fixed_games import Strength
from match_runner import Player
from place import SMALL

# Plies of a line that are compared.
LINE_PLIES = 10
# Values beyond this many centipawns, and mates, count as that.
CENTIPAWNS_MAX = 1000


@dataclass(frozen=True)
class Row:
    """A game of an arm; values and points are from the view of the player whose arm it is."""

    arm: str
    # `learn`, `unseen` or `planted`.
    phase: str
    number: int
    seed: int
    opponent: str
    # `nodes` or `depth`, and how many.
    limit: str
    limit_number: int
    color: str
    result: str
    points: float
    plies: int
    book_moves: int
    # Where the player had its first search; absent if the game ended in its book.
    exit_ply: int | None
    exit_fen: str | None
    exit_centipawns: int | None
    line: str
    # Whether the bad move of the planted line was played.
    is_bad: bool


@dataclass
class Evaluator:
    """A strong engine that values positions, each in a search with an empty hash table."""

    nodes: int
    known: dict[str, int] = field(default_factory=dict)

    def __enter__(self) -> Self:
        """Starts it."""
        self.engine = chess.engine.SimpleEngine.popen_uci("/usr/games/stockfish")
        self.engine.configure({"Threads": SMALL["Threads"], "Hash": 64})
        return self

    def __exit__(self, *_error: object) -> None:
        """Ends it."""
        self.engine.quit()

    def centipawns(self, board: chess.Board) -> int:
        """The value of a position for the side to move."""
        fen = board.fen()
        if fen not in self.known:
            found = self.engine.analyse(board, chess.engine.Limit(nodes=self.nodes), game=object())
            value = found["score"].relative.score(mate_score=100_000)
            self.known[fen] = max(-CENTIPAWNS_MAX, min(CENTIPAWNS_MAX, value))
        return self.known[fen]


def left_book(game: chess.pgn.Game, player: Player, color: chess.Color, begun: int) -> chess.Board | None:
    """The first position, from a ply on, in which a player had no book move."""
    book = {(played.fen, played.move) for played in player.book_moves}
    board = game.board()
    for move in game.mainline_moves():
        if board.turn == color and board.ply() >= begun and (board.fen(), move.uci()) not in book:
            return board
        board.push(move)
    return None


POINTS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}


@dataclass(frozen=True)
class Pairing:
    """Which game is played."""

    phase: str
    number: int
    seed: int
    opponent: Strength
    color: chess.Color
    opening: tuple[str, ...] = ()


def row(arm: str, pairing: Pairing, game: chess.pgn.Game, player: Player, judge: Evaluator) -> Row:
    """A game as a row."""
    moves = [move.uci() for move in game.mainline_moves()]
    left = left_book(game, player, pairing.color, len(pairing.opening))
    white = POINTS[game.headers["Result"]]
    return Row(
        arm=arm,
        phase=pairing.phase,
        number=pairing.number,
        seed=pairing.seed,
        opponent=pairing.opponent.label,
        limit=pairing.opponent.kind,
        limit_number=pairing.opponent.number,
        color=chess.COLOR_NAMES[pairing.color],
        result=game.headers["Result"],
        points=white if pairing.color else 1 - white,
        plies=len(moves),
        book_moves=len(player.book_moves),
        exit_ply=left.ply() if left else None,
        exit_fen=left.fen() if left else None,
        exit_centipawns=judge.centipawns(left) if left else None,
        line=" ".join(moves[:LINE_PLIES]),
        is_bad=pairing.phase == "planted" and moves[len(PREFIX)] == BAD_MOVE,
    )

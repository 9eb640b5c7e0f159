"""From move tokens to positions: python-chess for legality and the Zobrist numbers, the rest ours.

python-chess's own `parse_san` is more lenient than the rules (it plays `Nxf3` on an empty square),
so the squares a move names are matched here, and python-chess only decides which moves are legal.
Keys are kept incrementally and compared with python-chess's full hash at the end of every game.
"""

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import chess
import chess.polyglot

RANDOM = chess.polyglot.POLYGLOT_RANDOM_ARRAY
CASTLING_RANDOM = {
    chess.BB_H1: RANDOM[768],
    chess.BB_A1: RANDOM[769],
    chess.BB_H8: RANDOM[770],
    chess.BB_A8: RANDOM[771],
}
EP_RANDOM = 772
WHITE_TO_MOVE = RANDOM[780]

SAN = re.compile(
    rb"(?P<piece>[KQRBNP]?)(?P<file>[a-h]?)(?P<rank>[1-8]?)(?P<mark>[x-]?)(?P<to>[a-h][1-8])"
    rb"(?:[=/(]*(?P<promotion>[QRBNqrbn]))?"
)
CASTLING = re.compile(rb"[Oo0]-[Oo0](?P<long>-[Oo0])?")
PIECES = {b"": 1, b"P": 1, b"N": 2, b"B": 3, b"R": 4, b"Q": 5, b"K": 6}
PROMOTIONS = {b"n": 2, b"b": 3, b"r": 4, b"q": 5}

Find = Callable[[chess.Board, bytes], chess.Move]
"""Which move a token names; raises `MoveError` if none or several."""


class Spelling(NamedTuple):
    """What a move token means."""

    castling: str
    """`short`, `long`, or empty."""
    piece: int
    from_mask: int
    capture: bool
    to: int
    promotion: int | None


class MoveError(Exception):
    """No legal move fits a token, or several do; the argument is the reason's name."""


@dataclass
class Replay:
    """What a game's moves came to."""

    keys: list[int]
    """One a position visited, the last one too."""
    moves: list[int]
    """Packed moves, one fewer than keys."""
    failure: str | None = None


@functools.lru_cache(maxsize=200_000)
def spell(token: bytes) -> Spelling | None:
    """Reads a move token; None for null moves and drops, which are never legal."""
    if match := CASTLING.match(token):
        return Spelling("long" if match["long"] else "short", 0, 0, False, 0, None)
    match = SAN.match(token)
    if match is None:
        return None
    mask = chess.BB_ALL
    if match["file"]:
        mask &= chess.BB_FILES[match["file"][0] - ord("a")]
    if match["rank"]:
        mask &= chess.BB_RANKS[match["rank"][0] - ord("1")]
    to = chess.parse_square(match["to"].decode())
    promotion = PROMOTIONS.get((match["promotion"] or b"").lower())
    return Spelling("", PIECES[match["piece"]], mask, match["mark"] == b"x", to, promotion)


def find_move(board: chess.Board, token: bytes) -> chess.Move:
    """The one legal move a token names."""
    said = spell(token)
    if said is None:
        raise MoveError("illegal-move")
    found = castling(board, said) if said.castling else ordinary(board, said)
    if len(found) != 1:
        raise MoveError("ambiguous-move" if found else "illegal-move")
    return found[0]


def castling(board: chess.Board, said: Spelling) -> list[chess.Move]:
    """Legal castling on the side asked for."""
    is_long = said.castling == "long"
    return [
        move for move in board.generate_castling_moves() if (move.to_square < move.from_square) == is_long
    ]


def ordinary(board: chess.Board, said: Spelling) -> list[chess.Move]:
    """Legal moves, castling apart, that fit piece, squares, capture mark and promotion."""
    pawn = said.piece == chess.PAWN
    last_rank = chess.BB_SQUARES[said.to] & (chess.BB_RANK_1 | chess.BB_RANK_8)
    if pawn and bool(last_rank) != (said.promotion is not None):
        return []
    target = chess.BB_SQUARES[said.to]
    en_passant = pawn and board.ep_square == said.to and said.capture
    if said.capture != bool(board.occupied & target) and not en_passant:
        return []
    own = board.pieces_mask(said.piece, board.turn) & said.from_mask
    origins = own & reach(board, said)
    candidates = [chess.Move(origin, said.to, said.promotion) for origin in chess.scan_forward(origins)]
    return [move for move in candidates if board.is_legal(move)]


def reach(board: chess.Board, said: Spelling) -> int:
    """Squares from which such a piece may come to the target; a superset is enough."""
    to, occupied = said.to, board.occupied
    if said.piece == chess.KNIGHT:
        return chess.BB_KNIGHT_ATTACKS[to]
    if said.piece == chess.KING:
        return chess.BB_KING_ATTACKS[to]
    if said.piece == chess.PAWN:
        file = chess.BB_FILES[chess.square_file(to)]
        return chess.BB_ALL & ~file if said.capture else file
    diagonal = chess.BB_DIAG_ATTACKS[to][chess.BB_DIAG_MASKS[to] & occupied]
    if said.piece == chess.BISHOP:
        return diagonal
    straight = chess.BB_RANK_ATTACKS[to][chess.BB_RANK_MASKS[to] & occupied]
    straight |= chess.BB_FILE_ATTACKS[to][chess.BB_FILE_MASKS[to] & occupied]
    return straight if said.piece == chess.ROOK else straight | diagonal


def pack(board: chess.Board, move: chess.Move) -> int:
    """Polyglot's 16 bits; castling is king takes own rook."""
    to = move.to_square
    if board.kings & chess.BB_SQUARES[move.from_square] and board.is_castling(move):
        rank = move.from_square & 56
        to = rank + (7 if to > move.from_square else 0)
    promotion = move.promotion - 1 if move.promotion else 0
    return to | move.from_square << 6 | promotion << 12


def piece_random(piece: int, white: bool, square: int) -> int:
    """The random number of a piece on a square."""
    return RANDOM[64 * (2 * (piece - 1) + white) + square]


def castling_random(rights: int) -> int:
    """The random numbers of the castling rights, a rook's square a bit."""
    key = 0
    for rook, number in CASTLING_RANDOM.items():
        if rights & rook:
            key ^= number
    return key


def en_passant_random(board: chess.Board) -> int:
    """Hashed only where a pawn is next to the one that just moved two squares."""
    square = board.ep_square
    if square is None:
        return 0
    pushed = square - 8 if board.turn else square + 8
    own = board.pawns & board.occupied_co[board.turn]
    neighbours = chess.BB_KING_ATTACKS[pushed] & chess.BB_RANKS[pushed >> 3]
    return RANDOM[EP_RANDOM + (square & 7)] if own & neighbours else 0


def play(board: chess.Board, move: chess.Move, base: int) -> int:
    """Plays `move`; takes and gives the key without its en passant part."""
    white, origin, to = board.turn, move.from_square, move.to_square
    piece = board.piece_type_at(origin)
    rights = board.castling_rights
    base ^= WHITE_TO_MOVE ^ piece_random(piece, white, origin)
    base ^= piece_random(move.promotion or piece, white, to)
    taken = board.piece_type_at(to)
    if taken:
        base ^= piece_random(taken, not white, to)
    elif piece == chess.PAWN and to == board.ep_square and (origin ^ to) & 7:
        base ^= piece_random(chess.PAWN, not white, to + (-8 if white else 8))
    elif piece == chess.KING and abs(origin - to) == 2:
        rook_from, rook_to = (origin + 3, origin + 1) if to > origin else (origin - 4, origin - 1)
        base ^= piece_random(chess.ROOK, white, rook_from)
        base ^= piece_random(chess.ROOK, white, rook_to)
    board.push(move)
    if board.castling_rights != rights:
        base ^= castling_random(rights) ^ castling_random(board.castling_rights)
    return base


def replay(board: chess.Board, tokens: list[bytes], find: Find = find_move) -> Replay:
    """Plays tokens until they end or one fails; `find` says which move a token names."""
    base = chess.polyglot.zobrist_hash(board) ^ en_passant_random(board)
    keys, moves, failure = [base ^ en_passant_random(board)], [], None
    for token in tokens:
        try:
            move = find(board, token)
        except MoveError as error:
            failure = str(error)
            break
        moves.append(pack(board, move))
        base = play(board, move, base)
        keys.append(base ^ en_passant_random(board))
    full = chess.polyglot.zobrist_hash(board)
    assert keys[-1] == full, f"incremental key differs from python-chess at {board.fen()}"
    return Replay(keys, moves, failure)

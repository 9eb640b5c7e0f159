"""Keys, moves and scores as expressions of Polars: the macros of `tabia sql`, lazily and in Polars'
own terms.

    >>> import polars as pl, tabia.polars as tp
    >>> moves = pl.scan_parquet("games.table/*.parquet").filter(pl.col("move") != 0)
    >>> moves.select(tp.uci("move", "step"), tp.score("white", "draws", "black",
    tp.turn_of("step")))

Each argument is the name of a column or an expression.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from polars import Expr

    Column = str | Expr

Z = 1.959963984540054
"""Of the 95 % interval."""

START_KEY = 0x463B96181691FC9C
"""The key of the start position; `pl.lit(START_KEY, pl.UInt64)` compares with a table's."""

CASTLING = {263: "e1g1", 256: "e1c1", 3903: "e8g8", 3896: "e8c8"}
"""Castling in Polyglot's bits, king takes rook, and as UCI has it."""


def column(column: Column) -> Expr:
    """The expression, or the column of that name."""
    return pl.col(column) if isinstance(column, str) else column


def squares(move: Column = "move") -> Expr:
    """A move's two squares and promotion as Polyglot packs them; castling is the king's square and
    the rook's. No move: null.
    """
    bits = column(move).cast(pl.UInt16)

    def digit(shift: int, names: str) -> Expr:
        place = bits // (1 << shift) % 8
        return place.replace_strict(dict(enumerate(names)), default="", return_dtype=pl.String)

    files, ranks = "abcdefgh", "12345678"
    from_square = digit(6, files) + digit(9, ranks)
    name = from_square + digit(0, files) + digit(3, ranks)
    promotion = bits // (1 << 12)
    piece = promotion.replace_strict(
        {1: "n", 2: "b", 3: "r", 4: "q"}, default="", return_dtype=pl.String
    )
    return pl.when(bits != 0).then(name + piece)


def uci(move: Column = "move", step: Column | None = None) -> Expr:
    """The same as UCI has it, castling as the king's two steps. Bits alone do not say which piece
    moves: e1h1, e1a1, e8h8 and e8a8 are taken for castling. With the step of a table's row it is
    exact.
    """
    bits = column(move).cast(pl.UInt16)
    castling = bits.is_in(list(CASTLING))
    if step is not None:
        castling &= column(step).cast(pl.UInt16) // 512 % 8 == 6
    names = bits.replace_strict(CASTLING, default=None, return_dtype=pl.String)
    return pl.when(castling).then(names).otherwise(squares(move))


def turn_of(step: Column = "step") -> Expr:
    """`white` or `black`: whose move it is, by the step of a table's row."""
    step = column(step)
    named = pl.when(step >= 32768).then(pl.lit("white")).otherwise(pl.lit("black"))
    return pl.when(step.is_not_null()).then(named)


def key_hex(key: Column = "key") -> Expr:
    """A key as sixteen hexadecimal digits; a signed key, too."""
    key = column(key)
    digits = dict(enumerate("0123456789abcdef"))

    def byte_of(shift: int) -> Expr:
        # In halves, since signed numbers divide towards zero or below, and halves have no sign.
        place = key.reinterpret(signed=False) // (1 << shift) % 16
        return place.replace_strict(digits, return_dtype=pl.String)

    return pl.concat_str([byte_of(shift) for shift in range(60, -4, -4)])


def score(
    white: Column = "white",
    draws: Column = "draws",
    black: Column = "black",
    turn: Column = "turn",
) -> Expr:
    """The points a game of the side to move, 0 to 1; null without games."""
    white, draws, black, turn = map(column, (white, draws, black, turn))
    games = white + draws + black
    wins = pl.when(turn == "white").then(white).when(turn == "black").then(black)
    return pl.when(games != 0).then((wins + draws / 2) / games)


def wilson_low(score: Column = "score", games: Column = "games") -> Expr:
    """Lower bound of Wilson's 95 % interval of a score; null without games."""
    return wilson(column(score), column(games), -1).clip(lower_bound=0)


def wilson_high(score: Column = "score", games: Column = "games") -> Expr:
    """Upper bound of Wilson's 95 % interval of a score; null without games."""
    return wilson(column(score), column(games), 1).clip(upper_bound=1)


def wilson(score: Expr, games: Expr, side: int) -> Expr:
    """A bound of Wilson's interval, before it is kept within 0 and 1."""
    games = games.cast(pl.Float64)
    margin = Z * (score * (1 - score) / games + Z * Z / 4 / games / games).sqrt()
    bound = (score + Z * Z / 2 / games + side * margin) / (1 + Z * Z / games)
    return pl.when(games > 0).then(bound)


def fen(epd: Column = "epd", ply: Column = "ply") -> Expr:
    """The FEN of a position of an export: its EPD, clock 0, and the move number by the shortest
    way.
    """
    return pl.concat_str([column(epd), pl.lit(" 0 "), column(ply) // 2 + 1])

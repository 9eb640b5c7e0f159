"""Keys and names of moves, in and out of lists, numpy, pandas, Polars and pyarrow, against
python-chess.
"""

# ruff: noqa: D103 -- the name of a test says what it tests

from __future__ import annotations

import chess
import chess.polyglot
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tabia


def packed(board: chess.Board, move: chess.Move) -> int:
    """A move in Polyglot's bits, by python-chess."""
    to_square = move.to_square
    if board.is_castling(move):
        rook_file = 7 if board.is_kingside_castling(move) else 0
        to_square = chess.square(rook_file, chess.square_rank(to_square))
    return to_square | move.from_square << 6 | (move.promotion or 1) - 1 << 12


def test_keys_are_python_chesss(boards: list[chess.Board]) -> None:
    expected = [chess.polyglot.zobrist_hash(board) for board in boards]
    assert tabia.keys(boards) == expected
    fens = [board.fen(en_passant="fen") for board in boards]
    assert tabia.keys(fens) == expected
    assert tabia.keys([" ".join(fen.split()[:4]) for fen in fens]) == expected
    assert tabia.keys(boards[7]) == tabia.keys(fens[7]) == expected[7]
    arrays = {
        "numpy": (tabia.keys(np.array(fens)), np.ndarray, "uint64"),
        "pandas": (tabia.keys(pd.Series(fens, name="f")), pd.Series, "uint64"),
        "polars": (tabia.keys(pl.Series("f", fens)), pl.Series, pl.UInt64),
        "pyarrow": (tabia.keys(pa.array(fens)), pa.Array, pa.uint64()),
        "large": (tabia.keys(pa.array(fens, pa.large_string())), pa.Array, pa.uint64()),
        "chunked": (tabia.keys(pa.chunked_array([fens[:9], fens[9:]])), pa.Array, pa.uint64()),
    }
    for name, (found, kind, dtype) in arrays.items():
        assert isinstance(found, kind), name
        assert (
            found.to_pylist() == expected
            if name in ("pyarrow", "large", "chunked")
            else list(found) == expected
        )
        assert (found.type if isinstance(found, pa.Array) else found.dtype) == dtype
    assert arrays["pandas"][0].name == arrays["polars"][0].name == "f"
    assert tabia.keys(np.array(fens[:4]).reshape(2, 2)).tolist() == [expected[:2], expected[2:4]]


def test_castling_rights_of_boards_set_up_by_hand_are_clean() -> None:
    board = chess.Board()
    board.remove_piece_at(chess.H1)
    board.remove_piece_at(chess.E8)
    board.set_piece_at(chess.D6, chess.Piece.from_symbol("k"))
    assert tabia.keys(board) == chess.polyglot.zobrist_hash(board)


def test_missing_fens_have_no_key_and_wrong_ones_are_named() -> None:
    fens = [chess.STARTING_FEN, None]
    assert tabia.keys(pl.Series(fens)).to_list() == [tabia.keys(chess.STARTING_FEN), None]
    assert tabia.keys(pa.array(fens)).to_pylist() == [tabia.keys(chess.STARTING_FEN), None]
    with pytest.raises(tabia.Error, match="row 1: `rubbish` is not the FEN"):
        tabia.keys(pl.Series([chess.STARTING_FEN, "rubbish"]))
    with pytest.raises(tabia.Error, match="FENs must be strings"):
        tabia.keys(pl.Series([1, 2]))


def test_names_of_moves_are_python_chesss(boards: list[chess.Board]) -> None:
    moves, names, steps, at = [], [], [], []
    for board in boards[::7]:
        for move in board.legal_moves:
            moves.append(packed(board, move))
            names.append(move.uci())
            # Of a step only what is captured is read: 6 is castling.
            steps.append(6 << 9 if board.is_castling(move) else 0)
            at.append(board)
    assert any(step for step in steps)
    assert tabia.uci(moves, positions=at) == names
    assert tabia.uci(moves, steps) == names
    narrow, of_steps = np.array(moves, np.uint16), np.array(steps, np.uint16)
    assert tabia.uci(narrow, of_steps).tolist() == names
    assert tabia.uci(np.array(moves), np.array(steps)).tolist() == names
    assert tabia.uci(pl.Series(narrow), pl.Series(of_steps)).to_list() == names
    assert tabia.uci(pa.array(narrow), pa.array(of_steps)).to_pylist() == names
    assert tabia.uci(pd.Series(narrow), pd.Series(of_steps)).tolist() == names
    by_bits = tabia.uci(moves)
    wrong = {(by, name) for by, name in zip(by_bits, names, strict=True) if by != name}
    assert wrong <= {("e1g1", "e1h1"), ("e1c1", "e1a1"), ("e8g8", "e8h8"), ("e8c8", "e8a8")}


def test_no_move_has_no_name() -> None:
    assert tabia.uci(0) is None
    assert tabia.uci(796) == "e2e4"
    assert tabia.uci(263, 0) == "e1h1"
    assert tabia.uci(263, positions="4k3/8/8/8/8/8/8/4K2R w K - 0 1") == "e1g1"
    assert tabia.uci([796, 0]) == ["e2e4", None]
    assert tabia.uci(np.array([796, 0])).tolist() == ["e2e4", ""]
    assert tabia.uci(pl.Series([796, 0, None], dtype=pl.UInt16)).to_list() == ["e2e4", None, None]
    assert tabia.uci(pd.Series([796, 0]))[1] is pd.NA or pd.isna(tabia.uci(pd.Series([796, 0]))[1])


def test_numbers_that_do_not_fit_are_refused() -> None:
    with pytest.raises(tabia.Error, match="16 bits"):
        tabia.uci(np.array([796, 65536 + 796]))
    with pytest.raises(tabia.Error, match="expected 2 steps, one for each move, but got 1"):
        tabia.uci([796, 731], [0])
    with pytest.raises(tabia.Error, match="16-bit unsigned numbers"):
        tabia.uci(pl.Series([796], dtype=pl.Int64))

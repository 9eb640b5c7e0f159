"""Probes and draws, against python-chess's reader of Polyglot books."""

# ruff: noqa: D103 -- the name of a test says what it tests

from __future__ import annotations

import os
import random
import shutil
import threading
from typing import TYPE_CHECKING

import chess
import chess.polyglot
import pytest

import tabia

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Made


def played(made: Made) -> list[chess.Board]:
    """Boards along the lines of the sample that have several moves in the book."""
    book, boards, ply = tabia.Book(made.bin), [], [chess.Board()]
    while ply and len(boards) < 300:
        boards += ply
        after = []
        for board in ply:
            for entry in book.find_all(board):
                after.append(board.copy(stack=False))
                after[-1].push(entry.move)
        ply = after
    return boards


def test_a_polyglot_book_is_python_chesss(made: Made) -> None:
    boards, ours = played(made), tabia.Book(made.bin)
    assert len(boards) >= 300
    with chess.polyglot.open_reader(made.bin) as theirs:
        for board in boards:
            assert [*ours.find_all(board)] == [*theirs.find_all(board)]
            key = chess.polyglot.zobrist_hash(board)
            assert [*ours.find_all(key)] == [*theirs.find_all(key)]
            assert ours.get(board) == theirs.get(board)
            few = {"minimum_weight": 5}
            assert [*ours.find_all(board, **few)] == [*theirs.find_all(board, **few)]
            if first := theirs.get(board):
                without = {"exclude_moves": [first.move]}
                assert [*ours.find_all(board, **without)] == [*theirs.find_all(board, **without)]


def test_files_cut_short_in_their_place_are_errors(made: Made, tmp_path: Path) -> None:
    for path in (made.book, made.bin):
        copy = tmp_path / path.name
        shutil.copy(path, copy)
        book = tabia.Book(copy)
        os.truncate(copy, 600)
        for _ in range(2):
            with pytest.raises(tabia.Error, match=path.name):
                book.probe(chess.Board())


def test_draws_are_python_chesss_from_the_same_generator(made: Made) -> None:
    books = tabia.Book(made.bin), tabia.Book(made.book), chess.polyglot.open_reader(made.bin)
    for seed, board in enumerate(played(made)):
        if board in books[0]:
            for draw in ("weighted_choice", "choice"):
                drawn = [getattr(book, draw)(board, random=random.Random(seed)) for book in books]
                assert drawn[0] == drawn[2]
                assert (drawn[1].move, drawn[1].weight) == (drawn[2].move, drawn[2].weight)
        else:
            with pytest.raises(IndexError):
                books[0].weighted_choice(board)
            with pytest.raises(IndexError):
                books[0].find(board)
            assert books[0].get(board) is None
    books[2].close()


def test_a_key_a_fen_and_a_board_find_the_same(made: Made) -> None:
    for path in (made.book, made.bin, made.plain, made.grouped):
        book = tabia.Book(path)
        for board in played(made)[:50]:
            key = chess.polyglot.zobrist_hash(board)
            named = [book.probe(asked) for asked in (board, board.fen(en_passant="fen"))]
            by_key = [book.probe(asked) for asked in (key, f"{key:016x}")]
            if named[0] is None:
                assert named + by_key == [None] * 4
                continue
            counts = [
                [(m.move, m.games, m.weight) for m in probe.moves] for probe in named + by_key
            ]
            assert counts == [counts[0]] * 4
            assert {(probe.key, probe.games) for probe in named + by_key} == {(key, named[0].games)}
            assert [m.san for m in named[1]] == [m.san for m in named[0]]
            for move in named[0]:
                parsed = board.parse_san(move.san)
                assert parsed.uci() == move.uci
                assert move.legal
            assert by_key[0].fen is None
            assert [m.san for m in by_key[0]] == [None] * len(by_key[0])


def test_scores_are_the_movers(made: Made) -> None:
    book, board = tabia.Book(made.book), chess.Board()
    start = book.probe(board)
    e4 = next(move for move in start if move.san == "e4")
    assert (e4.white, e4.draws, e4.black) == (660, 300, 632)
    assert e4.score == pytest.approx((660 + 150) / 1592)
    assert (start.turn, start.fen) == ("white", chess.STARTING_FEN)
    board.push_san("e4")
    reply = book.probe(board)[0]
    assert reply.score == pytest.approx((reply.black + reply.draws / 2) / reply.games)
    assert repr(e4) == "<tabia.Move e4 +660 =300 -632>"


def test_many_probes_are_those_of_each(made: Made, boards: list[chess.Board]) -> None:
    for path in (made.book, made.bin, made.plain):
        book = tabia.Book(path)
        asked = [*played(made)[:100], *tabia.keys(boards[:200])]
        alone = [book.probe(position) for position in asked]
        assert list(map(repr, book.probe_many(asked))) == list(map(repr, alone))
        assert any(probe is None for probe in alone)


def test_policies_draw_as_the_command_line_does(made: Made) -> None:
    book, board = tabia.Book(made.book), chess.Board()
    pick = book.pick(board, seed=7)
    assert pick == book.pick(chess.STARTING_FEN, "polyglot", seed=7)
    assert pick.move in board.legal_moves
    assert (pick.policy, pick.seed) == ("polyglot", 7)
    judged = book.explain(board, "polyglot", settings={"threshold": 50})
    assert sum(move["probability"] for move in judged["choice"]["moves"]) == pytest.approx(1)
    assert book.explain(board)["moves"][0]["san"] == "e4"
    assert "polyglot" in [policy["name"] for policy in tabia.policies()]
    empty = book.pick("4k3/8/8/8/8/8/8/4K3 w - - 0 1", seed=1)
    assert (empty.uci, empty.move) == (None, None)
    assert empty.notes[-1] == "the position is not in the book"


def test_why_names_the_sources(made: Made) -> None:
    why = tabia.Book(made.book).why(chess.Board(), chess.Move.from_uci("e2e4"))
    assert (why["san"], why["counted"]["sources"]) == ("e4", ["sample.pgn"])


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (lambda made: tabia.Book("nothing.tabia"), "nothing.tabia: no such file or folder"),
        (lambda made: tabia.Book(__file__), "is a text; name a book"),
        (lambda made: tabia.Table(made.book), "is a book, not a table"),
        (
            lambda made: tabia.Book(made.book).probe("rubbish"),
            "`rubbish` is not the FEN of a legal position: ",
        ),
        (
            lambda made: tabia.Book(made.book).pick(1, seed=1),
            "cannot be turned back into a position",
        ),
        (lambda made: tabia.Book(made.book).pick(chess.Board(), "nobody"), "nobody"),
        (
            lambda made: tabia.Book(made.book).why(chess.Board(), "e5"),
            "`e5` is not a legal move in rnbq",
        ),
        (lambda made: tabia.Book(made.bin).why(chess.Board(), "e4"), "not a tabia book"),
    ],
)
def test_errors_have_the_command_lines_text(made: Made, wrong: object, text: str) -> None:
    with pytest.raises(tabia.Error) as caught:
        wrong(made)
    assert text in str(caught.value)


def test_a_position_is_a_key_a_fen_or_a_board(made: Made) -> None:
    with pytest.raises(TypeError, match="a key, a FEN or a board"):
        tabia.Book(made.book).probe(1.5)
    with pytest.raises(tabia.Error, match="not a legal position of standard chess"):
        tabia.Book(made.book).probe(chess.Board(None))


def test_threads_read_one_book(made: Made) -> None:
    book, boards, wrong = tabia.Book(made.book), played(made)[:100], []
    expected = list(map(repr, book.probe_many(boards)))

    def read() -> None:
        for _ in range(20):
            if list(map(repr, book.probe_many(boards))) != expected:
                wrong.append(threading.current_thread())

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong

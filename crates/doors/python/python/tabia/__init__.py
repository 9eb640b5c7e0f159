"""Tabia's opening books and tables: probes, scans as Arrow, keys and moves in bulk, counts and
builds.

    >>> import tabia
    >>> book = tabia.Book("book.tabia")
    >>> book.probe("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -").moves
    (<tabia.Move e4 +604 =280 -708>, …)

A position is a key (a number), a FEN or a `chess.Board` of python-chess everywhere.
"""

from __future__ import annotations

from tabia._tabia import Array, Error, Move, Probe, Scan, policies, sql
from tabia.books import Book, Entry, Pick, Table
from tabia.bulk import keys, uci
from tabia.running import build, count

__all__ = [
    "Array",
    "Book",
    "Entry",
    "Error",
    "Move",
    "Pick",
    "Probe",
    "Scan",
    "Table",
    "build",
    "count",
    "keys",
    "policies",
    "sql",
    "uci",
]

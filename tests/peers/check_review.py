#!/usr/bin/env python3
"""Judges where games left a book, by python-chess: every game of three players in a file.

    PYTHONPATH=tests tests/peers/check_review.py target/release/tabia games.pgn.zst --limit 700

The books are made of the games themselves: a repertoire of one side, a book of both sides with two
first moves forbidden, and a Polyglot book. The judge knows the rules of docs/review.md and nothing
of how Tabia follows them. Exits 1 if it objects.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.pgn
import chess.polyglot
import pyarrow.parquet

import tabia
from judge.boards import games, key, moves_of, name_in_book
from judge.report import main

SIDES = {"white": chess.WHITE, "black": chess.BLACK}
# Ways of parting that each player must have met.
KINDS_MIN = 3
FORBIDDEN = ("e4", "e4 e5 Nf3 Nc6 Bb5", "d4")


def legal(board: chess.Board, names: list[str]) -> dict[str, chess.Move]:
    """The moves of these names that can be played; castling is king takes rook in books."""
    by_name = {name_in_book(board, move): move for move in board.legal_moves}
    return {name: by_name[name] for name in names if name in by_name}


@dataclass(frozen=True)
class Book:
    """The moves of each position, those that are never played, and whose they are if all are of one side."""

    moves: dict[int, list[str]]
    banned: frozenset[tuple[int, str]] = frozenset()
    side: chess.Color | None = None

    def known(self, board: chess.Board) -> set[chess.Move]:
        """All moves of a position."""
        return set(legal(board, self.moves.get(key(board), [])).values())

    def played(self, board: chess.Board) -> set[chess.Move]:
        """Those that the book plays."""
        at = key(board)
        names = [name for name in self.moves.get(at, []) if (at, name) not in self.banned]
        return set(legal(board, names).values())

    def plays_after(self, board: chess.Board, move: chess.Move) -> bool:
        """Whether the book plays in the position after a move."""
        board.push(move)
        plays = bool(self.played(board))
        board.pop()
        return plays


def of_json(binary: Path, path: Path, forbidden: tuple[str, ...] = ()) -> Book:
    """A book of Tabia."""
    text = tabia.run(binary, "export", "json", path, "--quiet")
    lines = list(map(json.loads, text.splitlines()[1:]))
    moves = {int(at["key"], 16): [move["move"] for move in at.get("moves", [])] for at in lines}
    sides = {at["turn"] for at in lines if at.get("moves")}
    side = SIDES[sides.pop()] if len(sides) == 1 else None
    return Book(moves, frozenset(moves_of(line)[-1] for line in forbidden), side)


def of_polyglot(path: Path) -> Book:
    """A Polyglot book."""
    moves: dict[int, list[str]] = {}
    with chess.polyglot.open_reader(path) as reader:
        for entry in reader:
            if entry.weight and entry.key:
                moves.setdefault(entry.key, []).append(entry.move.uci())
    return Book(moves)


@dataclass(frozen=True)
class Exit:
    """Where a game and a book parted."""

    departure: str
    plies: int
    played: str | None
    book: frozenset[str]


def follow(book: Book, game: chess.pgn.Game, own: chess.Color) -> Exit:
    """By the rules of docs/review.md."""
    if book.side not in {None, own}:
        return Exit("other-side", 0, None, frozenset())
    board, own_moves = game.board(), 0
    for plies, move in enumerate(game.mainline_moves()):
        is_own = board.turn == own
        moves = book.played(board) if is_own else book.known(board)
        if move not in moves and (is_own or not book.plays_after(board, move)):
            departure = who_left(book, board, moves, is_own=is_own) if own_moves else "other-opening"
            named = book.played(board) if departure == "other-opening" else moves
            return Exit(departure, plies, board.san(move), frozenset(map(board.san, named)))
        own_moves += is_own
        board.push(move)
    return Exit("completed", len(board.move_stack), None, frozenset())


def who_left(book: Book, board: chess.Board, moves: set[chess.Move], *, is_own: bool) -> str:
    """Who left, or that the book ended."""
    if is_own:
        return "player-left" if moves else "book-ended"
    leads_on = any(book.plays_after(board, reply) for reply in list(board.legal_moves))
    return "opponent-left" if moves or leads_on else "book-ended"


def players(path: Path) -> list[str]:
    """The three who played most games."""
    names = re.findall(r'^\[(?:White|Black) "(.+)"\]', path.read_text("utf-8", "replace"), re.MULTILINE)
    return [name for name, _ in Counter(names).most_common(3)]


def own_games(path: Path, name: str, color: str | None) -> Iterator[tuple[chess.pgn.Game, str]]:
    """The games of a player, with the side."""
    for game in games(path.read_text("utf-8", "replace")):
        for side in SIDES:
            if game.headers.get(side.capitalize()) == name and color in (None, side):
                yield game, side


def judge_player(
    binary: Path, pgn: Path, book: tuple[Path, Book], name: str, color: str | None
) -> Iterator[str]:
    """Every game of a player."""
    rows = pgn.with_suffix(".parquet")
    side = ["--player-color", color] if color else []
    flags = ["--parquet", rows, "--force", "--json", "--quiet"]
    path, rules = book
    said = json.loads(tabia.run(binary, "review", pgn, "--book", path, "--player", name, *side, *flags))
    followed = pyarrow.parquet.read_table(rows).to_pylist()
    met: Counter[str] = Counter()
    for row, (game, own) in zip(followed, own_games(pgn, name, color), strict=True):
        if game.errors:
            continue
        met[row["departure"]] += 1
        expected = follow(rules, game, SIDES[own])
        got = Exit(row["departure"], row["plies"], row["played"], frozenset(row["book"].split()))
        if row["color"] != own or got != expected:
            yield f"{name}, game {row['game']}: {got} in place of {expected}"
    counted = {report["departure"]: report["games"] for report in said["review"]["departures"]}
    if said["review"]["games"] != len(followed) or sum(counted.values()) != len(followed):
        yield f"{name}: {said['review']['games']} games reviewed, and {len(followed)} rows"
    print(f"{name} in {path.name}: {len(followed)} games: {dict(met)}", flush=True)
    if len(met) < KINDS_MIN:
        yield f"{name}: too few kinds of departures were met"


def judge(binary: Path, pgn: Path, folder: Path, limit: int) -> Iterator[str]:
    """Three players and three books."""
    plain = folder / "all.pgn"
    tabia.run(binary, "filter", pgn, "-o", plain, "--quiet")
    names = players(plain)
    book, banned, polyglot = (folder / name for name in ("one.tabia", "both.tabia", "book.bin"))
    kept = ["--max-ply", 24, "--min-games", 3, "--quiet"]
    player = ["--player", names[0], "--player-color", "white", "--book-color", "white"]
    tabia.run(binary, "build", plain, "-o", book, *player, "--max-ply", 24, "--min-games", 2, "--quiet")
    tabia.run(binary, "build", plain, "-o", folder / "plain.tabia", *kept, "--polyglot", polyglot)
    edits = [f"forbid {line}" for line in FORBIDDEN]
    tabia.run(binary, "edit", folder / "plain.tabia", *edits, "-o", banned, "--quiet")
    of = [
        (book, of_json(binary, book), None),
        (banned, of_json(binary, banned, FORBIDDEN), None),
        (polyglot, of_polyglot(polyglot), None),
    ]
    for number, (name, (path, rules, color)) in enumerate(zip(names, of, strict=True)):
        own = folder / f"own{number}.pgn"
        tabia.run(binary, "filter", plain, "--player", name, "-o", own, "--limit", limit, "--quiet")
        yield from judge_player(binary, own, (path, rules), name, color)


if __name__ == "__main__":
    main(__doc__, judge, "pgn", limit=700)

#!/usr/bin/env python3
"""Judges what becomes of games that start from a FEN.

    PYTHONPATH=tests tests/peers/check_roots.py target/release/tabia

Matches of two players are made up, from positions of either colour, with castling rights and en
passant, and from the start position, so that some roots are reached by games of others. A reader of
its own reads `_roots`, and python-chess plays the games: roots and their results are those of the
games, and every position that a game went through is exported, as many plies from the nearest
root as python-chess counts. A suite has just the positions of its plies, and its PGN leads there from
its FENs. Tables of halves add up to the table of all, byte for byte. Where fastpopular is installed
(`FASTPOPULAR` is its path), it counts the same positions. Exits 1 if a judge objects.
"""

import json
import os
import random
import struct
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn
import duckdb

import tabia
from judge.boards import games, key
from judge.compare import tree
from judge.report import main

ROOT = struct.Struct("<5QB3Q")
RESULTS = ("1-0", "1/2-1/2", "0-1")
PIECES = (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING, chess.ROOK)
PLIES = (1, 5)

FENS = [
    chess.STARTING_FEN,
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 9",
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b Kq - 4 12",
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w - - 4 12",
    "8/8/4k3/8/4P3/4K3/8/8 b - - 0 40",
]


def match(seed: int, pairs: int) -> list[chess.pgn.Game]:
    """Pairs of games from the same roots, which often play the same moves."""
    chance = random.Random(seed)
    made = []
    for number in range(pairs):
        fen = FENS[number % len(FENS)] if number < 3 * len(FENS) else far(chance)
        for white, black in (("A", "B"), ("B", "A")):
            board = chess.Board(fen)
            game = chess.pgn.Game({"White": white, "Black": black, "Result": chance.choice(RESULTS)})
            game.setup(board)
            node: chess.pgn.GameNode = game
            for _ in range(chance.randrange(1, 24)):
                moves = sorted(board.legal_moves, key=str)
                if not moves:
                    break
                move = chance.choice(moves[:3])
                node = node.add_variation(move)
                board.push(move)
            made.append(game)
    return made


def far(chance: random.Random) -> str:
    """A position of the openings."""
    board = chess.Board()
    for _ in range(chance.randrange(3, 9)):
        board.push(chance.choice(sorted(board.legal_moves, key=str)))
    return board.fen()


def boards_of(game: chess.pgn.Game) -> Iterator[chess.Board]:
    """Every position of a game."""
    board = game.board()
    yield board
    for move in game.mainline_moves():
        board.push(move)
        yield board


def expected_roots(made: list[chess.pgn.Game]) -> dict[int, tuple[str, list[int]]]:
    """The roots other than the start position, and the results of their games."""
    found: dict[int, tuple[str, list[int]]] = {}
    for game in made:
        board = game.board()
        if key(board) != key(chess.Board()):
            tally = found.setdefault(key(board), (board.epd(), [0, 0, 0]))[1]
            tally[RESULTS.index(game.headers["Result"])] += 1
    return found


def roots_of(table: Path) -> Iterator[tuple[int, tuple[str, list[int]]]]:
    """What a table says."""
    for shard in json.loads((table / "_manifest.json").read_text(encoding="utf-8"))["shards"]:
        file = table / "_roots" / shard["part"].removesuffix(".parquet")
        if file.exists() != ("roots" in shard):
            yield 0, (f"{file} and the manifest disagree", [])
        for number, *planes, black, white, draws, lost in ROOT.iter_unpack(
            file.read_bytes() if file.exists() else b""
        ):
            yield number, (placed(planes, black), [white, draws, lost])


def placed(planes: list[int], black: int) -> str:
    """The EPD of a packed position."""
    board = chess.Board(None)
    board.turn = not black
    for square in chess.SQUARES:
        code = sum((plane >> square & 1) << bit for bit, plane in enumerate(planes))
        if code == 8:
            board.ep_square = square
        elif code:
            board.set_piece_at(square, chess.Piece(PIECES[code % 8 - 1], code < 8))
            if code % 8 == 7:
                board.castling_rights |= chess.BB_SQUARES[square]
    return board.epd()


def plies_of(made: list[chess.pgn.Game]) -> dict[int, tuple[str, int, int]]:
    """By key: the EPD, the fewest plies as a walk counts them, and how often it was met."""
    following: dict[int, set[int]] = {}
    found, reached, met = {}, {}, Counter[int]()
    for game in made:
        before = None
        for board in boards_of(game):
            now = key(board)
            met[now] += 1
            found[now] = board.epd()
            if before is None:
                reached[now] = int(not board.turn)
            else:
                following.setdefault(before, set()).add(now)
            before = now
    for ply in range(300):
        for before in [now for now, plies in reached.items() if plies == ply]:
            for now in following.get(before, ()):
                reached[now] = min(reached.get(now, 1000), ply + 1)
    return {now: (found[now], reached[now], met[now]) for now in found}


def judge_positions(binary: Path, table: Path, made: list[chess.pgn.Game]) -> Iterator[str]:
    """Every position is exported, with its plies and visits."""
    out = table.with_suffix(".parquet")
    tabia.run(binary, "export", "parquet", table, "-o", out, "--quiet", "--key-type", "u64")
    rows = duckdb.sql(f"select key, epd, ply, games from '{out}/positions/*.parquet'").fetchall()
    got = {number: (epd, ply, met) for number, epd, ply, met in rows}
    expected = plies_of(made)
    yield from differences("positions", got, expected)


def judge_roots(table: Path) -> Iterator[str]:
    """A position has the root that its parents lead back to."""
    rows = duckdb.sql(
        f"select key, root, parent_key, epd from '{table.with_suffix('.parquet')}/positions/*.parquet'"
    ).fetchall()
    found = {number: row for number, *row in rows}
    for number, (root, parent, epd) in found.items():
        begins = chess.Board(root or chess.STARTING_FEN)
        if root != (found[parent][0] if parent is not None else root):
            yield f"{epd}: its root is {root}, and its parent's {found[parent][0]}"
        if parent is None and key(begins) != number:
            yield f"{epd}: its root is {root}"


def judge_book(binary: Path, table: Path, made: list[chess.pgn.Game]) -> Iterator[str]:
    """A book of all moves has every position, also as EPD, as games and as JSON."""
    book = table.with_name("book.tabia")
    tabia.run(binary, "compact", table, "-o", book, "--quiet")
    tabia.run(binary, "verify", book)
    expected = {epd for epd, _, _ in plies_of(made).values()}
    epds = table.with_name("book.epd")
    for source in (table, book):
        tabia.run(binary, "export", "epd", source, "-o", epds, "--quiet", "--force")
        got = [reached(line) for line in epds.read_text(encoding="utf-8").splitlines()]
        if sorted(got) != sorted(expected):
            yield f"{source.name} as EPD: {len(got)} positions, expected {len(expected)}"
    for form in ("lines", "variations"):
        pgn = table.with_name(f"{form}.pgn")
        tabia.run(binary, "export", "pgn", book, "-o", pgn, "--games", form, "--quiet")
        read = list(games(pgn.read_text(encoding="utf-8")))
        yield from (f"{form}: {game.errors}" for game in read if game.errors)
        met: set[str] = set()
        waiting: list[chess.pgn.GameNode] = list(read)
        while waiting:
            node = waiting.pop()
            met.add(node.board().epd())
            waiting.extend(node.variations)
        # A root without moves is in no game.
        missing = expected - met - {game.board().epd() for game in made}
        yield from (f"{form}: {epd} is missing" for epd in missing)
        yield from (f"{form}: {epd} is no position" for epd in met - expected - {chess.Board().epd()})
    text, again = table.with_name("book.jsonl"), table.with_name("again.tabia")
    tabia.run(binary, "export", "json", book, "-o", text, "--quiet")
    tabia.run(binary, "import", "json", text, "-o", again, "--quiet")
    if again.read_bytes() != book.read_bytes():
        yield "JSON makes another book"
    if sum('"fen":' in line for line in text.read_text(encoding="utf-8").splitlines()) != len(expected):
        yield "JSON has no FEN of some position"


def judge_suite(binary: Path, table: Path, made: list[chess.pgn.Game]) -> Iterator[str]:
    """A suite has the positions of its plies."""
    first, last = PLIES
    texts = {}
    for name in ("s.epd", "s.pgn"):
        wanted = ["--plies", f"{first}..{last}", "--min-games", 2, "--lines", 100_000, "--apart", 0]
        tabia.run(binary, "suite", table, "-o", table.with_name(name), *wanted, "--quiet")
        texts[name] = table.with_name(name).read_text(encoding="utf-8")
    expected = {
        epd
        for epd, ply, met in plies_of(made).values()
        if met >= 2 and not chess.Board(f"{epd} 0 1").is_game_over()
        # Where the nearest root has Black to move is not known here: a suite may count a ply less.
        and first + 1 <= ply <= last
    }
    got = {reached(line) for line in texts["s.epd"].splitlines()}
    yield from (f"the suite lacks {epd}" for epd in expected - got)
    ends = [game.end().board().epd() for game in games(texts["s.pgn"]) if not game.errors]
    if sorted(ends) != sorted(got) or len(got) < 50:
        yield f"{len(got)} positions as EPD, {len(ends)} as PGN"
    if "[SetUp \"1\"]\n[FEN " not in texts["s.pgn"]:
        yield "no game of the suite has a FEN"


def reached(line: str) -> str:
    """The position of a line of EPD, which its moves reach from its root."""
    board = chess.Board()
    opcodes = board.set_epd(line)
    way = chess.Board(str(opcodes.get("c2", chess.STARTING_FEN)))
    for san in str(opcodes.get("c1", "")).split():
        way.push_san(san)
    return way.epd() if way.epd() == board.epd() else f"{line} leads to {way.epd()}"


def judge_joins(binary: Path, table: Path, halves: list[Path]) -> Iterator[str]:
    """The table of all is the tables of halves, added up; a half is the rest."""
    tables = [half.with_suffix(".table") for half in halves]
    for half, counted in zip(halves, tables, strict=True):
        tabia.run(binary, "count", half, "-o", counted, "--from-position", "--quiet", "--memory", "64MiB")
    merged, left = table.with_name("merged.table"), table.with_name("left.table")
    tabia.run(binary, "merge", *tables, "-o", merged, "--quiet")
    tabia.run(binary, "merge", table, "-o", left, "--quiet")
    tabia.run(binary, "subtract", left, halves[1], "--quiet")
    for joined, whole in ((merged, table), (left, tables[0])):
        tabia.run(binary, "verify", joined)
        if tree(joined / "_roots") != tree(whole / "_roots"):
            yield f"the roots of {joined.name} are not those of {whole.name}"


def judge_fastpopular(binary: Path, table: Path, pgn: Path, made: list[chess.pgn.Game]) -> Iterator[str]:
    """fastpopular counts the same positions, and the tables's visits, without the roots."""
    program = os.environ.get("FASTPOPULAR", "")
    if not Path(program).is_file():
        print("SKIPPED: FASTPOPULAR names no program")
        return
    out = table.with_name("popular.epd")
    asked = [program, "--file", pgn, "--saveCount", "--omitMoveCounter", "--maxPlies", "1000"]
    subprocess.run(asked, check=True, capture_output=True, cwd=table.parent)
    got = Counter[str]()
    for line in table.with_name("popular_sorted.epd").read_text(encoding="utf-8").splitlines():
        fen, _, met = line.partition(" ; c0 ")
        got[" ".join(fen.split()[:3])] += int(met)
    rows = duckdb.sql(f"select epd, games from '{table.with_suffix('.parquet')}/positions/*.parquet'")
    counted = Counter[str]()
    for epd, met in rows.fetchall():
        counted[" ".join(epd.split()[:3])] += met
    counted.subtract(" ".join(game.board().epd().split()[:3]) for game in made)
    counted = Counter({epd: met for epd, met in counted.items() if met})
    yield from differences("fastpopular", got, counted)


def differences(what: str, got: dict, expected: dict) -> Iterator[str]:
    """What is not as expected."""
    for name in sorted(got.keys() | expected.keys(), key=str):
        if got.get(name) != expected.get(name):
            yield f"{what}: {name} is {got.get(name)}, expected {expected.get(name)}"


def judge(binary: Path, folder: Path, *, pairs: int, seed: int) -> Iterator[str]:
    """All judges."""
    made = match(seed, pairs)
    middle = len(made) // 2
    halves = {"a.pgn": made[:middle], "b.pgn": made[middle:]}
    for name, part in halves.items():
        text = "\n\n".join(map(str, part))
        (folder / name).write_text(f"{text}\n", encoding="utf-8")
    paths = [folder / name for name in halves]
    table = folder / "games.table"
    tabia.run(binary, "count", *paths, "-o", table, "--from-position", "--max-ply", 0, "--quiet")
    yield from differences("roots", dict(roots_of(table)), expected_roots(made))
    yield from judge_positions(binary, table, made)
    yield from judge_roots(table)
    yield from judge_suite(binary, table, made)
    yield from judge_book(binary, table, made)
    yield from judge_joins(binary, table, paths)
    whole = folder / "whole.pgn"
    whole.write_text("".join(path.read_text(encoding="utf-8") for path in paths), encoding="utf-8")
    yield from judge_fastpopular(binary, table, whole, made)


if __name__ == "__main__":
    main(__doc__, judge, pairs=200, seed=1)

#!/usr/bin/env python3
"""Compares `tabia count` with the oracle: games, rejected games, and every row of the table.

    PYTHONPATH=tests tests/peers/check_counts.py target/release/tabia FILE…                   whole files
    PYTHONPATH=tests tests/peers/check_counts.py target/release/tabia --sample 20 FOLDER…     every 20th game

Files may be plain or packed (tabia unpacks them itself); folders are searched for `.pgn` and
`.pgn.zst`.  The table's parts are read by pyarrow, DuckDB and Polars.  A file that tabia refuses as
no PGN must hold no game by the rules either.  Exits 1 if anything differs, after printing where.
"""

import argparse
import gzip
import itertools
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

import judge.games
import oracle
import tabia
from judge.report import Case, Failed, main_of_cases

ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
GZIP_MAGIC = b"\x1f\x8b"
UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")
NO_PGN = " is not PGN: "
"""What tabia prints of a file that it refuses as a whole."""

DIFFERENCES_SHOWN = 5
"""Of each kind and file."""

REGIMES = {
    "40": oracle.Options(max_ply=40),
    "whole": oracle.Options(max_ply=0),
    "once": oracle.Options(max_ply=60, repeats="once"),
    "prefix": oracle.Options(max_ply=60, illegal_move="keep-prefix", from_position=True),
    "empty": oracle.Options(max_ply=0, repeats="once", min_plies=0),
    "strict": oracle.Options(max_ply=60, strict_san=True),
    "ratings": oracle.Options(max_ply=40, from_position=True, ratings=True),
}
"""Options that change counts, under names that `--only` takes."""


def pgn_files(paths: list[Path]) -> Iterator[Path]:
    """The files named, and those under the folders named."""
    for path in paths:
        if path.is_dir():
            found = itertools.chain(path.rglob("*.pgn"), path.rglob("*.pgn.zst"))
            yield from sorted(found)
        else:
            yield path


def prepare(path: Path, folder: Path, every: int) -> tuple[Path, Path]:
    """What tabia reads and what the oracle reads: the same, unless packing or encoding differ."""
    plain = unpack(path, folder)
    if every == 1:
        return path, plain
    thinned = folder / f"thinned-{path.name.removesuffix('.zst')}"
    oracle.thin(plain, thinned, every)
    return thinned, thinned


def unpack(path: Path, folder: Path) -> Path:
    """The file itself if it is plain, else its text, in UTF-8 if it was in UTF-16."""
    with path.open("rb") as file:
        head = file.read(4)
    plain = folder / "plain.pgn"
    if head == ZSTD_MAGIC:
        judge.games.unpack(path, plain)
    elif head[:2] == GZIP_MAGIC:
        plain.write_bytes(gzip.decompress(path.read_bytes()))
    elif head[:2] in UTF_16_MARKS:
        plain.write_bytes(path.read_bytes().decode("utf-16", "replace").encode())
    else:
        return path
    return plain


def differences(table: tabia.Table, counts: oracle.Counts) -> Iterator[str]:
    """Everything in which a table and the oracle differ."""
    yield from different_games(table, counts)
    if not tabia.parts(table.path):
        yield f"no part files under {table.path}"
        return
    shown = None
    for reader, read in tabia.READERS.items():
        found = read(table.path, counts.rows.dtype)
        if not np.array_equal(found, counts.rows):
            yield f"rows as {reader} reads them: {len(found)}, expected {len(counts.rows)}"
            if shown is None or not np.array_equal(found, shown):
                yield from different_rows(found, counts.rows)
            shown = found


def different_games(table: tabia.Table, counts: oracle.Counts) -> Iterator[str]:
    """Differences of the summary and of the list of rejected games."""
    expected = {
        "games": counts.games,
        "accepted": counts.games - len(counts.rejections),
        "rejected": dict(counts.rejected),
    }
    for name, value in expected.items():
        found = table.summary[name]
        if name == "rejected":
            found = {reason: games for reason, games in found.items() if games}
        if found != value:
            yield f"{name}: {found}, expected {value}"
    yield from different_rejects(table.rejects, counts.rejections)


def different_rejects(found: list[dict], expected: list[oracle.Rejection]) -> Iterator[str]:
    """Rejected games that one side alone has, or has for another reason or ply."""
    got = [(line["game"], line["reason"], line["ply"]) for line in found]
    want = [(rejection.game, rejection.reason, rejection.ply) for rejection in expected]
    if sorted(got) != got:
        yield "the list of rejected games is not in input order"
    texts = {line["game"]: line["text"] for line in found}
    for surplus, name in (
        (Counter(got) - Counter(want), "only tabia"),
        (Counter(want) - Counter(got), "only the oracle"),
    ):
        for game, reason, ply in sorted(surplus, key=str)[:DIFFERENCES_SHOWN]:
            yield f"{name}: game {game} {reason} at ply {ply} {texts.get(game, '')!r}"


def different_rows(found: np.ndarray, expected: np.ndarray) -> Iterator[str]:
    """The first rows that one side alone has."""
    for rows, others, name in ((found, expected, "only tabia"), (expected, found, "only oracle")):
        for row in np.setdiff1d(rows, others)[:DIFFERENCES_SHOWN]:
            key, move, *counts = row.tolist()
            columns = "/".join(rows.dtype.names[2:])
            yield f"{name}: key {key:016x} move {move:#06x} {columns} {counts}"


def check(args: argparse.Namespace, pgn: Path, plain: Path, regime: str) -> Iterator[str]:
    """Judges one file under one set of options; `plain` is the same file for the oracle."""
    counts = oracle.count(plain, REGIMES[regime], args.workers)
    with tempfile.TemporaryDirectory(dir=args.place) as folder:
        try:
            table = tabia.count(args.binary, pgn, Path(folder), REGIMES[regime])
        except Failed as failure:
            if NO_PGN not in str(failure) or not set(counts.rejected) <= {"fragment"} or len(counts.rows):
                raise
            return
        yield from differences(table, counts)


def cases(args: argparse.Namespace) -> Iterator[Case]:
    """Every file under every regime."""
    for path in pgn_files(args.paths):
        files = prepare(path, args.place, args.sample)
        for regime in REGIMES:
            yield Case(f"{regime} {path}", partial(check, args, *files, regime))


if __name__ == "__main__":
    main_of_cases(__doc__, cases, "binary", "paths+", sample=1, workers=2)

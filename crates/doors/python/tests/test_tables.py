"""Tables as Arrow, and expressions of Polars beside the macros of DuckDB."""

# ruff: noqa: D103 -- the name of a test says what it tests

from __future__ import annotations

from typing import TYPE_CHECKING

import chess
import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pytest

import tabia
import tabia.polars as tp

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Made


def parts(path: object) -> pa.Table:
    """All rows, by pyarrow from the part files."""
    return pyarrow.dataset.dataset(sorted(path.glob("*.parquet"))).to_table()


def test_every_library_reads_all_rows(made: Made) -> None:
    for path in (made.plain, made.grouped):
        table, expected = tabia.Table(path), parts(path)
        sums = "SELECT count(*), sum(white)::BIGINT, sum(draws)::BIGINT, sum(black)::BIGINT FROM "
        assert duckdb.sql(f'{sums} "table"').fetchall() == duckdb.sql(f"{sums} expected").fetchall()
        assert pa.table(table).replace_schema_metadata(None) == expected.replace_schema_metadata(
            None
        )
        assert list(table.column_names) == expected.column_names
        assert pl.DataFrame(table).equals(pl.from_arrow(expected))


def test_a_scan_reads_some_columns_again_and_again(made: Made) -> None:
    table, expected = tabia.Table(made.plain), parts(made.plain)
    scan = table.scan(["white", "key"], batch_rows=1000)
    for _ in range(2):
        assert pa.table(scan).equals(expected.select(["key", "white"]), check_metadata=False)
    batches = pa.RecordBatchReader.from_stream(scan)
    assert max(batch.num_rows for batch in batches) == 1000
    with pytest.raises(tabia.Error, match="no column `nothing`; its columns are key, move"):
        table.scan(["nothing"])


def test_damage_is_an_error_of_the_reader(made: Made, tmp_path: object) -> None:
    damaged = tmp_path / "damaged.table"
    damaged.mkdir()
    for file in made.plain.iterdir():
        (damaged / file.name).write_bytes(file.read_bytes())
    part = damaged / "part-00003.parquet"
    content = bytearray(part.read_bytes())
    content[len(content) // 2] ^= 1
    part.write_bytes(content)
    with pytest.raises(Exception, match=r"part-00003\.parquet"):
        pa.table(tabia.Table(damaged))


def test_rows_of_a_position_are_those_of_the_files(made: Made) -> None:
    table, board = tabia.Table(made.grouped), chess.Board()
    key = tabia.keys(board)
    expected = [row for row in parts(made.grouped).to_pylist() if row["key"] == key]
    found = table.rows(board)
    assert [{name: row[name] for name in expected[0]} for row in found] == expected
    assert {row["uci"] for row in found} >= {"e2e4", "d2d4"}
    probe = table.probe(board)
    assert probe.games == sum(row["white"] + row["draws"] + row["black"] for row in expected)
    assert 1000 < probe[0].average_elo < 3000


def test_roots_are_where_games_started(made: Made, tmp_path: Path) -> None:
    started = {
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1": ("e4", ["1-0", "1/2-1/2", "1-0"]),
        "4k3/4p3/8/8/8/8/8/4K3 b - - 0 1": ("e5", ["0-1"]),
    }
    games, expected = [], {}
    for fen, (san, results) in started.items():
        number = "1." if " w " in fen else "1..."
        tags = f'[SetUp "1"]\n[FEN "{fen}"]\n'
        games += [f'{tags}[Result "{result}"]\n\n{number} {san} {result}\n' for result in results]
        counts = [results.count(result) for result in ("1-0", "1/2-1/2", "0-1")]
        expected[tabia.keys(chess.Board(fen))] = (fen.removesuffix(" 0 1"), *counts)
    pgn, path = tmp_path / "rooted.pgn", tmp_path / "rooted.table"
    pgn.write_text("\n".join(games))
    tabia.count(pgn, path, from_position=True, progress=False)
    roots = tabia.Table(path).roots()
    found = {
        root["key"]: (
            root["fen"].rsplit(" ", 2)[0],
            root["white"],
            root["draws"],
            root["black"],
        )
        for root in roots
    }
    assert found == expected
    assert [root["key"] for root in roots] == sorted(expected)
    assert tabia.Table(made.plain).roots() == []


def test_expressions_of_polars_are_the_macros_of_duckdb(made: Made) -> None:
    counts = pl.DataFrame(tabia.Table(made.plain))
    turn, games = tp.turn_of("step"), pl.col("white") + pl.col("draws") + pl.col("black")
    score = tp.score("white", "draws", "black", turn)
    # Some rows without games, without a step, and with keys of either sign.
    rows = counts.sample(20_000, seed=1).with_columns(
        white=pl.when(pl.col("key") % 97 == 0).then(0).otherwise("white"),
        draws=pl.when(pl.col("key") % 97 == 0).then(0).otherwise("draws"),
        black=pl.when(pl.col("key") % 97 == 0).then(0).otherwise("black"),
        step=pl.when(pl.col("key") % 89 != 0).then("step"),
        signed=pl.col("key").reinterpret(signed=True),
        epd=pl.lit("x w - -"),
        ply=(pl.col("move") % 60).cast(pl.Int32),
    )
    ours = rows.select(
        squares=tp.squares(),
        uci=tp.uci(),
        exact=tp.uci("move", "step"),
        turn=turn,
        hex=tp.key_hex(),
        signed=tp.key_hex("signed"),
        score=score,
        low=tp.wilson_low(score, games),
        high=tp.wilson_high(score, games),
        fen=tp.fen(),
    )
    with duckdb.connect() as connection:
        connection.execute(tabia.sql())
        macros = connection.sql(
            "SELECT squares(move) squares, uci(move) uci, uci(move, step) exact,"
            " turn_of(step) turn, key_hex(key) hex, key_hex(signed) signed,"
            " score(white, draws, black, turn) score,"
            " wilson_low(score, white + draws + black) low,"
            " wilson_high(score, white + draws + black) high, fen(epd, ply) fen FROM rows"
        ).pl()
    texts = ["squares", "uci", "exact", "turn", "hex", "signed", "fen"]
    assert ours.select(texts).equals(macros.select(texts))
    for name in ("score", "low", "high"):
        assert (ours[name].is_null() == macros[name].is_null()).all()
        assert (ours[name] - macros[name]).abs().max() < 1e-12
    assert ours["score"].is_null().any()
    native = tabia.uci(rows["move"], rows["step"])
    assert ours["exact"].equals(native.alias("exact"))


def test_the_views_of_an_export_and_a_table_are_there(made: Made) -> None:
    with duckdb.connect() as connection:
        connection.execute(tabia.sql(made.plain))
        first = connection.sql(
            "SELECT uci FROM moves WHERE key = start_key() ORDER BY games DESC LIMIT 1"
        )
        assert first.fetchall() == [("e2e4",)]
    with pytest.raises(tabia.Error, match="neither an export nor a table"):
        tabia.sql(made.book)

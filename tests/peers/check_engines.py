#!/usr/bin/env python3
"""Opens a table's parts as analysts do: pyarrow, DuckDB, Polars and pandas.

    PYTHONPATH=tests tests/peers/check_engines.py target/release/tabia games.table
    PYTHONPATH=tests tests/peers/check_engines.py target/release/tabia FILE.pgn

Checks schema, encodings, row groups, sorting columns (claimed and true), statistics and page
index, metadata, shard ranges, and that all four engines agree on the sums of the manifest.
Exits 1 with what is wrong.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import pandas
import polars
import pyarrow.parquet
from pyarrow.parquet import ParquetFile

import tabia
from judge.report import main

TYPES = {
    "key": ("uint64", "INT64"),
    "move": ("uint16", "INT32"),
    "speed": ("string", "BYTE_ARRAY"),
    "rating_band": ("int16", "INT32"),
    "month": ("int32", "INT32"),
    "player_color": ("string", "BYTE_ARRAY"),
    "step": ("uint16", "INT32"),
    "white": ("int64", "INT64"),
    "draws": ("int64", "INT64"),
    "black": ("int64", "INT64"),
    "mover_elo_sum": ("int64", "INT64"),
    "opponent_elo_sum": ("int64", "INT64"),
    "rated_games": ("int64", "INT64"),
}
"""Arrow and physical type of every column there may be, in the file's order."""

NULLABLE = ("speed", "rating_band", "month", "player_color")
RATINGS = ("mover_elo_sum", "opponent_elo_sum", "rated_games")
REQUIRED = tuple(name for name in TYPES if name not in (*NULLABLE, *RATINGS))
COUNTS = ("white", "draws", "black")
ROW_GROUP_ROWS = 131_072
FORBIDDEN = re.compile(r"time|date|host|path|thread|memory|temp|user", re.IGNORECASE)
"""What no artefact may hold, as names of metadata."""


# Columns that zstd saves under 0.1 % of (docs/table.md).
INCOMPRESSIBLE = {"key", "move"}


def check_part(part: Path, first: int, last: int) -> Iterator[str]:
    """One part file by pyarrow; `first` and `last` are its shard's key range, inclusive."""
    with ParquetFile(part) as file:
        yield from check_schema(file)
        yield from check_metadata(file)
        yield from check_row_groups(file)
        order = sorting_names(file)
    yield from check_order(polars.read_parquet(part), order, first, last)


def check_schema(file: ParquetFile) -> Iterator[str]:
    """Names, types, order and nullability of the columns."""
    names = file.schema_arrow.names
    expected = [name for name in TYPES if name in names]
    if names != expected or not set(REQUIRED) <= set(names):
        yield f"columns {names}"
    for field in file.schema_arrow:
        arrow, _ = TYPES.get(field.name, ("?", "?"))
        if str(field.type) != arrow or field.nullable != (field.name in NULLABLE):
            yield f"column {field.name} is {field.type}, nullable {field.nullable}"
    for index, name in enumerate(names):
        if file.schema.column(index).physical_type != TYPES[name][1]:
            yield f"column {name} is stored as {file.schema.column(index).physical_type}"


def check_metadata(file: ParquetFile) -> Iterator[str]:
    """Maker and key-value metadata: the options that change counts and nothing else."""
    if not re.fullmatch(r"tabia \d+\.\d+\.\d+\S*", file.metadata.created_by):
        yield f"created_by {file.metadata.created_by!r}"
    pairs = {name.decode(): value.decode() for name, value in (file.metadata.metadata or {}).items()}
    for name in ("tabia.format-version", "tabia.key-scheme"):
        if name not in pairs:
            yield f"metadata lacks {name}"
    for name in pairs:
        if FORBIDDEN.search(name) or not name.startswith("tabia."):
            yield f"metadata holds {name}"


def check_row_groups(file: ParquetFile) -> Iterator[str]:
    """Sizes, compression, encodings, statistics, page index and sorting of every row group."""
    for index in range(file.num_row_groups):
        group = file.metadata.row_group(index)
        is_last = index == file.num_row_groups - 1
        if group.num_rows != ROW_GROUP_ROWS and not (is_last and group.num_rows < ROW_GROUP_ROWS):
            yield f"row group {index} has {group.num_rows} rows"
        if sorting_names(file, index)[:2] != ["key", "move"]:
            yield f"row group {index} says it is sorted by {group.sorting_columns}"
        for position in range(group.num_columns):
            column = group.column(position)
            yield from check_chunk(column, f"row group {index} {column.path_in_schema}")


def sorting_names(file: ParquetFile, index: int = 0) -> list[str]:
    """The columns by which a row group says it is sorted, ascending with nulls first."""
    if file.num_row_groups == 0:
        return []
    names = []
    for column in file.metadata.row_group(index).sorting_columns:
        if column.descending or not column.nulls_first:
            break
        names.append(file.schema_arrow.names[column.column_index])
    return names


def check_chunk(column: pyarrow.parquet.ColumnChunkMetaData, name: str) -> Iterator[str]:
    """One column of one row group."""
    expected = "UNCOMPRESSED" if column.path_in_schema in INCOMPRESSIBLE else "ZSTD"
    if column.compression != expected:
        yield f"{name}: compression {column.compression}, not {expected}"
    if not (column.has_offset_index and column.has_column_index):
        yield f"{name}: no page index"
    if not column.is_stats_set or not column.statistics.has_min_max:
        yield f"{name}: no statistics"
    wanted = "DELTA_BINARY_PACKED" if column.path_in_schema == "key" else "RLE_DICTIONARY"
    if wanted not in column.encodings:
        yield f"{name}: encodings {column.encodings}, {wanted} wanted"


def check_order(rows: polars.DataFrame, order: list[str], first: int, last: int) -> Iterator[str]:
    """Rows must be sorted as the file says, without a double, and stay within the shard."""
    if rows.is_empty():
        return
    claimed = rows.select(order)
    if not claimed.equals(claimed.sort(order, nulls_last=False)):
        yield f"rows do not ascend by {order}"
    identity = [name for name in rows.columns if name in ("key", "move", *NULLABLE)]
    if rows.select(identity).is_duplicated().any():
        yield f"two rows of one {identity}"
    if rows["key"][0] < first or rows["key"][-1] > last:
        yield f"keys {rows['key'][0]:016x} to {rows['key'][-1]:016x} leave the shard"


def sums_by_engine(parts: list[Path], names: tuple[str, ...]) -> dict[str, list[int]]:
    """Rows, the sum of each column and that of white - black, by each engine."""
    files = [str(part) for part in parts]
    columns = [f"coalesce(sum({name}), 0)::BIGINT" for name in (*names, "white - black")]
    query = f"SELECT count(*)::BIGINT, {', '.join(columns)} FROM read_parquet(?)"
    with duckdb.connect() as connection:
        by_duckdb = connection.execute(query, [files]).fetchone()
    lazy = polars.scan_parquet(files)
    difference = (polars.col("white") - polars.col("black")).sum()
    by_polars = lazy.select(polars.len(), *map(polars.sum, names), difference.alias("d"))
    frame = pandas.concat([pandas.read_parquet(part) for part in parts])
    table = pyarrow.concat_tables([pyarrow.parquet.read_table(part) for part in parts])
    columns = [table[name].to_numpy() for name in names]
    return {
        "duckdb": list(by_duckdb),
        "polars": list(by_polars.collect().row(0)),
        "pandas": sums(len(frame), [frame[name].to_numpy() for name in names]),
        "pyarrow": sums(len(table), columns),
    }


def sums(rows: int, columns: list[np.ndarray]) -> list[int]:
    """The same numbers from columns in memory."""
    difference = columns[0] - columns[2]
    return [rows, *(int(column.sum()) for column in columns), int(difference.sum())]


def check(table: Path) -> Iterator[str]:
    """Everything wrong with a table."""
    manifest = json.loads((table / "_manifest.json").read_text("utf-8"))
    parts, shards = tabia.parts(table), manifest["shards"]
    if [part.name for part in parts] != [shard["part"] for shard in shards]:
        yield f"the manifest names other parts than {[part.name for part in parts]}"
        return
    keys = (1 << 64) // len(parts)
    for number, part in enumerate(parts):
        for wrong in check_part(part, number * keys, (number + 1) * keys - 1):
            yield f"{part.name}: {wrong}"
    counts = [sum(column) for column in zip(*(shard["tally"] for shard in shards), strict=True)]
    names = COUNTS
    if manifest["counting"].get("ratings"):
        names = (*COUNTS, *RATINGS)
        counts += [sum(column) for column in zip(*(shard["ratings"] for shard in shards), strict=True)]
    expected = [manifest["rows"], *counts, counts[0] - counts[2]]
    for engine, found in sums_by_engine(parts, names).items():
        if found != expected:
            yield f"{engine}: rows and sums {found}, the manifest has {expected}"


def judge(binary: Path, path: Path, folder: Path) -> Iterator[str]:
    """Everything wrong with a table, or with one that is counted of a PGN."""
    if path.is_file():
        table = folder / "games.table"
        tabia.run(binary, "count", path, "-o", table, "--quiet")
        path = table
    yield from check(path)


if __name__ == "__main__":
    main(__doc__, judge, "path")

"""What every file of an export must be, for any content: columns, encodings, order, metadata.

Columns and types are read from the tables of docs/parquet.md, so the page cannot become wrong
unnoticed.
"""

import functools
import json
import re
from collections.abc import Iterator
from pathlib import Path

import polars
import pyarrow.parquet
from pyarrow.parquet import ParquetFile

PAGE = Path(__file__).resolve().parents[2] / "docs" / "parquet.md"
ROW_GROUP_ROWS = 131_072
COUNTS = ("white", "draws", "black")
GROUPS = ("speed", "rating_band", "month", "player_color")

ORDER = {
    "moves": ("key", "move", *GROUPS),
    "positions": ("key",),
    "openings": ("key",),
    "lines": (),
    "games": ("game",),
    "observations": ("game", "ply"),
}
"""By what each file is sorted, nulls first, as far as it has the columns."""

UNCOMPRESSED = ("key", "move", "child_key", "parent_key", "parent_move", "end_key")
PLAIN = ("child_key", "parent_key", "end_key")
DELTA_LENGTH = ("fen", "epd", "line", "Site")
KEYS_PLAIN = ("lines", "observations")
DELTAS = [*(("moves", column) for column in ("games", *COUNTS)), ("games", "game"), ("observations", "game")]

ARROW = {
    "STRING": "string",
    "DATE": "date32[day]",
    "TIME_MILLIS": "time32[ms]",
    "LIST<STRING>": "list<element: string not null>",
    "LIST<INT32>": "list<element: int32>",
    "LIST<FLOAT>": "list<element: float>",
}
"""Arrow's names where they are not the document's in small letters."""


@functools.cache
def documented(file: str) -> dict[str, str]:
    """Columns of a kind of file and their Arrow types, in order."""
    section = re.search(rf"^## {file}\n(.*?)^## ", PAGE.read_text("utf-8"), re.M | re.S)[1]
    rows = re.findall(r"^\| `(\w+)` \| (\S+) \|", section, re.MULTILINE)
    return {name: ARROW.get(kind, kind.lower()) for name, kind in rows}


def check_export(export: Path, key_type: str) -> Iterator[str]:
    """Every file of an export."""
    reported = {entry["path"]: entry for entry in json.loads((export / "export.json").read_text())["files"]}
    found = {str(path.relative_to(export)): path for path in sorted(export.rglob("*.parquet"))}
    if set(reported) != set(found):
        yield f"export.json names {sorted(set(reported) ^ set(found))}, or does not"
    for name, path in found.items():
        with ParquetFile(path) as file:
            wrong = [*check_columns(file, name, key_type), *check_metadata(file, name, reported[name])]
            wrong += [*check_row_groups(file, name), *check_order(path, name)]
        if reported[name]["bytes"] != path.stat().st_size:
            wrong.append(f"{reported[name]['bytes']} bytes reported")
        yield from (f"{name}: {line}" for line in wrong)


def kind_of(name: str) -> str:
    """`moves` and the like, from a file's path below the export."""
    return name.partition("/")[0]


def check_columns(file: ParquetFile, name: str, key_type: str) -> Iterator[str]:
    """Names, types and order are those of the document; the metadata of the file agree."""
    wanted, schema = documented(kind_of(name)), file.schema_arrow
    if schema.names != [column for column in wanted if column in schema.names]:
        yield f"columns {schema.names}, documented {list(wanted)}"
    for column in schema:
        kind = wanted.get(column.name)
        kind = "int64" if kind == "uint64" and key_type == "i64" else kind
        if str(column.type) != kind:
            yield f"column {column.name} is {column.type}, documented {kind}"
    reported = json.loads(file.metadata.metadata[b"tabia.columns"])
    if [column["name"] for column in reported] != schema.names:
        yield "tabia.columns names other columns"


def check_metadata(file: ParquetFile, name: str, reported: dict) -> Iterator[str]:
    """Rows and sums in the metadata, in export.json and in the data are the same."""
    pairs = {key.decode(): value.decode() for key, value in file.metadata.metadata.items()}
    rows = file.metadata.num_rows
    if not pairs["tabia.rows"] == str(rows) == str(reported["rows"]):
        yield f"{rows} rows; reported {pairs['tabia.rows']} and {reported['rows']}"
    if pairs["tabia.file"] != kind_of(name):
        yield f"says it is {pairs['tabia.file']}"
    if "white" not in file.schema_arrow.names:
        return
    data = file.read(columns=list(COUNTS))
    for column in COUNTS:
        total = pyarrow.compute.sum(data[column]).as_py() or 0
        if not str(total) == pairs[f"tabia.{column}"] == str(reported.get(column, 0)):
            said = f"{pairs[f'tabia.{column}']}, {reported.get(column)}"
            yield f"{column} sums to {total}; reported {said}"


def check_row_groups(file: ParquetFile, name: str) -> Iterator[str]:
    """Sizes, claimed order, encodings, compression, page index and statistics."""
    order = [column for column in ORDER[kind_of(name)] if column in file.schema_arrow.names]
    for index in range(file.num_row_groups):
        group = file.metadata.row_group(index)
        is_last = index == file.num_row_groups - 1
        if group.num_rows > ROW_GROUP_ROWS or not (
            is_last or group.num_rows == ROW_GROUP_ROWS or "month=" in name
        ):
            yield f"row group {index} has {group.num_rows} rows"
        claimed = [
            file.schema.column(column.column_index).name
            for column in group.sorting_columns
            if column.nulls_first and not column.descending
        ]
        if claimed != order:
            yield f"row group {index} claims to be sorted by {claimed}, not {order}"
        for position in range(group.num_columns):
            yield from check_chunk(group.column(position), kind_of(name))


def check_chunk(chunk: pyarrow.parquet.ColumnChunkMetaData, kind: str) -> Iterator[str]:
    """One column of one row group."""
    column = chunk.path_in_schema.split(".")[0]
    is_plain = column in PLAIN or (column == "key" and kind in KEYS_PLAIN)
    is_text = column in DELTA_LENGTH or (kind, column) == ("openings", "name")
    is_deltas = (kind, column) in DELTAS
    if is_deltas or (column == "key" and not is_plain):
        wanted = "DELTA_BINARY_PACKED"
    elif is_text:
        wanted = "DELTA_LENGTH_BYTE_ARRAY"
    else:
        wanted = "PLAIN" if is_plain else "RLE_DICTIONARY"
    all_null = chunk.statistics.null_count == chunk.num_values
    if wanted not in chunk.encodings and not all_null:
        yield f"{column}: encodings {chunk.encodings}, {wanted} wanted"
    compression = "UNCOMPRESSED" if is_deltas or column in UNCOMPRESSED else "ZSTD"
    if chunk.compression != compression:
        yield f"{column}: compression {chunk.compression}, {compression} wanted"
    is_list = "." in chunk.path_in_schema
    has_bounds = chunk.physical_type in ("INT32", "INT64") and not is_plain and not is_list
    if not chunk.has_offset_index or chunk.has_column_index != has_bounds:
        yield f"{column}: page index {chunk.has_offset_index}, bounds {chunk.has_column_index}"
    if has_bounds and not all_null and not chunk.statistics.has_min_max:
        yield f"{column}: no statistics"


def check_order(path: Path, name: str) -> Iterator[str]:
    """Rows ascend as claimed, and no two are one."""
    rows = polars.read_parquet(path, hive_partitioning=False)
    order = [column for column in ORDER[kind_of(name)] if column in rows.columns]
    if not order:
        return
    claimed = rows.select(order)
    if not claimed.equals(claimed.sort(order, nulls_last=False)) or claimed.is_duplicated().any():
        yield f"rows do not ascend by {order}"

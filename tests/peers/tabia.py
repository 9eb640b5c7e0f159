"""Running the binary under judgement, and what its tables hold."""

import json
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np
import polars
import pyarrow.parquet

import oracle
from judge.report import Failed
from judge.run import must

# The largest files of a corpus take minutes.
SECONDS_MAX = 3600


@dataclass(frozen=True)
class Table:
    """A table the binary wrote, with its summary and its list of rejected games."""

    path: Path
    summary: dict
    rejects: list[dict]


def run(binary: Path, *arguments: object) -> str:
    """Runs the binary, which has to succeed; what it prints."""
    return must(binary, *arguments, seconds=SECONDS_MAX).text


def count(binary: Path, pgn: Path, folder: Path, options: oracle.Options) -> Table:
    """`tabia count` of one file with the same options as the oracle."""
    path, rejects = folder / "games.table", folder / "rejects.jsonl"
    flags = ["--max-ply", options.max_ply, "--repeats", options.repeats]
    flags += ["--illegal-move", options.illegal_move, "--min-plies", options.min_plies]
    if options.from_position:
        flags.append("--from-position")
    if options.strict_san:
        flags.append("--strict-san")
    if options.ratings:
        flags.append("--ratings")
    output = ["-o", path, "--rejects", rejects, "--json", "--quiet", "--force", "--allow-empty"]
    summary = json.loads(run(binary, "count", pgn, *output, *flags))
    lines = rejects.read_text("utf-8").splitlines() if rejects.exists() else []
    return Table(path, summary, [json.loads(line) for line in lines])


def parts(table: Path) -> list[Path]:
    """A table's part files, in the order of their keys."""
    return sorted(table.glob("part-*.parquet"))


def rows_by_pyarrow(table: Path, columns: np.dtype) -> np.ndarray:
    """All rows as the oracle has them, by pyarrow, in file order."""
    names = list(columns.names)
    read = [pyarrow.parquet.read_table(part, columns=names) for part in parts(table)]
    stacked = {name: np.concatenate([part[name].to_numpy() for part in read]) for name in names}
    return to_rows(stacked, columns)


def rows_by_duckdb(table: Path, columns: np.dtype) -> np.ndarray:
    """The same by DuckDB, in file order."""
    files = [str(part) for part in parts(table)]
    query = f"SELECT {', '.join(columns.names)} FROM read_parquet(?)"
    with duckdb.connect() as connection:
        return to_rows(connection.execute(query, [files]).fetchnumpy(), columns)


def rows_by_polars(table: Path, columns: np.dtype) -> np.ndarray:
    """The same by Polars, in file order."""
    frame = polars.read_parquet(parts(table), columns=list(columns.names))
    return to_rows({name: frame[name].to_numpy() for name in columns.names}, columns)


READERS = {"pyarrow": rows_by_pyarrow, "duckdb": rows_by_duckdb, "polars": rows_by_polars}


def to_rows(read: dict[str, np.ndarray], columns: np.dtype) -> np.ndarray:
    """Columns as the oracle's row type; a value that does not fit is an error."""
    rows = np.empty(len(read["key"]), columns)
    for name in columns.names:
        rows[name] = read[name]
        if not np.array_equal(rows[name], read[name]):
            raise Failed(f"column {name} does not fit {columns[name]}")
    return rows

"""Questions small enough to be asked of every engine: an aggregate over rows that a filter leaves.

Each engine answers in its own way: DuckDB and Spark by SQL, Polars lazily, pyarrow by a dataset's
filter, pandas by a mask over columns in memory.
"""

import functools
import operator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pyarrow.compute
import pyarrow.dataset

OPERATORS = {"=": operator.eq, ">=": operator.ge, "<": operator.lt}


@dataclass(frozen=True)
class Spot:
    """One question."""

    file: str
    """`moves`, `positions`, `openings` or `games`."""
    aggregate: str
    """`count`, `sum`, `min` or `max`."""
    column: str
    where: tuple[tuple[str, str, Any], ...] = ()
    """Column, operator and value; all must hold."""

    def sql(self, source: str) -> str:
        """The question over a table or view; an empty sum is 0."""
        clauses = [f"{name} {sign} {literal(value)}" for name, sign, value in self.where]
        where = f" WHERE {' AND '.join(clauses)}" if clauses else ""
        answer = f"{self.aggregate}({self.column})"
        if self.aggregate == "sum":
            answer = f"CAST(coalesce({answer}, 0) AS BIGINT)"
        return f"SELECT {answer} FROM {source}{where}"


def literal(value: object) -> str:
    """A value as SQL has it; keys beyond 2^63 too."""
    return f"'{value}'" if isinstance(value, str) else str(value)


def files(export: Path, file: str) -> list[str]:
    """The part files, folders for months too."""
    return [str(path) for path in sorted((export / file).rglob("*.parquet"))]


def by_duckdb(export: Path, spot: Spot) -> object:
    """The answer of DuckDB."""
    source = f"read_parquet({files(export, spot.file)}, hive_partitioning = false)"
    with duckdb.connect() as connection:
        return connection.execute(spot.sql(source)).fetchone()[0]


def by_polars(export: Path, spot: Spot) -> object:
    """The answer of Polars."""
    rows = polars.scan_parquet(files(export, spot.file), hive_partitioning=False)
    for name, sign, value in spot.where:
        rows = rows.filter(OPERATORS[sign](polars.col(name), value))
    answer = getattr(polars.col(spot.column), spot.aggregate)()
    return rows.select(answer).collect().item()


def by_pyarrow(export: Path, spot: Spot) -> object:
    """The answer of pyarrow."""
    field, scalar = pyarrow.dataset.field, pyarrow.scalar
    rows = pyarrow.dataset.dataset(files(export, spot.file))
    clauses = [
        OPERATORS[sign](field(name), scalar(value, rows.schema.field(name).type))
        for name, sign, value in spot.where
    ]
    kept = functools.reduce(operator.and_, clauses) if clauses else None
    column = rows.to_table(columns=[spot.column], filter=kept)[spot.column]
    answer = getattr(pyarrow.compute, spot.aggregate)(column).as_py()
    return 0 if answer is None and spot.aggregate == "sum" else answer


def by_pandas(export: Path, spot: Spot) -> object:
    """The answer of pandas."""
    names = list(dict.fromkeys([spot.column, *(name for name, _, _ in spot.where)]))
    parts = [pandas.read_parquet(part, columns=names, partitioning=None) for part in files(export, spot.file)]
    rows = pandas.concat(parts)
    for name, sign, value in spot.where:
        rows = rows[OPERATORS[sign](rows[name], value)]
    answer = getattr(rows[spot.column], spot.aggregate)()
    return answer if isinstance(answer, str) else int(answer)


ENGINES = {"duckdb": by_duckdb, "polars": by_polars, "pyarrow": by_pyarrow, "pandas": by_pandas}

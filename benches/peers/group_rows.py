#!/usr/bin/env python3
"""Sums the observations of an export by position and move, as `tabia count` does with games.

    benches/peers/group_rows.py DuckDB EXPORT --threads 2 --memory-mib 2048
    benches/peers/group_rows.py Polars EXPORT --threads 2 --memory-mib 2048 --sorted rows.parquet

Prints the rows and the games of each result as JSON.  With `--sorted` the rows are written, ascending by key
and move.  Polars knows no limit of memory.
"""

import argparse
import json
import os
from collections.abc import Callable
from pathlib import Path

RESULTS = {"white": "1-0", "draws": "1/2-1/2", "black": "0-1"}
ASKED = "SELECT count(*), sum(white), sum(draws), sum(black) FROM ({})"


def grouped(source: str, count: str) -> str:
    """The question in SQL; `count` counts the rows of a result."""
    sums = ", ".join(f"{count.format(result)} AS {name}" for name, result in RESULTS.items())
    return f"SELECT key, move, {sums} FROM {source} GROUP BY key, move"


def by_duckdb(files: str, args: argparse.Namespace) -> list[int]:
    """DuckDB's answer."""
    import duckdb  # noqa: PLC0415 - each engine alone, and only after its limits are set

    with duckdb.connect() as connection:
        connection.execute(f"SET threads = {args.threads}; SET memory_limit = '{args.memory_mib}MiB'")
        connection.execute("SET preserve_insertion_order = false")
        sql = grouped(f"read_parquet('{files}')", "count(*) FILTER (result = '{}')")
        if not args.sorted:
            return list(connection.execute(ASKED.format(sql)).fetchone())
        written = f"COPY ({sql} ORDER BY key, move) TO '{args.sorted}' (FORMAT parquet, COMPRESSION zstd)"
        return [connection.execute(written).fetchone()[0]]


def by_polars(files: str, args: argparse.Namespace) -> list[int]:
    """Polars' answer, by its streaming engine."""
    os.environ["POLARS_MAX_THREADS"] = str(args.threads)
    import polars as pl  # noqa: PLC0415

    sums = {name: (pl.col("result") == result).sum().cast(pl.Int64) for name, result in RESULTS.items()}
    rows = pl.scan_parquet(files).group_by("key", "move").agg(**sums)
    if args.sorted:
        rows.sort("key", "move").sink_parquet(args.sorted, compression="zstd", engine="streaming")
        return [pl.scan_parquet(args.sorted).select(pl.len()).collect().item()]
    return list(rows.select(pl.len(), *map(pl.sum, RESULTS)).collect(engine="streaming").row(0))


def by_clickhouse(files: str, args: argparse.Namespace) -> list[int]:
    """The answer of ClickHouse in this process."""
    import chdb  # noqa: PLC0415

    memory = args.memory_mib << 20
    limits = f"SETTINGS max_threads = {args.threads}, max_memory_usage = {memory}"
    spills = ("max_bytes_before_external_group_by", "max_bytes_before_external_sort")
    limits += "".join(f", {name} = {memory // 2}" for name in spills)
    sql = grouped(f"file('{files}', Parquet)", "countIf(result = '{}')")
    if args.sorted:
        chdb.query(f"INSERT INTO FUNCTION file('{args.sorted}', Parquet) {sql} ORDER BY key, move {limits}")
        return [int(str(chdb.query(f"SELECT count() FROM file('{args.sorted}', Parquet)")))]
    return [int(number) for number in str(chdb.query(f"{ASKED.format(sql)} {limits}")).split(",")]


ENGINES: dict[str, tuple[str, Callable[[str, argparse.Namespace], list[int]]]] = {
    "DuckDB": ("duckdb", by_duckdb),
    "Polars": ("polars", by_polars),
    "ClickHouse": ("chdb", by_clickhouse),
}
"""Each engine's module, and how it is asked."""


def main() -> None:
    """Asks one engine."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", choices=ENGINES)
    parser.add_argument("export", type=Path)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--memory-mib", type=int, required=True)
    parser.add_argument("--sorted", metavar="FILE", help="write the rows sorted, rather than add them up")
    args = parser.parse_args()
    rows, *games = ENGINES[args.engine][1](str(args.export / "observations/*.parquet"), args)
    print(json.dumps({"rows": rows, "results": games}))


if __name__ == "__main__":
    main()

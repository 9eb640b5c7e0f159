#!/usr/bin/env python3
"""How long DuckDB takes for an export: look-ups by key in one file, aggregates over all rows.

    benches/peers/time_export.py EXPORT --rows 50000000

Where the export has fewer rows, its part files are read several times over, as copies of them would
be.  Times are the least and the median of many runs, warm, in one connection.
"""

import argparse
import statistics
import time
from pathlib import Path

import duckdb

START = 0x463B96181691FC9C
LOOK_UPS = 60
AGGREGATES = 5

SUMS = "SELECT sum(white), sum(draws), sum(black) FROM read_parquet(?)"
BY_BAND = "SELECT rating_band, sum(games), sum(score * games) / sum(games) FROM read_parquet(?) GROUP BY ALL"
BY_YEAR = "SELECT month // 100, sum(white), sum(draws), sum(black) FROM read_parquet(?) GROUP BY ALL"
BY_MOVE = "SELECT move, sum(games), sum(score * games) / sum(games) FROM read_parquet(?) GROUP BY ALL"


def run(connection: duckdb.DuckDBPyConnection, query: str, values: list, rounds: int) -> str:
    """Least and median time of a query."""
    times = []
    for _ in range(rounds):
        begun = time.perf_counter()
        connection.execute(query, values).fetchall()
        times.append(1000 * (time.perf_counter() - begun))
    return f"{min(times):8.1f} ms, median {statistics.median(times):8.1f} ms"


def look_ups(connection: duckdb.DuckDBPyConnection, part: Path) -> None:
    """A position from the middle of a part, by its key."""
    count = connection.execute("SELECT count(*) FROM read_parquet(?)", [str(part)]).fetchone()[0]
    query = f"SELECT key FROM read_parquet(?) LIMIT 1 OFFSET {count // 2}"
    key = connection.execute(query, [str(part)]).fetchone()[0]
    size = part.stat().st_size / count
    print(f"{part.parent.name}/{part.name}: {count} rows, {size:.2f} bytes a row")
    query = f"SELECT * FROM read_parquet(?) WHERE key = {key}"
    print(f"  all columns of a key     {run(connection, query, [str(part)], LOOK_UPS)}")


def aggregates(connection: duckdb.DuckDBPyConnection, parts: list[str], rows: int) -> None:
    """Whole-table sums over at least `rows` rows."""
    query = "SELECT count(*) FROM read_parquet(?)"
    once = connection.execute(query, [parts]).fetchone()[0]
    copies = -(-rows // once)
    print(f"moves: {once} rows, read {copies} times: {copies * once} rows")
    columns = connection.execute("DESCRIBE SELECT * FROM read_parquet(?)", [parts]).fetchall()
    names = {column[0] for column in columns}
    asked = {"sums": SUMS, "by move": BY_MOVE}
    asked |= {"by rating band": BY_BAND} if "rating_band" in names else {}
    asked |= {"by year": BY_YEAR} if "month" in names else {}
    for name, text in asked.items():
        print(f"  {name:25}{run(connection, text, [parts * copies], AGGREGATES)}")


def main() -> None:
    """Measures one export."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("export", type=Path)
    parser.add_argument("--rows", type=int, default=50_000_000)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    parts = sorted((args.export / "moves").glob("*.parquet"))
    with duckdb.connect() as connection:
        connection.execute(f"SET threads = {args.threads}")
        start = parts[(START * len(parts)) >> 64]
        for part in (start, args.export / "positions" / start.name):
            look_ups(connection, part)
        aggregates(connection, [str(part) for part in parts], args.rows)


if __name__ == "__main__":
    main()

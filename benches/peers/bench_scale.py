#!/usr/bin/env python3
"""How edges grow with games, and what a large table costs afterwards; `make bench-scale` calls this.

    benches/peers/bench_scale.py target/release/tabia --sizes 100000,1000000,2000000,10000000

Real games are parts of the corpus's file of Lichess; made-up ones (`synthetic_games`) go further.
They are counted to 20, 40 and 60 plies and whole, the largest numbers to 20 and 40.  The most whole
games then go through the commands that follow a count.  All is processor time of two threads in
1 GiB, so a busy machine adds a little.
"""

import math
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from judge.games import make_up, read_through
from judge.measure import machine
from judge.report import CORPUS, ROOT, command_line
from run import Sample, noted, time_command

LICHESS = "lichess-2013-01a.pgn.zst"
REAL_SIZES = (8_000, 16_000, 32_000, 64_000)
PLIES = (20, 40, 60, 0)
# Above this, tables would take long to write.
GAMES_WHOLE = 2_000_000
LIMITS = ("--threads", "2", "--memory", "1GiB", "--quiet", "--json")


@dataclass(frozen=True)
class Row:
    """Games of one source, counted to some plies."""

    source: str
    games: int
    plies: int
    sample: Sample
    table_bytes: int

    @property
    def edges(self) -> int:
        """Distinct edges."""
        return int(self.sample.summary["edges"])


@dataclass(frozen=True)
class Bench:
    """Where it works."""

    binary: Path
    folder: Path

    def run(self, name: str, *arguments: object) -> Sample:
        """Runs the binary once."""
        return noted(name, time_command([str(self.binary), *map(str, arguments)], self.folder))

    def count(self, source: str, files: list[Path], games: int, plies: int) -> Row:
        """Counts the first games of the files."""
        table = self.folder / ("scale.table" if plies else "whole.table")
        shutil.rmtree(table, ignore_errors=True)
        limit = ("--limit", games) if len(files) == 1 else ()
        name = f"{source}, {games:,} games, {plies or 'all'} plies"
        sample = self.run(name, "count", *files, "-o", table, "--max-ply", plies, *limit, *LIMITS)
        held = sum(part.stat().st_size for part in table.iterdir())
        return Row(source, games, plies, sample, held)


def growth(bench: Bench, corpus: Path, generator: Path, sizes: list[int]) -> list[Row]:
    """All counts."""
    rows = []
    lichess = corpus / LICHESS
    if lichess.exists():
        rows = [bench.count("Lichess", [lichess], games, plies) for plies in PLIES for games in REAL_SIZES]
    pieces: list[Path] = []
    made = 0
    for games in sizes:
        pieces.append(make_up(generator, bench.folder / f"games-{made}-{games}.pgn.zst", (made, games)))
        made = games
        for piece in pieces:
            read_through(piece)
        wanted = PLIES if games <= GAMES_WHOLE else PLIES[:2]
        rows += [bench.count("made up", pieces, games, plies) for plies in wanted]
    return rows


def exponent(rows: list[Row]) -> str:
    """By which power of the games edges grow, by the last two sizes."""
    if len(rows) < 2:
        return ""
    before, last = rows[-2:]
    return f"{math.log(last.edges / before.edges) / math.log(last.games / before.games):.3f}"


def print_growth(rows: list[Row]) -> None:
    """Edges a game by size, and what a game costs, as Markdown."""
    print("| games | | plies | edges a game | grows by the power | bytes an edge | µs a game | peak MiB |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for number, row in enumerate(rows):
        same = [one for one in rows[: number + 1] if (one.source, one.plies) == (row.source, row.plies)]
        micros = 1e6 * row.sample.processor_seconds / row.games
        print(
            f"| {row.source} | {row.games:,} | {row.plies or 'all'} | {row.edges / row.games:.1f}"
            f" | {exponent(same)} | {row.table_bytes / row.edges:.2f} | {micros:.1f}"
            f" | {row.sample.peak_bytes >> 20} |"
        )


def afterwards(bench: Bench) -> dict[str, Sample]:
    """What follows a count, of the last whole games."""
    table, limits = bench.folder / "whole.table", ("--threads", "2", "--quiet")
    memory = (*limits, "--memory", "1GiB")
    book = ("compact", table, "-o", "scale.tabia", "--min-games", "5", "--force", *memory)
    moves = ("export", "parquet", table, "-o", "scale.export", "--only", "moves", "--force")
    results = {
        "`verify`": bench.run("verify", "verify", table),
        "`compact --min-games 5`": bench.run("compact", *book),
        "`merge` with itself": bench.run(
            "merge", "merge", table, table, "-o", "both.table", "--force", *limits
        ),
        "`export parquet --only moves --without san`": bench.run(
            "moves", *moves, "--without", "san", *memory
        ),
        "`export parquet --only moves`": bench.run("moves with SAN", *moves, *memory),
    }
    for name in ("both.table", "scale.export", "whole.table"):
        shutil.rmtree(bench.folder / name, ignore_errors=True)
    return results


def main() -> int:
    """Measures, prints, and deletes what it made."""
    generator, folder = ROOT / "target/release/examples/synthetic_games", ROOT / "target/scale"
    texts = {"sizes": "100000,1000000,2000000,10000000"}
    args = command_line(
        __doc__, "binary", corpus=CORPUS, generator=generator, folder=folder, keep=False, **texts
    )
    args.folder.mkdir(parents=True, exist_ok=True)
    bench = Bench(args.binary.resolve(), args.folder.resolve())
    try:
        rows = growth(bench, args.corpus, args.generator, sorted(map(int, args.sizes.split(","))))
        results = afterwards(bench) if rows else {}
    finally:
        if not args.keep:
            shutil.rmtree(args.folder)
    print_growth(rows)
    edges = next(row.edges for row in reversed(rows) if row.plies == 0)
    names = f"of a table of {edges:,} edges | processor s | s a million edges | peak MiB"
    print(f"\n| {names} |\n|---|---:|---:|---:|")
    for name, sample in results.items():
        seconds = sample.processor_seconds
        print(f"| {name} | {seconds:.1f} | {seconds / edges * 1e6:.2f} | {sample.peak_bytes >> 20} |")
    print(f"\n{machine()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

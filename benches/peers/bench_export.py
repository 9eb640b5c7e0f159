#!/usr/bin/env python3
"""What an export costs beside the count it is of; `make bench-export` calls this.

    benches/peers/bench_export.py target/release/tabia --rounds 3

Every measure runs once a round, with the inputs in the page cache and no outputs of earlier runs.
Costs are processor time of two threads, because how long a disk takes to sync what was written is
not the export's work; medians of the rounds and their ratios are printed as Markdown.  The last
measure exports whole games of the whole corpus in little memory; for it wall time and peak memory
are what counts.
"""

import shutil
from pathlib import Path

from floors import EXPORTS, print_floors
from judge.measure import machine_line
from peers import count_games, skipped
from run import Measure, Sample, bench_args, print_measures

KINGBASE, LICHESS = "kingbase2015-recon-a.pgn.zst", "lichess-2013-01a.pgn.zst"
LINES = ("--only", "lines", "--min-games", "20")
GROUPED = ("--by", "speed,rating-band,month", "--ratings")
FLAGS = ("--threads", "2", "--quiet")
SMALL_MIB = 256
RSS_ABOVE_MEMORY_MIB = 100
SMALL_SECONDS_MAX = 60


def measures(corpus: Path) -> list[Measure]:
    """A count and its exports, and counts with and without groups."""
    kingbase, lichess = str(corpus / KINGBASE), str(corpus / LICHESS)

    def count(name: str, *arguments: str) -> Measure:
        return Measure(name, ("count", *arguments, "-o", "bench.table"), "bench.table")

    def exports(name: str, source: str) -> list[Measure]:
        table = f"{name}.table"
        counted = ("count", source, "--max-ply", "60", "-o", table)
        export = ("export", "parquet", table, "-o", "bench.export")
        return [
            Measure(f"count, {name}", counted, table),
            Measure(f"export, {name}", export, "bench.export"),
            Measure(f"export of moves, {name}", (*export, "--only", "moves"), "bench.export"),
            Measure(f"export of lines of 20 games, {name}", (*export, *LINES), "bench.export"),
        ]

    whole, short = ("--max-ply", "0"), ("--max-ply", "40")
    return [
        *exports("KingBase", kingbase),
        *exports("Lichess", lichess),
        count("plain, KingBase, whole games", kingbase, *whole),
        count("grouped, KingBase, whole games", kingbase, *whole, *GROUPED),
        count("plain, Lichess, 40 plies", lichess, *short),
        count("grouped, Lichess, 40 plies", lichess, *short, *GROUPED),
    ]


def small(corpus: Path) -> list[Measure]:
    """All games of the corpus to their ends, exported in little memory."""
    packed = [str(path) for path in sorted(corpus.glob("*.pgn.zst"))]
    count = ("count", *packed, "--max-ply", "0", "-o", "corpus.table")
    export = ("export", "parquet", "corpus.table", "-o", "bench.export")
    return [
        Measure("count, whole corpus", count, "corpus.table"),
        Measure("export, whole corpus", (*export, "--memory", f"{SMALL_MIB}MiB"), "bench.export"),
    ]


def is_small(results: dict[str, list[Sample]]) -> bool:
    """Whether the export of the whole corpus takes no more than it may; prints what it takes, as Markdown."""
    exported = results["export, whole corpus"][0]
    rss, rss_max = exported.peak_bytes >> 20, SMALL_MIB + RSS_ABOVE_MEMORY_MIB
    print(f"\n| whole corpus, {SMALL_MIB} MiB | took | at most |\n|---|---:|---:|")
    print(f"| wall time, s | {exported.seconds:.1f} | {SMALL_SECONDS_MAX} |")
    print(f"| peak RSS, MiB | {rss} | {rss_max} |")
    return exported.seconds <= SMALL_SECONDS_MAX and rss <= rss_max


def main() -> int:
    """Measures and prints; with `--strict` exits 1 if a limit is passed."""
    args = bench_args(__doc__, "bench-export")
    if not (args.corpus / KINGBASE).exists():
        skipped(f"no {args.corpus / KINGBASE}")
        return 0
    for path in args.corpus.glob("*.pgn.zst"):
        count_games(path)
    args.folder.mkdir(parents=True, exist_ok=True)
    results: dict[str, list[Sample]] = {}
    for _ in range(args.rounds):
        for measure in measures(args.corpus):
            results.setdefault(measure.name, []).append(measure.run(args.binary, args.folder, *FLAGS))
    for measure in small(args.corpus):
        results[measure.name] = [measure.run(args.binary, args.folder, *FLAGS)]
    shutil.rmtree(args.folder)
    print(f"{machine_line()}\n")
    print_measures(results)
    within = print_floors(EXPORTS, results) & is_small(results)
    return 1 if args.strict and not within else 0


if __name__ == "__main__":
    raise SystemExit(main())

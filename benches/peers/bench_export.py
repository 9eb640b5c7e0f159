#!/usr/bin/env python3
"""What an export costs beside the count it is of; `make bench-export` calls this.

    benches/peers/bench_export.py --binary target/release/tabia --rounds 3

Every measure runs once a round, with the inputs in the page cache and no outputs of earlier runs.
Costs are processor time of two threads, because how long a disk takes to sync what was written is
not the export's work; medians of the rounds and their ratios are printed as Markdown.  The last
measure exports whole games of the whole corpus in little memory; for it wall time and peak memory
are what counts.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from judge.measure import machine_line
from peers import count_games, skipped
from run import Sample, bench_args, print_measures, processor, time_without

KINGBASE, LICHESS = "kingbase2015-recon-a.pgn.zst", "lichess-2013-01a.pgn.zst"
GROUPED = ("--by", "speed,rating-band,month", "--ratings")
SMALL_MIB = 256
RSS_ABOVE_MEMORY_MIB = 100
SMALL_SECONDS_MAX = 60


@dataclass(frozen=True)
class Measure:
    """One command; what it writes is removed before it runs again."""

    name: str
    command: tuple[str, ...]
    output: str


@dataclass(frozen=True)
class Limit:
    """How much processor time one measure may take, in times of another's."""

    ours: str
    base: str
    floor: float
    aim: float


LIMITS = (
    Limit("export", "count", 10, 5),
    Limit("export of moves", "count", 5, 2.5),
    Limit("grouped, KingBase, whole games", "plain, KingBase, whole games", 2.0, 1.6),
)


def measures(corpus: Path) -> list[Measure]:
    """A count and its exports, and counts with and without groups."""
    kingbase, lichess = str(corpus / KINGBASE), str(corpus / LICHESS)

    def count(name: str, *arguments: str) -> Measure:
        return Measure(name, ("count", *arguments, "-o", "bench.table"), "bench.table")

    def export(name: str, *arguments: str) -> Measure:
        command = ("export", "parquet", "kingbase.table", "-o", "bench.export", *arguments)
        return Measure(name, command, "bench.export")

    whole, short = ("--max-ply", "0"), ("--max-ply", "40")
    kept = ("count", kingbase, "--max-ply", "60", "-o", "kingbase.table")
    return [
        Measure("count", kept, "kingbase.table"),
        export("export"),
        export("export of moves", "--only", "moves"),
        export("export of lines of 20 games", "--only", "lines", "--min-games", "20"),
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


def run(args: argparse.Namespace, measure: Measure) -> Sample:
    """Runs one measure anew."""
    command = [str(args.binary), *measure.command, "--threads", "2", "--quiet"]
    sample = time_without(measure.output, command, args.folder)
    took = f"{sample.processor_seconds:8.2f} s CPU {sample.seconds:8.2f} s"
    print(f"{measure.name:32}{took}", file=sys.stderr)
    return sample


def print_limits(results: dict[str, list[Sample]]) -> bool:
    """Ratios against what they may be, as Markdown; whether all are within."""
    within = True
    print("\n| work | against | times | at most | aim |\n|---|---|---:|---:|---:|")
    for limit in LIMITS:
        ratio = processor(results[limit.ours]) / processor(results[limit.base])
        mark = "" if ratio <= limit.floor else " (above)"
        within &= ratio <= limit.floor
        print(f"| {limit.ours} | {limit.base} | {ratio:.2f}{mark} | {limit.floor} | {limit.aim} |")
    exported = results["export, whole corpus"][0]
    rss, rss_max = exported.peak_rss_bytes >> 20, SMALL_MIB + RSS_ABOVE_MEMORY_MIB
    whole = f"whole corpus, {SMALL_MIB} MiB"
    print(f"| wall time, s | {whole} | {exported.seconds:.1f} | {SMALL_SECONDS_MAX} | |")
    print(f"| peak RSS, MiB | {whole} | {rss} | {rss_max} | |")
    return within and exported.seconds <= SMALL_SECONDS_MAX and rss <= rss_max


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
            results.setdefault(measure.name, []).append(run(args, measure))
    for measure in small(args.corpus):
        results[measure.name] = [run(args, measure)]
    shutil.rmtree(args.folder)
    print(f"{machine_line()}\n")
    print_measures(results)
    within = print_limits(results)
    return 1 if args.strict and not within else 0


if __name__ == "__main__":
    raise SystemExit(main())

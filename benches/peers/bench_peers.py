#!/usr/bin/env python3
"""Times tabia and its peers on the same files in the same run; `make bench-peers` calls this.

    benches/peers/bench_peers.py --binary target/release/tabia --rounds 5

Every measure runs once a round, peer and ours in turn, with the inputs in the page cache and no
outputs of earlier runs; medians and their ratios are printed as a table and written to
`target/peers/bench-peers.json`.  Peers that are missing are built or, as root, installed; what
cannot be installed is skipped with a note.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
from pathlib import Path

from judge.measure import machine
from measures import COMPARISONS, Comparison, Measure, measures
from peers import Peers, prepare
from run import Sample, time_anew

ROOT = Path(__file__).resolve().parents[2]


def run_rounds(chosen: list[Measure], rounds: int) -> dict[str, list[Sample]]:
    """Runs every measure once a round."""
    samples: dict[str, list[Sample]] = {measure.name: [] for measure in chosen}
    for number in range(1, rounds + 1):
        for measure in chosen:
            sample = time_anew(measure.command, measure.folder)
            samples[measure.name].append(sample)
            print(f"round {number}  {measure.name:24}{sample.seconds:8.2f} s", file=sys.stderr)
    return samples


def summarise(measure: Measure, samples: list[Sample]) -> dict:
    """One measure's medians; `games` are the games of its input."""
    seconds = statistics.median(sample.seconds for sample in samples)
    return {
        "name": measure.name,
        "command": [Path(measure.command[0]).name, *measure.command[1:]],
        "seconds": [round(sample.seconds, 4) for sample in samples],
        "median_seconds": round(seconds, 4),
        "games_a_second": round(measure.games / seconds),
        "peak_rss_mib": max(sample.peak_rss_bytes for sample in samples) >> 20,
        "rss_mib_max": measure.rss_mib_max,
        "summary": samples[-1].summary,
    }


def compare(comparison: Comparison, results: dict[str, dict]) -> dict | None:
    """How many times as fast ours was; None if a side was skipped."""
    if comparison.ours not in results or comparison.peer not in results:
        return None
    ours, peer = results[comparison.ours], results[comparison.peer]
    ratio = peer["median_seconds"] / ours["median_seconds"]
    return {
        "work": comparison.work,
        "ours": comparison.ours,
        "peer": comparison.peer,
        "ratio": round(ratio, 3),
        "floor": comparison.floor,
        "aim": comparison.aim,
    }


def print_results(results: dict[str, dict], comparisons: list[dict]) -> None:
    """Both tables, as Markdown."""
    print("| measure | median s | games/s | peak RSS MiB | allowed |\n|---|---:|---:|---:|---:|")
    for result in results.values():
        allowed = result["rss_mib_max"] or ""
        print(
            f"| {result['name']} | {result['median_seconds']:.2f} | {result['games_a_second']:,}"
            f" | {result['peak_rss_mib']} | {allowed} |"
        )
    print("\n| work | ours against | times as fast | floor | aim |\n|---|---|---:|---:|---:|")
    for row in comparisons:
        mark = "" if row["ratio"] >= row["floor"] else " (below)"
        print(f"| {row['work']} | {row['peer']} | {row['ratio']:.2f}{mark} | {row['floor']} | {row['aim']} |")


def is_below(results: dict[str, dict], comparisons: list[dict]) -> bool:
    """Whether a floor was missed or a run took more memory than it may."""
    slow = any(row["ratio"] < row["floor"] for row in comparisons)
    bounded = [result for result in results.values() if result["rss_mib_max"]]
    return slow or any(result["peak_rss_mib"] > result["rss_mib_max"] for result in bounded)


def parse_args() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", type=Path, default=ROOT / "target/release/tabia")
    corpus = os.environ.get("TABIA_CORPUS")
    parser.add_argument("--corpus", type=Path, default=corpus, required=corpus is None)
    parser.add_argument("--cache", type=Path, default=ROOT / "target/peers")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", metavar="TEXT", help="only measures whose name contains this")
    parser.add_argument("--strict", action="store_true", help="exit 1 below a floor")
    return parser.parse_args()


def main() -> int:
    """Measures, prints and writes; with `--strict` exits 1 if a floor is missed."""
    args = parse_args()
    peers: Peers = prepare(args.binary.resolve(), args.corpus, args.cache)
    wanted = args.only or ""
    chosen = [measure for measure in measures(peers) if wanted in measure.name]
    if not chosen:
        print("SKIPPED: nothing to measure")
        return 0
    samples = run_rounds(chosen, args.rounds)
    results = {measure.name: summarise(measure, samples[measure.name]) for measure in chosen}
    comparisons = [row for row in (compare(pair, results) for pair in COMPARISONS) if row]
    print_results(results, comparisons)
    report = {"machine": machine(), "rounds": args.rounds, "measures": list(results.values())}
    path = args.cache / "bench-peers.json"
    path.write_text(json.dumps({**report, "comparisons": comparisons}, indent=1) + "\n", "utf-8")
    print(f"\n{json.dumps(machine())}\nwritten to {path}")
    return 1 if args.strict and is_below(results, comparisons) else 0


if __name__ == "__main__":
    sys.exit(main())

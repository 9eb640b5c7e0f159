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
import re
import sys
from dataclasses import asdict
from pathlib import Path

from floors import PEERS, compare, print_floors
from judge.measure import machine
from measures import Measure, measures
from peers import Peers, prepare
from run import Sample, processor, time_anew, wall

ROOT = Path(__file__).resolve().parents[2]


def run_rounds(chosen: list[Measure], rounds: int) -> dict[str, list[Sample]]:
    """Runs every measure once a round."""
    samples: dict[str, list[Sample]] = {measure.name: [] for measure in chosen}
    for number in range(1, rounds + 1):
        for measure in chosen:
            sample = time_anew(measure.command, measure.folder)
            samples[measure.name].append(sample)
            took = f"{sample.processor_seconds:8.2f} s CPU {sample.seconds:8.2f} s"
            rss = sample.peak_rss_bytes >> 20
            print(f"round {number}  {measure.name:24}{took} {rss:6} MiB", file=sys.stderr, flush=True)
    return samples


def summarise(measure: Measure, samples: list[Sample]) -> dict:
    """One measure's medians; `games` are the games of its input."""
    return {
        "name": measure.name,
        "command": [Path(measure.command[0]).name, *measure.command[1:]],
        "seconds": [round(sample.seconds, 4) for sample in samples],
        "processor_seconds": [round(sample.processor_seconds, 4) for sample in samples],
        "median_seconds": round(wall(samples), 4),
        "median_processor_seconds": round(processor(samples), 4),
        "games": measure.games,
        "games_a_second": round(measure.games / wall(samples)),
        "peak_rss_mib": max(sample.peak_rss_bytes for sample in samples) >> 20,
        "rss_mib_max": measure.rss_mib_max,
        "summary": samples[-1].summary,
    }


def print_results(results: list[dict]) -> None:
    """The measures, as Markdown; the spread is of processor times, of the median."""
    print("| measure | processor s | spread | wall s | games/s | peak RSS MiB | allowed |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for result in results:
        median, times = result["median_processor_seconds"], result["processor_seconds"]
        spread = (max(times) - min(times)) / median if median else 0
        print(
            f"| {result['name']} | {median:.2f} | {spread:.0%} | {result['median_seconds']:.2f}"
            f" | {result['games_a_second']:,} | {result['peak_rss_mib']} | {result['rss_mib_max'] or ''} |"
        )


def check_answers(results: list[dict]) -> None:
    """Prints which works read other games than there are, and whether engines give other rows."""
    for result in results:
        read = result["summary"].get("games", result["games"])
        if read != result["games"]:
            print(f"{result['name']} says that it read {read:,} games; there are {result['games']:,}")
    rows = {result["name"]: result["summary"]["rows"] for result in results if "rows" in result["summary"]}
    if len(set(rows.values())) > 1:
        print(f"engines give other rows: {rows}")


def takes_too_much(results: list[dict]) -> bool:
    """Whether a run took more memory than it may."""
    return any(result["peak_rss_mib"] > (result["rss_mib_max"] or sys.maxsize) for result in results)


def parse_args() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", type=Path, default=ROOT / "target/release/tabia")
    corpus = os.environ.get("TABIA_CORPUS")
    parser.add_argument("--corpus", type=Path, default=corpus, required=corpus is None)
    parser.add_argument("--cache", type=Path, default=ROOT / "target/peers")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", metavar="PATTERN", help="only measures whose name matches this pattern")
    parser.add_argument("--strict", action="store_true", help="exit 1 below a floor")
    return parser.parse_args()


def main() -> int:
    """Measures, prints and writes; with `--strict` exits 1 if a floor is missed."""
    args = parse_args()
    peers: Peers = prepare(args.binary.resolve(), args.corpus, args.cache)
    chosen = [measure for measure in measures(peers) if re.search(args.only or "", measure.name)]
    if not chosen:
        print("SKIPPED: nothing to measure")
        return 0
    samples = run_rounds(chosen, args.rounds)
    results = [summarise(measure, samples[measure.name]) for measure in chosen]
    print_results(results)
    all_hold = print_floors(PEERS, samples)
    check_answers(results)
    comparisons = [
        {**asdict(floor), "by_wall": round(by_wall, 3), "by_processor": round(by_processor, 3)}
        for floor, by_wall, by_processor in compare(PEERS, samples)
    ]
    report = {"machine": machine(), "rounds": args.rounds, "measures": results, "comparisons": comparisons}
    path = args.cache / "bench-peers.json"
    path.write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    print(f"\n{json.dumps(machine())}\nwritten to {path}")
    return 1 if args.strict and (takes_too_much(results) or not all_hold) else 0


if __name__ == "__main__":
    sys.exit(main())

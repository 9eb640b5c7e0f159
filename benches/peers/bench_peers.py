#!/usr/bin/env python3
"""Times tabia and its peers on the same files in the same run; `make bench-peers` calls this.

    benches/peers/bench_peers.py target/release/tabia --rounds 5

Every measure runs once a round, peer and ours in turn, with the inputs in the page cache and no
outputs of earlier runs; medians and their ratios are printed as a table and written to
`target/peers/bench-peers.json`.  Peers that are missing are built or, as root, installed; what
cannot be installed is skipped with a note.
"""

import json
import re
import sys
from dataclasses import asdict
from pathlib import Path

from floors import PEERS, compare, print_floors
from judge.measure import machine
from judge.report import CORPUS, ROOT, command_line
from measures import Measure, measures
from peers import Peers, prepare
from run import Sample, noted, processor, time_anew, wall


def run_rounds(chosen: list[Measure], rounds: int) -> dict[str, list[Sample]]:
    """Runs every measure once a round."""
    samples: dict[str, list[Sample]] = {measure.name: [] for measure in chosen}
    for number in range(1, rounds + 1):
        for measure in chosen:
            sample = time_anew(measure.command, measure.folder)
            samples[measure.name].append(noted(f"round {number}  {measure.name}", sample))
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
        "peak_rss_mib": max(sample.peak_bytes for sample in samples) >> 20,
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


def main() -> int:
    """Measures, prints and writes; with `--strict` exits 1 if a floor is missed."""
    # Of the measures, `--only` chooses those whose name matches it; `--strict`: exit 1 below a floor.
    options = {"cache": ROOT / "target/peers", "rounds": 5, "only": "", "strict": False}
    args = command_line(__doc__, "binary", corpus=CORPUS, **options)
    peers: Peers = prepare(args.binary, args.corpus, args.cache)
    chosen = [measure for measure in measures(peers) if re.search(args.only, measure.name)]
    if not chosen:
        print("SKIPPED: nothing to measure")
        return 0
    samples = run_rounds(chosen, args.rounds)
    results = [summarise(measure, samples[measure.name]) for measure in chosen]
    print_results(results)
    all_hold = print_floors(PEERS, samples)
    check_answers(results)
    # Whether a run took more memory than it may.
    too_much = any(result["peak_rss_mib"] > (result["rss_mib_max"] or sys.maxsize) for result in results)
    comparisons = [
        {**asdict(floor), "by_wall": round(by_wall, 3), "by_processor": round(by_processor, 3)}
        for floor, by_wall, by_processor in compare(PEERS, samples)
    ]
    report = {"machine": machine(), "rounds": args.rounds, "measures": results, "comparisons": comparisons}
    path = args.cache / "bench-peers.json"
    path.write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    print(f"\n{json.dumps(machine())}\nwritten to {path}")
    return 1 if args.strict and (too_much or not all_hold) else 0


if __name__ == "__main__":
    sys.exit(main())

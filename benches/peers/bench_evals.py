#!/usr/bin/env python3
"""How fast lists of evaluated positions are learned; `make bench-evals` calls this.

    benches/peers/bench_evals.py target/release/tabia --lines 1000000

Lines are made up (`crates/formats/evals/examples/made_up_evals.rs`), plain text, and read once before
the clock starts. They are learned with one thread and with two, and in two limits of memory; the files
must be the same bytes. With `--strict` exits 1 below the floor.
"""

import subprocess
from pathlib import Path

from judge.games import read_through
from judge.measure import machine_line
from judge.report import ROOT, command_line
from run import Measure, Sample, print_measures, processor

MEGABYTES_FLOOR = 150
"""Of text, a second of processor time."""
OUTPUT = "out.experience.parquet"
WAYS = (("1", "256MiB"), ("2", "256MiB"), ("2", "1GiB"))


def learned(lines: Path, threads: str, memory: str) -> Measure:
    """Learns the lines."""
    flags = ("--threads", threads, "--memory", memory, "--quiet", "--json")
    return Measure(f"-j {threads}, {memory}", ("learn", "evals", str(lines), *flags, "-o", OUTPUT), OUTPUT)


def make_up(generator: Path, path: Path, lines: int) -> None:
    """Writes made-up lines."""
    with path.open("wb") as out:
        subprocess.run([generator, "1", str(lines)], stdout=out, check=True)
    read_through(path)


def main() -> int:
    """Measures and prints; with `--strict` exits 1 if the floor is missed."""
    generator = ROOT / "target/release/examples/made_up_evals"
    folder = ROOT / "target/bench-evals"
    args = command_line(
        __doc__, "binary", generator=generator, folder=folder, lines=1_000_000, rounds=3, strict=False
    )
    args.folder.mkdir(parents=True, exist_ok=True)
    lines = args.folder / "evals.jsonl"
    make_up(args.generator, lines, args.lines)
    results: dict[str, list[Sample]] = {}
    first = None
    for _ in range(args.rounds):
        for measure in (learned(lines, *way) for way in WAYS):
            results.setdefault(measure.name, []).append(measure.run(args.binary, args.folder))
            written = (args.folder / OUTPUT).read_bytes()
            first = first or written
            if written != first:
                raise SystemExit(f"{measure.name}: other bytes")
    print(f"{machine_line()}\n\n{args.lines:,} lines, {lines.stat().st_size / 1e6:,.0f} MB of text\n")
    print_measures(results)
    speeds = {name: lines.stat().st_size / 1e6 / processor(samples) for name, samples in results.items()}
    lines.unlink()
    print("\n| | MB of text a second and core |\n|---|---:|")
    for name, speed in speeds.items():
        print(f"| {name} | {speed:.0f} |")
    holds = min(speeds.values()) >= MEGABYTES_FLOOR
    print(f"\nAt least {MEGABYTES_FLOOR}: {holds}; the same bytes each time")
    return 1 if args.strict and not holds else 0


if __name__ == "__main__":
    raise SystemExit(main())

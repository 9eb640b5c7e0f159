"""Running one command: wall time, processor time, peak memory, and what its summary reports."""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import statistics
from dataclasses import dataclass, field
from pathlib import Path

from judge.measure import measure

ROOT = Path(__file__).resolve().parents[2]
REPORTED = ("games", "accepted", "edges", "rows", "runs", "bytes_spilled", "book_edges")
"""What is taken from a program's own summary."""
SUMMARY_BYTES_MAX = 1 << 20


@dataclass(frozen=True)
class Sample:
    """One run of a command."""

    seconds: float
    peak_rss_bytes: int
    summary: dict = field(default_factory=dict)
    processor_seconds: float = 0.0


def time_command(command: list[str], folder: Path) -> Sample:
    """Runs a command in `folder` to its end; a failure of it ends the bench."""
    output = folder / "stdout.txt"
    done = measure(command, folder, out=output)
    if done.code != 0:
        raise SystemExit(f"{' '.join(command)}: exit {done.code}: {done.message}")
    return Sample(done.seconds, done.peak_bytes, summary(output), done.processor_seconds)


def time_anew(command: list[str], folder: Path) -> Sample:
    """Times a command in `folder` emptied before: to delete what it replaces is not its work."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return time_command(command, folder)


def time_without(output: str | None, command: list[str], folder: Path) -> Sample:
    """Times a command in `folder` after its output of an earlier run is removed."""
    if output:
        shutil.rmtree(folder / output, ignore_errors=True)
        (folder / output).unlink(missing_ok=True)
    return time_command(command, folder)


def summary(output: Path) -> dict:
    """What a program reports of its work: an object of JSON, or a text with its number of games.

    Long output is not read: Linux counts this process's memory as the peak of all that it starts.
    """
    if output.stat().st_size > SUMMARY_BYTES_MAX:
        return {}
    text = output.read_text("utf-8", "replace")
    try:
        reported = json.loads(text)
    except ValueError:
        # The last number: some programs show how far they are.
        games = re.findall(r"(\d+) games", text)
        return {"games": int(games[-1])} if games else {}
    if not isinstance(reported, dict):
        return {}
    reported = {name.lower(): value for name, value in reported.items()}
    return {name: reported[name] for name in REPORTED if name in reported}


def bench_args(doc: str, folder: str) -> argparse.Namespace:
    """The command line of a bench that begins with `doc` and works in `target/FOLDER`."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--binary", type=Path, default=ROOT / "target/release/tabia")
    corpus = os.environ.get("TABIA_CORPUS")
    parser.add_argument("--corpus", type=Path, default=corpus, required=corpus is None)
    parser.add_argument("--folder", type=Path, default=ROOT / "target" / folder)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--strict", action="store_true", help="exit 1 above a limit")
    args = parser.parse_args()
    args.binary, args.corpus, args.folder = (
        path.resolve() for path in (args.binary, args.corpus, args.folder)
    )
    return args


def processor(samples: list[Sample]) -> float:
    """The median of processor times."""
    return statistics.median(sample.processor_seconds for sample in samples)


def wall(samples: list[Sample]) -> float:
    """The median of wall times."""
    return statistics.median(sample.seconds for sample in samples)


def print_measures(results: dict[str, list[Sample]]) -> None:
    """Medians, as Markdown."""
    print("| work | processor s | wall s | peak RSS MiB |\n|---|---:|---:|---:|")
    for name, samples in results.items():
        rss = max(sample.peak_rss_bytes for sample in samples) >> 20
        print(f"| {name} | {processor(samples):.2f} | {wall(samples):.2f} | {rss} |")

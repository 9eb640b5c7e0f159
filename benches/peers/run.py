"""Running one command: wall time, processor time, peak memory, and what its summary reports."""

import argparse
import json
import re
import shutil
import statistics
import sys
from dataclasses import dataclass, field
from pathlib import Path

from judge.disks import remove
from judge.measure import Measured, measure
from judge.report import CORPUS, ROOT, command_line

REPORTED = ("games", "accepted", "edges", "rows", "runs", "bytes_spilled", "book_edges")
"""What is taken from a program's own summary."""
SUMMARY_BYTES_MAX = 1 << 20


@dataclass(frozen=True)
class Sample(Measured):
    """One run of a command, and what its summary reports."""

    summary: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Measure:
    """A command of the binary; what it writes is removed before it runs again."""

    name: str
    command: tuple[str, ...]
    output: str | None = None
    """`None`: it prints."""

    def run(self, binary: Path, folder: Path, *flags: str) -> Sample:
        """Times it in the folder, and prints what it took."""
        if self.output:
            remove(folder / self.output)
        return noted(self.name, time_command([str(binary), *self.command, *flags], folder))


def noted(name: str, sample: Sample) -> Sample:
    """A sample, after it is printed."""
    took = f"{sample.processor_seconds:8.2f} s CPU {sample.seconds:8.2f} s {sample.peak_bytes >> 20:6} MiB"
    print(f"{name:64}{took}", file=sys.stderr, flush=True)
    return sample


def time_command(command: list[str], folder: Path) -> Sample:
    """Runs a command in `folder` to its end; a failure of it ends the bench."""
    output = folder / "stdout.txt"
    done = measure(command, folder, out=output)
    if done.code != 0:
        raise SystemExit(f"{' '.join(command)}: exit {done.code}: {done.message}")
    return Sample(**vars(done), summary=summary(output))


def time_anew(command: list[str], folder: Path) -> Sample:
    """Times a command in `folder` emptied before: to delete what it replaces is not its work."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
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
    """The command line of a bench that works in `target/FOLDER`; `--strict` lets it fail above a limit."""
    return command_line(doc, "binary", corpus=CORPUS, folder=ROOT / "target" / folder, rounds=3, strict=False)


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
        rss = max(sample.peak_bytes for sample in samples) >> 20
        print(f"| {name} | {processor(samples):.2f} | {wall(samples):.2f} | {rss} |")

#!/usr/bin/env python3
"""Counts instructions of replay, sort, merge and table; `make bench-instructions` calls this.

    PYTHONPATH=tests benches/instructions/count_instructions.py --programs target/release/examples [--record]

Callgrind counts the same instructions on a busy machine as on a quiet one, so it shows a loss that no
clock would show. Each program does its work in a function `measured`, which alone is counted, and
prints how many units that were. Figures are compared with `recorded.json`: exit 1 where one is
more than 3 % above. They hold for the tools they were made with; with others the comparison is
printed and nothing fails.
"""

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from judge.report import ROOT, SAMPLE, command_line

RECORDED = ROOT / "benches/instructions/recorded.json"

RISE_MAX = 0.03
COUNTED = "*::measured*"

STEADY = {"MALLOC_MMAP_THRESHOLD_": str(128 << 10)}
"""Where glibc may move this threshold, buffers have other addresses in each run, and copying them
takes more or fewer instructions: half a per cent of a table's."""


@dataclass(frozen=True)
class Measure:
    """One program of `crates/*/examples`, and the unit that its instructions are counted by."""

    name: str
    program: list[str]
    unit: str


MEASURES = (
    Measure("replay, whole games", ["replay_instructions", "0", str(SAMPLE)], "observation"),
    Measure("replay, 40 plies", ["replay_instructions", "40", str(SAMPLE)], "observation"),
    Measure("sort, spilling", ["sort_instructions", "push", "8"], "item"),
    Measure("sort, nothing but pushed", ["sort_instructions", "push", "64"], "item"),
    Measure("merge, spilled runs", ["sort_instructions", "merge", "8"], "row"),
    Measure("merge, sorted when read", ["sort_instructions", "merge", "64"], "row"),
    Measure("table, written", ["write_instructions"], "row"),
)


def first_line(*command: str) -> str:
    """A tool's name and version, as it prints them."""
    if shutil.which(command[0]) is None:
        return "none"
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")[0]


def tools() -> dict[str, str]:
    """What compiled the programs (the C compiler: zstd) and what counts."""
    return {
        "rustc": first_line("rustc", "--version"),
        "cc": first_line("cc", "--version"),
        "valgrind": first_line("valgrind", "--version"),
        "machine": platform.machine(),
    }


def count(measure: Measure, programs: Path) -> float:
    """Instructions a unit."""
    program = [str(programs / measure.program[0]), *measure.program[1:]]
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", f"--toggle-collect={COUNTED}"]
        command += [f"--callgrind-out-file={folder}/callgrind.out", *program]
        steady = os.environ | STEADY
        run = subprocess.run(command, env=steady, capture_output=True, text=True, check=False)
    collected = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or collected is None or collected[1] == "0":
        raise SystemExit(f"{measure.name}: exit {run.returncode}, none counted: {run.stderr}")
    return int(collected[1]) / int(run.stdout)


def compare(now: dict[str, float], recorded: dict[str, float]) -> list[str]:
    """Prints the table as Markdown; the names of what rose too far."""
    print("| work | unit | recorded | now | change |\n|---|---|---:|---:|---:|")
    risen = []
    for measure in MEASURES:
        old, new = recorded.get(measure.name), now[measure.name]
        if old is None:
            print(f"| {measure.name} | {measure.unit} | none | {new:.1f} | new |")
            continue
        change = new / old - 1
        mark = " (risen)" if change > RISE_MAX else ""
        print(f"| {measure.name} | {measure.unit} | {old:.1f} | {new:.1f} | {change:+.1%}{mark} |")
        if mark:
            risen.append(measure.name)
    return risen


def record(now: dict[str, float]) -> None:
    """Writes the figures next to this script."""
    figures = {name: round(value, 2) for name, value in now.items()}
    text = json.dumps({"tools": tools(), "instructions": figures}, indent=2)
    RECORDED.write_text(text + "\n", "utf-8")
    print(f"\nrecorded in {RECORDED.relative_to(ROOT)}")


def say_other_tools(recorded: dict[str, str]) -> bool:
    """Whether the figures were recorded with other tools; prints which."""
    here = tools()
    others = {name: made for name, made in recorded.items() if here.get(name) != made}
    for name, made in others.items():
        print(f"\nOTHER TOOLS: recorded with {name} {made!r}, here it is {here.get(name)!r}")
    if others:
        print("Nothing fails by these figures; if they are right, record them: RECORD=1")
    return bool(others)


def main() -> int:
    """Counts and compares; exits 1 if a figure rose too far."""
    args = command_line(__doc__, programs=ROOT / "target/release/examples", record=False)
    if shutil.which("valgrind") is None:
        print("SKIPPED: no valgrind, so no instruction was counted: apt-get install valgrind")
        return 0
    recorded = json.loads(RECORDED.read_text("utf-8")) if RECORDED.exists() else {}
    now = {measure.name: count(measure, args.programs) for measure in MEASURES}
    risen = compare(now, recorded.get("instructions", {}))
    if args.record:
        record(now)
        return 0
    others = say_other_tools(recorded.get("tools", {}))
    if risen:
        print(f"\nmore than {RISE_MAX:.0%} above what is recorded: {'; '.join(risen)}")
    return 1 if risen and not others else 0


if __name__ == "__main__":
    sys.exit(main())

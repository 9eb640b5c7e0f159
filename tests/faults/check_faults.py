"""Makes everything fail that can, and looks for outputs that are lost, doubled or silently wrong.

    PYTHONPATH=tests python3 tests/faults/check_faults.py target/release/tabia [--quick] [--only CLASS …]

Each class of faults prints how many of its cases are sound. A case that is not is a finding: a
line with the command that shows it again, in the folder that `--prepare FOLDER` makes. The exit
code is 1 if there is one. docs/reliability.md says what is promised.
"""

import concurrent.futures
import enum
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import disks
import errors
import flips
import kills
import limits
import links
import modes
import order
import power
import races
import resume
import servers
import steps
import threads
from cases import Case, Cases
from judge.disks import memory_folder
from judge.kill import Missed
from judge.report import Failed, Skipped, command_line
from workplace import Workplace

# Findings of a class that are printed; all are counted.
FINDINGS_MAX = 40


@dataclass(frozen=True)
class FaultClass:
    """A class of faults."""

    name: str
    cases: Callable[[Workplace, int], Cases]
    # Cases that have not begun by then are not run, and the table says how many were.
    seconds_max: int
    # How many faults are tried of each command or file: at most, and by `--quick`.
    most: int = 1
    quick: int = 1
    # Cases that run at the same time; 0 is as many as there are processors.
    workers: int = 0


CLASSES = (
    FaultClass("kill", kills.kills, 240, 150, 3),
    FaultClass("kill without exchange", kills.kills_without_exchange, 100, 150, 3),
    FaultClass("no hard links", links.copied, 30),
    FaultClass("kill without hard links", links.kills_without_links, 40, 150, 3),
    FaultClass("kill and resume", resume.resumed, 80, 150, 3),
    FaultClass("loss of power", power.losses, 160, 40, 2),
    FaultClass("failed call", errors.errors, 200, 150, 4),
    FaultClass("order of syncs", order.order, 30),
    FaultClass("full disk", disks.disks, 80, 24, 2),
    FaultClass("full output", disks.full_outputs, 10),
    FaultClass("file size limit", limits.file_sizes, 60, 24, 2),
    FaultClass("descriptor limit", limits.descriptors, 50, limits.DESCRIPTORS_MAX, 2),
    FaultClass("address space limit", limits.address_space, 20, 1_000, 5),
    FaultClass("writers at once", races.writers, 60, 40, 3, workers=1),
    FaultClass("readers during swaps", races.readers, 80, 40, 3, workers=1),
    FaultClass("flipped byte", flips.flipped, 200, 500, 6),
    FaultClass("cut file", flips.cut, 50, 60, 2),
    FaultClass("damaged runs", resume.damaged_runs, 60, 1_000),
    FaultClass("delayed threads", threads.delayed, 150, 12),
    FaultClass("flipped byte, many threads", threads.damaged, 200, 60),
    FaultClass("mode of a replaced output", modes.modes, 30),
    FaultClass("kill of a server", servers.kills, 100, 100, 2),
    FaultClass("failed call in a server", servers.errors, 100, 100, 2),
    FaultClass("kill of a step", steps.kills, 120, 100, 2),
    FaultClass("failed call in a step", steps.errors, 150, 100, 2),
    FaultClass("full disk of a step", steps.disks, 90, 100, 2),
    FaultClass("file size limit of a step", steps.file_sizes, 90, 100, 2),
)


class Ended(enum.Enum):
    """How a case ended that is no finding."""

    SOUND = enum.auto()
    MISSED = enum.auto()
    LATE = enum.auto()


def main() -> int:
    """Runs the classes; the exit code."""
    options = {"quick": False, "only": [], "list": False, "prepare": None, "folder": memory_folder()}
    arguments = command_line(__doc__, "binary?", **options)
    if arguments.list:
        print("\n".join(each.name for each in CLASSES))
        return 0
    with tempfile.TemporaryDirectory(prefix="tabia-faults-", dir=arguments.folder) as root:
        workplace = Workplace(arguments.binary, Path(root))
        workplace.prepare()
        if arguments.prepare:
            shutil.copytree(workplace.prepared, arguments.prepare)
            return 0
        return run_classes(workplace, arguments.quick, arguments.only)


def run_classes(workplace: Workplace, quick: bool, only: list[str]) -> int:
    """Runs each class and prints its line; 1 if there were findings."""
    found = 0
    for each in CLASSES:
        if only and each.name not in only:
            continue
        began = time.monotonic()
        try:
            cases = each.cases(workplace, each.quick if quick else each.most)
        except Skipped as reason:
            print(f"SKIPPED: {each.name}: {reason}", flush=True)
            continue
        ended = run_cases(cases, each)
        found += report(each, cases, ended, time.monotonic() - began)
    print(f"{found} findings" if found else "no findings")
    return 1 if found else 0


def run_cases(cases: Cases, each: FaultClass) -> list[tuple[str, Ended | str]]:
    """Runs the cases of a class, some at the same time; their commands, and what is wrong."""
    end = time.monotonic() + each.seconds_max

    def one(case: Case) -> Ended | str:
        if time.monotonic() > end:
            return Ended.LATE
        try:
            return case.check() or Ended.SOUND
        except Missed:
            return Ended.MISSED
        except Failed as failed:
            return str(failed)

    # Shuffled, the same way each time, so that cases that are too late are spread over all of them.
    shuffled = random.Random(0).sample(cases.chosen, len(cases.chosen))
    with concurrent.futures.ThreadPoolExecutor(each.workers or os.cpu_count()) as pool:
        return list(zip((case.command for case in shuffled), pool.map(one, shuffled), strict=True))


def report(each: FaultClass, cases: Cases, ended: list[tuple[str, Ended | str]], seconds: float) -> int:
    """Prints the findings of a class, one a line, and its line of the table; how many findings."""
    findings = sorted((command, how) for command, how in ended if isinstance(how, str))
    for command, wrong in findings[:FINDINGS_MAX]:
        print(f"FINDING: {each.name}: {command}: {' '.join(wrong.split())[:400]}")
    if len(findings) > FINDINGS_MAX:
        print(f"and {len(findings) - FINDINGS_MAX} findings more of this class")
    sound, missed, late = (sum(how is one for _, how in ended) for one in Ended)
    notes = [f"of {cases.all} {cases.unit}"]
    notes += [f"{missed} not met"] if missed else []
    notes += [f"{late} not run for lack of time"] if late else []
    of = f"{sound} of {sound + len(findings)} sound"
    print(f"{each.name}: {of} ({'; '.join(notes)}; {seconds:.0f} s)", flush=True)
    return len(findings)


if __name__ == "__main__":
    sys.exit(main())

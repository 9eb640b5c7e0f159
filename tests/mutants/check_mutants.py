#!/usr/bin/env python3
"""Changes the code in ways that tests must notice, and says which changes none of them notices.

    PYTHONPATH=tests tests/mutants/check_mutants.py [--seed tabia] [--count 300] [--only TEXT …]
        [--minutes 240] [--binary-only]

`cargo mutants` lists every change that it knows. A seed draws some of them: those of the crates
`output` and `table` first, the rest by the lines of each crate. All that were drawn are compiled at
once, each behind a switch, because to compile each of them alone takes hours. Then the tests run
once a mutant: those of its crate, and if they pass, those of the binary, module by module, until
one fails; modules that are named as a part of the mutant's path come first. They run on a read-only
system with a file system in memory, because a mutant may remove or write anything; that needs root
on Linux. Exits 1 after printing the mutants that survived.

Of those drawn, `--only` leaves those with a text in their name; none begins after `--minutes`, and with
`--binary-only`, to go on, the tests of the crates are left out.
"""

import argparse
import re
import sys
import time
from collections import Counter, defaultdict

import draw
import switch
from draw import Mutant
from judge.report import ROOT, command_line
from switch import Built, Program
from verdicts import Judge, Suite, modules

# Tests of documents, of other programs' judgement and of the layout of the code, and slow ones.
MODULES_LEFT_OUT = {"dependencies", "docs", "layout", "peers"}


def main() -> int:
    """Draws, compiles, judges; the exit code."""
    drawn = {"seed": "tabia", "count": 300, "only": []}
    limits = {"minutes": 240.0, "binary_only": False, "folder": ROOT / "target/mutants"}
    arguments = command_line(__doc__, **drawn, **limits)
    mutants, listed, fixed = draw.draw(ROOT, arguments.count, arguments.seed)
    print(f"seed {arguments.seed}: {len(mutants)} of {listed} mutants; {fixed} have no switch", flush=True)
    if arguments.only:
        mutants = [each for each in mutants if any(text in each.name for text in arguments.only)]
    built = switch.build(ROOT, arguments.folder / "tree", mutants)
    print(f"{len(mutants) - len(built.unviable)} compile", flush=True)
    judged = judge_all(arguments, mutants, built)
    report(mutants, judged)
    return 1 if any(each["ended"] == "survived" for each in judged.values()) else 0


def judge_all(arguments: argparse.Namespace, mutants: list[Mutant], built: Built) -> dict[int, dict]:
    """How each mutant ended: by the tests of its crate, then, if it survived, by the binary's."""
    until = time.monotonic() + 60 * arguments.minutes
    judge = Judge(arguments.folder / "scratch")
    of_package, of_binary = suites(built.programs)
    judged = {}

    def note(mutant: Mutant, ended: str, by: str | None) -> None:
        judged[mutant.number] = {"name": mutant.name, "ended": ended, "by": by}
        print(f"{mutant.number} {ended} {by or ''}: {mutant.name}", flush=True)

    for each in mutants:
        if each.number in built.unviable:
            note(each, "unviable", None)
        elif arguments.binary_only:
            judged[each.number] = {"name": each.name, "ended": "survived", "by": None}
        elif time.monotonic() < until:
            note(each, *judge_one(judge, each, of_package[each.package]))
    print("those that survived the tests of their crate, by the tests of the binary", flush=True)
    for each in mutants:
        if judged.get(each.number, {}).get("ended") == "survived" and time.monotonic() < until:
            ended, by = judge_one(judge, each, of_binary)
            note(each, ended if ended == "survived" else f"{ended} by the binary", by)
    return judged


def suites(programs: list[Program]) -> tuple[dict[str, list[Suite]], list[Suite]]:
    """The tests of each package; those of the binary, by module."""
    of_package, of_binary = defaultdict(list), []
    for program in programs:
        if (program.package, program.target) == ("tabia", "main"):
            names = [name for name in modules(program) if name not in MODULES_LEFT_OUT]
            of_binary = [Suite(program, name) for name in names]
        else:
            of_package[program.package].append(Suite(program))
    return of_package, of_binary


def judge_one(judge: Judge, mutant: Mutant, suites: list[Suite]) -> tuple[str, str | None]:
    """`caught`, `timed out` or `survived`, and which tests noticed; those of its theme are asked first."""
    words = set(re.findall(r"[a-z]+", mutant.file))

    def rank(suite: Suite) -> tuple[bool, float]:
        return suite.module not in words, judge.seconds(suite)

    for suite in sorted(suites, key=rank):
        ended, failing = judge.verdict(suite, mutant.number)
        if ended == "timed out":
            return ended, suite.name
        if ended == "failed":
            return "caught", f"{suite.name} {' '.join(failing[:1])}".strip()
    return "survived", None


def report(mutants: list[Mutant], judged: dict[int, dict]) -> None:
    """A line a package, and what survived."""
    by_package = defaultdict(Counter)
    for each in mutants:
        if each.number in judged:
            by_package[each.package][judged[each.number]["ended"].split(" by ")[0]] += 1
            by_package[each.package]["by binary"] += "by the binary" in judged[each.number]["ended"]
    ends = ("unviable", "caught", "timed out", "survived", "by binary")
    print(f"| crate | tried | {' | '.join(ends)} |")
    for package, counts in by_package.items():
        cells = [str(counts[end]) for end in ends]
        print(f"| {package} | {counts.total() - counts['by binary']} | {' | '.join(cells)} |")
    for each in judged.values():
        if each["ended"] == "survived":
            print(f"SURVIVED: {each['name']}")


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Counts mutated games in many ways that must give the same bytes.

    PYTHONPATH=tests tests/relations/check_relations.py target/release/tabia FILE… [--seconds 60] [--seed N]

A trial mutates games of the files, draws options, and asks for relations: the count of all files is
the sum of the counts of each, what is added and subtracted again leaves no trace, threads, memory,
packing, chunks and the order of inputs do not matter, a build is a count and a compact. No second
implementation is needed, so every option can be drawn. A trial is made again by its seed alone
(`--seed N --trial M`). Exits 1 after printing the trials in which a relation does not hold.
"""

import argparse
import itertools
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import trial
from judge.report import Failed, command_line
from relations import RELATIONS
from trial import Refused

FINDINGS_MAX = 20


def main() -> int:
    """Runs trials until the time is over; the exit code."""
    # Without a seed, another one each time; with a trial, only that one.
    arguments = command_line(__doc__, "binary", "files+", seconds=60.0, seed=-1, trial=-1, keep=None)
    seed = arguments.seed if arguments.seed >= 0 else random.randrange(1 << 32)
    print(f"seed {seed}", flush=True)
    paths = [path for named in arguments.files for path in [named, *sorted(named.rglob("*.pgn"))]]
    sources = [text for path in paths if path.is_file() and b"[Event " in (text := path.read_bytes())]
    until, found, ended = time.monotonic() + arguments.seconds, 0, Counter()
    for number in itertools.count() if arguments.trial < 0 else [arguments.trial]:
        if time.monotonic() > until or found == FINDINGS_MAX:
            break
        if wrong := tried(arguments, sources, f"{seed} {number}", ended):
            found += 1
            again = f"--seed {seed} --trial {number}"
            print(f"FINDING: {again}: {' '.join(wrong.split())[:600]}", flush=True)
    refused = "; ".join(f"{times} times {text}" for text, times in ended.most_common() if text != "held")
    print(f"{ended['held']} trials in which every relation holds; {found} findings")
    print(f"refused: {refused or 'none'}")
    return 1 if found else 0


def tried(arguments: argparse.Namespace, sources: list[bytes], seed: str, ended: Counter) -> str | None:
    """One trial; what is wrong."""
    with tempfile.TemporaryDirectory(prefix="tabia-relations-") as folder:
        one = trial.begin(arguments.binary, Path(folder), sources, seed)
        try:
            for relation in RELATIONS:
                name = relation.__name__
                relation(one)
        except Refused as refused:
            # As messages name files and numbers, their last words are what they have in common.
            ended[" ".join(str(refused).split(": ")[-1].split()[-8:])] += 1
            return None
        except Failed as wrong:
            if arguments.keep:
                shutil.copytree(folder, arguments.keep, dirs_exist_ok=True)
            return f"{name}: {wrong} ({one.drawn})"
    ended["held"] += 1
    return None


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Counts mutated games in many ways that must give the same bytes.

    PYTHONPATH=tests tests/relations/check_relations.py target/release/tabia FILE… [--seconds 60] [--seed N]

A trial mutates games of the files, draws options, and asks for relations: the count of all files is
the sum of the counts of each, what is added and subtracted again leaves no trace, threads, memory,
packing, chunks and the order of inputs do not matter, a build is a count and a compact. No second
implementation is needed, so every option can be drawn. A trial is made again by its seed alone
(`--seed N --trial M`). Exits 1 after printing the trials in which a relation does not hold.
"""

from __future__ import annotations

import argparse
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
    arguments = parse()
    seed = arguments.seed if arguments.seed is not None else random.randrange(1 << 32)
    print(f"seed {seed}", flush=True)
    sources = [text for path in files_of(arguments.files) if b"[Event " in (text := path.read_bytes())]
    until, found, ended = time.monotonic() + arguments.seconds, 0, Counter()
    number = arguments.trial or 0
    while time.monotonic() < until and found < FINDINGS_MAX:
        wrong = tried(arguments, sources, f"{seed} {number}", ended)
        if wrong:
            found += 1
            again = f"--seed {seed} --trial {number}"
            print(f"FINDING: {again}: {' '.join(wrong.split())[:600]}", flush=True)
        if arguments.trial is not None:
            break
        number += 1
    refused = "; ".join(f"{times} times {text}" for text, times in ended.most_common() if text != "held")
    print(f"{ended['held']} trials in which every relation holds; {found} findings")
    print(f"refused: {refused or 'none'}")
    return 1 if found else 0


def parse() -> argparse.Namespace:
    """The command line."""
    parser = command_line(__doc__)
    parser.add_argument("files", type=Path, nargs="+", help="PGN files, and folders of them")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, help="by default another one each time; it is printed")
    parser.add_argument("--trial", type=int, help="only this trial of the seed")
    parser.add_argument("--keep", type=Path, help="keep the folder of the last finding here")
    return parser.parse_args()


def files_of(paths: list[Path]) -> list[Path]:
    """The files, and those in the folders."""
    return [path for named in paths for path in (sorted(named.rglob("*.pgn")) if named.is_dir() else [named])]


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

#!/usr/bin/env python3
"""Kills a spilling build at random moments, goes on until it is done, and compares the bytes.

    PYTHONPATH=tests tests/peers/check_resume.py target/release/tabia --generator …/synthetic_games
    … --games 20000000 --memory 256 --kills 1 --max-ply 30

Games are made up, or named (`--input FILE…`).  A build with a table runs once
without interruption; then the same build with `--resume` is killed (kill -9) at moments drawn
evenly from the time of that first run, and started again until it comes to its end; and so on
until `--kills` runs were killed.  Each time the book and the table must be the same bytes, and
nothing may be left over.  Prints what each build went through; exits 1 with what is wrong.
"""

import argparse
import json
import random
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from judge.compare import different, tree
from judge.disks import remove
from judge.games import PLAIN, ZSTD, make_up
from judge.kill import KILLED, SECONDS_MAX, run_and_kill
from judge.report import Case, Failed, main_of_cases
from judge.run import Ran, must


def command(args: argparse.Namespace, folder: Path, *more: str) -> list[object]:
    """The build, whose outputs are in `folder`."""
    outputs = ["-o", folder / "book.tabia", "--table", folder / "games.table"]
    limits = ["--memory", f"{args.memory}MiB", "-j", args.threads, "--max-ply", args.max_ply]
    return [args.binary, "build", *args.input, *outputs, *limits, "-q", "--json", *more]


def build_with_kills(
    args: argparse.Namespace, folder: Path, kills: int, moment: Callable[[], float]
) -> list[Ran]:
    """Builds to the end with at most `kills` kills; all runs, of which the last one was not killed."""
    attempts: list[Ran] = []
    folder.mkdir()
    while not attempts or attempts[-1].code == KILLED:
        # Outputs that are there already would be refused.
        remove(folder / "games.table")
        remove(folder / "book.tabia")
        kill_after = moment() if len(attempts) < kills else None
        attempts.append(run_and_kill(command(args, folder, "--resume"), kill_after))
    if attempts[-1].code != 0:
        raise Failed(attempts[-1].how)
    return attempts


def judge(args: argparse.Namespace) -> Iterator[str]:
    """All builds give the same bytes, and nothing is left of the record."""
    if not args.input:
        name, packer = ("games.pgn.zst", ZSTD) if args.packed else ("games.pgn", PLAIN)
        args.input = [make_up(args.generator, args.place / name, (0, args.games), packer=packer)]
    expected, found = args.place / "expected", args.place / "found"
    expected.mkdir()
    done = must(*command(args, expected), seconds=SECONDS_MAX)
    summary = json.loads(done.out)
    print(
        f"{summary['games']:,} games in {args.memory} MiB, uninterrupted: "
        f"{done.seconds:.1f} s, {summary['runs']} runs",
        flush=True,
    )
    draw, kills = random.Random(args.seed), 0
    while kills < args.kills:
        *killed, last = build_with_kills(
            args, found, args.kills - kills, lambda: draw.uniform(0, done.seconds)
        )
        seconds = ", ".join(f"{ran.seconds:.1f}" for ran in killed)
        games = json.loads(last.out).get("resumed", {}).get("games", 0)
        print(
            f"{len(killed)} kills, after {seconds or 'no'} s; the last run went on with "
            f"{games:,} games and took {last.seconds:.1f} s",
            flush=True,
        )
        if names := different(tree(expected), tree(found)):
            yield f"after {len(killed)} kills other bytes, or something left over: {' '.join(names)}"
        kills += len(killed)
        shutil.rmtree(found)


def cases(args: argparse.Namespace) -> Iterator[Case]:
    """One case, of all builds."""
    yield Case(f"{args.kills} kills", partial(judge, args))


if __name__ == "__main__":
    numbers = {"games": 200_000, "kills": 20, "max_ply": 60, "threads": 2, "seed": 1, "memory": 32}
    main_of_cases(__doc__, cases, "binary", generator=None, input=[], packed=False, **numbers)

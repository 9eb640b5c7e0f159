#!/usr/bin/env python3
"""Kills a spilling build at random moments, goes on until it is done, and compares the bytes.

    PYTHONPATH=tests tests/peers/check_resume.py --binary target/release/tabia --generator …/synthetic_games
    … --games 20000000 --memory 256 --kills 1 --max-ply 30

Games are made up, or named (`--input FILE`, more than once).  A build with a table runs once
without interruption; then the same build with `--resume` is killed (kill -9) at moments drawn
evenly from the time of that first run, and started again until it comes to its end; and so on
until `--kills` runs were killed.  Each time the book and the table must be the same bytes, and
nothing may be left over.  Prints what each build went through; exits 1 with what is wrong.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from judge.compare import different, tree
from judge.games import PLAIN, ZSTD, make_up
from judge.kill import KILLED, SECONDS_MAX, run_and_kill
from judge.report import whole_path
from judge.run import Ran, must


@dataclass
class Build:
    """A build from its beginning to its end, through any number of kills."""

    attempts: list[Ran] = field(default_factory=list)

    @property
    def kills(self) -> list[Ran]:
        """The runs that were killed."""
        return [ran for ran in self.attempts if ran.code == KILLED]

    def report(self, wrong: list[str]) -> None:
        """Prints what it went through."""
        last = self.attempts[-1]
        games = json.loads(last.out).get("resumed", {}).get("games", 0)
        kills = ", ".join(f"{ran.seconds:.1f}" for ran in self.kills)
        print(
            f"{len(self.kills)} kills, after {kills or 'no'} s; the last run went on with "
            f"{games:,} games and took {last.seconds:.1f} s; "
            + (f"DIFFERENT: {' '.join(wrong)}" if wrong else "same bytes"),
            flush=True,
        )


def command(args: argparse.Namespace, folder: Path, *more: str) -> list[object]:
    """The build, whose outputs are in `folder`."""
    outputs = ["-o", folder / "book.tabia", "--table", folder / "games.table"]
    limits = ["--memory", f"{args.memory}MiB", "-j", args.threads, "--max-ply", args.max_ply]
    return [args.binary, "build", *args.input, *outputs, *limits, "-q", "--json", *more]


def build_with_kills(
    args: argparse.Namespace, folder: Path, kills: int, moments: tuple[float, random.Random]
) -> Build:
    """Builds to the end with at most `kills` kills."""
    seconds, draw = moments
    build = Build()
    folder.mkdir()
    while True:
        kill_after = draw.uniform(0, seconds) if len(build.kills) < kills else None
        build.attempts.append(run_and_kill(command(args, folder, "--resume"), kill_after))
        ran = build.attempts[-1]
        if ran.code == 0:
            return build
        if ran.code != KILLED:
            raise SystemExit(f"FAILED: {ran.how}")
        # Outputs that are there already would be refused.
        shutil.rmtree(folder / "games.table", ignore_errors=True)
        (folder / "book.tabia").unlink(missing_ok=True)


def uninterrupted(args: argparse.Namespace, folder: Path) -> float:
    """Builds without a kill; how many seconds it took."""
    folder.mkdir()
    done = must(*command(args, folder), seconds=SECONDS_MAX)
    summary = json.loads(done.out)
    print(
        f"{summary['games']:,} games in {args.memory} MiB, uninterrupted: "
        f"{done.seconds:.1f} s, {summary['runs']} runs",
        flush=True,
    )
    return done.seconds


def run(args: argparse.Namespace, folder: Path) -> bool:
    """All builds; whether all gave the same bytes, and nothing is left of the record."""
    if not args.input:
        name, packer = ("games.pgn.zst", ZSTD) if args.packed else ("games.pgn", PLAIN)
        args.input = [make_up(args.generator, folder / name, (0, args.games), packer=packer)]
    expected, found = folder / "expected", folder / "found"
    moments = uninterrupted(args, expected), random.Random(args.seed)
    kills = builds = wrong = 0
    while kills < args.kills:
        build = build_with_kills(args, found, args.kills - kills, moments)
        names = different(tree(expected), tree(found))
        build.report(names)
        kills, builds, wrong = kills + len(build.kills), builds + 1, wrong + bool(names)
        shutil.rmtree(found)
    same = f"{builds - wrong} of {builds} builds with the same bytes and nothing left over"
    print(f"{kills} of {args.kills} kills, {same}")
    return wrong == 0


def main() -> int:
    """Parses the command line and runs all builds in a folder that is removed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--binary", type=whole_path, required=True)
    parser.add_argument("--generator", type=whole_path, help="what makes up games (synthetic_games)")
    parser.add_argument(
        "--input", type=whole_path, action="append", default=[], help="games to take in place of made-up ones"
    )
    for name, default in (("games", 200_000), ("kills", 20), ("max-ply", 60), ("threads", 2), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--packed", action="store_true", help="pack the games that are made up")
    parser.add_argument("--memory", type=int, default=32, help="MiB")
    parser.add_argument("--folder", type=Path, help="where to work")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=args.folder, prefix="resume-") as folder:
        return 0 if run(args, Path(folder)) else 1


if __name__ == "__main__":
    sys.exit(main())

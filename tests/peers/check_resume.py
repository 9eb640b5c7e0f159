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
import filecmp
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Attempt:
    """One process: how long it ran, and what it went on with."""

    seconds: float
    killed: bool
    resumed_games: int = 0


@dataclass
class Build:
    """A build from its beginning to its end, through any number of kills."""

    attempts: list[Attempt] = field(default_factory=list)

    @property
    def kills(self) -> int:
        """How often it was killed."""
        return sum(attempt.killed for attempt in self.attempts)


def command(args: argparse.Namespace, folder: Path, *more: str) -> list[str]:
    """The build, whose outputs are in `folder`."""
    inputs = [str(path) for path in args.input]
    outputs = ["-o", str(folder / "book.tabia"), "--table", str(folder / "games.table")]
    limits = ["--memory", f"{args.memory}MiB", "-j", str(args.threads)]
    limits += ["--max-ply", str(args.max_ply)]
    return [str(args.binary), "build", *inputs, *outputs, *limits, "-q", "--json", *more]


def attempt(args: argparse.Namespace, folder: Path, kill_after: float | None) -> Attempt:
    """Runs the build once, and kills it after `kill_after` seconds."""
    start = time.monotonic()
    arguments = command(args, folder, "--resume")
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            output, errors = process.communicate(timeout=kill_after)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return Attempt(time.monotonic() - start, killed=True)
    if process.returncode != 0:
        raise SystemExit(f"FAILED: exit {process.returncode}: {errors.strip()}")
    games = json.loads(output).get("resumed", {}).get("games", 0)
    return Attempt(time.monotonic() - start, killed=False, resumed_games=games)


def differences(expected: Path, found: Path) -> list[str]:
    """The names of outputs that are not the same bytes, and of what is left of the record."""
    files = [path for path in expected.rglob("*") if path.is_file()]
    names = [str(path.relative_to(expected)) for path in files]
    _same, different, absent = filecmp.cmpfiles(expected, found, names, shallow=False)
    return [*different, *absent, *(path.name for path in found.glob(".*.tabia-resume-*"))]


def build_with_kills(
    args: argparse.Namespace, folder: Path, kills: int, moments: tuple[float, random.Random]
) -> Build:
    """Builds to the end with at most `kills` kills."""
    seconds, draw = moments
    build = Build()
    folder.mkdir()
    while True:
        one = attempt(args, folder, draw.uniform(0, seconds) if build.kills < kills else None)
        build.attempts.append(one)
        if not one.killed:
            return build
        # Outputs that are there already would be refused.
        shutil.rmtree(folder / "games.table", ignore_errors=True)
        (folder / "book.tabia").unlink(missing_ok=True)


def make_games(args: argparse.Namespace, folder: Path) -> list[Path]:
    """Makes up games, packed if zstd is there."""
    path = folder / "games.pgn"
    with path.open("wb") as file:
        subprocess.run([str(args.generator), "1", "0", str(args.games)], stdout=file, check=True)
    if shutil.which("zstd") and args.packed:
        subprocess.run(["zstd", "-1", "-q", "--rm", str(path)], check=True)
        path = path.with_suffix(".pgn.zst")
    return [path]


def uninterrupted(args: argparse.Namespace, folder: Path) -> float:
    """Builds without a kill; how many seconds it took."""
    folder.mkdir()
    start = time.monotonic()
    done = subprocess.run(command(args, folder), capture_output=True, check=True, text=True)
    seconds = time.monotonic() - start
    summary = json.loads(done.stdout)
    print(
        f"{summary['games']:,} games in {args.memory} MiB, uninterrupted: "
        f"{seconds:.1f} s, {summary['runs']} runs",
        flush=True,
    )
    return seconds


def report(build: Build, different: list[str]) -> None:
    """Prints what a build went through."""
    last = build.attempts[-1]
    kills = ", ".join(f"{one.seconds:.1f}" for one in build.attempts if one.killed)
    print(
        f"{build.kills} kills, after {kills or 'no'} s; the last run went on with "
        f"{last.resumed_games:,} games and took {last.seconds:.1f} s; "
        + (f"DIFFERENT: {' '.join(different)}" if different else "same bytes"),
        flush=True,
    )


def run(args: argparse.Namespace, folder: Path) -> bool:
    """All builds; whether all gave the same bytes."""
    if not args.input:
        args.input = make_games(args, folder)
    expected, found = folder / "expected", folder / "found"
    seconds = uninterrupted(args, expected)
    draw = random.Random(args.seed)
    kills = builds = wrong = 0
    while kills < args.kills:
        build = build_with_kills(args, found, args.kills - kills, (seconds, draw))
        different = differences(expected, found)
        report(build, different)
        kills, builds, wrong = kills + build.kills, builds + 1, wrong + bool(different)
        shutil.rmtree(found)
    same = f"{builds - wrong} of {builds} builds with the same bytes and nothing left over"
    print(f"{kills} of {args.kills} kills, {same}")
    return wrong == 0


def main() -> int:
    """Parses the command line and runs all builds in a folder that is removed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--binary", type=Path, required=True)
    parser.add_argument("--generator", type=Path, help="what makes up games (synthetic_games)")
    parser.add_argument(
        "--input", type=Path, action="append", default=[], help="games to take in place of made-up ones"
    )
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--packed", action="store_true", help="pack the games that are made up")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--memory", type=int, default=32, help="MiB")
    parser.add_argument("--max-ply", type=int, default=60)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where to work")
    args = parser.parse_args()
    args.binary, args.input = args.binary.resolve(), [path.resolve() for path in args.input]
    with tempfile.TemporaryDirectory(dir=args.folder, prefix="resume-") as folder:
        return 0 if run(args, Path(folder)) else 1


if __name__ == "__main__":
    sys.exit(main())

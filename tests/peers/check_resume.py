#!/usr/bin/env python3
"""Kills a spilling build at random moments, goes on until it is done, and compares the bytes.

    tests/peers/check_resume.py --binary target/release/tabia --generator target/release/examples/synthetic_games
    tests/peers/check_resume.py --binary target/release/tabia --games 20000000 --memory 256 --kills 1 …

Games are made up, or named (`--input FILE`, more than once).  A build with a table runs once without
interruption; then the same build with `--resume` is killed (kill -9) at moments drawn evenly from
the time of that first run, and started again until it comes to its end; and so on until `--kills`
runs were killed.  Each time the book and the table must be the same bytes, and nothing may be left over.
Prints what each build went through; exits 1 with what is wrong.
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
class Session:
    """One process: how long it ran, and what it went on with."""

    seconds: float
    killed: bool
    resumed_games: int = 0


@dataclass
class Build:
    """A build from its beginning to its end, through any number of kills."""

    sessions: list[Session] = field(default_factory=list)

    @property
    def kills(self) -> int:
        return sum(session.killed for session in self.sessions)

    @property
    def seconds(self) -> float:
        return sum(session.seconds for session in self.sessions)


def command(args: argparse.Namespace, folder: Path, *more: str) -> list[str]:
    """The build, whose outputs are in `folder`."""
    inputs = [str(path) for path in args.input]
    outputs = ["-o", str(folder / "book.tabia"), "--table", str(folder / "games.table")]
    limits = ["--memory", f"{args.memory}MiB", "-j", str(args.threads), "--max-ply", str(args.max_ply)]
    return [str(args.binary), "build", *inputs, *outputs, *limits, "-q", "--json", *more]


def session(args: argparse.Namespace, folder: Path, kill_after: float | None) -> tuple[Session, dict]:
    """Runs the build once; its summary, if it was not killed."""
    start = time.monotonic()
    process = subprocess.Popen(
        command(args, folder, "--resume"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        output, errors = process.communicate(timeout=kill_after)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return Session(time.monotonic() - start, killed=True), {}
    if process.returncode != 0:
        raise SystemExit(f"FAILED: exit {process.returncode}: {errors.strip()}")
    summary = json.loads(output)
    games = summary.get("resumed", {}).get("games", 0)
    return Session(time.monotonic() - start, killed=False, resumed_games=games), summary


def differences(expected: Path, found: Path) -> list[str]:
    """The names of files that are not the same bytes in both folders."""
    names = sorted({str(path.relative_to(root)) for root in (expected, found) for path in root.rglob("*")})
    files = [name for name in names if not (expected / name).is_dir()]
    same, *others = filecmp.cmpfiles(expected, found, files, shallow=False)
    return [name for other in others for name in other]


def build_with_kills(args: argparse.Namespace, folder: Path, kills: int, seconds: float, draw: random.Random) -> Build:
    """Builds to the end, with at most `kills` kills; removes the outputs if a kill came when all was done."""
    build = Build()
    folder.mkdir()
    while True:
        kill_after = draw.uniform(0, seconds) if build.kills < kills else None
        one, _ = session(args, folder, kill_after)
        build.sessions.append(one)
        if not one.killed:
            return build
        if (folder / "book.tabia").exists():
            shutil.rmtree(folder / "games.table")
            (folder / "book.tabia").unlink()


def make_games(args: argparse.Namespace, folder: Path) -> list[Path]:
    """Makes up games, packed if zstd is there."""
    path = folder / "games.pgn"
    with path.open("wb") as file:
        subprocess.run([str(args.generator), "1", "0", str(args.games)], stdout=file, check=True)
    if shutil.which("zstd") and args.packed:
        subprocess.run(["zstd", "-1", "-q", "--rm", str(path)], check=True)
        path = path.with_suffix(".pgn.zst")
    return [path]


def run(args: argparse.Namespace, folder: Path) -> bool:
    """All builds; whether all gave the same bytes."""
    if not args.input:
        args.input = make_games(args, folder)
    expected = folder / "expected"
    expected.mkdir()
    start = time.monotonic()
    summary = json.loads(subprocess.run(command(args, expected), capture_output=True, check=True, text=True).stdout)
    seconds = time.monotonic() - start
    print(f"{summary['games']:,} games in {args.memory} MiB, uninterrupted: {seconds:.1f} s, {summary['runs']} runs")
    draw = random.Random(args.seed)
    kills = builds = wrong = 0
    while kills < args.kills:
        found = folder / "found"
        build = build_with_kills(args, found, args.kills - kills, seconds, draw)
        kills, builds = kills + build.kills, builds + 1
        different = differences(expected, found)
        last = build.sessions[-1]
        print(
            f"build {builds}: {build.kills} kills at "
            + ", ".join(f"{one.seconds:.1f}" for one in build.sessions if one.killed)
            + f" s; the last run went on with {last.resumed_games:,} games and took {last.seconds:.1f} s; "
            + (f"DIFFERENT: {' '.join(different)}" if different else "same bytes")
        )
        wrong += bool(different)
        shutil.rmtree(found)
    print(f"{kills} kills, {builds - wrong} of {builds} builds with the same bytes and nothing left over")
    return wrong == 0


def main() -> int:
    """Parses the command line and runs all builds in a folder that is removed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, required=True)
    parser.add_argument("--generator", type=Path, help="what makes up games (synthetic_games)")
    parser.add_argument("--input", type=Path, action="append", default=[], help="games to take in place of made-up ones")
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

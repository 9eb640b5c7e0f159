#!/usr/bin/env python3
"""What a cluster of two workers costs, against two threads; `make bench-cluster` calls this.

    PYTHONPATH=tests:tests/cluster:benches/peers benches/cluster/bench_cluster.py --games 5000000,20000000

Games are made up (`crates/formats/pgn/examples/synthetic_games.rs`) and packed by pzstd, so that tasks
share a file; each size has the games of the one before and more.  Inputs are read once before the
clock starts.  Both sides have the same memory in all and write a table, which is then deleted.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import events
from shares import Shares

from judge.games import make_up
from made_up import read_through, resolve, sizes
from standalone import Cluster

ROOT = Path(__file__).resolve().parents[2]

TASK_MEMORY_MIB = 1024
WORKERS = 2

CORPUS = ("kingbase2015-recon-a.pgn.zst", "lichess-2013-01a.pgn.zst")


@dataclass(frozen=True)
class Row:
    """One input on both sides."""

    name: str
    games: int
    alone: float
    """Seconds of one machine."""
    alone_cpu: float
    spark: float
    """Seconds of the cluster, from the command to its end."""
    session: float
    """Seconds of them until there was a session."""
    cpu: Counter[str]
    shuffled_bytes: int
    mapped_bytes: int
    """Bytes of the streams of `cluster map`, one a chunk; 0 if not measured."""

    @property
    def work(self) -> float:
        """Seconds of the cluster after the session started."""
        return self.spark - self.session


@dataclass(frozen=True)
class Bench:
    """The programs, the cluster, and how they are run."""

    folder: Path
    args: argparse.Namespace
    cluster: Cluster

    @property
    def flags(self) -> list[str]:
        """Of both sides."""
        return ["--max-ply", str(self.args.max_ply), "--json", "--quiet"]

    def measure(self, name: str, files: list[Path], chunk: str, *, mapped: bool) -> Row:
        """Counts the files on both sides."""
        for file in files:
            read_through(file)
        games, alone, alone_cpu = self.alone(files)
        begun = time.time()
        with Shares([os.getpid()]) as shares:
            self.spark(files, chunk)
        ended = time.time()
        log = events.read(self.folder / "events")
        if log.failed_tasks:
            raise SystemExit(f"{log.failed_tasks} tasks failed")
        cpu = shares.seconds()
        size = self.mapped(files, chunk) if mapped else 0
        session = log.begun - begun
        spark = ended - begun
        return Row(name, games, alone, alone_cpu, spark, session, cpu, log.shuffled_bytes, size)

    def alone(self, files: list[Path]) -> tuple[int, float, float]:
        """Games, seconds, and processor time of two threads."""
        memory = ["--memory", f"{WORKERS * TASK_MEMORY_MIB}MiB", "-j", str(WORKERS)]
        table = self.folder / "alone.table"
        before, begun = reaped_seconds(), time.monotonic()
        command = [self.args.binary, "count", *files, "-o", table, *self.flags, *memory]
        summary = self.output(command)
        seconds = time.monotonic() - begun
        shutil.rmtree(table)
        return json.loads(summary)["games"], seconds, reaped_seconds() - before

    def spark(self, files: list[Path], chunk: str) -> None:
        """Counts on the cluster."""
        table = self.folder / "spark.table"
        (self.folder / "events").mkdir(exist_ok=True)
        conf = {**events.SETTINGS, "spark.eventLog.dir": (self.folder / "events").as_uri()}
        command = [sys.executable, "-m", "tabia_spark", "--master", self.cluster.url]
        command += [word for pair in conf.items() for word in ("--conf", "=".join(pair))]
        command += ["--exe", self.args.binary, "--task-memory", f"{TASK_MEMORY_MIB}MiB"]
        command += ["plan-and-count", *files, "-o", table, "--chunk", chunk, *self.flags]
        self.output(command)
        shutil.rmtree(table)

    def mapped(self, files: list[Path], chunk: str) -> int:
        """Bytes of the streams of all chunks, each mapped by hand."""
        plan = [self.args.binary, "cluster", "plan", *files, "-o", self.folder / "none.table"]
        size = 0
        for line in self.output([*plan, "--chunk", chunk, *self.flags]).splitlines():
            command = [str(self.args.binary), "cluster", "map", "--chunk", line]
            command += [*json.loads(line)["flags"]["map"], "--memory", f"{TASK_MEMORY_MIB}MiB"]
            with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
                size += sum(map(len, iter(lambda out=child.stdout: out.read(1 << 20), b"")))
            if child.returncode != 0:
                raise SystemExit(f"cluster map: exit {child.returncode}")
        return size

    def output(self, command: list[object]) -> str:
        """Runs a command; a failure of it ends the bench."""
        done = subprocess.run(
            list(map(str, command)), capture_output=True, text=True, cwd=self.folder, check=False
        )
        if done.returncode != 0:
            raise SystemExit(f"{command}: exit {done.returncode}: {done.stderr[-1000:]}")
        return done.stdout


def reaped_seconds() -> float:
    """Processor time of children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def sets(args: argparse.Namespace, folder: Path) -> Iterator[tuple[int, list[Path]]]:
    """Games of each size, packed in many frames; a core makes up a file at a time."""
    pieces: list[Path] = []
    made = 0
    for games in sorted(args.games):
        cuts = [made + (games - made) * core // WORKERS for core in range(WORKERS + 1)]
        with ThreadPoolExecutor() as makers:
            pieces += makers.map(partial(make_piece, args, folder), cuts, cuts[1:])
        made = games
        yield games, list(pieces)


def make_piece(args: argparse.Namespace, folder: Path, first: int, end: int) -> Path:
    """The games from `first` to before `end`."""
    packer = ("pzstd", "-p2", "-1", "-qf", "-", "-o")
    return make_up(args.generator, folder / f"games-{first}-{end}.pgn.zst", (first, end), packer=packer)


def unpacked(corpus: Path, folder: Path) -> list[Path]:
    """Plain copies of the corpus's files."""
    files = []
    for name in CORPUS:
        files.append(folder / name.removesuffix(".zst"))
        subprocess.run(["zstd", "-dqf", str(corpus / name), "-o", str(files[-1])], check=True)
    return files


def rows(bench: Bench) -> Iterator[Row]:
    """All measures, the real files first."""
    args = bench.args
    if args.corpus.is_dir():
        files = unpacked(args.corpus, bench.folder)
        yield bench.measure("KingBase and Lichess", files, "64MiB", mapped=True)
    for games, pieces in sets(args, bench.folder):
        mapped = games == min(args.games)
        yield bench.measure(f"{games:,} made up", pieces, args.chunk, mapped=mapped)


def print_row(row: Row) -> None:
    """One line of the table."""
    whole = sum(row.cpu.values())
    moved = f"{row.shuffled_bytes / row.mapped_bytes:.2f}" if row.mapped_bytes else ""
    print(
        f"| {row.name} | {row.alone:.1f} | {row.work:.1f} | {row.work / row.alone:.2f}"
        f" | {row.session:.1f} | {row.alone_cpu:.0f}"
        f" | {row.cpu['JVM']:.0f} + {row.cpu['Python']:.0f} + {row.cpu['binary']:.0f}"
        f" | {(whole - row.cpu['binary']) / whole:.0%} | {row.shuffled_bytes >> 20:,} | {moved}"
        f" | {1e6 * row.work / row.games:.2f} |",
        flush=True,
    )


def print_marginal(first: Row, last: Row) -> None:
    """What a further game costs, against a game of the smallest size."""
    marginal = (last.work - first.work) / (last.games - first.games)
    ratio = marginal / (first.work / first.games)
    print(f"A game from {first.games:,} to {last.games:,}: {1e6 * marginal:.2f} µs, {ratio:.2f} times")


HEADER = """\
| games | -j 2, s | cluster, s | ratio | session, s | CPU -j 2 | CPU JVM + Python + binary \
| not binary | shuffled MiB | to maps | µs a game |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"""


def parse_args() -> argparse.Namespace:
    """The command line."""
    release = ROOT / "target/release"
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", type=Path, default=release / "tabia")
    parser.add_argument("--generator", type=Path, default=release / "examples/synthetic_games")
    parser.add_argument("--corpus", type=Path, default=ROOT / "../shared/corpus")
    parser.add_argument("--games", type=sizes, default="5000000,20000000")
    parser.add_argument("--chunk", default="128MiB")
    parser.add_argument("--max-ply", type=int, default=30)
    return resolve(parser.parse_args())


def main() -> int:
    """Starts the cluster, measures, prints."""
    args = parse_args()
    folder = Path(tempfile.mkdtemp(prefix="bench-cluster-", dir=ROOT / "target"))
    cluster = Cluster(folder / "cluster")
    cluster.folder.mkdir()
    measured = []
    try:
        cluster.start()
        print(HEADER, flush=True)
        for row in rows(Bench(folder, args, cluster)):
            print_row(row)
            measured.append(row)
    finally:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)
    made = [row for row in measured if row.name.endswith("made up")]
    if len(made) > 1:
        print_marginal(made[0], made[-1])
    print(f"\n{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; --max-ply {args.max_ply}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

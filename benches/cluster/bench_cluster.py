#!/usr/bin/env python3
"""What a cluster of two workers costs, against two threads; `make bench-cluster` calls this.

    PYTHONPATH=tests:tests/cluster:benches/peers benches/cluster/bench_cluster.py target/release/tabia

Games are made up (`crates/formats/pgn/examples/synthetic_games.rs`) and packed by pzstd, so that tasks
share a file; each size has the games of the one before and more.  Inputs are read once before the
clock starts.  Both sides have the same memory in all and write a table, which is then deleted.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import events
from shares import Shares

from judge.games import make_up, read_through, unpack
from judge.report import CORPUS, ROOT, command_line
from judge.run import must
from judge.shared_count import Plan
from run import time_command
from standalone import Cluster

SECONDS_MAX = 60_000
TASK_MEMORY_MIB = 1024
WORKERS = 2

PACKER = ("pzstd", "-p2", "-1", "-qf", "-", "-o")

REAL = ("kingbase2015-recon-a.pgn.zst", "lichess-2013-01a.pgn.zst")


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
        command = [self.args.binary, "count", *files, "-o", table, *self.flags, *memory]
        sample = time_command([*map(str, command)], self.folder)
        shutil.rmtree(table)
        return sample.summary["games"], sample.seconds, sample.processor_seconds

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
        plan = ["cluster", "plan", *files, "-o", self.folder / "none.table", "--chunk", chunk, *self.flags]
        size = 0
        for words in Plan(self.output([self.args.binary, *plan])).maps():
            command = [str(self.args.binary), *words, "--memory", f"{TASK_MEMORY_MIB}MiB"]
            with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
                size += sum(map(len, iter(lambda out=child.stdout: out.read(1 << 20), b"")))
            if child.returncode != 0:
                raise SystemExit(f"cluster map: exit {child.returncode}")
        return size

    def output(self, command: list[object]) -> str:
        """Runs a command; a failure of it ends the bench."""
        return must(*command, folder=self.folder, seconds=SECONDS_MAX).text


def sets(args: argparse.Namespace, folder: Path) -> Iterator[tuple[int, list[Path]]]:
    """Games of each size, packed in many frames; a core makes up a file at a time."""
    pieces: list[Path] = []
    made = 0
    for games in sorted(map(int, args.games.split(","))):
        cuts = [made + (games - made) * core // WORKERS for core in range(WORKERS + 1)]
        with ThreadPoolExecutor() as makers:
            pieces += makers.map(
                lambda first, end: make_up(
                    args.generator, folder / f"games-{first}-{end}.pgn.zst", (first, end), packer=PACKER
                ),
                cuts,
                cuts[1:],
            )
        made = games
        yield games, list(pieces)


def rows(bench: Bench) -> Iterator[Row]:
    """All measures, the real files first."""
    args = bench.args
    if args.corpus.is_dir():
        files = [unpack(args.corpus / name, bench.folder / name.removesuffix(".zst")) for name in REAL]
        yield bench.measure("KingBase and Lichess", files, "64MiB", mapped=True)
    for number, (games, pieces) in enumerate(sets(args, bench.folder)):
        yield bench.measure(f"{games:,} made up", pieces, args.chunk, mapped=number == 0)


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


def main() -> int:
    """Starts the cluster, measures, prints."""
    sizes = {"games": "5000000,20000000", "chunk": "128MiB", "max_ply": 30}
    generator = ROOT / "target/release/examples/synthetic_games"
    args = command_line(__doc__, "binary", generator=generator, corpus=CORPUS, **sizes)
    measured = []
    folder = tempfile.TemporaryDirectory(prefix="bench-cluster-", dir=ROOT / "target")
    with folder as name, Cluster(Path(name) / "cluster") as cluster:
        print(HEADER, flush=True)
        for row in rows(Bench(Path(name), args, cluster)):
            print_row(row)
            measured.append(row)
    made = [row for row in measured if row.name.endswith("made up")]
    if len(made) > 1:
        print_marginal(made[0], made[-1])
    print(f"\n{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; --max-ply {args.max_ply}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

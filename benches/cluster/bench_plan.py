#!/usr/bin/env python3
"""A made-up plan of a million chunks and 65,536 shards: what it takes on the driver and in a task.

The input is a sparse file that begins as a PGN. Nothing is counted but the last chunk, whose task runs
alone. Prints the figures of docs/cluster.md.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pyspark import cloudpickle
from pyspark.sql import SparkSession
from tabia_spark import buckets, child, driver, tasks
from tabia_spark.session import of_loopback

CHUNK_BYTES = 1024
MASTER = "local[1]"
GAME = b'[Event "one"]\n\n1. e4 e5 1-0\n\n'
NAME = "lichess_db_standard_rated_2024-01.pgn"


def main() -> None:
    """Measures, and prints a line a figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary", type=Path)
    parser.add_argument("--chunks", type=int, default=1_000_000)
    parser.add_argument("--shards", type=int, default=65_536)
    parser.add_argument("--spark", action="store_true", help="hand the plan to Spark, too")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        games = folder / NAME
        games.write_bytes(GAME)
        os.truncate(games, args.chunks * CHUNK_BYTES)
        words = [games, "-o", folder / "t.table", "--chunk", "1KiB", "--shards", args.shards, "-q"]
        printed(args.binary.absolute(), list(map(str, words)), folder / "plan.jsonl", args.chunks)
        planned(args.binary.absolute(), list(map(str, words)), spark=args.spark)


def printed(binary: Path, words: list[str], plan: Path, chunks: int) -> None:
    """The plan as a file, and the task of its last chunk."""
    with plan.open("wb") as out:
        measured("cluster plan", [binary, "cluster", "plan", *words], out)
    print(f"the plan: {plan.stat().st_size / 1e6:,.0f} MB, {plan.stat().st_size / chunks:.0f} bytes a chunk")
    task = [binary, "cluster", "map", "--plan-file", plan, "--task", chunks - 1]
    with open(os.devnull, "wb") as out:
        measured("cluster map of the last chunk", task, out)


def measured(what: str, command: list[object], out: object) -> None:
    """Runs a command; prints its time and its peak."""
    began = time.monotonic()
    ran = subprocess.Popen([str(word) for word in command], stdout=out)
    _, status, used = os.wait4(ran.pid, 0)
    if status:
        raise SystemExit(f"{what}: {os.waitstatus_to_exitcode(status)}")
    print(f"{what}: {time.monotonic() - began:.1f} s, {used.ru_maxrss >> 10:,} MiB")


def planned(binary: Path, words: list[str], *, spark: bool) -> None:
    """The plan as the driver has it, and what goes to a task."""
    began = time.monotonic()
    plan = driver.plan(str(binary), words)
    print(f"the driver has the plan: {time.monotonic() - began:.1f} s, {peak_mib():,} MiB")
    cloudpickle.register_pickle_by_value(sys.modules["tabia_spark"])
    at = child.Binary(str(binary), False, "1GiB", "1")
    task = tasks.map_chunks(at, plan.flags("map"), None, None)
    print(f"the function of all tasks: {len(cloudpickle.dumps(task)):,} bytes, and a chunk:", end=" ")
    print(f"{len(cloudpickle.dumps(plan.chunks[-1])):,} bytes")
    began = time.monotonic()
    buckets.numbers_by_partition(plan.first["shards"])
    print(f"numbers of {plan.first['shards']:,} partitions: {time.monotonic() - began:.1f} s")
    if spark:
        of_spark(plan, task)


def of_spark(plan: driver.Plan, task: tasks.Task) -> None:
    """The last chunk as a task of Spark, beside all others, which do not run."""
    conf = {"spark.master": MASTER, "spark.ui.enabled": "false", **of_loopback(MASTER)}
    session = SparkSession.builder.config(map=conf).getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    began = time.monotonic()
    runs = buckets.each_alone(session, plan.chunks).mapInArrow(task, tasks.RUNS)
    numbers = runs.select("bucket").rdd
    last = session.sparkContext.runJob(numbers, lambda rows: [sum(1 for _ in rows)], [len(plan.chunks) - 1])
    print(f"Spark ran one of {numbers.getNumPartitions():,} tasks, which gave {last[0]:,} records:", end=" ")
    print(f"{time.monotonic() - began:.1f} s, Python {peak_mib():,} MiB, JVM {jvm_mib(session):,} MiB")
    session.stop()


def peak_mib() -> int:
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def jvm_mib(session: SparkSession) -> int:
    """The most memory that the JVM has had."""
    pid = session.sparkContext._gateway.jvm.java.lang.ProcessHandle.current().pid()
    text = Path(f"/proc/{pid}/status").read_text("ascii")
    return int(text.partition("VmHWM:")[2].split()[0]) >> 10


if __name__ == "__main__":
    main()

"""Which tasks there are: a chunk or a shard each, and what they give to the next."""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark import cloudpickle
from pyspark.sql import DataFrame, SparkSession

import tabia_spark
from tabia_spark.buckets import each_alone, one_a_partition
from tabia_spark.child import Binary
from tabia_spark.driver import Held, Plan
from tabia_spark.tasks import (
    NOTHING,
    RUNS,
    export_shards,
    map_chunks,
    merge_shards,
    reduce_buckets,
)

if TYPE_CHECKING:
    from tabia_spark.progress import Progress

# Workers do not have this package: what they run of it travels with the tasks.
cloudpickle.register_pickle_by_value(tabia_spark)  # type: ignore[no-untyped-call]

SECONDS_BETWEEN_LOOKS = 0.2


@dataclass(frozen=True)
class Cluster:
    """A session whose workers have the binary."""

    spark: SparkSession
    binary: Binary
    progress: Progress | None = None

    def count(self, plan: Plan, held: Held) -> None:
        """Finds copies of games if they are left out, and counts every shard that is not done."""
        if held.copies < plan.first["copies"]:
            stages = ("chunks read for copies", "buckets of copies")
            self.shuffle(plan, held, stages, plan.first["copies"], None, "--find-copies")
        missing = sorted(set(range(plan.first["shards"])) - set(held.done))
        some = missing if held.done else None
        self.shuffle(plan, held, ("chunks", "shards"), plan.first["shards"], some)

    def shuffle(
        self,
        plan: Plan,
        held: Held,
        stages: tuple[str, str],
        buckets: int,
        some: Sequence[int] | None,
        *what: str,
    ) -> None:
        """Maps every chunk, and reduces all buckets or some."""
        games = self.progress.games if self.progress else None
        mapped = map_chunks(self.binary, [*what, *held.seen, *plan.flags("map")], games, some)
        runs = each_alone(self.spark, plan.chunks).mapInArrow(mapped, RUNS)
        of_reduce = [*what, "--parts", held.parts, *plan.flags("reduce")]
        reduced = reduce_buckets(self.binary, plan.first["plan"], of_reduce)
        self.run(one_a_partition(runs, buckets).mapInArrow(reduced, NOTHING), *stages)

    def merge(self, tables: Sequence[str], shards: Sequence[int], flags: Sequence[str]) -> None:
        """Merges these shards of the tables, without a shuffle."""
        merged = merge_shards(self.binary, tables, shards, flags)
        self.run(self.of_each(len(shards)).mapInArrow(merged, NOTHING), "shards")

    def export(self, table: str, shards: int, parts: str, flags: Sequence[str]) -> None:
        """Exports the moves of every shard of a table."""
        exported = export_shards(self.binary, table, parts, flags)
        self.run(self.of_each(shards).mapInArrow(exported, NOTHING), "shards")

    def of_each(self, tasks: int) -> DataFrame:
        """The numbers from 0, a partition each."""
        return self.spark.range(0, tasks, 1, numPartitions=tasks)

    def run(self, frame: DataFrame, *stages: str) -> None:
        """Runs the job, whose tasks leave parts and give nothing.

        A thread waits for it, so that Ctrl-C does not meet a message to the JVM half-read.
        """
        interrupted = threading.Event()
        before = signal.signal(signal.SIGINT, lambda *_: interrupted.set())
        collecting = ThreadPoolExecutor(1).submit(frame.collect)
        try:
            while not collecting.done():
                if interrupted.wait(SECONDS_BETWEEN_LOOKS):
                    raise KeyboardInterrupt
                if self.progress:
                    self.progress.show(stages)
            collecting.result()
        finally:
            signal.signal(signal.SIGINT, before)
            if self.progress:
                self.progress.clear()


@contextlib.contextmanager
def cluster(args: argparse.Namespace, *, quiet: bool) -> Iterator[Cluster]:
    """Opens a session, and ships the binary where Spark can do that."""
    with connected(args) if args.remote else opened(args, quiet=quiet) as cluster:
        yield cluster


@contextlib.contextmanager
def connected(args: argparse.Namespace) -> Iterator[Cluster]:
    """A session of a Spark Connect server: with its settings, its files, and no progress."""
    spark = SparkSession.builder.remote(args.remote).getOrCreate()
    try:
        yield Cluster(spark, Binary(args.exe, False, f"{args.task_memory}MiB", "1"))
    finally:
        spark.stop()


@contextlib.contextmanager
def opened(args: argparse.Namespace, *, quiet: bool) -> Iterator[Cluster]:
    """A session of our own."""
    from tabia_spark import failing, progress, session  # noqa: PLC0415 (not with the client of Connect)

    conf = dict([*([args.ui] if args.ui else []), *session.event_log(args.event_log), *args.conf])
    with session.opened(args.master, conf, args.task_memory, args.log_level) as spark:
        context = spark.sparkContext
        failing.watch(context)
        if args.ui:
            print(f"Spark's UI: {context.uiWebUrl}", file=sys.stderr)
        if not args.no_ship:
            context.addFile(args.exe)
        threads = context.getConf().get("spark.task.cpus", "1")
        binary = Binary(args.exe, not args.no_ship, f"{args.task_memory}MiB", threads)
        yield Cluster(spark, binary, None if quiet else progress.Progress(context))

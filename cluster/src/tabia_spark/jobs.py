"""Which tasks there are: a chunk or a shard each, and what they give to the next."""

from __future__ import annotations

import argparse
import contextlib
import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from pyspark import SparkContext, cloudpickle
from pyspark.sql import DataFrame, SparkSession

import tabia_spark
from tabia_spark import session
from tabia_spark.buckets import one_a_partition
from tabia_spark.child import Binary
from tabia_spark.driver import Plan
from tabia_spark.progress import Progress
from tabia_spark.tasks import LINES, RUNS, map_chunks, merge_shards, reduce_buckets

# Workers do not have this package: what they run of it travels with the tasks.
cloudpickle.register_pickle_by_value(tabia_spark)

SECONDS_BETWEEN_LOOKS = 0.2


@dataclass(frozen=True)
class Cluster:
    """A session whose workers have the binary."""

    spark: SparkSession
    context: SparkContext | None
    """None of a Spark Connect server."""
    binary: Binary
    quiet: bool

    def count(self, plan: Plan) -> list[str]:
        """Maps every chunk, reduces every shard, and gives the lines of all shards."""
        progress = self.progress("chunks", "shards")
        games = progress.games if progress else None
        mapped = map_chunks(self.binary, plan.chunks, plan.flags("map"), games)
        runs = self.of_each(len(plan.chunks)).mapInArrow(mapped, RUNS)
        buckets = one_a_partition(runs, plan.first["shards"])
        reduced = reduce_buckets(self.binary, plan.first["plan"], plan.flags("reduce"))
        return lines(buckets.mapInArrow(reduced, LINES), progress)

    def merge(self, tables: Sequence[str], shards: int, flags: Sequence[str]) -> list[str]:
        """Merges every shard of the tables, without a shuffle, and gives their lines."""
        merged = merge_shards(self.binary, tables, flags)
        return lines(self.of_each(shards).mapInArrow(merged, LINES), self.progress("shards"))

    def of_each(self, tasks: int) -> DataFrame:
        """The numbers from 0, a partition each."""
        return self.spark.range(0, tasks, 1, numPartitions=tasks)

    def progress(self, *stages: str) -> Progress | None:
        """What shows progress, where that can be known and is asked for."""
        return Progress(self.context, stages) if self.context and not self.quiet else None


def lines(frame: DataFrame, progress: Progress | None) -> list[str]:
    """Runs the job; what comes back is of tasks that succeeded, of each once.

    The job is waited for in a thread, so that Ctrl-C does not meet a message to the JVM half-read.
    """
    interrupted = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: interrupted.set())
    collecting = ThreadPoolExecutor(1).submit(frame.collect)
    try:
        while not collecting.done():
            if interrupted.wait(SECONDS_BETWEEN_LOOKS):
                raise KeyboardInterrupt
            if progress:
                progress.show()
        return [row.line for row in collecting.result()]
    finally:
        signal.signal(signal.SIGINT, before)
        if progress:
            progress.clear()


@contextlib.contextmanager
def cluster(args: argparse.Namespace, *, quiet: bool) -> Iterator[Cluster]:
    """Opens a session, and ships the binary where Spark can do that."""
    if args.remote:
        opened = session.connected(args.remote)
    else:
        opened = session.opened(args.master, dict(args.conf), args.task_memory, args.log_level)
    with opened as spark:
        context = None if args.remote else spark.sparkContext
        threads = context.getConf().get("spark.task.cpus", "1") if context else "1"
        shipped = bool(context) and not args.no_ship
        if shipped:
            context.addFile(args.exe)
        binary = Binary(args.exe, shipped, f"{args.task_memory}MiB", threads)
        yield Cluster(spark, context, binary, quiet)

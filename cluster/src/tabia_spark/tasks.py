"""What runs on the workers: each function is called with the rows of one partition.

These functions travel by value (see `jobs`), so workers need no more than Spark's own Python.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import subprocess
import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from tabia_spark.child import Binary, close_pipes, running

if TYPE_CHECKING:
    from pyspark import Accumulator

Batches = Iterator[pa.RecordBatch]
Task = Callable[[Batches], Batches]

RUNS = "bucket int, chunk int, seq int, run binary"
"""The stream of `tabia cluster map`, as Spark writes a schema."""

ACCOUNT = -1
"""As `seq`: no run, but what became of a chunk's games; JSON behind a checksum."""

CHECKSUM_BYTES = 8

NOTHING = "line string"
"""What a shard's task gives: no row. The binary's line about the part file is beside that."""


def map_chunks(
    binary: Binary,
    flags: Sequence[str],
    games: Accumulator[int] | None,
    shards: Sequence[int] | None,
) -> Task:
    """From a chunk to its sorted runs: of all shards, or of some."""

    def task(batches: Batches) -> Batches:
        for chunk in values(batches):
            command = binary.command("cluster", "map", "--chunk", chunk, *binary.limits(flags))
            with running(command, stdout=subprocess.PIPE) as child:
                for batch in pa.ipc.open_stream(child.stdout):
                    if games is not None:
                        games.add(games_of(batch))
                    yield batch if shards is None else of_shards(batch, shards)

    return task


def reduce_buckets(binary: Binary, plan: str, flags: Sequence[str]) -> Task:
    """From all runs of one or more shards to their part files."""

    def task(batches: Batches) -> Batches:
        first = next(batches, None)
        if first is None:
            return
        attempt = ("--plan", plan, "--attempt", uuid.uuid4().hex)
        command = binary.command("cluster", "reduce", *attempt, *binary.limits(flags))
        with running(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as child:
            stream = pa.ipc.new_stream(child.stdin, first.schema)
            for batch in itertools.chain([first], batches):
                stream.write_batch(batch)
            # Only here: a stream that ends without its mark is known to be cut off.
            stream.close()
            close_pipes(child)
        yield from ()

    return task


def merge_shards(
    binary: Binary, tables: Sequence[str], shards: Sequence[int], flags: Sequence[str]
) -> Task:
    """From a number among these shards to the shard's part file, merged of all tables."""

    def task(batches: Batches) -> Batches:
        for number in values(batches):
            attempt = ("--shard", str(shards[number]), "--attempt", uuid.uuid4().hex)
            command = binary.command("cluster", "merge", *attempt, *flags, *tables)
            with running(command, stdout=subprocess.DEVNULL):
                pass
        yield from ()

    return task


def export_shards(binary: Binary, table: str, parts: str, flags: Sequence[str]) -> Task:
    """From a shard's number to an export of its moves, in a folder of its own."""

    def task(batches: Batches) -> Batches:
        for shard in values(batches):
            where = ("--shard", str(shard), "-o", os.path.join(parts, str(shard)))
            what = ("--only", "moves", "--without", "san", "--force", "--quiet", *where)
            command = binary.command("export", "parquet", table, *what, *binary.limits(flags))
            with running(command, stdout=subprocess.DEVNULL):
                pass
        yield from ()

    return task


def games_of(batch: pa.RecordBatch) -> int:
    """Games that the task accounts for in this batch, where it says that as we know it."""
    games = 0
    for row in batch.to_pylist() if ACCOUNT in batch.column("seq").to_pylist() else ():
        with contextlib.suppress(ValueError, LookupError):
            if row["seq"] == ACCOUNT:
                games += json.loads(row["run"][CHECKSUM_BYTES:])["status"]["games"]
    return games


def of_shards(batch: pa.RecordBatch, shards: Sequence[int]) -> pa.RecordBatch:
    """The records of some shards."""
    return batch.filter(pc.is_in(batch.column("bucket"), pa.array(shards, pa.int32())))


def values(batches: Batches) -> Iterator[Any]:
    """The values in the only column."""
    for batch in batches:
        yield from batch.column(0).to_pylist()

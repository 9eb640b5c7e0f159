"""How each chunk, and each bucket, which is a shard of the table, gets a partition of its own."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

WORD = 0xFFFFFFFF
SEED = 42
"""With which Spark hashes for `repartition`."""


def each_alone(spark: SparkSession, lines: Sequence[str]) -> DataFrame:
    """The lines, a partition each: a task is sent its own, and no other."""
    if not is_connected(spark):
        rows = spark.sparkContext.parallelize(lines, len(lines)).map(lambda line: (line,))
        return spark.createDataFrame(rows, "line string", verifySchema=False)
    placed = list(zip(lines, numbers_by_partition(len(lines))))
    frame = spark.createDataFrame(placed, "line string, place int")
    return frame.repartition(len(lines), "place").select("line")


def is_connected(session_or_frame: object) -> bool:
    """Whether it is of a server of Spark Connect."""
    return "connect" in type(session_or_frame).__module__


def one_a_partition(runs: DataFrame, buckets: int) -> DataFrame:
    """Brings the runs of each bucket together, each bucket in a partition of its own.

    Spark before 4.1 and servers of Spark Connect such as Sail only partition by a hash, which would
    put several buckets into some partitions and none into others: there, runs are partitioned by
    numbers whose hashes are known.
    """
    if hasattr(runs, "repartitionById") and not is_connected(runs):
        return runs.repartitionById(buckets, F.col("bucket"))
    # One text, of which the engine makes one array: 65,536 literals would take minutes to send.
    known = F.split(F.lit(" ".join(map(str, numbers_by_partition(buckets)))), " ").cast(
        "array<int>"
    )
    number: Column = F.element_at(known, F.col("bucket") + 1)
    return runs.repartition(buckets, number)


def numbers_by_partition(partitions: int) -> list[int]:
    """For each partition a number that Spark's hash puts there."""
    found: dict[int, int] = {}
    number = 0
    while len(found) < partitions:
        found.setdefault(spark_hash(number) % partitions, number)
        number += 1
    return [found[partition] for partition in range(partitions)]


def spark_hash(number: int) -> int:
    """`hash(number)` of Spark SQL for an int of 0 or more: 32-bit MurmurHash3, signed."""
    word = rotated(number * 0xCC9E2D51 & WORD, 15) * 0x1B873593 & WORD
    mixed = rotated(SEED ^ word, 13) * 5 + 0xE6546B64 & WORD
    mixed ^= 4  # bytes hashed
    mixed = (mixed ^ mixed >> 16) * 0x85EBCA6B & WORD
    mixed = (mixed ^ mixed >> 13) * 0xC2B2AE35 & WORD
    mixed ^= mixed >> 16
    return mixed - (mixed >> 31 << 32)


def rotated(word: int, bits: int) -> int:
    """A 32-bit word, rotated to the left."""
    return (word << bits | word >> 32 - bits) & WORD

"""PySpark in local mode, as one more engine for `spots`; needs Java."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pyspark.sql import SparkSession

from spots import Spot, files


@contextmanager
def spark() -> Iterator[Callable[[Path, Spot], object]]:
    """The answers of Spark; it has no unsigned keys, so the export must have signed ones."""
    local = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    for name in ("spark.driver.bindAddress", "spark.driver.host"):
        local = local.config(name, "127.0.0.1")
    session = local.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")

    def answer(export: Path, spot: Spot) -> object:
        session.read.parquet(*files(export, spot.file)).createOrReplaceTempView("asked")
        return session.sql(spot.sql("asked")).collect()[0][0]

    try:
        yield answer
    finally:
        session.stop()

"""A Spark session for these jobs, and its settings."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from pyspark import SparkConf, SparkContext
from pyspark.sql import SparkSession

from tabia_spark.failure import Failed, words

JVM = "-XX:TieredStopAtLevel=1 -XX:+UseParallelGC"

SETTINGS = {
    "spark.app.name": "tabia",
    "spark.ui.enabled": "false",
    "spark.stage.maxConsecutiveAttempts": "10",
    # The JVM moves bytes: to compile it further takes more time than it saves, and arrays of a
    # megabyte are exceptions to the collector that is the default.
    "spark.executor.extraJavaOptions": JVM,
    # Runs are packed already.
    "spark.shuffle.compress": "false",
    "spark.shuffle.spill.compress": "false",
    # A row is a run of up to 4 MB.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "16",
    "spark.sql.adaptive.enabled": "false",
    # The binary checks what it receives; a map that runs again may cut its runs elsewhere.
    "spark.sql.shuffle.orderIndependentChecksum.enabled": "false",
    "spark.sql.shuffle.orderIndependentChecksum.enableFullRetryOnMismatch": "false",
}

RETRIES = {
    # A machine that goes away, or whose disk is full, costs time and not the job: a task that has
    # failed on an executor four times runs on another.
    "spark.task.maxFailures": "8",
    "spark.excludeOnFailure.enabled": "true",
    "spark.excludeOnFailure.task.maxTaskAttemptsPerExecutor": "4",
    "spark.excludeOnFailure.task.maxTaskAttemptsPerNode": "7",
    # But no executor is shut out from all tasks: where all are, Spark ends one that is idle, with
    # all that it has shuffled, for a new one, and the maps run again in vain.
    "spark.excludeOnFailure.stage.maxFailedTasksPerExecutor": "1000000",
    "spark.excludeOnFailure.application.maxFailedTasksPerExecutor": "1000000",
}
"""Spark refuses some of these beside other numbers of failures, so all are set or none."""

BINARY_MIB = 300
"""What the binary takes at most beside `--memory`."""

PYTHONS_MIB = 1024

LOG = f"-Dlog4j2.configurationFile={Path(__file__).with_name('log4j2.properties').as_uri()}"
"""A log of errors alone, from the start of the JVM."""

LOOPBACK = re.compile(r"local(\[|-cluster|$)|spark://(127\.|localhost[:,]|\[::1\])")


@contextlib.contextmanager
def opened(
    master: str | None, given: Mapping[str, str], task_mib: int, log_level: str | None
) -> Iterator[SparkSession]:
    """A session; what the user or the cluster has set stays as it is set."""
    conf = settings(master or given.get("spark.master", ""), given)
    conf.setIfMissing("spark.executor.memoryOverhead", f"{overhead_mib(conf, task_mib)}m")
    interrupt = signal.getsignal(signal.SIGINT)
    spark = SparkSession.builder.config(conf=conf).getOrCreate()
    # PySpark's own handler asks the session, also after its end.
    signal.signal(signal.SIGINT, interrupt)
    # In local mode the log has the stack of every task that failed.
    quietest = "OFF" if conf.get("spark.master", "").startswith("local") else "ERROR"
    spark.sparkContext.setLogLevel(log_level or quietest)
    try:
        yield spark
    except Exception as error:
        # While the JVM is there: it has the text of its errors.
        raise Failed(words(error)) from error
    finally:
        if not log_level:
            # Tasks that are ended now have nothing to say that helps.
            spark.sparkContext.setLogLevel("OFF")
        spark.stop()
        end_jvm()


def end_jvm() -> None:
    """Ends the JVM if it is ours; it would end a little after this process, and hold its memory."""
    gateway, SparkContext._gateway = SparkContext._gateway, None
    if gateway and gateway.proc:
        gateway.shutdown()
        gateway.proc.stdin.close()
        gateway.proc.wait()


def settings(master: str, given: Mapping[str, str]) -> SparkConf:
    """The user's settings, then those of spark-submit and spark-defaults.conf, then ours."""
    # PySpark turns its own progress bar on where nothing is set by then.
    early = {"spark.ui.showConsoleProgress": "false", **of_loopback(master), **given}
    first = SparkConf(loadDefaults=False).setAll(list(early.items()))
    if master:
        first.setMaster(master)
    # Starts the JVM, which reads the settings of the cluster.
    SparkContext._ensure_initialized(conf=first)
    conf = SparkConf().setAll(first.getAll())
    retries = {} if conf.contains("spark.task.maxFailures") else RETRIES
    ours = {**SETTINGS, **retries, **of_loopback(conf.get("spark.master", ""))}
    for name, value in ours.items():
        conf.setIfMissing(name, value)
    return conf


def of_loopback(master: str) -> dict[str, str]:
    """Of a cluster within this machine: not reachable from outside, and one Python for all."""
    if not LOOPBACK.match(master):
        return {}
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    here = {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
    return {**here, "spark.driver.extraJavaOptions": f"{JVM} {LOG}"}


def event_log(folder: str | None) -> list[tuple[str, str]]:
    """The settings of an event log in a folder, which is made, or at a URL."""
    if not folder:
        return []
    if "://" not in folder:
        os.makedirs(folder, exist_ok=True)
        folder = Path(folder).absolute().as_uri()
    return [("spark.eventLog.enabled", "true"), ("spark.eventLog.dir", folder)]


def overhead_mib(conf: SparkConf, task_mib: int) -> int:
    """Memory of an executor outside its heap: its Pythons, and the binary in each of its tasks.

    YARN and Kubernetes end an executor whose processes together take more.
    """
    cores = int(conf.get("spark.executor.cores", "1"))
    tasks = max(1, cores // int(conf.get("spark.task.cpus", "1")))
    return tasks * (task_mib + BINARY_MIB) + PYTHONS_MIB

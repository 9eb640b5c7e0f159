"""Tasks that fail while the job goes on: where and why, a line on stderr each."""

from __future__ import annotations

import sys
from collections.abc import Callable

from py4j.java_gateway import JavaObject
from pyspark import SparkContext
from pyspark.java_gateway import ensure_callback_server_started

from tabia_spark.failure import said

KINDS = ("ExceptionFailure", "ExecutorLostFailure", "FetchFailed")
"""Other tasks that end early have lost a race, or are started again because of one of these."""


class Listener:
    """What Spark tells of its tasks; it calls this from the JVM."""

    class Java:
        """What Py4J is to know."""

        implements = ("org.apache.spark.scheduler.SparkListenerInterface",)

    def __init__(self) -> None:
        """Begins; what is said once is not said again."""
        self.said: set[str] = set()

    def onTaskEnd(self, event: JavaObject) -> None:
        """Says why a task failed."""
        reason = event.reason()
        if reason.getClass().getSimpleName() not in KINDS:
            return
        why = " ".join(said(reason.toErrorString()).split())
        line = f"tabia-spark: a task failed on {event.taskInfo().host()}: {why}"
        if line not in self.said:
            self.said.add(line)
            clear = "\r\033[K" if sys.stderr.isatty() else ""
            print(f"{clear}{line}", file=sys.stderr, flush=True)

    def __getattr__(self, _name: str) -> Callable[..., None]:
        """All other events are of no interest."""
        return lambda *_: None


def watch(context: SparkContext) -> None:
    """Says from now on which tasks fail."""
    ensure_callback_server_started(context._gateway)
    context._jsc.sc().addSparkListener(Listener())

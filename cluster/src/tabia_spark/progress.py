"""The line on stderr while tasks run.  For the eye only: exact counts come with the commit."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence

from pyspark import Accumulator, SparkContext

SECONDS_BETWEEN_LINES = 10.0
"""Where stderr is no terminal, on which the line is replaced."""


class Progress:
    """Looks at Spark's tasks now and then, and prints how many of each stage are done."""

    def __init__(self, context: SparkContext) -> None:
        """Begins."""
        self.games: Accumulator[int] = context.accumulator(0)
        """Games of the tasks that are done; those of a task that was lost are in it twice."""
        self.tracker = context.statusTracker()
        self.begun = self.printed = time.monotonic()
        self.on_terminal = sys.stderr.isatty()

    def show(self, stages: Sequence[str]) -> None:
        """Prints the line, if it is time; the stages are named in their order."""
        if self.on_terminal:
            print(f"\r\033[K{self.line(stages)}", end="", file=sys.stderr, flush=True)
        elif time.monotonic() - self.printed >= SECONDS_BETWEEN_LINES:
            self.printed = time.monotonic()
            print(self.line(stages), file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Takes the line away."""
        if self.on_terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def line(self, stages: Sequence[str]) -> str:
        """What is done."""
        seconds = time.monotonic() - self.begun
        done = [*self.tasks(stages), f"{seconds:,.0f} s"]
        games = self.games.value
        if games:
            done.append(f"{games:,} games, {games / seconds:,.0f} games/s")
        return ", ".join(done)

    def tasks(self, stages: Sequence[str]) -> Iterator[str]:
        """Of each stage of the job: tasks done, those that run, those that failed."""
        jobs = map(self.tracker.getJobInfo, self.tracker.getActiveJobsIds())
        ids = sorted({stage for job in jobs if job for stage in job.stageIds})
        for name, info in zip(stages, map(self.tracker.getStageInfo, ids)):
            if info:
                running = f" ({info.numActiveTasks} running)" if info.numActiveTasks else ""
                failed = f", {info.numFailedTasks} failed" if info.numFailedTasks else ""
                yield f"{info.numCompletedTasks} of {info.numTasks} {name}{running}{failed}"

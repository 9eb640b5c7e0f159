"""What Spark's event log has of a run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SETTINGS = {
    "spark.eventLog.enabled": "true",
    "spark.eventLog.compress": "false",
    "spark.eventLog.rolling.enabled": "false",
}


@dataclass(frozen=True)
class Events:
    """Figures of the one run in the log."""

    begun: float
    """When the job was submitted: the session was there by then; seconds since the epoch."""
    shuffled_bytes: int
    failed_tasks: int


def read(folder: Path) -> Events:
    """Reads the newest log in the folder."""
    events = list(lines(max(folder.iterdir(), key=lambda path: path.stat().st_mtime)))
    jobs = [each for each in events if each["Event"] == "SparkListenerJobStart"]
    tasks = [each for each in events if each["Event"] == "SparkListenerTaskEnd"]
    written = [(each.get("Task Metrics") or {}).get("Shuffle Write Metrics", {}) for each in tasks]
    return Events(
        min(each["Submission Time"] for each in jobs) / 1000,
        sum(each.get("Shuffle Bytes Written", 0) for each in written),
        sum(each["Task Info"]["Failed"] for each in tasks),
    )


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The events."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)

"""What Spark's event log has of a run."""

import json
from dataclasses import dataclass
from pathlib import Path

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
    newest = max(folder.iterdir(), key=lambda path: path.stat().st_mtime)
    with newest.open(encoding="utf-8") as file:
        events = [json.loads(line) for line in file]
    jobs = [each for each in events if each["Event"] == "SparkListenerJobStart"]
    tasks = [each for each in events if each["Event"] == "SparkListenerTaskEnd"]
    written = [(each.get("Task Metrics") or {}).get("Shuffle Write Metrics", {}) for each in tasks]
    return Events(
        min(each["Submission Time"] for each in jobs) / 1000,
        sum(each.get("Shuffle Bytes Written", 0) for each in written),
        sum(each["Task Info"]["Failed"] for each in tasks),
    )

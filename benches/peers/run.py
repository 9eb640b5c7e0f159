"""Running one command: wall time, processor time, peak memory, and what its summary reports."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

REPORTED = ("games", "accepted", "edges", "runs", "bytes_spilled", "book_edges")
"""What is taken from tabia's own summary."""


@dataclass(frozen=True)
class Sample:
    """One run of a command."""

    seconds: float
    peak_rss_bytes: int
    summary: dict = field(default_factory=dict)
    processor_seconds: float = 0.0


def time_command(command: list[str], folder: Path) -> Sample:
    """Runs a command in `folder` to its end; a failure of it ends the bench."""
    output, errors = folder / "stdout.txt", folder / "stderr.txt"
    with output.open("wb") as stdout, errors.open("wb") as stderr:
        begun = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        message = errors.read_text("utf-8", "replace")[-500:]
        raise SystemExit(f"{' '.join(command)}: exit {process.returncode}: {message}")
    processor = usage.ru_utime + usage.ru_stime
    return Sample(seconds, usage.ru_maxrss << 10, summary(output.read_bytes()), processor)


def time_anew(command: list[str], folder: Path) -> Sample:
    """Times a command in `folder` emptied before: to delete what it replaces is not its work."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return time_command(command, folder)


def summary(stdout: bytes) -> dict:
    """Tabia's `--json` object, if that is what it is."""
    try:
        reported = json.loads(stdout)
    except ValueError:
        return {}
    if not isinstance(reported, dict):
        return {}
    return {name: reported[name] for name in REPORTED if name in reported}

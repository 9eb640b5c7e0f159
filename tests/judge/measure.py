"""What a program takes: seconds, processor time and memory; and the machine that it ran on."""

import os
import platform
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Measured:
    """How a program ended, and what it took."""

    code: int
    seconds: float
    peak_bytes: int
    message: str
    processor_seconds: float = 0.0


def measure(
    command: Sequence[object], folder: Path, given: Path | None = None, out: Path | None = None
) -> Measured:
    """Runs a program in a folder to its end.

    Its output goes to a file or nowhere: Linux counts the memory of this process as the peak of
    all that it starts, so it keeps nothing.
    """
    errors = folder / "stderr.txt"
    with (
        (given or Path(os.devnull)).open("rb") as stdin,
        (out or Path(os.devnull)).open("wb") as stdout,
        errors.open("wb") as stderr,
    ):
        begun = time.perf_counter()
        words = [*map(str, command)]
        process = subprocess.Popen(words, cwd=folder, stdin=stdin, stdout=stdout, stderr=stderr)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    message = errors.read_text("utf-8", "replace")[-2000:].strip()
    processor = usage.ru_utime + usage.ru_stime
    return Measured(process.returncode, seconds, usage.ru_maxrss << 10, message, processor)


def machine() -> dict:
    """What the figures were measured on, and how busy it was: ratios of threads need it idle."""
    model = platform.processor()
    for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
            break
    return {"cpu": model, "cores": os.cpu_count(), "system": platform.platform(), "load": os.getloadavg()}


def machine_line() -> str:
    """The machine in a few words."""
    on = machine()
    return f"{on['cpu']}, {on['cores']} cores, load {on['load'][0]:.1f}"

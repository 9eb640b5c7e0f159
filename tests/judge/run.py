"""Programs that are run to their end, and how they ended."""

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from judge.report import Failed

# A run of a few games takes milliseconds.
SECONDS_MAX = 60

# In which a program ends that is asked to.
SECONDS_TO_STOP = 10


class Process(subprocess.Popen[bytes]):
    """A program that was started, and when."""

    def __init__(self, *given: Any, **how: Any) -> None:  # noqa: ANN401
        """Starts it."""
        self.begun = time.monotonic()
        super().__init__(*given, **how)


class Overdue(Failed):
    """A program ran past its time, which is wrong whatever is judged."""


@dataclass(frozen=True)
class Ran:
    """How a program ended."""

    code: int
    out: bytes
    err: str
    seconds: float = 0.0

    @property
    def text(self) -> str:
        """What it printed."""
        return self.out.decode("utf-8", "replace")

    @property
    def how(self) -> str:
        """Its exit code and its message, or where it has none the end of what it printed."""
        return f"exit {self.code}: {self.err.strip() or self.text[-300:].strip()}"

    def crash(self) -> str | None:
        """What a command must never do, whatever happens to it."""
        if self.code < 0:
            return f"ended by signal {-self.code}: {self.err.strip()}"
        return self.how if "panicked" in self.err or self.code not in (0, 1, 2, 130) else None


def start(
    command: Sequence[object],
    folder: Path | None = None,
    *,
    given: bytes | Path = b"",
    prints: Path | None = None,
    errors: IO[bytes] | int = subprocess.PIPE,
    env: Mapping[str, str] | None = None,
) -> Process:
    """Starts a program and does not wait for it; without `given`, nothing is its standard input."""
    with contextlib.ExitStack() as files:
        reads: IO[bytes] | int = subprocess.PIPE if given else subprocess.DEVNULL
        if isinstance(given, Path):
            reads = files.enter_context(given.open("rb"))
        out = files.enter_context(prints.open("wb")) if prints else subprocess.PIPE
        # A group of its own, so that what runs below strace ends with it.
        return Process(
            [*map(str, command)],
            cwd=folder,
            env=env,
            stdin=reads,
            stdout=out,
            stderr=errors,
            start_new_session=True,
        )


def end(process: Process, seconds: float = SECONDS_MAX, given: bytes | Path = b"") -> Ran:
    """Waits for the end of a program; one that does not come to it is killed, and `Overdue`."""
    try:
        out, err = process.communicate(given if given and isinstance(given, bytes) else None, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise Overdue(f"still running after {seconds} s{stopped(process)}") from None
    except KeyboardInterrupt:
        stopped(process)
        raise
    error = (err or b"").decode("utf-8", "replace")
    return Ran(process.returncode, out or b"", error, time.monotonic() - process.begun)


def stopped(process: Process) -> str:
    """Asks a program to end, and kills it if it does not; what is wrong with that."""
    os.killpg(process.pid, signal.SIGTERM)
    try:
        process.communicate(timeout=SECONDS_TO_STOP)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return ", and SIGTERM does not end it"
    return ""


def run(
    command: Sequence[object],
    folder: Path | None = None,
    *,
    given: bytes | Path = b"",
    seconds: float = SECONDS_MAX,
    **how: Any,  # noqa: ANN401
) -> Ran:
    """Runs a program to its end, as `start` starts it."""
    return end(start(command, folder, given=given, **how), seconds, given)


def must(*command: object, **how: Any) -> Ran:  # noqa: ANN401
    """Runs a program, which has to succeed."""
    ran = run(command, **how)
    if ran.code != 0:
        raise Failed(f"{' '.join(map(str, command))}: {ran.how}")
    return ran


def first_line(process: Process, seconds: float) -> str:
    """The first line of a program's output; nothing if it ends before."""
    assert process.stdout is not None
    line, until = b"", time.monotonic() + seconds
    while not line.endswith(b"\n"):
        if not select.select([process.stdout], [], [], max(0, until - time.monotonic()))[0]:
            raise Overdue(f"no line after {seconds} s{stopped(process)}")
        byte = os.read(process.stdout.fileno(), 1)
        if not byte:
            process.wait()
            break
        line += byte
    return line.decode("utf-8", "replace")

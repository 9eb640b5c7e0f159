"""The binary as a child process of a task: found, started, checked, and ended with the task."""

from __future__ import annotations

import contextlib
import ctypes
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO

import pyarrow as pa

from tabia_spark.failure import TaskFailed

MESSAGE_BYTES_MAX = 4000
PR_SET_PDEATHSIG = 1
SECONDS_TO_END = 10


@dataclass(frozen=True)
class Binary:
    """Where a worker finds the binary, and what each task may use."""

    path: str
    shipped: bool
    memory: str
    threads: str

    def command(self, *words: str) -> list[str]:
        """A command line of this worker."""
        path = shipped(os.path.basename(self.path)) if self.shipped else self.path
        return [path, *words]

    def limits(self, flags: Sequence[str]) -> list[str]:
        """The flags, and what a task may use where they do not say it."""
        own = {"--memory": self.memory, "--threads": self.threads, "--temp-dir": spill_dir()}
        missing = [word for flag in own.items() if flag[0] not in flags for word in flag]
        return [*flags, *missing]


def shipped(name: str) -> str:
    """Where Spark has put a file that was sent to this worker."""
    from pyspark import SparkFiles  # noqa: PLC0415 (not in the client of Spark Connect)

    return SparkFiles.get(name)


def spill_dir() -> str:
    """One of Spark's folders on this worker's disks; it removes them with the executor."""
    folders = [each for each in os.environ.get("SPARK_LOCAL_DIRS", "").split(",") if each]
    usable = [each for each in folders if os.path.isdir(each)]
    return random.choice(usable) if usable else tempfile.gettempdir()


def memory_file() -> IO[bytes]:
    """A file for what a child prints; not on disk where that is possible, as disks may be full."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("tabia-spark"), "w+b")
    return tempfile.TemporaryFile()


def end_with_parent() -> Callable[[], None] | None:
    """Has the kernel end the child with this process, which Spark ends by SIGKILL."""
    if not sys.platform.startswith("linux"):
        return None
    prctl, parent = ctypes.CDLL(None).prctl, os.getpid()

    def in_child() -> None:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)

    return in_child


@contextlib.contextmanager
def running(
    command: Sequence[str], *, stdin: int = subprocess.DEVNULL, stdout: int | IO[bytes]
) -> Iterator[subprocess.Popen[bytes]]:
    """Runs a command beside the block, and fails in the command's words unless it exits 0.

    Spark may have no use for the task any more and end the block early: then the child is killed.
    """
    with memory_file() as errors:
        child = subprocess.Popen(
            command,
            stdin=stdin,
            stdout=stdout,
            stderr=errors,
            preexec_fn=end_with_parent(),  # noqa: PLW1509 (it only makes system calls)
        )
        try:
            try:
                yield child
            except (OSError, pa.ArrowException):
                # A stream breaks where the child fails: then its own error is the cause.
                if not fails(child):
                    raise
            code = child.wait()
        finally:
            child.kill()
            child.wait()
            close_pipes(child)
        if code != 0:
            raise TaskFailed(message(command, code, errors))


def fails(child: subprocess.Popen[bytes]) -> bool:
    """Whether a child with which a stream broke ends with an error of its own."""
    close_pipes(child)
    try:
        return child.wait(SECONDS_TO_END) != 0
    except subprocess.TimeoutExpired:
        return False


def close_pipes(child: subprocess.Popen[bytes]) -> None:
    """Closes the pipes to and from a child, also where it is gone."""
    for pipe in (child.stdin, child.stdout):
        if pipe:
            with contextlib.suppress(OSError):
                pipe.close()


def message(command: Sequence[str], code: int, errors: IO[bytes]) -> str:
    """What the child printed, and where it ran."""
    errors.seek(0)
    printed = errors.read()[-MESSAGE_BYTES_MAX:].decode("utf-8", "replace").strip()
    ended = f"exit {code}" if code > 0 else f"ended by {signal.Signals(-code).name}"
    if code == -signal.SIGKILL:
        printed = printed or "was the container's memory used up (--task-memory)?"
    return f"tabia {command[1]} {command[2]} on {socket.gethostname()}: {ended}: {printed}"

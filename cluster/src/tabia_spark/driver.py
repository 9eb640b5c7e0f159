"""The binary on the driver's machine: what comes before the tasks, and after them."""

from __future__ import annotations

import contextlib
import json
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from tabia_spark.failure import WRONG_USAGE, Failed


@dataclass(frozen=True)
class Plan:
    """What `tabia cluster plan` printed."""

    first: dict[str, Any]
    """The first line: what is the same for all chunks."""
    chunks: list[str]
    """The other lines, one a chunk."""

    def flags(self, verb: str) -> list[str]:
        """What one of the other steps is to be given."""
        flags: list[str] = self.first["flags"][verb]
        return flags


@dataclass(frozen=True)
class Held:
    """The folder where parts wait, as `tabia cluster hold` printed it."""

    parts: str
    token: str
    """What tasks find in it."""
    done: list[int]
    """Shards whose parts an earlier run left in it."""
    copies: int = 0
    """In how many buckets it has found the copies of games."""

    @property
    def seen(self) -> list[str]:
        """Flags of a task that must see the folder."""
        return ["--parts", self.parts, "--token", self.token]


def binary_path(name: str) -> str:
    """The binary, by path or by name on PATH, as an absolute path."""
    found = shutil.which(name)
    if not found:
        raise Failed(f"{name}: no such program here; --exe is the path of tabia", WRONG_USAGE)
    return str(Path(found).absolute())


def plan(exe: str, arguments: Sequence[str]) -> Plan:
    """Has the binary check the command line and cut the input into chunks."""
    # By way of a file, as there may be a million lines.
    with tempfile.TemporaryFile("w+", encoding="utf-8") as printed:
        run([exe, "cluster", "plan", *arguments], stdout=printed)
        printed.seek(0)
        first = json.loads(printed.readline())
        return Plan(first, [line.rstrip("\n") for line in printed])


def shards(exe: str, table: str) -> int:
    """How many shards a table has."""
    return len(json.loads(run([exe, "info", "--json", table]))["details"]["shards"])


@contextlib.contextmanager
def held(exe: str, arguments: Sequence[str]) -> Iterator[Held]:
    """Has the binary hold the folder of parts for the block.

    It ends with its input, so with this program in any case, and then says how to go on.
    """
    command = [exe, "cluster", "hold", *arguments]
    # In a session of its own, so that Ctrl-C ends the tasks first.
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as child:
        printed = child.stdout.readline() if child.stdout else ""
        if not printed:
            raise Failed("", child.wait())
        yield Held(**json.loads(printed))


def commit(exe: str, parts: str, flags: Sequence[str], since: float) -> None:
    """Has the binary check all parts and make the table appear; its summary has the job's time."""
    run([exe, "cluster", "commit", "--parts", parts, *spent(since), *flags], shown=True)


def gather(exe: str, parts: str, flags: Sequence[str], since: float) -> None:
    """Has the binary put exports of shards together; its summary has the job's time."""
    run([exe, "cluster", "gather", parts, *spent(since), *flags], shown=True)


def spent(since: float) -> tuple[str, str]:
    """The time since the job began, as a flag."""
    return ("--spent", f"{time.monotonic() - since:.2f}")


def run(
    command: Sequence[str], *, shown: bool = False, stdout: IO[str] | int = subprocess.PIPE
) -> str:
    """Runs a command whose stderr, and stdout where it is shown, are the user's."""
    child = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=None if shown else stdout, text=True
    )
    try:
        printed, _ = child.communicate()
    except KeyboardInterrupt:
        child.send_signal(signal.SIGINT)
        raise
    finally:
        child.wait()
    if child.returncode != 0:
        raise Failed("", child.returncode)
    return printed or ""

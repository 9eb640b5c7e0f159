"""Processes, as Linux shows them below /proc."""

import contextlib
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

SECONDS_TO_VANISH = 15


def parent(pid: int) -> int:
    """The parent of a process."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def ancestors(pid: int) -> Iterator[int]:
    """The parent of a process, its parent, and so on to the first process."""
    while pid > 1:
        pid = parent(pid)
        yield pid


def children(pid: int) -> list[int]:
    """Processes that a process has started."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def session(leader: int) -> list[str]:
    """The running processes of a session, `PID NAME`."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "stat").read_text()
        except OSError:
            continue
        name, _, rest = line.rpartition(")")
        state, _parent, _group, of = rest.split()[:4]
        if int(of) == leader and state != "Z":
            found.append(f"{folder.name} {name.partition('(')[2]}")
    return found


def command(pid: int) -> str:
    """The command line of a process, its words separated by NUL; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""


def is_java(pid: int) -> bool:
    """Whether a process is a JVM."""
    return os.path.basename(command(pid).partition("\0")[0]) == "java"


def naming(*texts: str) -> list[int]:
    """Other processes with all these texts in their command lines."""
    pids = [int(entry) for entry in os.listdir("/proc") if entry.isdigit()]
    own = {os.getpid(), *ancestors(os.getpid())}
    return [pid for pid in pids if pid not in own and all(text in command(pid) for text in texts)]


def wait_until(holds: Callable[[], object], seconds: float) -> bool:
    """Whether something holds within some seconds."""
    until = time.monotonic() + seconds
    while not (held := holds()) and time.monotonic() < until:
        time.sleep(0.05)
    return bool(held)


def vanished(*texts: str) -> bool:
    """Whether all processes that name the texts end within seconds."""
    return wait_until(lambda: not naming(*texts), SECONDS_TO_VANISH)


def left_of(leader: int, seconds: float) -> list[str]:
    """The processes of a session that do not end by themselves within some seconds."""
    wait_until(lambda: not session(leader), seconds)
    return session(leader)


def free_port(address: str) -> int:
    """A port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind((address, 0))
        return probe.getsockname()[1]


def kill(pid: int) -> None:
    """SIGKILL, to a process that may have ended."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)

"""Programs that are killed: `kill -9` at a system call that strace counts, or after some seconds.

What is done afterwards is the judge's: the next run goes on, and what it leaves is compared with what
a run leaves that nothing has disturbed.
"""

import threading
from collections.abc import Sequence
from pathlib import Path

from judge.report import Failed
from judge.run import Ran, end, start

# In which a program ends that is not killed; it may be a build of millions of games.
SECONDS_MAX = 60_000

# The exit code, and the fault as strace has it.
KILLED = -9
KILL = "signal=KILL"


class Missed(Exception):
    """The fault did not happen in this run, so the case says nothing."""


def must_be_killed(ran: Ran) -> None:
    """The fault met the program: it has ended by it, and by nothing else."""
    if ran.code == 0:
        raise Missed
    if ran.code != KILLED:
        raise Failed(f"was not killed: {ran.how}")


def run_and_kill(
    command: Sequence[object], seconds: float | None, folder: Path | None = None, given: bytes = b""
) -> Ran:
    """Runs a program, and kills it after some seconds if it has not ended by then."""
    process = start(command, folder, given=given)
    killer = threading.Timer(seconds or 0, process.kill)
    if seconds is not None:
        killer.start()
    try:
        return end(process, SECONDS_MAX, given)
    finally:
        killer.cancel()

"""A player at the other end of pipes, with a deadline for everything it is asked."""

import contextlib
import os
import select
import signal
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from judge.processes import left_of
from judge.report import Failed

SECONDS_TO_ANSWER = 20.0

# Lines of an answer that are kept; some engines print without end.
LINES_MAX = 2000
BYTES_MAX = 100_000


class Silent(Failed):
    """A player that owes an answer, because it takes too long or has ended."""

    def __init__(self, why: str, lines: Iterable[str]) -> None:
        """`lines` are the last that it printed."""
        self.lines = list(lines)
        super().__init__(f"{why}; the last lines are {self.lines[-3:]}")


@dataclass(frozen=True)
class Ended:
    """How a player ended."""

    # `None` if it had to be killed.
    code: int | None
    # From when it was waited for.
    seconds: float
    # What it printed on standard error.
    errors: str
    # Processes of its session that are still there.
    left: list[str]


class Pipe:
    """A player in a session of its own, so that what it leaves behind can be found."""

    def __init__(self, command: list[str]) -> None:
        """Starts it."""
        # It is closed when the player has ended.
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            start_new_session=True,
            bufsize=0,
        )
        self.rest = b""

    def say(self, *lines: str) -> None:
        """Writes lines. A player that no longer reads them is judged by how it ends."""
        assert self.process.stdin
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())

    def read_to(self, first: str, seconds: float = SECONDS_TO_ANSWER) -> list[str]:
        """The lines up to the one that begins with `first`."""
        deadline = time.monotonic() + seconds
        lines: deque[str] = deque(maxlen=LINES_MAX)
        while not lines or not lines[-1].startswith(first):
            left = deadline - time.monotonic()
            if left < 0 or (b"\n" not in self.rest and not self.is_readable(left)):
                raise Silent(f"no `{first}` within {seconds:.0f} s", lines)
            line = self.read_line()
            if line is None:
                raise Silent(f"it ended before `{first}`: {self.said_of_errors()}", lines)
            lines.append(line)
        return list(lines)

    def ask(self, first: str, *lines: str) -> list[str]:
        """Writes lines, and reads the answer up to the line that begins with `first`."""
        self.say(*lines)
        return self.read_to(first)

    def is_readable(self, seconds: float) -> bool:
        """Whether it prints something, or ends, in this time."""
        return bool(select.select([self.process.stdout], [], [], seconds)[0])

    def read_line(self) -> str | None:
        """The next line; `None` at the end."""
        assert self.process.stdout
        while b"\n" not in self.rest:
            read = os.read(self.process.stdout.fileno(), 1 << 16)
            if not read:
                return None
            self.rest += read
        line, _, self.rest = self.rest.partition(b"\n")
        return line.decode("utf-8", "replace").rstrip("\r")

    def said_of_errors(self) -> str:
        """What it printed on standard error."""
        self.errors.seek(0)
        return self.errors.read().decode("utf-8", "replace")

    def read_all(self, seconds: float) -> bytes:
        """The last of what it prints until it ends, or for some seconds."""
        assert self.process.stdout
        deadline = time.monotonic() + seconds
        last, self.rest = self.rest, b""
        while (left := deadline - time.monotonic()) > 0:
            if self.is_readable(left):
                read = os.read(self.process.stdout.fileno(), 1 << 16)
                if not read:
                    break
                last = (last + read)[-BYTES_MAX:]
        return last

    def end(self, seconds: float) -> Ended:
        """Waits until it ends; what is left then is named and killed."""
        begun = time.monotonic()
        try:
            code: int | None = self.process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            code = None
        took = time.monotonic() - begun
        left = [] if code is None else left_of(self.process.pid, 1)
        if code is None or left:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        errors = self.said_of_errors()
        for stream in (self.process.stdin, self.process.stdout, self.errors):
            if stream:
                stream.close()
        return Ended(code, took, errors, left)

    def quit(self) -> None:
        """Ends the player, which must have nothing to complain about."""
        self.say("quit")
        ended = self.end(SECONDS_TO_ANSWER)
        if ended.code != 0 or ended.left or ended.errors:
            raise Failed(f"after quit: {ended}")


def begin_and_quit(command: list[str]) -> None:
    """Starts a player and ends it, so that it does what it has left to do."""
    pipe = Pipe(command)
    pipe.ask("uciok", "uci")
    pipe.quit()

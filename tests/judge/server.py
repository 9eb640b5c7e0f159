"""A server of ours on loopback: started, asked, killed, started again at its port, and ended."""

import contextlib
import http.client
import json
import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlencode

from judge.report import Failed
from judge.run import Overdue, Ran, first_line, start, stopped

# In which a server listens, answers a request, and ends, also on a busy machine.
SECONDS_MAX = 20


class NotListening(Failed):
    """A server ended before it listened."""


class Server:
    """A server; all its clients are one to it, as they are of one machine."""

    def __init__(
        self,
        command: Sequence[object],
        folder: Path | None = None,
        *,
        token: str = "",
        seconds: float = SECONDS_MAX,
    ) -> None:
        """Starts it at a port that is free."""
        self.command, self.folder, self.seconds = [*map(str, command), "--listen"], folder, seconds
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.address, self.kills = "127.0.0.1:0", 0
        self.start()

    def start(self) -> None:
        """Starts it at the port that it had, and waits until it says where it listens."""
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 (it is closed when the server has ended)
        self.process = start([*self.command, self.address], self.folder, errors=self.errors)
        words = first_line(self.process, self.seconds).split()
        if not words or not words[0].startswith("http://"):
            raise NotListening(f"{' '.join(self.command)}: {words}: {self.ended().how}")
        self.address = words[0].removeprefix("http://").split("/")[0].rstrip(":,")
        # `exchange` names its book, which its clients send with what they ask.
        self.headers["Tabia-Book"] = words[3].rstrip(":")

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://{self.address}"

    @property
    def port(self) -> int:
        """Its port."""
        return int(self.address.rpartition(":")[2])

    def ask(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
        """Status and body of an answer; `OSError` or `HTTPException` where there is none."""
        with contextlib.closing(http.client.HTTPConnection(self.address, timeout=self.seconds)) as connection:
            connection.request(method, path, body, self.headers)
            answer = connection.getresponse()
            return answer.status, answer.read()

    def get(self, path: str, fields: Mapping[str, object] | None = None) -> bytes:
        """The body of an answer that must be 200."""
        path = f"{path}?{urlencode(fields)}" if fields else path
        status, body = self.ask("GET", path)
        if status != 200:
            raise Failed(f"GET {path}: {status} {body!r}")
        return body

    def json(self, path: str, fields: Mapping[str, object] | None = None) -> Any:  # noqa: ANN401
        """The JSON of an answer that must be 200."""
        return json.loads(self.get(path, fields))

    def kill(self) -> None:
        """Kills it with SIGKILL, if it runs."""
        if self.process.poll() is None:
            self.process.kill()
            self.ended()
            self.kills += 1

    def pids(self) -> list[int]:
        """What a signal goes to that is to end it."""
        return [self.process.pid] if self.process.poll() is None else []

    def end(self) -> Ran:
        """Ends it as a user does; how it ended."""
        for pid in self.pids():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
        return self.ended()

    def stop(self) -> None:
        """Ends it, which must be with success."""
        if (ran := self.end()).code != 0:
            raise Failed(f"the server ended: {ran.how}")

    def ended(self) -> Ran:
        """How it has ended, if it does within its time."""
        try:
            out, _ = self.process.communicate(timeout=self.seconds)
        except subprocess.TimeoutExpired:
            raise Overdue(f"SIGTERM does not end it{stopped(self.process)}") from None
        with self.errors:
            self.errors.seek(0)
            return Ran(self.process.returncode, out, self.errors.read().decode("utf-8", "replace"))

    def __enter__(self) -> Self:
        """The server itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends it, if that is still to be done; it must end in time and with success."""
        if not self.errors.closed:
            _ = self.end() if error else self.stop()

    def status(self, name: str) -> int:
        """A line of what Linux knows of its memory, in KiB: `RssAnon`, or the peak `VmHWM`."""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"{name}:\s+(\d+)", text)[1])

    def resident_mib(self) -> float:
        """Memory that is not of a file, MiB."""
        return self.status("RssAnon") / 1024

    def descriptors(self) -> int:
        """Files and connections that it has open."""
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))

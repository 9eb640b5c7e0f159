"""`tabia exchange` under judgement: started, asked, killed and started again at the same port."""

from __future__ import annotations

import http.client
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

from place import Failed

SECONDS_TO_ANSWER = 20
SECONDS_TO_END = 60


class Server:
    """The server; all its clients are one to it, as they are of one machine."""

    def __init__(self, binary: Path, folder: Path, *flags: object) -> None:
        """Starts it at a port that is free."""
        words = [binary, "exchange", folder, *flags, "--quiet", "--requests-a-minute", 1_000_000]
        self.command = [*map(str, words), "--listen"]
        self.address, self.kills = "127.0.0.1:0", 0
        self.start()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://{self.address}"

    def start(self) -> None:
        """Starts it at the port that it had."""
        command = [*self.command, self.address]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        words = self.process.stdout.readline().split() if self.process.stdout else []
        if len(words) < 4:
            raise Failed(f"the server did not start: {words}")
        self.address = words[0].removeprefix("http://").rstrip("/:,")
        self.book = words[3].rstrip(":")

    def kill(self) -> None:
        """Kills it with SIGKILL."""
        self.process.kill()
        self.process.wait()
        self.kills += 1

    def stop(self) -> None:
        """Ends it as a user does."""
        self.process.terminate()
        if (code := self.process.wait(timeout=SECONDS_TO_END)) != 0:
            raise Failed(f"the server's exit code is {code}")

    def ask(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
        """One request; `OSError` or `HTTPException` where there is no answer."""
        connection = http.client.HTTPConnection(self.address, timeout=SECONDS_TO_ANSWER)
        try:
            connection.request(method, path, body, {"Tabia-Book": self.book})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def get(self, path: str) -> bytes:
        """The body of an answer that must be 200."""
        status, body = self.ask("GET", path)
        if status != 200:
            raise Failed(f"GET {path}: {status} {body!r}")
        return body

    def records(self) -> Iterator[dict]:
        """All records."""
        last = 0
        while lines := self.get(f"/records?after={last}").splitlines():
            for line in lines:
                record = json.loads(line)
                last = record["number"]
                yield record

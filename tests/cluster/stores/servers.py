"""Processes that serve a protocol on loopback, and requests to them."""

import socket
import subprocess
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from judge import processes

SECONDS_TO_START = 60


class Server:
    """A process that listens on loopback until all are ended."""

    running: ClassVar[list[subprocess.Popen]] = []

    def __init__(self, command: list[str], port: int, log: Path) -> None:
        """Starts it, and waits until it accepts connections."""
        self.command, self.port = command, port
        self.address = f"127.0.0.1:{port}"
        self.log = log
        with log.open("wb") as file:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=file, stderr=file, cwd=log.parent
            )
        self.running.append(self.process)
        processes.wait_until(lambda: self.process.poll() is not None or self.listens(), SECONDS_TO_START)
        if not self.listens():
            raise RuntimeError(f"{command[0]} does not start: {log.read_text('utf-8')[-1000:]}")

    def listens(self) -> bool:
        """Whether it accepts connections."""
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    @classmethod
    def end_all(cls) -> None:
        """Ends all servers that were started."""
        while cls.running:
            process = cls.running.pop()
            process.kill()
            process.wait()


def send(url: str, body: bytes, method: str, headers: Mapping[str, str]) -> bytes:
    """The answer to a request that must succeed."""
    request = urllib.request.Request(url, body or None, dict(headers), method=method)
    with urllib.request.urlopen(request) as answer:
        return answer.read()

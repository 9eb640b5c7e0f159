"""A `tabia serve` under judgement: started, asked, measured and ended."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
from pathlib import Path
from types import TracebackType
from urllib.parse import urlencode


class Server:
    """`tabia serve` at a port of its own."""

    def __init__(self, binary: Path, *arguments: object) -> None:
        """Starts it, and waits until it says where it listens."""
        command = [str(binary), "serve", *map(str, arguments), "--listen", "127.0.0.1:0"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline() if self.process.stdout else ""
        found = re.match(r"http://127\.0\.0\.1:(\d+)(?:/#token=\w+)? ", line)
        if found is None:
            raise RuntimeError(f"{' '.join(command)}: {line!r}")
        self.port = int(found[1])
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Server:
        """The server itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends it; it must end in time and with success."""
        self.process.terminate()
        code = self.process.wait(timeout=20)
        if code != 0 and error is None:
            raise RuntimeError(f"it ended with {code}")

    def get(self, path: str, fields: dict[str, object] | None = None) -> tuple[int, bytes]:
        """Status and body of a request."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("GET", f"{path}?{urlencode(fields)}" if fields else path)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def json(self, path: str, fields: dict[str, object] | None = None) -> dict:
        """The JSON of an answer that must be 200."""
        status, body = self.get(path, fields)
        if status != 200:
            raise RuntimeError(f"{path} {fields}: {status} {body!r}")
        return json.loads(body)

    def resident_mib(self) -> float:
        """Memory that is not of a file, MiB."""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"RssAnon:\s+(\d+)", text)[1]) / 1024

    def descriptors(self) -> int:
        """Files and connections that it has open."""
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))

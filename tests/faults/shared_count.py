"""The steps of a count that machines share, by hand, up to the lines of its parts."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path


def share(binary: Path, folder: Path, pgn: str, table: str) -> bytes:
    """Plans, maps and reduces the count of a file; the lines that `cluster commit` reads."""

    def step(*words: str, given: bytes = b"") -> bytes:
        command = [str(binary), "cluster", *words]
        ran = subprocess.run(command, cwd=folder, input=given, capture_output=True, check=False)
        if ran.returncode != 0:
            raise SystemExit(f"tabia cluster {' '.join(words)}: {ran.stderr.decode()}")
        return ran.stdout

    lines = step("plan", pgn, "-o", table, "--shards", "2", "--chunk", "20KiB", "-fq").splitlines()
    chunks = [json.loads(line) for line in lines]
    temporary = ("--temp-dir", "..", "-j", "1", "--memory", "24MiB")
    streams = [
        step("map", *temporary, "--chunk", line.decode(), *chunk["flags"]["map"])
        for line, chunk in zip(lines, chunks, strict=True)
    ]
    plan = ("--plan", chunks[0]["plan"], "--attempt", "first")
    given = b"".join(streams)
    return step("reduce", *temporary, *plan, *chunks[0]["flags"]["reduce"], given=given)

"""A count by plan, map, reduce and commit, each run by hand, with streams in files."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow
import pyarrow.compute
import pyarrow.ipc

from cases import Failed, must_say

SECONDS_MAX = 300


@dataclass(frozen=True)
class Ran:
    """How a command ended."""

    code: int
    out: bytes
    err: str


@dataclass
class Job:
    """A count on a cluster, step by step; each step may have an environment of its own."""

    binary: Path
    folder: Path
    environment: Mapping[str, str]
    chunks: list[dict] = field(default_factory=list)
    lines: list[bytes] = field(default_factory=list)

    def run(self, *arguments: object, given: bytes = b"") -> Ran:
        """Runs the binary to its end."""
        command = [str(self.binary), *map(str, arguments)]
        kept = {key: value for key, value in os.environ.items() if not key.startswith(PREFIXES)}
        done = subprocess.run(
            command,
            input=given,
            env={**kept, **self.environment, "NO_PROXY": "127.0.0.1"},
            capture_output=True,
            timeout=SECONDS_MAX,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))

    def plan(self, *arguments: object) -> Ran:
        """Keeps the chunks for the next steps."""
        ran = self.run("cluster", "plan", *arguments)
        self.chunks = [json.loads(line) for line in ran.out.splitlines()] if ran.code == 0 else []
        return ran

    def map(self, chunk: dict) -> Ran:
        """Maps one chunk; keeps its stream in a file."""
        flags = ("--chunk", json.dumps(chunk), *chunk["flags"]["map"], "--temp-dir", self.folder)
        ran = self.run("cluster", "map", *flags)
        if ran.code == 0:
            self.stream(chunk["chunk"]).write_bytes(ran.out)
        return ran

    def stream(self, chunk: int) -> Path:
        """Where the stream of a chunk is."""
        return self.folder / f"chunk-{chunk}.arrows"

    def reduce(self, attempt: str, of: int = 2) -> list[Ran]:
        """Reduces the buckets in `of` tasks; keeps the lines of the shards."""
        records = self.records()
        plan, flags = self.chunks[0]["plan"], self.chunks[0]["flags"]["reduce"]
        arguments = ("cluster", "reduce", "--plan", plan, *flags, "--temp-dir", self.folder)
        ran = []
        for task in range(of):
            name = f"{attempt}-{task}"
            given = whole_buckets(records, task, of)
            ran.append(self.run(*arguments, "--attempt", name, given=given))
        self.lines = [line for one in ran for line in one.out.splitlines()]
        return ran

    def records(self) -> pyarrow.Table:
        """The records of all chunks."""
        streams = [self.stream(chunk["chunk"]) for chunk in self.chunks]
        return pyarrow.concat_tables(pyarrow.ipc.open_stream(path).read_all() for path in streams)

    def commit(self) -> Ran:
        """Lets the table appear."""
        given = b"".join(line + b"\n" for line in self.lines)
        return self.run("cluster", "commit", *self.chunks[0]["flags"]["commit"], given=given)

    def all(self, *arguments: object, attempt: str = "a") -> Ran:
        """All steps; the commit, or the first step that fails."""
        planned = self.plan(*arguments)
        if planned.code != 0:
            return planned
        for ran in (*map(self.map, self.chunks), *self.reduce(attempt)):
            if ran.code != 0:
                return ran
        return self.commit()


# The variables that clients of object stores read.
PREFIXES = ("AWS_", "AZURE_", "AZURITE_", "GOOGLE_", "SSL_CERT_")


def whole_buckets(records: pyarrow.Table, task: int, of: int) -> bytes:
    """The stream of the buckets of one task."""
    own = [bucket % of == task for bucket in records["bucket"].to_pylist()]
    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, records.schema) as writer:
        for batch in records.filter(pyarrow.array(own)).to_batches(max_chunksize=4):
            writer.write_batch(batch)
    return sink.getvalue().to_pybytes()


def must_succeed(ran: Ran) -> None:
    """It exited with 0."""
    if ran.code != 0:
        raise Failed(f"exit {ran.code}: {ran.err[-1500:]}")


def must_fail(ran: Ran, *words: str, code: int = 1) -> None:
    """It exited with a code and one message that has these words and no secret."""
    must_say(ran.code, ran.err, words, code)

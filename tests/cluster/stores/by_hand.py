"""A count by plan, map, reduce and commit, each run by hand, with streams in files."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.compute
import pyarrow.ipc

from judge.run import Ran, run
from judge.shared_count import Plan

SECONDS_MAX = 300


@dataclass
class Job:
    """A count on a cluster, step by step; each step may have an environment of its own."""

    binary: Path
    folder: Path
    environment: Mapping[str, str]
    steps: Plan = field(default_factory=lambda: Plan(""))
    lines: list[bytes] = field(default_factory=list)

    @property
    def chunks(self) -> list[dict[str, Any]]:
        """The chunks of the plan."""
        return self.steps.chunks

    def run(self, *arguments: object, given: bytes = b"") -> Ran:
        """Runs the binary to its end."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith(PREFIXES)}
        env = {**kept, **self.environment, "NO_PROXY": "127.0.0.1"}
        return run([self.binary, *arguments], given=given, env=env, seconds=SECONDS_MAX)

    def plan(self, *arguments: object) -> Ran:
        """Keeps the chunks for the next steps."""
        ran = self.run("cluster", "plan", *arguments)
        self.steps = Plan(ran.text if ran.code == 0 else "")
        return ran

    def map(self, chunk: dict) -> Ran:
        """Maps one chunk; keeps its stream in a file."""
        ran = self.run(*self.steps.map(self.steps.lines[chunk["chunk"]]), "--temp-dir", self.folder)
        if ran.code == 0:
            self.stream(chunk["chunk"]).write_bytes(ran.out)
        return ran

    def stream(self, chunk: int) -> Path:
        """Where the stream of a chunk is."""
        return self.folder / f"chunk-{chunk}.arrows"

    def reduce(self, attempt: str, of: int = 2) -> list[Ran]:
        """Reduces the buckets in `of` tasks; keeps the lines of the shards."""
        records, ran = self.records(), []
        for task in range(of):
            step = (*self.steps.reduce(f"{attempt}-{task}"), "--temp-dir", self.folder)
            ran.append(self.run(*step, given=whole_buckets(records, task, of)))
        self.lines = [line for one in ran for line in one.out.splitlines()]
        return ran

    def records(self) -> pyarrow.Table:
        """The records of all chunks."""
        streams = [self.stream(chunk["chunk"]) for chunk in self.chunks]
        return pyarrow.concat_tables(pyarrow.ipc.open_stream(path).read_all() for path in streams)

    def commit(self) -> Ran:
        """Lets the table appear."""
        return self.run(*self.steps.commit(), given=b"".join(line + b"\n" for line in self.lines))

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

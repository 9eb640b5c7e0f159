"""Where a case works: the programs, the cluster, and what tables there should be."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import chaos
from cases import Failed, Folders, files, must_be_same, must_say
from chaos import Fault
from inputs import Inputs
from judge import processes
from standalone import Cluster

SECONDS_MAX = 180


@dataclass(frozen=True)
class Ran:
    """How a command ended."""

    code: int
    out: str
    err: str
    seconds: float


@dataclass(kw_only=True)
class Place(Folders):
    """The programs under judgement, and a folder."""

    binary: Path
    inputs: Inputs
    cluster: Cluster
    counted: dict[tuple[str, ...], Path] = field(default_factory=dict)

    def fault(self, kind: str, verb: str, **when: object) -> Fault:
        """The binary with a fault, of which a new folder has the journal."""
        folder = self.new_folder(kind.replace(" ", "-")) / "exe"
        settings = {"after": 0, "times": 1, **when}
        return Fault(kind, verb, binary=str(self.binary), folder=str(folder), **settings)

    def tabia(self, *arguments: object, folder: Path | None = None) -> Ran:
        """The binary alone."""
        return run([str(self.binary), *map(str, arguments)], folder or self.folder)

    def command(self, *arguments: object, fault: Fault | None = None, **conf: str) -> list[str]:
        """A command line of `tabia-spark` for the cluster."""
        exe = chaos.install(fault) if fault else self.binary
        command = [sys.executable, "-m", "tabia_spark"]
        if arguments[0] != "run":  # a recipe says where
            command += ["--master", self.cluster.url]
        for key, value in {**CONF, **conf}.items():
            command += ["--conf", f"spark.{key.replace('_', '.')}={value}"]
        return [*command, "--exe", str(exe), *map(str, arguments)]

    def spark(
        self, *arguments: object, fault: Fault | None = None, folder: Path | None = None, **conf: str
    ) -> Ran:
        """`tabia-spark` on the cluster, of whose tasks nothing must be left."""
        ran = run(self.command(*arguments, fault=fault, **conf), folder or self.folder)
        self.must_be_quiet()
        self.cluster.mend()
        return ran

    def must_be_quiet(self) -> None:
        """No task is left, struck or not."""
        for text in ("cluster\0map", "cluster\0reduce"):
            if not processes.vanished(str(self.folder), text):
                raise Failed(f"still running: {processes.naming(str(self.folder), text)}")

    def expected(self, files: Sequence[Path], flags: Sequence[str]) -> Path:
        """The table that one thread of one machine makes."""
        key = (*map(str, files), *flags)
        if key not in self.counted:
            table = self.new_folder("expected") / "games.table"
            ran = self.tabia("count", *files, *flags, "-o", table, "-j", 1, "--quiet")
            if ran.code != 0:
                raise Failed(f"tabia count: exit {ran.code}: {ran.err}")
            self.counted[key] = table
        return self.counted[key]


# Small, and quick to ask again for what a lost worker had.
CONF = {"executor_memory": "512m", "shuffle_io_retryWait": "1s"}


def run(command: Sequence[str], folder: Path) -> Ran:
    """Runs a command to its end."""
    begun = time.monotonic()
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"SPARK_LOCAL_DIRS": tempfile.gettempdir()},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr, time.monotonic() - begun)


def must_equal(ran: Ran, table: Path, expected: Path, beside: frozenset[str] = frozenset()) -> None:
    """The run succeeded, its table has the expected bytes, and nothing else is beside it."""
    if ran.code != 0:
        raise Failed(f"exit {ran.code}: {ran.err[-1500:]}")
    must_be_same(files(table), expected)
    must_be_alone(table, {table.name, *beside})


def must_fail(ran: Ran, table: Path, *words: str, code: int = 1) -> None:
    """The run failed with these words in a short message, and there is no table."""
    must_say(ran.code, ran.err, words, code)
    if table.exists():
        raise Failed(f"{table} is there after a failure")


def must_be_alone(table: Path, names: set[str]) -> None:
    """Nothing is beside the table but lock files, which stay by design, and the fault."""
    beside = {path.name for path in table.parent.iterdir()}
    left = {name for name in beside - names - {"exe"} if not name.endswith(".tabia-lock")}
    if left:
        raise Failed(f"left beside {table}: {sorted(left)}")

"""Where a case works: the programs, the cluster, and what tables there should be."""

import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import chaos
from chaos import Fault
from expected import Tables, must_be_same, must_say, must_succeed
from inputs import Inputs
from judge import processes
from judge.compare import LOCK, contents
from judge.report import Failed
from judge.run import Ran, run
from standalone import Cluster

SECONDS_MAX = 180


@dataclass(kw_only=True)
class Place(Tables):
    """The programs under judgement, and a folder."""

    inputs: Inputs
    cluster: Cluster
    seconds: int = SECONDS_MAX
    """In which a program ends."""

    def fault(self, kind: str, verb: str, **when: object) -> Fault:
        """The binary with a fault, of which a new folder has the journal."""
        folder = self.new_folder(kind.replace(" ", "-")) / "exe"
        settings = {"after": 0, "times": 1, **when}
        return Fault(kind, verb, binary=str(self.binary), folder=str(folder), **settings)

    def tabia(self, *arguments: object, folder: Path | None = None) -> Ran:
        """The binary alone."""
        return run([self.binary, *arguments], folder or self.folder, seconds=self.seconds)

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
        env = os.environ | {"SPARK_LOCAL_DIRS": tempfile.gettempdir()}
        command = self.command(*arguments, fault=fault, **conf)
        ran = run(command, folder or self.folder, env=env, seconds=self.seconds)
        self.must_be_quiet()
        self.cluster.mend()
        return ran

    def must_be_quiet(self) -> None:
        """No task is left, struck or not."""
        for text in ("cluster\0map", "cluster\0reduce"):
            if not processes.vanished(str(self.folder), text):
                raise Failed(f"still running: {processes.naming(str(self.folder), text)}")


# Small, and quick to ask again for what a lost worker had.
CONF = {"executor_memory": "512m", "shuffle_io_retryWait": "1s"}


def must_equal(ran: Ran, table: Path, expected: Path, beside: frozenset[str] = frozenset()) -> None:
    """The run succeeded, its table has the expected bytes, and nothing else is beside it."""
    must_succeed(ran)
    must_be_same(contents(table), expected)
    # Nothing but lock files, which stay by design, and the fault.
    left = {path.name for path in table.parent.iterdir() if not path.name.endswith(LOCK)}
    if left := left - {table.name, "exe", *beside}:
        raise Failed(f"left beside {table}: {sorted(left)}")


def must_fail(ran: Ran, table: Path, *words: str, code: int = 1) -> None:
    """The run failed with these words in a short message, and there is no table."""
    must_say(ran, *words, code=code)
    if table.exists():
        raise Failed(f"{table} is there after a failure")

"""A real Spark cluster on this machine: a master, and workers of one core each.

Each worker has a loopback address and folders of its own: workers of one address would read each
other's shuffle files on the disk, and a lost worker's would not be missed.
"""

import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import pyspark

from judge import processes

MASTER = "127.0.0.1"
WORKERS = ("127.0.0.11", "127.0.0.12")
SECONDS_TO_START = 60
SPARK_HOME = Path(pyspark.__file__).parent
PACKAGE = "org.apache.spark.deploy"


class NotStarted(Exception):
    """The cluster did not come up."""


@dataclass
class Cluster:
    """The processes, which are started and ended here and nowhere else."""

    folder: Path
    port: int = 0
    daemons: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """What `--master` is given."""
        return f"spark://{MASTER}:{self.port}"

    def __enter__(self) -> Self:
        """Starts the master and the workers, and waits until the workers are registered."""
        self.folder.mkdir()
        self.port = processes.free_port(MASTER)
        self.spawn(MASTER, "master.Master", "--port", str(self.port), "--webui-port", "0")
        try:
            self.wait(MASTER, "I have been elected leader")
            self.mend()
        except NotStarted:
            self.__exit__()
            raise
        return self

    def mend(self) -> None:
        """Starts the workers that are not running."""
        for address in WORKERS:
            if not self.runs(address):
                cores = ("--cores", "1", "--memory", "1500M")
                where = ("--work-dir", str(self.folder / f"work-{address}"))
                ports = ("--port", "0", "--webui-port", "0")
                self.spawn(address, "worker.Worker", *ports, *cores, *where, self.url)
                self.wait(address, "Successfully registered with master")

    def runs(self, address: str) -> bool:
        """Whether the daemon of an address is there."""
        return address in self.daemons and self.daemons[address].poll() is None

    def spawn(self, address: str, daemon: str, *arguments: str) -> None:
        """Starts a daemon at its address."""
        command = [str(SPARK_HOME / "bin/spark-class"), f"{PACKAGE}.{daemon}", "--host", address]
        env = os.environ | {
            "SPARK_HOME": str(SPARK_HOME),
            "SPARK_LOCAL_IP": address,
            "SPARK_LOCAL_DIRS": str(self.local_dir(address)),
            "SPARK_DAEMON_MEMORY": "256m",
            "PYSPARK_PYTHON": sys.executable,
        }
        self.local_dir(address).mkdir(parents=True, exist_ok=True)
        with self.log(address).open("wb") as log:
            self.daemons[address] = subprocess.Popen(
                [*command, *arguments], env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def local_dir(self, address: str) -> Path:
        """Where a worker has its shuffle files and the binary its spilled runs."""
        return self.folder / f"local-{address}"

    def log(self, address: str) -> Path:
        """The log of a daemon since it was last started."""
        return self.folder / f"{address}.log"

    def wait(self, address: str, text: str) -> None:
        """Waits until a daemon's log has a text."""

        def said() -> bool:
            return text in self.log(address).read_text("utf-8", "replace")

        processes.wait_until(lambda: said() or not self.runs(address), SECONDS_TO_START)
        if not said():
            tail = self.log(address).read_text("utf-8", "replace")[-2000:]
            raise NotStarted(f"Spark at {address}: no {text!r} in its log:\n{tail}")

    def __exit__(self, *_: object) -> None:
        """Ends what is running, workers first; they end their executors."""
        for daemon in reversed(self.daemons.values()):
            if daemon.poll() is None:
                daemon.send_signal(signal.SIGTERM)
                try:
                    daemon.wait(20)
                except subprocess.TimeoutExpired:
                    daemon.kill()
                    daemon.wait()
        if not processes.vanished(str(self.folder)):
            raise NotStarted(f"still running: {processes.naming(str(self.folder))}")

"""The binary with a fault: given as `--exe`, it strikes in one task and is the binary otherwise.

The faults are here and not in the product: it has no switches for tests.
"""

import json
import os
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from judge import processes

SECONDS_SLOW = 300


@dataclass(frozen=True)
class Fault:
    """What strikes, and when."""

    kind: str
    """A name of `FAULTS`, or "none" to see only what begins."""
    verb: str
    """map or reduce."""
    after: int
    """Tasks of that verb that begin before it strikes."""
    times: int
    """Tasks that it strikes."""
    binary: str
    folder: str
    """Where the journal is, and the small disk."""
    worker: str = ""
    """The worker on which it strikes; empty for all."""


@dataclass(frozen=True)
class Task:
    """A task that began: what it did, on which worker, and whether it was struck."""

    verb: str
    chunk: int
    worker: str
    struck: bool


def install(fault: Fault) -> Path:
    """Writes the program with the fault; gives its path."""
    folder = Path(fault.folder)
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "tabia"
    here = Path(__file__).parent
    program.write_text(
        f"#!{sys.executable}\n"
        f"import sys\nsys.path[:0] = {[str(here), str(here.parent)]!r}\n"
        f"import chaos\nchaos.strike(chaos.Fault(**{asdict(fault)!r}))\n"
    )
    program.chmod(0o755)
    return program


def journal(fault: Fault) -> list[Task]:
    """All tasks that began, in their order."""
    path = Path(fault.folder) / "journal"
    text = path.read_text() if path.exists() else ""
    return [Task(**json.loads(line)) for line in text.splitlines()]


def strike(fault: Fault) -> None:
    """Runs as the binary; in the task that is named, with the fault."""
    verb = sys.argv[2] if sys.argv[1] == "cluster" else ""
    struck = False
    if verb in ("map", "reduce"):
        worker = os.environ["SPARK_LOCAL_IP"]
        struck = verb == fault.verb and fault.worker in ("", worker) and is_struck(fault, verb)
        with open(f"{fault.folder}/journal", "a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(Task(verb, chunk_number(), worker, struck))) + "\n")
    if struck:
        FAULTS[fault.kind](fault)
    os.execv(fault.binary, [fault.binary, *sys.argv[1:]])


def is_struck(fault: Fault, verb: str) -> bool:
    """Whether this task is one of those that are struck; each place is taken once."""
    if sum(task.verb == verb for task in journal(fault)) < fault.after:
        return False
    for place in range(fault.times):
        try:
            os.close(os.open(f"{fault.folder}/struck-{place}", os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            continue
        return True
    return False


def chunk_number() -> int:
    """The chunk of a map; -1 of a reduce."""
    if "--chunk" not in sys.argv:
        return -1
    return json.loads(sys.argv[sys.argv.index("--chunk") + 1])["chunk"]


def kill_worker(_fault: Fault) -> None:
    """Kills the executor and the worker above this task, and wipes their shuffle files."""
    executor, worker = list(filter(processes.is_java, processes.ancestors(os.getpid())))[:2]
    folders = os.environ["SPARK_EXECUTOR_DIRS"].split(":")
    processes.kill(worker)
    processes.kill(executor)
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    time.sleep(SECONDS_SLOW)


def kill_executor(_fault: Fault) -> None:
    """Kills the executor above this task; its worker starts another."""
    processes.kill(next(filter(processes.is_java, processes.ancestors(os.getpid()))))
    time.sleep(SECONDS_SLOW)


def sleep(_fault: Fault) -> None:
    """A task that takes much longer than the others."""
    time.sleep(SECONDS_SLOW)


def fill_disk(fault: Fault) -> None:
    """Spills to a disk that has no room."""
    sys.argv[sys.argv.index("--temp-dir") + 1] = str(next(Path(fault.folder).glob("disk-*")))


def hide_folder(_fault: Fault) -> None:
    """Looks for the driver's folder where it is not, as on a machine that does not share it."""
    sys.argv[sys.argv.index("--parts") + 1] = "/nowhere/.games.table.parts"


def rewrite_input(_fault: Fault) -> None:
    """Another program writes the input anew, with results that are as long."""
    path = Path(json.loads(sys.argv[sys.argv.index("--chunk") + 1])["file"])
    path.write_bytes(path.read_bytes().replace(b'Result "1-0"', b'Result "0-1"'))


def spoil(fault: Fault) -> None:
    """Changes the stream of a map on its way to Spark."""
    import spoils  # noqa: PLC0415 (it imports pyarrow, for which most tasks need not wait)

    spoils.rewrite(fault.kind, [fault.binary, *sys.argv[1:]])


FAULTS: dict[str, Callable[[Fault], None]] = {
    "kill worker": kill_worker,
    "kill executor": kill_executor,
    "sleep": sleep,
    "fill disk": fill_disk,
    "hide folder": hide_folder,
    "rewrite input": rewrite_input,
    "drop a run": spoil,
    "double a run": spoil,
    "flip a bit": spoil,
    "drop the report": spoil,
}

"""Machines that die, are slow or have a full disk: the same bytes, as what was lost runs again."""

import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from subprocess import Popen

import chaos
from chaos import Fault
from expected import must_say
from judge import processes
from judge.disks import mounted
from judge.report import Case, Failed
from judge.run import Ran, end, start
from place import Place, must_equal, must_fail
from standalone import WORKERS

SPECULATION = {
    "speculation": "true",
    "speculation_interval": "200ms",
    "speculation_quantile": "0.5",
    "speculation_minTaskRuntime": "1s",
}

SMALL_DISK_BYTES = 4 << 10


def cases(place: Place, quick: bool) -> Iterator[Case]:
    """What becomes of a run while a machine is in trouble."""
    yield Case("a worker killed after maps it finished", partial(killed, place, "map", 4))
    yield Case("a worker killed in the reduce", partial(killed, place, "reduce", 4))
    yield Case("a slow map, with speculation", partial(slow, place, "map"))
    if not quick:
        yield Case("a slow reduce, with speculation", partial(slow, place, "reduce"))
        yield Case("a full disk on one worker", partial(full_disk, place, WORKERS[0]))
        yield Case("full disks everywhere", partial(full_disk, place, ""))
    yield Case("Ctrl-C", partial(interrupted, place))
    yield Case("a driver killed in the reduce, and --resume", partial(driver_killed, place))
    if not quick:
        yield Case("a folder that comes to be where the table is to be", partial(in_the_way, place))


def count(place: Place, fault: Fault, **conf: str) -> tuple[Ran, Path, Path]:
    """A count of both files under a fault; its table, and the expected one."""
    files = (place.inputs.large["plain"], place.inputs.small["gz"])
    table = Path(fault.folder).parent / "games.table"
    arguments = ("plan-and-count", *files, "-o", table, "--chunk", place.inputs.chunk)
    ran = place.spark(*arguments, fault=fault, **conf)
    return ran, table, place.expected(files, ())


def killed(place: Place, verb: str, after: int) -> str:
    """The executor and the worker above a task are killed, and their files wiped."""
    fault = place.fault("kill worker", verb, after=after)
    ran, table, expected = count(place, fault)
    must_equal(ran, table, expected)
    if "Lost executor" not in ran.err:
        raise Failed(f"no executor was lost: {ran.err[-1500:]}")
    tasks = chaos.journal(fault)
    struck = next(place for place, task in enumerate(tasks) if task.struck)
    # The task that was killed had not finished, so it does not count.
    done = {task.chunk for task in tasks[:struck] if task.worker == tasks[struck].worker}
    anew = {task.chunk for task in tasks[struck + 1 :] if task.verb == "map"} & done
    if not anew:
        raise Failed("no map that was finished ran again")
    return f"{len(anew)} finished maps ran again"


def slow(place: Place, verb: str) -> str:
    """One task hangs; Spark starts it a second time and drops the first."""
    fault = place.fault("sleep", verb, after=2)
    ran, table, expected = count(place, fault, **SPECULATION)
    must_equal(ran, table, expected)
    tasks = chaos.journal(fault)
    if not any(task.struck for task in tasks):
        raise Failed("no task was slow")
    chunks = Counter(task.chunk for task in tasks if task.verb == "map")
    if verb == "map" and max(chunks.values()) < 2:
        raise Failed("no map was started twice")
    return f"done after {ran.seconds:.0f} s"


def full_disk(place: Place, worker: str) -> str:
    """Merges spool to a disk without room: of one worker, then the other helps; or of both."""
    fault = place.fault("fill disk", "reduce", times=99, worker=worker)
    with mounted(Path(fault.folder), SMALL_DISK_BYTES) as disk:
        ran, table, expected = count(place, fault)
    struck = sum(task.struck for task in chaos.journal(fault))
    if not struck:
        raise Failed("no task met the full disk")
    if worker:
        must_equal(ran, table, expected)
    else:
        must_fail(ran, table, "not enough disk", str(disk))
    return f"{struck} tasks met it"


def begin(place: Place, fault: Fault) -> tuple[Popen[bytes], Path]:
    """Starts a count of the plain file under a fault; the process, and the table that is to be."""
    table = Path(fault.folder).parent / "games.table"
    command = place.command(*arguments_of(place, table), fault=fault)
    return start(command, place.folder), table


def arguments_of(place: Place, table: Path) -> tuple[object, ...]:
    """A count of the plain file into a table of eight shards."""
    file = place.inputs.large["plain"]
    return ("plan-and-count", file, "-o", table, "--chunk", place.inputs.chunk, *SHARDS)


SHARDS = ("--shards", "8")


def wait_for(run: Popen[bytes], happens: Callable[[], bool]) -> None:
    """Waits until something happens while a program runs."""
    while not happens():
        if run.poll() is not None:
            raise Failed(f"{end(run).how} too early")
        time.sleep(0.1)


def lines_beside(table: Path) -> list[Path]:
    """The lines of the shards that are done, beside their parts."""
    return list(table.parent.glob(".games.table.*.parts/part-*.json"))


def driver_killed(place: Place) -> str:
    """The driver gets SIGKILL while shards are done and others are not; the next one goes on."""
    fault = place.fault("sleep", "reduce", after=3)
    run, table = begin(place, fault)
    wait_for(run, lambda: any(task.struck for task in chaos.journal(fault)) and bool(lines_beside(table)))
    run.kill()
    run.wait()
    place.must_be_quiet()
    place.cluster.mend()
    done = len(lines_beside(table))
    watched = place.fault("none", "none")
    ran = place.spark(*arguments_of(place, table), "--resume", fault=watched)
    must_equal(ran, table, place.expected([place.inputs.large["plain"]], SHARDS))
    reduces = sum(task.verb == "reduce" for task in chaos.journal(watched))
    if not 0 < done < 8 or reduces != 8 - done:
        raise Failed(f"{reduces} reduces of 8 after {done} were done")
    return f"{done} shards were kept"


def in_the_way(place: Place) -> str:
    """The commit fails after all work; another one by hand makes the table of the parts."""
    fault = place.fault("none", "none")
    run, table = begin(place, fault)
    wait_for(run, lambda: any(task.verb == "reduce" for task in chaos.journal(fault)))
    table.mkdir()
    ran = end(run)
    must_say(ran, "games.table already exists", "8 of 8 shards are done", "cluster commit --parts", code=2)
    table.rmdir()
    must_equal(
        place.tabia("cluster", "commit", "--parts", lines_beside(table)[0].parent),
        table,
        place.expected([place.inputs.large["plain"]], SHARDS),
    )
    return ""


def interrupted(place: Place) -> str:
    """SIGINT ends the run with exit code 130, and no process and no table is left."""
    fault = place.fault("sleep", "map", after=2)
    run, table = begin(place, fault)
    wait_for(run, lambda: any(task.struck for task in chaos.journal(fault)))
    begun = time.monotonic()
    run.send_signal(signal.SIGINT)
    ran = end(run)
    seconds = time.monotonic() - begun
    must_fail(ran, table, code=130)
    place.must_be_quiet()
    if not processes.vanished(f"{fault.folder}/"):
        raise Failed(f"still running: {processes.naming(fault.folder)}")
    return f"ended in {seconds:.1f} s"

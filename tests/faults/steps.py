"""The steps of a count that machines share: a fault in one is seen, there or in a step after it.

`cluster plan`, `map` and `reduce` print what the next step reads. A step that is killed leaves
what it had printed until then, as an engine may hand it on: the steps after it refuse that, or it
was all. Then the step runs again and the rest after it, to the table of an undisturbed count, and
nothing else is left.
"""

import functools
import os
import shlex
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import traced
from cases import Case, Cases, each
from errors import AGAIN, cause_of, errors_of, not_one_line
from judge.compare import Tree
from judge.disks import PAGE_BYTES, mounted, resize
from judge.kill import KILL, must_be_killed
from judge.shared_count import Plan
from traced import Call
from workplace import Workplace, shown, tree

STEPS = ("plan", "map", "reduce")

TABLE = "c.table"
RUNS = "runs"
# What steps print.
PLAN, STREAM, STREAMS, PARTS = "plan.jsonl", "stream", "streams", "printed.jsonl"

TASK = f"--temp-dir {RUNS} -j 1 --memory 24MiB"

# More bytes than the largest file that a step writes, and than a step needs on its disk; and a disk
# on which nothing is missing.
SIZE_MAX = 64 << 10
DISK_MAX = 256 << 10
DISK_WHOLE = 64 << 20


class Refused(Exception):
    """A step ended with a message."""


@dataclass(frozen=True)
class Count:
    """A shared count in a folder, step by step."""

    workplace: Workplace
    place: Path

    def plan(self) -> Plan:
        """The plan, without a line that is cut."""
        return Plan((self.place / PLAN).read_text("utf-8"))

    def arguments(self, step: str, attempt: str = "first") -> str:
        """A step's line for a shell; that of `map` is of the first chunk."""
        if step == "plan":
            return f"cluster plan b.pgn -o {TABLE} --shards 2 --chunk 20KiB -fq > {PLAN}"
        if step == "map":
            return self.map_of(self.plan().lines[0])
        return f"{shlex.join(self.plan().reduce(attempt))} {TASK} < {STREAMS} > {PARTS}"

    def map_of(self, line: str) -> str:
        """The line for a shell that maps one chunk."""
        return f"{shlex.join(self.plan().map(line))} {TASK} > {STREAM}"

    def run(self, arguments: str) -> None:
        """Runs a step undisturbed."""
        ran = self.workplace.tabia(arguments, self.place)
        if ran.code != 0:
            raise Refused(ran.crash() or ran.err.strip())

    def until(self, step: str) -> None:
        """Runs all before a step."""
        (self.place / RUNS).mkdir(exist_ok=True)
        if step != "plan":
            self.run(self.arguments("plan"))
        if step == "reduce":
            self.map(self.plan().lines)

    def map(self, lines: list[str], first: bytes | None = None) -> None:
        """Maps chunks; what the first one printed may be there already."""
        streams = [] if first is None else [first]
        for line in lines[len(streams) :]:
            self.run(self.map_of(line))
            streams.append((self.place / STREAM).read_bytes())
        (self.place / STREAMS).write_bytes(b"".join(streams))

    def after(self, step: str, attempt: str) -> None:
        """Runs all after a step, on what it printed."""
        if step == "plan":
            try:
                chunks = int(self.plan().head["plan"].partition("-")[2])
                self.map(self.plan().lines)
            except (ValueError, KeyError):
                raise Refused("a line of the plan is cut") from None
            if len(self.plan().lines) < chunks:
                raise Refused("the plan is cut")
            self.run(self.arguments("reduce", attempt))
        elif step == "map":
            self.map(self.plan().lines, (self.place / STREAM).read_bytes())
            self.run(self.arguments("reduce", attempt))
        self.run(f"cluster commit -o {TABLE} -fq < {PARTS}")

    def table(self) -> Tree:
        """The content of the table."""
        return tree(self.place / TABLE)


@dataclass(frozen=True)
class Fault:
    """What happens to a step."""

    step: str
    # The command before the step, of the file for its trace.
    before: Callable[[Path | str], Sequence[str]]
    # The pattern of the cause that the step's message has.
    cause: str | None = None
    # The call that the fault meets.
    call: Call | None = None
    error: str = ""
    # Bytes that are left on the disk while the step runs.
    left: int | None = None


def kills(workplace: Workplace, most: int) -> Cases:
    """`kill -9` at every call that changes something, what is printed too."""
    faults = [
        Fault(step, injecting(call, KILL), call=call) for step, call in calls(workplace) if call.changes()
    ]
    return cases(workplace, most, faults, "calls")


def errors(workplace: Workplace, most: int) -> Cases:
    """An error at every call."""
    faults = [
        Fault(step, injecting(call, f"error={error}"), cause_of(error), call, error)
        for step, call in calls(workplace)
        for error in errors_of(call)
    ]
    return cases(workplace, most, faults, "calls and errors")


def file_sizes(workplace: Workplace, most: int) -> Cases:
    """RLIMIT_FSIZE up to what each step writes."""
    faults = [
        Fault(step, lambda _log, size=size: ["prlimit", f"--fsize={size}", "--"], "File too large")
        for step in STEPS
        for size in range(0, SIZE_MAX, 512)
    ]
    return cases(workplace, most, faults, "sizes")


def disks(workplace: Workplace, most: int) -> Cases:
    """File systems in memory that have a few pages left."""
    with mounted(workplace.root, PAGE_BYTES):
        pass  # so that what is not allowed is found before anything is counted
    faults = [
        Fault(step, lambda _log: (), cause_of("ENOSPC"), left=left)
        for step in STEPS
        for left in range(0, DISK_MAX, PAGE_BYTES)
    ]
    return cases(workplace, most, faults, "sizes")


def calls(workplace: Workplace) -> list[tuple[str, Call]]:
    """Every step with its calls that concern the folder."""
    traced.available()
    found = []
    for step in STEPS:
        with workplace.copy() as place:
            count = Count(workplace, place)
            count.until(step)
            called = traced.calls_of(workplace, count.arguments(step), place)
            found += [(step, call) for call in called]
    return found


def injecting(call: Call, fault: str) -> Callable[[Path | str], Sequence[str]]:
    """The command before one that meets a fault at this call."""
    return functools.partial(traced.injected, call=call, fault=fault)


def cases(workplace: Workplace, most: int, faults: list[Fault], unit: str) -> Cases:
    """A case for each of them, as many of each step."""
    with workplace.copy() as place:
        count = Count(workplace, place)
        old = count.table()
        count.until("map")
        count.run(count.arguments("map"))
        count.after("map", "first")
        tables = (old, count.table())

    def case(step: str, fault: Fault, _number: int) -> Case:
        left = "" if fault.left is None else f"   # with {fault.left} bytes left on the disk"
        command = shown(fault.before("trace.txt"), f"cluster {step} …{left}")
        return Case(command, functools.partial(judged, workplace, fault, tables))

    return each(STEPS, lambda step: [fault for fault in faults if fault.step == step], most, case, unit)


Tables = tuple[Tree, Tree]


def judged(workplace: Workplace, fault: Fault, tables: Tables) -> str | None:
    """Runs the steps with a fault in one of them, on a small disk where that is the fault."""
    with workplace.copy() as copied:
        if fault.left is None:
            return faulted(Count(workplace, copied), fault, tables, copied.parent / "trace.txt")
        with mounted(workplace.root, DISK_WHOLE) as place:
            shutil.copytree(copied, place, dirs_exist_ok=True)
            return faulted(Count(workplace, place), fault, tables, copied.parent / "trace.txt")


def faulted(count: Count, fault: Fault, tables: Tables, log: Path) -> str | None:
    """The fault is seen by the step or by one after it; and the next attempt succeeds."""
    before = tree(count.place).keys()
    count.until(fault.step)
    if wrong := disturbed(count, fault, log):
        return wrong
    try:
        count.after(fault.step, "first")
        seen = None
    except Refused as refusal:
        seen = str(refusal)
    if seen is not None and not seen.startswith(("tabia: ", "the plan ", "a line ")):
        return f"then a later step: {seen}"
    # It was all there, or it is refused.
    if count.table() != tables[seen is None]:
        return f"then the table is {'wrong' if seen is None else 'changed'}: {seen}"
    try:
        count.run(count.arguments(fault.step, "second"))
        count.after(fault.step, "third")
    except Refused as refusal:
        return f"then again: {refusal}"
    if count.table() != tables[1]:
        return "then again: the table is wrong"
    left = tree(count.place).keys() - before - {RUNS, PLAN, STREAM, STREAMS, PARTS, TABLE}
    left = {name for name in left if not name.startswith(f"{TABLE}/")}
    return f"{', '.join(sorted(left))} stay" if left else None


def disturbed(count: Count, fault: Fault, log: Path) -> str | None:
    """Runs the step with its fault; what is wrong with how it ends."""
    leave(count, fault.left)
    ran = count.workplace.tabia(count.arguments(fault.step), count.place, fault.before(log))
    leave(count, None)
    if fault.call and not fault.error:
        must_be_killed(ran)
        return None
    if fault.call:
        traced.met(log, fault.call, count.place)
    if ran.crash() or ran.code == 0:
        return ran.crash()
    if fault.error == AGAIN:
        return f"after a signal: {ran.how}"
    return not_one_line(ran, fault.cause)


def leave(count: Count, left: int | None) -> None:
    """Leaves this many bytes on the disk of a count; with none, as many as it had."""
    if os.path.ismount(count.place):
        disk = os.statvfs(count.place)
        used = (disk.f_blocks - disk.f_bfree) * disk.f_frsize
        resize(count.place, DISK_WHOLE if left is None else used + left)

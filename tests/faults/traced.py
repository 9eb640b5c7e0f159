"""System calls of a command, as strace lists them and as it makes them fail."""

import os
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from commands import Writer
from judge.kill import Missed
from judge.report import Skipped
from judge.run import Ran, run
from workplace import Workplace, arguments

Fault = TypeVar("Fault")

# Calls that change a file or a folder. `?` before a name: some processors do not have the call.
RENAMES = ("rename", "renameat", "renameat2", "link", "linkat")
SYNCS = ("fsync", "fdatasync", "sync_file_range", "syncfs")
REMOVALS = ("unlink", "unlinkat", "rmdir")
WRITES = ("write", "pwrite64", "writev", "pwritev", "pwritev2", "ftruncate", "fallocate", "copy_file_range")
FOLDERS = ("mkdir", "mkdirat")
READS = ("read", "pread64", "readv", "preadv", "getdents64")
OPENS = ("open", "openat")
LOCKS = ("flock",)
LOOKS = ("statx", "newfstatat")
CHANGES = (*RENAMES, *SYNCS, *REMOVALS, *WRITES, *FOLDERS)

LINE = re.compile(r"^(\d+) +(?:<\.\.\. )?(\w+)(\(| resumed>)(.*)$")


@dataclass(frozen=True)
class Call:
    """One system call of a traced run."""

    name: str
    # Which one of this name it is in its thread: strace counts so.
    nth: int
    text: str

    def creates(self) -> bool:
        """Whether a file is made."""
        return self.name in OPENS and ("O_CREAT" in self.text or "O_TMPFILE" in self.text)

    def changes(self) -> bool:
        """Whether it changes a file or a folder."""
        return self.name in CHANGES or self.creates()


def available() -> None:
    """Fails where strace is missing or may not trace."""
    if shutil.which("strace") is None:
        raise Skipped("strace is not installed")
    ran = run(["strace", "-f", "-qq", "-o", os.devnull, "-e", "trace=none", "true"])
    if ran.code != 0:
        raise Skipped(f"strace cannot trace here: {ran.err.strip()}")


def strace(output: Path | str, *expressions: str) -> list[str]:
    """The command before the one that is traced.

    Without a true file for its trace strace makes no faults, and
    with its filter of system calls (--seccomp-bpf) it sends no signals.
    """
    options = [option for expression in expressions for option in ("-e", expression)]
    # Not the engines that a command starts: they do not write here, and a fault would meet them too.
    return ["strace", "-f", "-b", "execve", "-qq", "-y", "-o", str(output), *options]


def trace(
    workplace: Workplace, arguments: str, folder: Path, also: Sequence[str] = ()
) -> tuple[Ran, list[str]]:
    """Runs a command, while other faults may happen; the lines of its trace."""
    names = ",".join(f"?{name}" for name in (*CHANGES, *READS, *OPENS, *LOCKS, *LOOKS))
    output = folder.parent / "trace.txt"
    before = strace(output, f"trace={names}", "signal=none", *also)
    ran = workplace.tabia(arguments, folder, before)
    return ran, output.read_text("utf-8", "replace").splitlines()


def calls(lines: list[str], folder: Path) -> Iterator[Call]:
    """The calls that concern the folder: those that name it, and those by a name relative to it."""
    counts: Counter[tuple[str, str]] = Counter()
    seen: set[tuple[str, int]] = set()
    for line in lines:
        match = LINE.match(line)
        if not match or match[3] != "(":
            continue
        thread, name, text = match[1], match[2], match[4]
        counts[thread, name] += 1
        call = Call(name, counts[thread, name], text)
        # Two threads may each make an n-th call: the fault meets the one that comes first.
        if concerns(text, name, folder) and (call.name, call.nth) not in seen:
            seen.add((call.name, call.nth))
            yield call


def concerns(text: str, name: str, folder: Path) -> bool:
    """Whether a call is about the folder; names in it may be relative."""
    return str(folder) in text or name in (*RENAMES, *REMOVALS, *FOLDERS)


def calls_of(workplace: Workplace, arguments: str, folder: Path, also: Sequence[str] = ()) -> list[Call]:
    """Runs a command, which has to succeed; its calls that concern the folder."""
    ran, lines = trace(workplace, arguments, folder, also)
    if ran.code != 0:
        raise SystemExit(f"tabia {arguments}, traced: {ran.how}")
    return list(calls(lines, folder))


def injected(
    log: Path | str, call: Call, fault: str, also: Sequence[str] = (), names: Sequence[str] = ()
) -> list[str]:
    """The command before one that meets a fault at this call, while other faults happen too.

    Its trace has this call, those of the other faults, and those of more names.
    """
    # strace makes one fault a name: where this call meets one, those of its name before it succeed.
    also = [other for other in also if not other.startswith(f"inject={call.name}:")]
    names = (call.name, *names, *(other.removeprefix("inject=").partition(":")[0] for other in also))
    return strace(log, f"trace={','.join(names)}", *also, f"inject={call.name}:{fault}:when={call.nth}")


def met(log: Path, call: Call, place: Path) -> None:
    """Fails unless the fault met a call that concerns the folder.

    Every thread counts for itself: the fault may have met a call that prints the message.
    """
    lines = log.read_text("utf-8", "replace").splitlines()
    hit = [line for line in lines if "(INJECTED)" in line]
    if not hit or not all(concerns(line, call.name, place) for line in hit):
        raise Missed


def of_writers(
    workplace: Workplace, of_calls: Callable[[list[Call]], list[Fault]], also: Sequence[str] = ()
) -> Callable[[Writer], list[Fault]]:
    """What gives the faults of a writer's calls."""
    available()

    def of_writer(writer: Writer) -> list[Fault]:
        with workplace.copy_for(writer) as place:
            return of_calls(calls_of(workplace, arguments(writer), place, also))

    return of_writer

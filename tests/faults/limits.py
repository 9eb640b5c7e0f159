"""Limits on sizes of files, on descriptors and on address space: success or a message."""

from __future__ import annotations

import functools
from pathlib import Path

from case import Case, Cases, spread
from commands import WRITERS, Writer, with_threads
from errors import judged
from workplace import Workplace, given, run

STEPS = 24
STEPS_QUICK = 2

# Where the program itself cannot start, it cannot print a message.
DESCRIPTORS_MAX = 40

# Above `--memory`: what the program, its stacks and its libraries map but do not use.
ADDRESS_SPACE_BYTES = (24 << 20) + (1 << 30)


def file_sizes(workplace: Workplace, quick: bool) -> Cases:
    """RLIMIT_FSIZE from nothing to more than the largest output."""
    cases, total = [], 0
    for writer in WRITERS:
        sizes = range(0, largest(workplace, writer) + 1024, 512)
        total += len(sizes)
        for size in spread(sizes, STEPS_QUICK if quick else STEPS):
            cases.append(limited(workplace, writer, f"--fsize={size}", "File too large"))
    return Cases(cases, total, "sizes")


def largest(workplace: Workplace, writer: Writer) -> int:
    """Bytes of the largest file that the writer makes."""
    workplace.new(writer)
    return max(workplace.written(writer))


def descriptors(workplace: Workplace, quick: bool) -> Cases:
    """RLIMIT_NOFILE from what the program needs to start to more than any command needs."""
    starts = [count for count in range(3, DESCRIPTORS_MAX) if starts_with(workplace, count)]
    cases = [
        limited(workplace, writer, f"--nofile={count}", None)
        for writer in WRITERS
        for count in spread(starts, STEPS_QUICK if quick else len(starts))
    ]
    return Cases(cases, len(starts) * len(WRITERS), "limits")


def starts_with(workplace: Workplace, count: int) -> bool:
    """Whether the program starts with so few descriptors."""
    command = ["prlimit", f"--nofile={count}", "--", str(workplace.binary), "--version"]
    return run(command, Path("/")).code == 0


def address_space(workplace: Workplace, quick: bool) -> Cases:
    """RLIMIT_AS of 1 GiB more than `--memory`, with two threads."""
    writers = spread(WRITERS, 5 if quick else len(WRITERS))
    cases = [
        limited(workplace, writer, f"--as={ADDRESS_SPACE_BYTES}", None, threads=2)
        for writer in writers
    ]
    return Cases(cases, len(WRITERS), "commands")


def limited(
    workplace: Workplace, writer: Writer, limit: str, cause: str | None, threads: int = 1
) -> Case:
    """One writer below one limit."""
    words = with_threads(writer.arguments, threads) + given(writer)
    check = functools.partial(judge, workplace, writer, words, limit, cause)
    return Case(f"prlimit {limit} -- tabia {words}", check)


def judge(
    workplace: Workplace, writer: Writer, words: str, limit: str, cause: str | None
) -> str | None:
    """Success with the right outputs, or one message and whole outputs."""
    with workplace.copy_for(writer) as place:
        ran = workplace.tabia(words, place, ["prlimit", limit, "--"])
        # Removing a folder takes descriptors, too.
        name = "openat" if "--nofile" in limit else "write"
        return judged(workplace, writer, place, ran, (name, cause))

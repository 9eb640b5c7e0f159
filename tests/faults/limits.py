"""Limits on sizes of files, on descriptors and on address space: success or a message."""

import functools

from cases import Case, Cases, each
from commands import WRITERS, Writer, with_threads
from errors import judged
from judge.run import run
from workplace import Workplace, given

# Where the program itself cannot start, it cannot print a message.
DESCRIPTORS_MAX = 40

# Above `--memory`: what the program, its stacks and its libraries map but do not use.
ADDRESS_SPACE_BYTES = (24 << 20) + (1 << 30)


def file_sizes(workplace: Workplace, most: int) -> Cases:
    """RLIMIT_FSIZE from nothing to more than the largest output."""

    def sizes(writer: Writer) -> range:
        workplace.new(writer)
        return range(0, max(workplace.written(writer)) + 1024, 512)

    def case(writer: Writer, size: int, _number: int) -> Case:
        return limited(workplace, writer, f"--fsize={size}", "File too large")

    return each(WRITERS, sizes, most, case, "sizes")


def descriptors(workplace: Workplace, most: int) -> Cases:
    """RLIMIT_NOFILE from what the program needs to start to more than any command needs."""
    starts = [
        count
        for count in range(3, DESCRIPTORS_MAX)
        if run(["prlimit", f"--nofile={count}", "--", workplace.binary, "--version"]).code == 0
    ]

    def case(writer: Writer, count: int, _number: int) -> Case:
        return limited(workplace, writer, f"--nofile={count}", None)

    return each(WRITERS, lambda _: starts, most, case, "limits")


def address_space(workplace: Workplace, most: int) -> Cases:
    """RLIMIT_AS of 1 GiB more than `--memory`, with two threads."""

    def case(_: str, writer: Writer, _number: int) -> Case:
        return limited(workplace, writer, f"--as={ADDRESS_SPACE_BYTES}", None, threads=2)

    return each([""], lambda _: WRITERS, most, case, "commands")


def limited(workplace: Workplace, writer: Writer, limit: str, cause: str | None, threads: int = 1) -> Case:
    """One writer below one limit."""
    words = with_threads(writer.arguments, threads) + given(writer)
    check = functools.partial(judge, workplace, writer, words, limit, cause)
    return Case(f"prlimit {limit} -- tabia {words}", check)


def judge(workplace: Workplace, writer: Writer, words: str, limit: str, cause: str | None) -> str | None:
    """Success with the right outputs, or one message and whole outputs."""
    with workplace.copy_for(writer) as place:
        ran = workplace.tabia(words, place, ["prlimit", limit, "--"])
        # Removing a folder takes descriptors, too.
        name = "openat" if "--nofile" in limit else "write"
        return judged(workplace, writer, place, ran, (name, cause))

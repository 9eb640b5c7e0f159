"""Disks that fill, at every size in steps, and a standard output that is full."""

import contextlib
import functools
import shutil
from collections.abc import Iterator
from pathlib import Path

from cases import Case, Cases, each, once
from commands import WRITERS, Writer
from errors import cause_of, judged
from judge.disks import PAGE_BYTES, mounted
from workplace import Workplace, arguments

# For lists, runs that are spilled, and folders.
SPARE_BYTES = 128 << 10

# Commands that print; each has something to say of the prepared folder.
PRINTERS = (
    "info k.tabia",
    "info t.table --json",
    "probe k.tabia",
    "probe t.table --json",
    "pick k.tabia --policy polyglot --seed 1",
    "policies",
    "simulate k.tabia --policy polyglot --seed 1 --games 3",
    "why k.tabia e4",
    "verify k.tabia t.table bins/k.bin",
    "experience show e.experience.parquet",
    "experience diff e.experience.parquet c.experience.parquet",
    "plan recipe.toml",
    "count b.pgn -o other.table --json -q",
    "--help",
    "-h",
    "--version",
    "build --help",
)


def disks(workplace: Workplace, most: int) -> Cases:
    """Each writer on file systems in memory that have a few pages left."""
    with mounted(workplace.root, PAGE_BYTES):
        pass  # so that what is not allowed is found before anything is counted

    def case(writer: Writer, left: int, _number: int) -> Case:
        check = functools.partial(filled, workplace, writer, left)
        return Case(f"on a tmpfs with {left} bytes left: tabia {arguments(writer)}", check)

    return each(WRITERS, lambda one: range(0, largest(workplace, one), PAGE_BYTES), most, case, "sizes")


def largest(workplace: Workplace, writer: Writer) -> int:
    """More bytes than the writer needs beside what is there: outputs under both names, and runs."""
    return SPARE_BYTES + 2 * sum(size + PAGE_BYTES for size in workplace.written(writer))


def filled(workplace: Workplace, writer: Writer, left: int) -> str | None:
    """Runs the writer on a disk that may fill, and judges what is there."""
    with disk(workplace, writer, left) as place:
        ran = workplace.tabia(arguments(writer), place)
        # Looking at the outputs needs space too: on a full disk recovery must still work.
        return judged(workplace, writer, place, ran, ("write", cause_of("ENOSPC")))


@contextlib.contextmanager
def disk(workplace: Workplace, writer: Writer, left: int) -> Iterator[Path]:
    """A copy of the prepared folder on a file system with this many bytes left."""
    with workplace.copy_for(writer) as copied:
        paths = list(copied.rglob("*"))
        pages = sum(-(-path.stat().st_size // PAGE_BYTES) for path in paths if path.is_file())
        with mounted(workplace.root, pages * PAGE_BYTES + left) as place:
            shutil.copytree(workplace.prepared, place, dirs_exist_ok=True)
            workplace.writer_needs(writer, place)
            yield place


def full_outputs(workplace: Workplace, _most: int) -> Cases:
    """Every command that prints, to a device that is full."""

    def case(printer: str) -> Case:
        return Case(f"tabia {printer} > /dev/full", functools.partial(printed, workplace, printer))

    return once(PRINTERS, case)


def printed(workplace: Workplace, printer: str) -> str | None:
    """An answer that could not be printed is a failure, with a message."""
    with workplace.copy() as place:
        ran = workplace.tabia(f"{printer} > /dev/full", place)
        if ran.crash() or ran.code != 1 or not ran.err.strip():
            return f"exit {ran.code}: {ran.err.strip()!r}"
    return None

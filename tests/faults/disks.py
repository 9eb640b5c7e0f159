"""Disks that fill, at every size in steps, and a standard output that is full."""

from __future__ import annotations

import contextlib
import functools
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from case import Case, Cases, Unavailable, spread
from commands import WRITERS, Writer
from errors import cause_of, judged
from workplace import Workplace, arguments, run

PAGE_BYTES = 4096

# For lists, runs that are spilled, and folders.
SPARE_BYTES = 128 << 10

# Sizes that are tried of each command: from nothing left to more than it takes.
SIZES = 24
SIZES_QUICK = 2

# Tries to unmount a file system, a tenth of a second apart.
UNMOUNT_TRIES = 50

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


def disks(workplace: Workplace, quick: bool) -> Cases:
    """Each writer on file systems in memory that have a few pages left."""
    chosen, total = [], 0
    with mounted(workplace.root, PAGE_BYTES):
        pass  # so that what is not allowed is found before anything is counted
    for writer in WRITERS:
        sizes = range(0, largest(workplace, writer), PAGE_BYTES)
        total += len(sizes)
        for left in spread(sizes, SIZES_QUICK if quick else SIZES):
            check = functools.partial(filled, workplace, writer, left)
            chosen.append(
                Case(f"on a tmpfs with {left} bytes left: tabia {arguments(writer)}", check)
            )
    return Cases(chosen, total, "sizes")


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


@contextlib.contextmanager
def mounted(root: Path, size: int) -> Iterator[Path]:
    """A file system in memory, of this many bytes."""
    place = Path(tempfile.mkdtemp(prefix="disk-", dir=root))
    options = f"size={max(size, PAGE_BYTES)}"
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tabia-faults", str(place)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise Unavailable(f"no tmpfs can be mounted: {done.stderr.strip()}")
    try:
        yield place
    finally:
        unmount(place)
        place.rmdir()


def unmount(place: Path) -> None:
    """Unmounts a file system; a process that another thread just started may hold its files."""
    for _ in range(UNMOUNT_TRIES):
        if subprocess.run(["umount", str(place)], capture_output=True, check=False).returncode == 0:
            return
        time.sleep(0.1)
    subprocess.run(["umount", str(place)], check=True)


def full_outputs(workplace: Workplace, _quick: bool) -> Cases:
    """Every command that prints, to a device that is full."""
    cases = [
        Case(f"tabia {each} > /dev/full", functools.partial(printed, workplace, each))
        for each in PRINTERS
    ]
    return Cases(cases, len(cases), "commands")


def printed(workplace: Workplace, printer: str) -> str | None:
    """An answer that could not be printed is a failure, with a message."""
    with workplace.copy() as place:
        ran = run(["sh", "-c", f'"$0" {printer} > /dev/full', str(workplace.binary)], place)
        if ran.crash() or ran.code != 1 or not ran.err.strip():
            return f"exit {ran.code}: {ran.err.strip()!r}"
    return None

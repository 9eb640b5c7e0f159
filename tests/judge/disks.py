"""Where cases work: folders in memory, and disks with little room."""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from judge.report import Skipped

PAGE_BYTES = 4096

# Tries to unmount a file system, a tenth of a second apart.
UNMOUNT_TRIES = 50


@dataclass
class Folders:
    """A folder for each case."""

    folder: Path
    made: int = 0

    def new_folder(self, name: str) -> Path:
        """An empty folder."""
        self.made += 1
        folder = self.folder / f"{self.made:02}-{name}"
        folder.mkdir(parents=True)
        return folder


def memory_folder() -> Path | None:
    """A folder in memory, where syncing costs nothing; none if there is no such folder."""
    shared = Path("/dev/shm")
    return shared if shared.is_dir() and os.access(shared, os.W_OK) else None


@contextlib.contextmanager
def mounted(below: Path, size: int) -> Iterator[Path]:
    """A file system in memory, of this many bytes, in a folder that is gone afterwards."""
    below.mkdir(parents=True, exist_ok=True)
    place = Path(tempfile.mkdtemp(prefix="disk-", dir=below))
    resize(place, size, "mount", "-t", "tmpfs", "tabia-judge")
    try:
        yield place
    finally:
        unmount(place)
        place.rmdir()


def resize(place: Path, size: int, *command: str) -> None:
    """Gives a file system another size; with a command, it is mounted with that size."""
    words = [*(command or ("mount", "-o", "remount")), "-o", f"size={max(size, PAGE_BYTES)}", str(place)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Skipped(f"no tmpfs can be mounted: {done.stderr.strip()}")


def unmount(place: Path) -> None:
    """Unmounts a file system; a process that another thread just started may hold its files."""
    for _ in range(UNMOUNT_TRIES):
        if subprocess.run(["umount", str(place)], capture_output=True, check=False).returncode == 0:
            return
        time.sleep(0.1)
    subprocess.run(["umount", str(place)], check=True)

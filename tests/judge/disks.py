"""Where cases work: folders, also in memory, and disks with little room."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from judge.processes import wait_until
from judge.report import Skipped
from judge.run import must, run

PAGE_BYTES = 4096

SECONDS_TO_UNMOUNT = 5


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


def remove(path: Path) -> None:
    """Removes a file or folder, if it is there."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


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
    done = run(words)
    if done.code != 0:
        raise Skipped(f"no tmpfs can be mounted: {done.err.strip()}")


def unmount(place: Path) -> None:
    """Unmounts a file system; a process that another thread just started may hold its files."""
    command = ["umount", str(place)]
    if not wait_until(lambda: run(command).code == 0, SECONDS_TO_UNMOUNT):
        must(*command)

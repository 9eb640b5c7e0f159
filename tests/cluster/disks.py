"""A disk without room: a small file system in memory."""

from __future__ import annotations

import contextlib
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from place import Skipped

UNMOUNT_TRIES = 50


@contextlib.contextmanager
def mounted(path: Path, size: int) -> Iterator[None]:
    """Mounts a tmpfs of this many bytes."""
    path.mkdir(parents=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tabia-cluster", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        path.rmdir()
        raise Skipped(f"no tmpfs can be mounted: {done.stderr.strip()}")
    try:
        yield
    finally:
        unmount(path)
        path.rmdir()


def unmount(path: Path) -> None:
    """Unmounts it; a process that is being ended may hold a file."""
    for _ in range(UNMOUNT_TRIES):
        if subprocess.run(["umount", str(path)], capture_output=True, check=False).returncode == 0:
            return
        time.sleep(0.1)
    subprocess.run(["umount", str(path)], check=True)

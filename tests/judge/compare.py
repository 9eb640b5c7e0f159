"""What folders hold, so that it can be compared."""

import contextlib
import hashlib
from collections.abc import Mapping
from pathlib import Path

# Lock files stay by design.
LOCK = ".tabia-lock"

# Digests of files, and "folder" for folders, by path from the folder.
Tree = dict[str, str]


def digest(path: Path) -> str:
    """The digest of a file, however large it is."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def tree(folder: Path) -> Tree:
    """Everything in a folder but lock files; of a file itself, its digest."""
    found: Tree = {}
    for path in sorted(folder.rglob("*")) if folder.is_dir() else [folder]:
        if not path.name.endswith(LOCK):
            # What another process removes meanwhile is not there.
            with contextlib.suppress(FileNotFoundError):
                found[str(path.relative_to(folder))] = "folder" if path.is_dir() else digest(path)
    return found


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder and of those below it, such as a table."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def different(one: Mapping[str, object], other: Mapping[str, object]) -> list[str]:
    """The names of what is not the same in both, or is only in one."""
    return [name for name in sorted(one.keys() | other.keys()) if one.get(name) != other.get(name)]

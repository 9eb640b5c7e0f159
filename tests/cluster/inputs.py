"""The games that are counted: plain and packed in three ways."""

import gzip
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from expected import games


@dataclass(frozen=True)
class Inputs:
    """Two sets of games, each in files by how they are packed."""

    large: dict[str, Path]
    small: dict[str, Path]
    chunk: str
    """The input of one task, so that there are a dozen of tasks."""


def prepare(folder: Path, corpus: Path | None) -> Inputs:
    """The games of the cases."""
    large, small = games(folder, corpus)
    return Inputs(packed(large), packed(small), "4MiB" if corpus else "200KiB")


def packed(plain: Path) -> dict[str, Path]:
    """The file and its packed copies."""
    copies = {kind: plain.with_name(f"{kind}-{plain.name}{end}") for kind, end in ENDS.items()}
    for kind, path in copies.items():
        PACK[kind](plain, path)
    return {"plain": plain, **copies}


def by_gzip(plain: Path, path: Path) -> None:
    """One stream of gzip."""
    with plain.open("rb") as source, gzip.open(path, "wb", 3) as target:
        shutil.copyfileobj(source, target)


def by_program(*command: str) -> Callable[[Path, Path], None]:
    """A program of the package zstd; pzstd makes many frames, of which each names its size."""

    def pack(plain: Path, path: Path) -> None:
        subprocess.run([*command, "-qf", str(plain), "-o", str(path)], check=True)

    return pack


ENDS = {"pzstd": ".zst", "zst": ".zst", "gz": ".gz"}
PACK = {"pzstd": by_program("pzstd", "-p2", "-1"), "zst": by_program("zstd", "-3"), "gz": by_gzip}

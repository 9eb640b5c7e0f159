"""The games that are counted: plain and packed in three ways."""

from __future__ import annotations

import gzip
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

SAMPLE = Path(__file__).resolve().parents[2] / "data/sample.pgn"

CORPUS = ("lichess-2013-01a", "twic-a")


@dataclass(frozen=True)
class Inputs:
    """Two sets of games, each in files by how they are packed."""

    large: dict[str, Path]
    small: dict[str, Path]
    chunk: str
    """The input of one task, so that there are a dozen of tasks."""


def prepare(folder: Path, corpus: Path | None) -> Inputs:
    """The corpus's Lichess and TWIC games; without a corpus, the halves of the sample."""
    folder.mkdir(parents=True)
    if corpus:
        large, small = (unpacked(corpus / f"{name}.pgn.zst", folder) for name in CORPUS)
        return Inputs(packed(large), packed(small), "4MiB")
    games = SAMPLE.read_text("utf-8").split("[Event ")[1:]
    large, small = folder / "large.pgn", folder / "small.pgn"
    for path, part in ((large, games[:1800]), (small, games[1800:])):
        path.write_text("".join(f"[Event {game}" for game in part), "utf-8")
    return Inputs(packed(large), packed(small), "200KiB")


def unpacked(path: Path, folder: Path) -> Path:
    """A plain copy of a file of the corpus."""
    plain = folder / path.name.removesuffix(".zst")
    subprocess.run(["zstd", "-dqf", str(path), "-o", str(plain)], check=True)
    return plain


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

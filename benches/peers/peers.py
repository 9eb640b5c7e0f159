"""Getting peers and inputs ready, or printing what is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

VALIDATE = Path(__file__).resolve().parent / "validate"
INPUTS = {"kingbase": "kingbase2015-recon-a", "lichess": "lichess-2013-01a"}
EVENT = b"[Event "


@dataclass(frozen=True)
class Input:
    """One PGN, plain and packed."""

    plain: Path
    zst: Path
    """One frame, as `zstd` writes it."""
    pzst: Path | None
    """Many frames, as `pzstd` and Lichess write it."""
    games: int


@dataclass
class Peers:
    """Everything a measure may need; what is None is missing."""

    tabia: Path
    folder: Path
    validate: Path | None = None
    polyglot: str | None = None
    pgn_extract: str | None = None
    inputs: dict[str, Input] = field(default_factory=dict)


def prepare(tabia: Path, corpus: Path, cache: Path) -> Peers:
    """Builds, installs and unpacks what it may."""
    cache.mkdir(parents=True, exist_ok=True)
    folder = cache / "out"
    folder.mkdir(exist_ok=True)
    if not tabia.exists():
        raise SystemExit(f"no {tabia}: cargo build --release")
    peers = Peers(tabia, folder.resolve())
    peers.validate = build_validate(cache.resolve())
    peers.polyglot = debian_program("polyglot", "polyglot")
    peers.pgn_extract = debian_program("pgn-extract", "pgn-extract")
    for name, stem in INPUTS.items():
        packed = corpus / f"{stem}.pgn.zst"
        if packed.exists():
            plain = cache.resolve() / f"{stem}.pgn"
            peers.inputs[name] = unpack(packed.resolve(), plain, with_frames=name == "kingbase")
        else:
            skipped(f"{name}: no {packed}")
    return peers


def skipped(what: str) -> None:
    """Prints what will not be measured."""
    print(f"SKIPPED: {what}", file=sys.stderr)


def build_validate(cache: Path) -> Path | None:
    """pgn-reader's yardstick, built by cargo in a folder of its own."""
    target = cache / "validate"
    command = ["cargo", "build", "--release", "--quiet", "--target-dir", str(target)]
    if shutil.which("cargo") is None:
        skipped("validate: no cargo")
        return None
    if subprocess.run(command, cwd=VALIDATE, check=False).returncode != 0:
        skipped("validate: it does not build")
        return None
    return target / "release/validate"


def debian_program(program: str, package: str) -> str | None:
    """Where Debian's program is; installs it if that is allowed."""
    path = f"{os.environ.get('PATH', '')}:/usr/games"
    if shutil.which(program, path=path) is None and os.geteuid() == 0:
        command = ["apt-get", "install", "-y", "-qq", package]
        if shutil.which("apt-get"):
            subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    found = shutil.which(program, path=path)
    if found is None:
        skipped(f"{program}: apt-get install {package}")
    return found


def unpack(packed: Path, plain: Path, *, with_frames: bool) -> Input:
    """Unpacks a corpus file once, packs it again as pzstd does, and reads all into the cache."""
    if not plain.exists():
        run_to(plain, ["zstd", "-dqf", str(packed), "-o"])
    pzst = pack_in_frames(plain) if with_frames else None
    games = count_games(plain)
    for path in (packed, pzst):
        if path is not None:
            count_games(path)
    return Input(plain, packed, pzst, games)


def count_games(path: Path) -> int:
    """Games of a plain PGN, a line at a time: a child's peak memory starts at its parent's."""
    with path.open("rb") as lines:
        return sum(line.startswith(EVENT) for line in lines)


def pack_in_frames(plain: Path) -> Path | None:
    """Packs a file as `pzstd` does: frames that say how long they are, 16 MiB of PGN each."""
    pzst = plain.with_suffix(".pzstd.pgn.zst")
    if not pzst.exists():
        if debian_program("pzstd", "zstd") is None:
            return None
        run_to(pzst, ["pzstd", "-qf", "-p", "2", "-9", str(plain), "-o"])
    return pzst


def run_to(path: Path, command: list[str]) -> None:
    """Runs a packer; the output appears by rename, so a file that exists is whole."""
    unfinished = path.with_suffix(".unfinished")
    subprocess.run([*command, str(unfinished)], check=True)
    unfinished.rename(path)

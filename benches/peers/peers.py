"""Getting peers and inputs ready, or printing what is missing."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
VALIDATE = HERE / "validate"
ENGINES = {"DuckDB": "duckdb", "Polars": "polars", "ClickHouse": "chdb"}
"""Engines that sum rows, and their modules."""
CUT_IN = 8
"""Files that an input is cut into, for a peer whose threads take a file each."""
INPUTS = {"kingbase": "kingbase2015-recon-a", "lichess": "lichess-2013-01a"}
EVENT = b"[Event "
ESCAPED_END = re.compile(rb'\\+"\]')


@dataclass(frozen=True)
class Input:
    """One PGN, plain and packed."""

    plain: Path
    zst: Path
    """One frame, as `zstd` writes it."""
    pzst: Path | None
    """Many frames, as `pzstd` and Lichess write it."""
    cut: Path
    """A folder of files that together are the plain one, for fastpopular."""
    games: int


@dataclass
class Peers:
    """Everything a measure may need; what is None is missing."""

    tabia: Path
    folder: Path
    validate: Path | None = None
    polyglot: str | None = None
    pgn_extract: str | None = None
    fastpopular: str | None = None
    chess_db: str | None = None
    engines: list[str] = field(default_factory=list)
    rows: Path | None = None
    """Where `tabia export games --observations` wrote the rows of KingBase."""
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
    peers.fastpopular = program_at("FASTPOPULAR", "github.com/vondele/fastpopular")
    peers.chess_db = program_at("CHESS_DB", "github.com/mcostalba/chess_db")
    for name, stem in INPUTS.items():
        packed = corpus / f"{stem}.pgn.zst"
        if packed.exists():
            plain = cache.resolve() / f"{stem}.pgn"
            peers.inputs[name] = unpack(packed.resolve(), plain, with_frames=name == "kingbase")
        else:
            skipped(f"{name}: no {packed}")
    if "kingbase" in peers.inputs:
        export_rows(peers, peers.inputs["kingbase"].plain, cache.resolve() / "kingbase.games")
    return peers


def skipped(what: str) -> None:
    """Prints what will not be measured."""
    print(f"SKIPPED: {what}", file=sys.stderr)


def build_validate(cache: Path) -> Path | None:
    """pgn-reader's yardstick, built by cargo in a folder of its own."""
    target = cache / "validate"
    command = ["cargo", "build", "--release", "--locked", "--quiet", "--target-dir", str(target)]
    if shutil.which("cargo") is None:
        skipped("validate: no cargo")
        return None
    if subprocess.run(command, cwd=VALIDATE, check=False).returncode != 0:
        skipped("validate: it does not build")
        return None
    return target / "release/validate"


def program_at(variable: str, source: str) -> str | None:
    """The program that a variable of the environment names."""
    path = os.environ.get(variable)
    if not path or not os.access(path, os.X_OK):
        skipped(f"{variable}={path or ''} names no program; it is built from {source}")
        return None
    return str(Path(path).resolve())


def export_rows(peers: Peers, plain: Path, export: Path) -> None:
    """Writes the moves of games as rows, for the engines that are there."""
    for engine, module in ENGINES.items():
        if importlib.util.find_spec(module) is None:
            skipped(f"{engine}: pip install -r {HERE / 'requirements.txt'}")
        else:
            peers.engines.append(engine)
    command = [str(peers.tabia), "export", "games", str(plain), "-o", str(export), "--observations"]
    if peers.engines:
        subprocess.run([*command, "--without", "moves,uci", "--force", "--quiet"], check=True)
        peers.rows = export


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
    games, cut = count_games(plain), cut_in_files(plain)
    for path in (packed, pzst):
        if path is not None:
            count_games(path)
    return Input(plain, packed, pzst, cut, games)


def count_games(path: Path) -> int:
    """Games of a plain PGN, a line at a time: a child's peak memory starts at its parent's."""
    with path.open("rb") as lines:
        return sum(line.startswith(EVENT) for line in lines)


def cut_in_files(plain: Path) -> Path:
    """Cuts a file between games into files of about one size, in a folder that appears when all are there.

    A tag that ends in escaped backslashes ends without them: at such a tag fastpopular (commit c0e5403)
    leaves out the rest of the file, because its parser takes the closing quote for an escaped one.
    """
    folder, unfinished = plain.with_suffix(".cut"), plain.with_suffix(".cutting")
    if folder.exists():
        return folder
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir()
    part_bytes = plain.stat().st_size // CUT_IN + 1
    with plain.open("rb") as lines:
        line = lines.readline()
        for number in range(CUT_IN):
            with (unfinished / f"part-{number}.pgn").open("wb") as part:
                while line and not (line.startswith(EVENT) and part.tell() >= part_bytes):
                    part.write(ESCAPED_END.sub(b'"]', line))
                    line = lines.readline()
    unfinished.rename(folder)
    return folder


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

"""The folder that a case works in, the binary in it, and what is there afterwards."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import chessbase
from case import Overdue
from commands import CLUSTER, PREPARE, PREPARE_FIRST, RECIPE, Writer, one_thread
from shared_count import share

# A run of a few games takes milliseconds.
SECONDS_MAX = 60

# In which a command ends that is asked to.
SECONDS_TO_STOP = 10

# The hidden folder of a shared count's parts; its name depends on the folder that it is in.
PARTS = re.compile(r"\.[0-9a-f]{8}\.parts")

Process = subprocess.Popen[bytes]

# Digests of files, and "folder" for folders, by path from the folder.
Tree = dict[str, str]


@dataclass(frozen=True)
class Ran:
    """How a command ended."""

    code: int
    out: bytes
    err: str

    def crash(self) -> str | None:
        """What a command must never do, whatever happens to it."""
        if self.code < 0:
            return f"ended by signal {-self.code}: {self.err.strip()}"
        if "panicked" in self.err or self.code not in (0, 1, 2, 130):
            return f"exit {self.code}: {self.err.strip()}"
        return None


def start(
    command: Sequence[str], folder: Path, reads: Path | None = None, prints: Path | None = None
) -> Process:
    """Starts a command in a folder and does not wait for it; nothing is its standard input."""
    pipe = subprocess.PIPE
    with contextlib.ExitStack() as files:
        given = files.enter_context((reads or Path(os.devnull)).open("rb"))
        printed = files.enter_context(prints.open("wb")) if prints else pipe
        # A group of its own, so that what runs below strace ends with it.
        return subprocess.Popen(
            command, cwd=folder, stdin=given, stdout=printed, stderr=pipe, start_new_session=True
        )


def end(process: Process) -> Ran:
    """Waits for the end of a command; one that does not come to it is a finding, and killed."""
    try:
        out, err = process.communicate(timeout=SECONDS_MAX)
    except subprocess.TimeoutExpired:
        raise Overdue(f"still running after {SECONDS_MAX} s{stopped(process)}") from None
    return Ran(process.returncode, out or b"", err.decode("utf-8", "replace"))


def stopped(process: Process) -> str:
    """Asks a command to end, and kills it if it does not; what is wrong with that."""
    os.killpg(process.pid, signal.SIGTERM)
    try:
        process.communicate(timeout=SECONDS_TO_STOP)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return ", and SIGTERM does not end it"
    return ""


def run(
    command: Sequence[str], folder: Path, reads: Path | None = None, prints: Path | None = None
) -> Ran:
    """Runs a command in a folder to its end."""
    return end(start(command, folder, reads, prints))


def tree(folder: Path) -> Tree:
    """Everything in the folder, but for lock files, which stay by design, and lines with paths."""
    found: Tree = {}
    for path in sorted(folder.rglob("*")):
        name = PARTS.sub(".parts", str(path.relative_to(folder)))
        if name.endswith(".tabia-lock") or name == CLUSTER:
            continue
        # What another process removes meanwhile is not there.
        with contextlib.suppress(FileNotFoundError):
            found[name] = "folder" if path.is_dir() else hashlib.sha1(path.read_bytes()).hexdigest()
    return found


def games(text: str, first: int, end: int) -> str:
    """The games from the one to before the other."""
    whole = text.split("[Event ")[1:]
    return "".join("[Event " + game for game in whole[first:end])


def own_games() -> str:
    """Games of an engine, so short that their book is small."""
    lines = ("e4 e5 Nf3 Nc6 Bb5 a6", "e4 e5 Nf3 Nf6 Nxe5 d6", "d4 d5 c4 e6", "e4 c5 Nf3 d6")
    results = ("1-0", "0-1", "0-1", "1/2-1/2")
    return "".join(
        f'[Event "test"]\n[White "eng"]\n[Black "opp"]\n[Result "{result}"]\n\n{line} {result}\n\n'
        for line, result in zip(lines, results, strict=True)
    )


LEARNED = (
    '[White "Crafty 15.17"]\n[Black "opp"]\n[Date "1998.09.01"]\n e4 e5 Nf3 Nc6 Bb5 a6 {-90 5 0}\n'
    '[White "opp"]\n[Black "Crafty 15.17"]\n[Date "1998.09.02"]\n d4 d5 c4 e6 {120 6 10}\n'
)

MARKS = '[Event "Line 1"]\n\n1. e4!! c6!? 2. d4!! *\n\n[Event "Line 2"]\n\n1. d4! d5 2. c4? *\n\n'

ILLEGAL = '[Event "illegal"]\n[Result "1-0"]\n\n1. e4 e5 2. Ke3 1-0\n\n'


class Workplace:
    """The binary, a folder as every case finds it, and copies of that folder."""

    def __init__(self, binary: Path, sample: Path, root: Path) -> None:
        """Nothing is made yet; cases work below `root`."""
        self.binary = binary
        self.root = root
        self.prepared = root / "prepared"
        self._new: dict[Writer, Tree] = {}
        self._old: dict[Writer, Tree] = {}
        self.sample = sample

    def prepare(self) -> None:
        """Makes the folder that cases copy."""
        folder = self.prepared
        (folder / "bins").mkdir(parents=True)
        sample = self.sample.read_text("utf-8")
        texts = {
            "a.pgn": games(sample, 0, 50),
            "b.pgn": games(sample, 50, 100) + ILLEGAL,
            "c.pgn": games(sample, 100, 150),
            "d.pgn": games(sample, 150, 200),
            "own.pgn": own_games(),
            "marks.pgn": MARKS,
            "book.lrn": LEARNED,
            "recipe.toml": RECIPE,
        }
        for name, text in texts.items():
            (folder / name).write_text(text, "utf-8")
        (folder / "in.ctg").write_bytes(chessbase.book())
        for arguments in (*PREPARE_FIRST, *PREPARE):
            self.must(one_thread(arguments), folder)

    def must(self, arguments: str, folder: Path) -> Ran:
        """Runs `tabia`, which has to succeed."""
        ran = self.tabia(arguments, folder)
        if ran.code != 0:
            raise SystemExit(f"tabia {arguments}: exit {ran.code}: {ran.err}")
        return ran

    def tabia(self, arguments: str, folder: Path, before: Sequence[str] = ()) -> Ran:
        """Runs `tabia`, below another command if one is given; `< FILE > FILE` as for a shell."""
        line, _, printed = arguments.partition(" > ")
        command, _, given = line.partition(" < ")
        reads, prints = (folder / name if name else None for name in (given, printed))
        return run([*before, str(self.binary), *shlex.split(command)], folder, reads, prints)

    @contextlib.contextmanager
    def copy(self, name: str = "prepared") -> Iterator[Path]:
        """A folder of its own for one case."""
        with tempfile.TemporaryDirectory(prefix="case-", dir=self.root) as folder:
            copied = Path(folder) / "work"
            shutil.copytree(self.root / name, copied)
            yield copied

    def writer_needs(self, writer: Writer, folder: Path) -> None:
        """Makes what only this writer reads: the large input, or parts of a shared count."""
        if "large.pgn" in writer.arguments:
            text = self.sample.read_text("utf-8")
            (folder / "large.pgn").write_text((text + ILLEGAL) * 8, "utf-8")
        if writer.arguments.startswith("cluster commit"):
            (folder / CLUSTER).write_bytes(share(self.binary, folder, "b.pgn", "c.table"))

    @contextlib.contextmanager
    def copy_for(self, writer: Writer) -> Iterator[Path]:
        """A folder of its own for one run of a writer."""
        with self.copy() as folder:
            self.writer_needs(writer, folder)
            yield folder

    def new(self, writer: Writer) -> Tree:
        """What the folder holds after an undisturbed run."""
        if writer not in self._new:
            with self.copy_for(writer) as folder:
                self._old[writer] = tree(folder)
                self.must(arguments(writer), folder)
                self._new[writer] = tree(folder)
        return self._new[writer]

    def old_for(self, writer: Writer) -> Tree:
        """What the folder holds before it."""
        self.new(writer)
        return self._old[writer]

    def written(self, writer: Writer) -> list[int]:
        """The bytes of each file that the writer makes."""
        with self.copy_for(writer) as place:
            self.must(arguments(writer), place)
            outputs = [place / output for output in writer.outputs]
            paths = [path for output in outputs for path in [output, *output.rglob("*")]]
            return [path.stat().st_size for path in paths if path.is_file()]

    def whole(self, writer: Writer, folder: Path) -> tuple[str, str]:
        """Whether all is old, all is new, or neither; and for neither, which output is what."""
        old, new, now = self.old_for(writer), self.new(writer), tree(folder)
        known = old.keys() | new.keys()
        old, new, now = (
            {name: each[name] for name in each if name in known and ".parts" not in name}
            for each in (old, new, now)
        )
        if now == old:
            return "old", ""
        if now == new:
            return "new", ""
        return "mixed", ", ".join(
            f"{output} is {state_of(output, now, old, new)}" for output in writer.outputs
        ) or "an input changed"

    def not_new(self, writer: Writer, folder: Path) -> str | None:
        """What is there where not all is new."""
        state, description = self.whole(writer, folder)
        if state != "new":
            return description or "all outputs are old"
        return "parts stay" if any(".parts" in name for name in tree(folder)) else None

    def remove_others(self, folder: Path) -> None:
        """Removes what commands wrote that only look at the folder."""
        # Not by a search through all folders: some vanish while others write here.
        for parent in (folder, folder / "bins"):
            for path in list(parent.glob("other.*")) if parent.is_dir() else []:
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    def leftovers(self, writer: Writer, folder: Path) -> list[str]:
        """Names that belong to no output and no input."""
        return sorted(tree(folder).keys() - self.old_for(writer).keys() - self.new(writer).keys())


def arguments(writer: Writer) -> str:
    """The arguments of a writer that runs in one thread, and what it reads."""
    return one_thread(writer.arguments) + given(writer)


def given(writer: Writer) -> str:
    """The standard input of a writer that has one, as a shell is given it."""
    return f" < {writer.reads}" if writer.reads else ""


def shown(before: Sequence[str], arguments: str) -> str:
    """The line for a shell that runs `tabia` so."""
    return shlex.join([*before, "tabia"]) + f" {arguments}"


def part_of(output: str, whole: Tree) -> Tree:
    """What belongs to one output."""
    return {name: digest for name, digest in whole.items() if f"{name}/".startswith(f"{output}/")}


def state_of(output: str, now: Tree, old: Tree, new: Tree) -> str:
    """What one output is: old, new, missing or damaged."""
    found = part_of(output, now)
    if not found:
        return "missing"
    if found == part_of(output, old):
        return "old"
    return "new" if found == part_of(output, new) else "damaged"


def memory_folder() -> Path | None:
    """A folder in memory, where syncing costs nothing; none if there is no such folder."""
    shared = Path("/dev/shm")
    return shared if shared.is_dir() and os.access(shared, os.W_OK) else None

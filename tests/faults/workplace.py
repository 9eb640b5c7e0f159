"""The folder that a case works in, the binary in it, and what is there afterwards."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from commands import PREPARE, PREPARE_FIRST, RECIPE, Writer, one_thread

# A run of a few games takes milliseconds.
SECONDS_MAX = 60

TIMED_OUT = -1000

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
        if self.code == TIMED_OUT:
            return f"still running after {SECONDS_MAX} s"
        if self.code < 0:
            return f"ended by signal {-self.code}: {self.err.strip()}"
        if "panicked" in self.err or self.code not in (0, 1, 2, 130):
            return f"exit {self.code}: {self.err.strip()}"
        return None


def start(command: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
    """Starts a command in a folder and does not wait for it."""
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe)


def end(process: subprocess.Popen[bytes]) -> Ran:
    """Waits for the end of a command."""
    try:
        out, err = process.communicate(timeout=SECONDS_MAX)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return Ran(TIMED_OUT, b"", "")
    return Ran(process.returncode, out, err.decode("utf-8", "replace"))


def run(command: Sequence[str], folder: Path) -> Ran:
    """Runs a command in a folder to its end."""
    return end(start(command, folder))


def tree(folder: Path) -> Tree:
    """Everything in the folder, but for lock files, which stay by design."""
    found: Tree = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if name.endswith(".tabia-lock"):
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
        self.old: Tree = {}
        self._new: dict[str, Tree] = {}
        self._sample = sample

    def prepare(self) -> None:
        """Makes the folder that cases copy."""
        folder = self.prepared
        (folder / "bins").mkdir(parents=True)
        sample = self._sample.read_text("utf-8")
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
        for arguments in (*PREPARE_FIRST, *PREPARE):
            self.must(one_thread(arguments), folder)
        self.old = tree(folder)

    def must(self, arguments: str, folder: Path) -> Ran:
        """Runs `tabia`, which has to succeed."""
        ran = self.tabia(arguments, folder)
        if ran.code != 0:
            raise SystemExit(f"tabia {arguments}: exit {ran.code}: {ran.err}")
        return ran

    def tabia(self, arguments: str, folder: Path, before: Sequence[str] = ()) -> Ran:
        """Runs `tabia`, below another command if one is given."""
        return run([*before, str(self.binary), *shlex.split(arguments)], folder)

    @contextlib.contextmanager
    def copy(self, name: str = "prepared") -> Iterator[Path]:
        """A folder of its own for one case."""
        with tempfile.TemporaryDirectory(prefix="case-", dir=self.root) as folder:
            copied = Path(folder) / "work"
            shutil.copytree(self.root / name, copied)
            yield copied

    def writer_needs(self, writer: Writer, folder: Path) -> None:
        """Makes the large input, which only the writer that spills reads."""
        if "large.pgn" in writer.arguments:
            text = self._sample.read_text("utf-8")
            (folder / "large.pgn").write_text(text * 8, "utf-8")

    @contextlib.contextmanager
    def copy_for(self, writer: Writer) -> Iterator[Path]:
        """A folder of its own for one run of a writer."""
        with self.copy() as folder:
            self.writer_needs(writer, folder)
            yield folder

    def new(self, writer: Writer) -> Tree:
        """What the folder holds after an undisturbed run."""
        if writer.name not in self._new:
            with self.copy_for(writer) as folder:
                self.must(arguments(writer), folder)
                self._new[writer.name] = tree(folder)
        return self._new[writer.name]

    def old_for(self, writer: Writer) -> Tree:
        """What the folder holds before it."""
        large = {name: digest for name, digest in self.new(writer).items() if name == "large.pgn"}
        return self.old | large

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
        now = {name: digest for name, digest in now.items() if name in known}
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
        return None if state == "new" else description or "all outputs are old"

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
    """The arguments of a writer that runs in one thread."""
    return one_thread(writer.arguments)


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

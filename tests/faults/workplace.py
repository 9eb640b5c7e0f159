"""The folder that a case works in, the binary in it, and what is there afterwards."""

import contextlib
import re
import shlex
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import chessbase
from commands import CLUSTER, PREPARE, PREPARE_FIRST, RECIPE, Writer, one_thread
from judge import compare
from judge.compare import Tree
from judge.disks import remove
from judge.games import games_of
from judge.report import SAMPLE, Failed
from judge.run import Ran, must, run
from judge.shared_count import Plan

# The hidden folder of a shared count's parts; its name depends on the folder that it is in.
PARTS = re.compile(r"\.[0-9a-f]{8}\.parts")


def tree(folder: Path) -> Tree:
    """Everything in the folder, but for lock files, which stay by design, and lines with paths."""
    found = compare.tree(folder)
    return {PARTS.sub(".parts", name): digest for name, digest in found.items() if name != CLUSTER}


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

VALUES = "fen,uci,cp,depth\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -,e2e4,20,30\n"

# An engine that answers at once.
ENGINE = """#!/bin/sh
while read -r word rest; do
  case "$word" in
    uci) echo "id name Scripted"; echo "option name Threads type spin default 1 min 1 max 9"; echo uciok ;;
    isready) echo readyok ;;
    position) case "$rest" in *" w "*) mv=a2a3 ;; *) mv=a7a6 ;; esac ;;
    go) echo "info depth 8 score cp 20 nodes 80 pv $mv"; echo "bestmove $mv" ;;
    quit) exit 0 ;;
  esac
done
"""

# The end of the name of a record of searches, which a run that fails leaves for the next one.
SEARCHES = ".searches"

ILLEGAL = '[Event "illegal"]\n[Result "1-0"]\n\n1. e4 e5 2. Ke3 1-0\n\n'


class Workplace:
    """The binary, a folder as every case finds it, and copies of that folder."""

    def __init__(self, binary: Path, root: Path) -> None:
        """Nothing is made yet; cases work below `root`."""
        self.binary, self.root, self.prepared = binary, root, root / "prepared"
        self._new: dict[Writer, Tree] = {}
        self._old: dict[Writer, Tree] = {}

    def prepare(self) -> None:
        """Makes the folder that cases copy."""
        folder = self.prepared
        (folder / "bins").mkdir(parents=True)
        games = games_of(SAMPLE.read_text("utf-8"))
        texts = {f"{name}.pgn": "".join(games[50 * at : 50 * at + 50]) for at, name in enumerate("abcd")}
        texts["b.pgn"] += ILLEGAL
        texts |= {"own.pgn": own_games(), "marks.pgn": MARKS, "book.lrn": LEARNED, "recipe.toml": RECIPE}
        texts |= {"evals.csv": VALUES, "engine": ENGINE}
        for name, text in texts.items():
            (folder / name).write_text(text, "utf-8")
        (folder / "engine").chmod(0o755)
        (folder / "in.ctg").write_bytes(chessbase.book())
        for arguments in (*PREPARE_FIRST, *PREPARE):
            self.must(one_thread(arguments), folder)

    def must(self, arguments: str, folder: Path) -> Ran:
        """Runs `tabia`, which has to succeed."""
        ran = self.tabia(arguments, folder)
        if ran.code != 0:
            raise Failed(f"tabia {arguments}: {ran.how}")
        return ran

    def tabia(self, arguments: str, folder: Path, before: Sequence[str] = ()) -> Ran:
        """Runs `tabia`, below another command if one is given; `< FILE > FILE` as for a shell."""
        line, _, printed = arguments.partition(" > ")
        command, _, read = line.partition(" < ")
        given, prints = (folder / name if name else None for name in (read, printed))
        return run([*before, self.binary, *shlex.split(command)], folder, given=given or b"", prints=prints)

    @contextlib.contextmanager
    def copy(self, name: str = "prepared") -> Iterator[Path]:
        """A folder of its own for one case."""
        with tempfile.TemporaryDirectory(prefix="case-", dir=self.root) as folder:
            copied = Path(folder) / "work"
            shutil.copytree(self.root / name, copied)
            yield copied

    def template(
        self, name: str, commands: Sequence[str], kept: Iterable[str], make: Callable[[Path], object] = str
    ) -> Path:
        """A folder with a few artefacts that commands make in a copy of this one; made once."""
        folder = self.root / name
        if not folder.exists():
            with self.copy() as place:
                make(place)
                for command in commands:
                    self.must(command, place)
                folder.mkdir()
                for each in kept:
                    (place / each).rename(folder / each)
        return folder

    def writer_needs(self, writer: Writer, folder: Path) -> None:
        """Makes what only this writer reads: the large input, or parts of a shared count."""
        if "large.pgn" in writer.arguments:
            (folder / "large.pgn").write_text((SAMPLE.read_text("utf-8") + ILLEGAL) * 8, "utf-8")
        if writer.arguments.startswith("cluster commit"):
            (folder / CLUSTER).write_bytes(self.share(folder))

    def share(self, folder: Path) -> bytes:
        """Plans, maps and reduces a shared count; the lines that `cluster commit` reads."""
        planned = "cluster plan b.pgn -o c.table --shards 2 --chunk 20KiB -fq"
        plan = Plan(self.must(planned, folder).text)
        task = ("--temp-dir", "..", "-j", 1, "--memory", "24MiB")
        streams = [must(self.binary, *step, *task, folder=folder).out for step in plan.maps()]
        reduce = (*plan.reduce("first"), *task)
        return must(self.binary, *reduce, folder=folder, given=b"".join(streams)).out

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
        stays = [name for name in tree(folder) if ".parts" in name or name.endswith(SEARCHES)]
        return f"{', '.join(stays)} stay" if stays else None

    def remove_others(self, folder: Path) -> None:
        """Removes what commands wrote that only look at the folder."""
        # Not by a search through all folders: some vanish while others write here.
        for parent in (folder, folder / "bins"):
            for path in list(parent.glob("other.*")) if parent.is_dir() else []:
                remove(path)

    def leftovers(self, writer: Writer, folder: Path) -> str | None:
        """That there is something which belongs to no output and no input."""
        known = self.old_for(writer).keys() | self.new(writer).keys()
        left = sorted(name for name in tree(folder).keys() - known if not name.endswith(SEARCHES))
        return f"{', '.join(left)} stay" if left else None


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

"""The peak memory of every command on a table and a book of ten million positions.

    PYTHONPATH=tests tests/memory/measure_memory.py target/release/tabia
    … --generator …/synthetic_games

`make check-memory` calls this. Games are made up, counted and compacted; then every command of
`tabia --help` that reads or writes a table, a book or games runs on them, with `--memory 256MiB`
where it has the flag. A command that asks for more runs again with what it says is enough. Prints
the table of docs/reliability.md; exits 1 where a command has more memory than bounds it, fails, or
is in no list.
"""

import dataclasses
import json
import shlex
import shutil
import sys
from pathlib import Path

import shared
from judge.disks import remove
from judge.measure import Measured, machine_line
from judge.report import ROOT, command_line
from place import make_inputs
from running import NEED, help_of, leaves, run
from works import EXCEPTIONS, LIMIT, MEMORY, SHARED, WORKS, Bound, Work

# Of all files at a time.
DISK_BYTES_MAX = 20_000_000_000

# The exit code of a server that is asked to end.
INTERRUPTED = 130


# The columns of the table.
HEAD = "| command | `--memory` | peak MiB | seconds | what bounds it |\n|---|---|---:|---:|---|"


class Table:
    """The rows, which are printed as they come, and what is wrong."""

    def __init__(self, positions: int) -> None:
        """Nothing is measured yet."""
        self.positions = positions
        self.wrong: list[str] = []
        # The positions of the book.
        self.made = 0

    def add(self, name: str, memory: str, bound: Bound, done: Measured) -> None:
        """Prints a row, and keeps what does not hold."""
        most = bound.bytes(self.positions)
        peak = done.peak_bytes >> 20
        print(f"| `{name}` | {memory} | {peak} | {done.seconds:.1f} | {bound.text} |", flush=True)
        if done.peak_bytes > most:
            self.wrong.append(f"{name}: {peak} MiB are above {most >> 20} MiB: {bound.text}")


def main() -> int:
    """Measures, prints, and removes the folder."""
    generator = ROOT / "target/release/examples/synthetic_games"
    sizes = {"positions": 10_000_000, "folder": ROOT / "target/memory"}
    # `--only TEXT`: commands with this text; `--keep`: leave all files for another run.
    arguments = command_line(__doc__, "binary", generator=generator, only="", keep=False, **sizes)
    binary, folder = arguments.binary, arguments.folder
    known = leaves(binary, [])
    if missing := unlisted(known):
        print(f"in no list of works.py, or listed and unknown: {', '.join(missing)}")
        return 1
    try:
        make_inputs(arguments.generator, folder, arguments.positions)
        table = Table(arguments.positions)
        measure(Commands(binary, folder, known), table, arguments.only)
    finally:
        if not arguments.keep:
            shutil.rmtree(folder, ignore_errors=True)
    print(f"\n{machine_line()}; {table.made:,} positions")
    print("\n".join([f"FINDING: {each}" for each in table.wrong] or ["every bound holds"]))
    return 1 if table.wrong else 0


def unlisted(known: list[str]) -> list[str]:
    """Commands of `--help` that are in no list, and listed ones that are not there."""
    lines = [*(work.arguments for work in WORKS), *SHARED, *EXCEPTIONS]
    listed = {leaf_of(line, known) for line in lines}
    unknown = [line for line in lines if not leaf_of(line, known)]
    return sorted([*(set(known) - listed), *unknown])


def leaf_of(line: str, known: list[str]) -> str:
    """The command that a line begins with."""
    return next((name for name in known if f"{line} ".startswith(f"{name} ")), "")


class Commands:
    """The binary in a folder, and the flags that its commands have."""

    def __init__(self, binary: Path, folder: Path, known: list[str]) -> None:
        """Nothing runs yet."""
        self.binary, self.folder = binary, folder
        helps = {name: help_of(binary, name.split()) for name in known}
        self.flags = {
            name: [flag for flag in ("--memory", "--force") if flag in text] for name, text in helps.items()
        }

    def takes(self, work: Work, flag: str) -> bool:
        """Whether a command has a flag."""
        return flag in self.flags[leaf_of(work.arguments, list(self.flags))]

    def once(self, work: Work, memory: str) -> Measured:
        """Runs one command."""
        words = [str(self.binary), *shlex.split(work.line)]
        words += ["--memory", memory] if memory else []
        if work.output and self.takes(work, "--force"):
            words.append("--force")
        given = self.folder / work.given if work.given else None
        return run(words, self.folder, given)

    def positions(self, book: str) -> int:
        """How many positions a book has."""
        out = self.folder / "info.json"
        run([str(self.binary), "info", book, "--json"], self.folder, out=out)
        return json.loads(out.read_text("utf-8"))["details"]["positions"]

    def tidy(self, work: Work) -> None:
        """Removes an output that no later command reads."""
        used = sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())
        if used > DISK_BYTES_MAX:
            raise SystemExit(f"{work.line}: {used:,} bytes are on disk, and {DISK_BYTES_MAX:,} may be")
        if work.output and not work.kept:
            remove(self.folder / work.output)


def measure(commands: Commands, table: Table, only: str) -> None:
    """Runs every command."""
    print(HEAD)
    for work in WORKS:
        if only in work.arguments:
            measure_work(commands, table, work)
            commands.tidy(work)
    table.made = commands.positions("t.tabia")
    if table.made < table.positions:
        table.wrong.append(f"the book has {table.made:,} positions in place of {table.positions:,}")
    for steps in (shared.servers, shared.cluster):
        for name, bound, done in () if only not in "shared" else steps(commands.binary, commands.folder):
            table.add(name, MEMORY if bound is LIMIT and "cluster" in name else "", bound, done)
            if done.code not in (0, INTERRUPTED):
                table.wrong.append(f"{name}: exit {done.code}: {done.message}")


def measure_work(commands: Commands, table: Table, work: Work) -> None:
    """Runs one command, and again with what it says is enough."""
    memory = MEMORY if commands.takes(work, "--memory") else ""
    done = commands.once(work, memory)
    need = NEED.search(done.message)
    if done.code == 1 and work.may_refuse and need:
        refused = Bound(f"refused: it needs up to {need[1]}", work.bound.fixed_bytes)
        table.add(work.arguments, memory, refused, done)
        memory = need[1]
        work = dataclasses.replace(work, bound=Bound("`--memory`", mebibytes(memory) << 20))
        done = commands.once(work, memory)
    if done.code not in (0, work.code) or "tabia: " in done.message:
        table.wrong.append(f"{work.arguments}: exit {done.code}: {done.message}")
    table.add(work.arguments, memory, work.bound, done)


def mebibytes(text: str) -> int:
    """A size as messages have it."""
    return int(text[:-3]) << (10 if text.endswith("GiB") else 0)


if __name__ == "__main__":
    sys.exit(main())

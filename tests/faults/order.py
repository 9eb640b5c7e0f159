"""The order of syncs and renames, which decides what a power failure leaves.

A kill loses nothing that was written; a power failure loses what was not synced. So the trace of
every writer is read by these rules: before a file or folder is renamed to its final name, all of
its content is synced, and every journal with its folder; the folder that the rename was in is
synced before anything older is removed, and before the command ends.
"""

import functools
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

import traced
from cases import Case, Cases, once
from commands import WRITERS, Writer
from workplace import Workplace, arguments

CALL = re.compile(r"^(\d+) +(\w+)\((.*)$")
RESUMED = re.compile(r"^(\d+) +<\.\.\. (\w+) resumed>(.*)$")
DESCRIPTOR = re.compile(r"^\d+<([^>]*)>")
JOURNAL = ".tabia-journal"
# A name, and the folder it is relative to where the call has one.
NAMED = re.compile(r'(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"')


def order(workplace: Workplace, _most: int) -> Cases:
    """Each writer once."""
    traced.available()

    def case(writer: Writer) -> Case:
        return Case(f"strace -f -y tabia {arguments(writer)}", functools.partial(ordered, workplace, writer))

    return once(WRITERS, case)


def ordered(workplace: Workplace, writer: Writer) -> str | None:
    """Runs the writer and judges its trace."""
    with workplace.copy_for(writer) as place:
        ran, lines = traced.trace(workplace, arguments(writer), place)
        if ran.code != 0:
            return f"{ran.how}"
        final = frozenset(workplace.new(writer))
        # What finds nothing in a trace without syncs would find nothing at all.
        without_syncs = [line for line in lines if not any(sync in line for sync in traced.SYNCS)]
        if not wrong_in(without_syncs, place, final):
            return "the rules find nothing wrong in the same trace without its syncs"
        return "; ".join(wrong_in(lines, place, final)) or None


def wrong_in(lines: list[str], place: Path, final: frozenset[str]) -> list[str]:
    """What a trace does in the wrong order; `final` are the names that outputs have."""
    disk = Disk(place, final)
    for line in lines:
        disk.line(line)
    disk.end()
    return disk.wrong


@dataclass
class Disk:
    """What of a folder would survive a power failure now."""

    place: Path
    final: frozenset[str]
    # Files with content, and folders with names, that are not synced.
    unsynced: set[str] = field(default_factory=set)
    # Folders in which an output was renamed since they were synced.
    renamed_in: set[str] = field(default_factory=set)
    # Journals of a command with several outputs, from which a renaming that is cut off is finished.
    journals: set[str] = field(default_factory=set)
    # What a thread's call began with that has not ended.
    began: dict[str, str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def line(self, line: str) -> None:
        """Takes one line of the trace."""
        begun, resumed = CALL.match(line), RESUMED.match(line)
        if begun and begun[3].endswith("<unfinished ...>"):
            self.began[begun[1]] = begun[3]
            # Bytes of a call that has begun may be written; a sync counts from its end.
            if begun[2] not in traced.SYNCS:
                self.call(begun[2], begun[3])
        elif begun:
            if " = -1 " not in begun[3]:
                self.call(begun[2], begun[3])
        elif resumed and resumed[2] in traced.SYNCS and " = 0" in resumed[3]:
            self.call(resumed[2], self.began.get(resumed[1], ""))

    def call(self, name: str, text: str) -> None:
        """Takes a call that succeeded."""
        if name in traced.SYNCS:
            self.synced(path_of(text))
        elif name in traced.WRITES:
            self.touched(path_of(text))
        elif name in (*traced.FOLDERS, *traced.OPENS) and (name in traced.FOLDERS or "O_CREAT" in text):
            for path in named(text, self.place)[:1]:
                self.touched(path)
                self.touched(os.path.dirname(path))
        elif name in traced.RENAMES:
            paths = named(text, self.place)
            if len(paths) == 2:
                self.renamed(*paths, exchanged="RENAME_EXCHANGE" in text)
        elif name in traced.REMOVALS:
            for path in named(text, self.place)[:1]:
                self.removed(path)

    def inside(self, path: str) -> bool:
        """Whether the path has a name in the folder."""
        return path.startswith(str(self.place)) and "#" not in path

    def touched(self, path: str) -> None:
        """A file's content or a folder's names changed."""
        if self.inside(path):
            self.unsynced.add(path)
            if path.endswith(JOURNAL):
                self.journals.add(path)

    def synced(self, path: str) -> None:
        """A file or folder is on disk."""
        self.unsynced.discard(path)
        self.renamed_in.discard(path)

    def renamed(self, source: str, target: str, exchanged: bool) -> None:
        """A name changed."""
        name = os.path.relpath(target, self.place)
        if name in self.final:
            late = sorted(path for path in self.unsynced if path == source or path.startswith(source + "/"))
            if late:
                self.wrong.append(
                    f"{name} is renamed before {', '.join(map(os.path.basename, late))} is synced"
                )
            for journal in sorted(self.journals):
                if not self.unsynced.isdisjoint({journal, os.path.dirname(journal)}):
                    self.wrong.append(f"{name} is renamed before {journal} is synced")
            self.renamed_in.add(os.path.dirname(target))
        moved = {path for path in self.unsynced if path == source or path.startswith(source + "/")}
        self.unsynced -= moved
        if not exchanged:
            self.unsynced |= {target + path.removeprefix(source) for path in moved}
        if target.endswith(JOURNAL):
            self.touched(os.path.dirname(target))
            self.journals.add(target)

    def removed(self, path: str) -> None:
        """A name is gone, and with it what needed a sync there."""
        if self.inside(path) and self.renamed_in:
            folders = ", ".join(sorted(self.renamed_in))
            self.wrong.append(f"{path} is removed before {folders} is synced")
        self.unsynced.discard(path)
        self.journals.discard(path)

    def end(self) -> None:
        """The command ended with success."""
        for folder in sorted(self.renamed_in):
            self.wrong.append(f"the names in {folder} are not synced at the end")


def path_of(text: str) -> str:
    """The file of the descriptor that a call begins with."""
    match = DESCRIPTOR.match(text)
    return match[1] if match else ""


def named(text: str, place: Path) -> list[str]:
    """The names in a call's arguments, as paths."""
    return [os.path.normpath(os.path.join(match[1] or place, match[2])) for match in NAMED.finditer(text)]

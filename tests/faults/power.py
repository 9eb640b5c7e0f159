"""Loss of power at every sync, rename and removal: of what was not synced, nothing or only a part is there.

A command is killed before the call, as in the class of kills. Then what its trace says is not synced is taken
back: bytes of files, names in folders, or both, as a file system may lose them. Afterwards a next command
recovers, and all outputs are old or all are new.
"""

import functools
import os
import shutil
from dataclasses import dataclass, field, replace
from pathlib import Path

import traced
from cases import Case, Cases, each
from commands import WRITERS, Writer
from judge.disks import remove
from judge.kill import KILL, must_be_killed
from kills import recovered, swept
from order import Disk, named
from traced import Call
from workplace import Workplace, arguments, shown

# What is lost: `drop` is all bytes of files that are not synced, `tear` the second half. Names that
# are lost are those that were made, changed or removed since their folder was synced.
LOSSES = ("names", "drop", "tear", "names and drop", "names and tear")


def losses(workplace: Workplace, most: int) -> Cases:
    """A loss of power before each call that decides what is safe, and before the command ends."""
    last: dict[Writer, Call] = {}

    def case(writer: Writer, fault: tuple[Call, str], number: int) -> Case:
        last[writer] = fault[0]
        words = f"{shown(killing('trace.txt', fault[0]), arguments(writer))}   # then lost: {fault[1]}"
        return Case(words, functools.partial(lost, workplace, writer, fault, number))

    found = each(WRITERS, traced.of_writers(workplace, with_losses), most, case, "calls and losses")
    without_syncs = [
        Case(
            f"tabia {arguments(one)}   # as if it synced nothing",
            functools.partial(noticed, workplace, one, last[one]),
        )
        for one in WRITERS
    ]
    return replace(found, chosen=[*found.chosen, *without_syncs])


def with_losses(calls: list[Call]) -> list[tuple[Call, str]]:
    """Each call that decides what is safe, with each loss before it."""
    deciding = (*traced.SYNCS, *traced.RENAMES, *traced.REMOVALS)
    return [(call, loss) for call in calls if call.name in deciding for loss in LOSSES]


def killing(log: Path | str, call: Call) -> list[str]:
    """The command before one that is killed at this call, with a trace of all that it changed."""
    names = [f"?{name}" for name in (*traced.CHANGES, *traced.OPENS)]
    return traced.injected(log, call, KILL, names=names)


def noticed(workplace: Workplace, writer: Writer, last: Call) -> str | None:
    """What finds nothing where every sync is ignored would find nothing at all."""
    found = lost(workplace, writer, (last, "drop"), 0, ignores_syncs=True)
    return None if found else "the loss of all that was written is not noticed"


def lost(
    workplace: Workplace, writer: Writer, fault: tuple[Call, str], number: int, *, ignores_syncs: bool = False
) -> str | None:
    """Kills the writer, takes back what was not synced, and looks at what the next commands make of it."""
    call, loss = fault
    with workplace.copy_for(writer) as place:
        before = place.parent / "before"
        # By links, so that a file that is restored is the same one to a journal.
        shutil.copytree(place, before, copy_function=os.link)
        log = place.parent / "trace.txt"
        must_be_killed(workplace.tabia(arguments(writer), place, killing(log, call)))
        disk = Memory(place, frozenset(workplace.new(writer)), before=before)
        disk.ignores_syncs = ignores_syncs
        for line in log.read_text("utf-8", "replace").splitlines():
            # The call at which the command was killed has no result.
            if " = ?" not in line:
                disk.line(line)
        disk.lose(loss)
        shutil.rmtree(before)
        return recovered(workplace, writer, place, number) or swept(workplace, writer, place)


@dataclass
class Memory(Disk):
    """What of a folder is only in the system's memory."""

    # The folder as the command found it.
    before: Path = Path()
    # Names that changed since their folder was synced, oldest first: folder, what was done, and the paths.
    changes: list[tuple[str, str, tuple[str, ...]]] = field(default_factory=list)
    ignores_syncs: bool = False

    def call(self, name: str, text: str) -> None:
        """Takes a call that succeeded."""
        super().call(name, text)
        paths = tuple(each for each in named(text, self.place) if self.inside(each))
        if not paths:
            return
        creates = name in traced.FOLDERS or (name in traced.OPENS and "O_CREAT" in text)
        if creates and not self.found_at(paths[0]).exists():
            self.changed("made", paths[:1])
        elif name in traced.RENAMES and len(paths) == 2:
            self.changed("exchanged" if "RENAME_EXCHANGE" in text else "renamed", paths)
        elif name in traced.REMOVALS:
            self.changed("removed", paths[:1])

    def found_at(self, path: str) -> Path:
        """Where there is what the command found at the path."""
        return self.before / os.path.relpath(path, self.place)

    def changed(self, what: str, paths: tuple[str, ...]) -> None:
        """A name was made, changed or removed."""
        self.changes.append((os.path.dirname(paths[-1]), what, paths))

    def synced(self, path: str) -> None:
        """A file or folder is on disk."""
        if self.ignores_syncs:
            return
        super().synced(path)
        self.changes = [change for change in self.changes if change[0] != path]

    def renamed(self, source: str, target: str, exchanged: bool) -> None:
        """A name changed, and with it those of what is below."""
        below = {path for path in self.unsynced if f"{path}/".startswith(f"{source}/")}
        super().renamed(source, target, exchanged)
        self.unsynced |= {target + path.removeprefix(source) for path in below}

    def lose(self, loss: str) -> None:
        """Takes back what is not synced."""
        for path in sorted(self.unsynced):
            if os.path.isfile(path):
                size = os.path.getsize(path)
                if "drop" in loss:
                    os.truncate(path, 0)
                elif "tear" in loss:
                    os.truncate(path, size // 2)
                    os.truncate(path, size)
        if "names" in loss:
            for _, what, paths in reversed(self.changes):
                self.undo(what, *paths)

    def undo(self, what: str, first: str, second: str = "") -> None:
        """Takes back one change of a name."""
        if what == "made":
            remove(Path(first))
        elif what == "exchanged" and os.path.exists(first):
            aside = f"{first}.aside"
            os.rename(first, aside)
            os.rename(second, first)
            os.rename(aside, second)
        elif what in ("exchanged", "renamed"):
            # What was at the second name may be removed by now.
            if os.path.exists(second):
                os.rename(second, first)
            self.restore(second)
            # A folder that was renamed to be removed has lost names under its second one.
            if os.path.isdir(first):
                self.restore(first)
        else:
            self.restore(first)

    def restore(self, path: str) -> None:
        """What the command found at a path is there again."""
        old = self.found_at(path)
        if old.is_dir():
            shutil.copytree(old, path, copy_function=link_missing, dirs_exist_ok=True)
        elif old.is_file():
            remove(Path(path))
            os.link(old, path)


def link_missing(old: str, path: str) -> None:
    """Links a file to a path where nothing is."""
    if not os.path.exists(path):
        os.link(old, path)

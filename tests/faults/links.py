"""A file system without hard links: what has two names elsewhere is copied, and has the same bytes."""

import functools
from collections.abc import Callable, Sequence
from pathlib import Path

import traced
from cases import Case, Cases, once
from commands import WRITERS
from kills import kills
from workplace import Workplace, arguments, tree

# What the call says on FAT, and on some file systems of programs (FUSE).
NO_LINKS = "inject=linkat:error=EPERM"

COMMITS = tuple(writer for writer in WRITERS if writer.name == "cluster commit")

# It gives parts of other exports a second name.
GATHER = "cluster gather shards -o gathered.export -q"
EXPORT = "export parquet t.table --only moves --without san"


def copied(workplace: Workplace, _most: int) -> Cases:
    """Each command that links, undisturbed but for that."""
    traced.available()

    def case(subject: tuple[str, Callable[[Path], None]]) -> Case:
        command = " ".join([*traced.strace("trace.txt", NO_LINKS), "tabia", subject[0]])
        return Case(command, functools.partial(same, workplace, *subject))

    commits = [(arguments(each), functools.partial(workplace.writer_needs, each)) for each in COMMITS]
    return once([*commits, (GATHER, functools.partial(export_shards, workplace))], case)


def export_shards(workplace: Workplace, place: Path) -> None:
    """Makes what is gathered."""
    (place / "shards").mkdir()
    for shard in range(2):
        workplace.must(f"{EXPORT} --shard {shard} -o shards/{shard} -q", place)


def same(workplace: Workplace, command: str, make: Callable[[Path], None]) -> str | None:
    """What the command leaves in its folder is what it leaves where it may link."""
    found = []
    for faults in ((), (NO_LINKS,)):
        with workplace.copy() as place:
            make(place)
            ran, lines = traced.trace(workplace, command, place, faults)
            if ran.code != 0:
                return ran.how
            if met(lines) != bool(faults):
                return "no call that links was met"
            found.append(tree(place))
    different = sorted(name for name in found[0] | found[1] if found[0].get(name) != found[1].get(name))
    return f"{', '.join(different)} differ" if different else None


def met(lines: Sequence[str]) -> bool:
    """Whether a call of the trace that links was made to fail."""
    return any("linkat(" in line and "(INJECTED)" in line for line in lines)


def kills_without_links(workplace: Workplace, most: int) -> Cases:
    """A kill before each call of a commit that copies."""
    return kills(workplace, most, COMMITS, (NO_LINKS,))

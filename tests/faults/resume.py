"""Counts that are killed while they spill, and go on where they ended: to the same bytes."""

import contextlib
import functools
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

import traced
from cases import Case, Cases, each
from commands import Writer
from flips import FLIP, RESIZE, Damage
from judge.kill import KILL, Missed, must_be_killed
from judge.report import Skipped
from kills import changing
from traced import Call
from workplace import Workplace, arguments

# Bytes of a run that are flipped, and lengths. Runs are large and have checksums of their own.
BYTES_OF_RUN = 60

RUNS = "runs"

COUNT = Writer(
    "count, resumed",
    "count large.pgn -o t.table --shards 2 --rejects r.jsonl --rejects-filtered --min-elo 2000 --force",
    ("t.table", "r.jsonl"),
)
RESUMED = f"{arguments(COUNT)} --resume --temp-dir {RUNS}"


def available(workplace: Workplace) -> None:
    """Fails where the binary cannot resume."""
    if "--resume" not in workplace.must("count --help", workplace.root).text:
        raise Skipped("this version has no --resume")
    traced.available()


def resumed(workplace: Workplace, most: int) -> Cases:
    """A kill before each call, and a second one while the command goes on."""
    available(workplace)
    found = points(workplace)
    pairs = [(call, found[-1 - number // 2]) for number, call in enumerate(found)]

    def case(_: Writer, pair: tuple[Call, Call], _number: int) -> Case:
        return Case(shown(pair[0]), functools.partial(goes_on, workplace, *pair))

    return each([COUNT], lambda _: pairs, most, case, "calls")


def points(workplace: Workplace) -> list[Call]:
    """The calls of a count that spills into a folder of its own."""
    with workplace.copy_for(COUNT) as place:
        (place / RUNS).mkdir()
        called = traced.calls_of(workplace, RESUMED, place)
    return changing(called)


def shown(call: Call) -> str:
    """The command that is killed at a call."""
    return shlex.join(traced.injected("trace.txt", call, KILL)) + f" tabia {RESUMED}; tabia {RESUMED}"


def goes_on(workplace: Workplace, first: Call, second: Call) -> str | None:
    """Kills the count twice, lets it go on to its end, and looks at the table."""
    with killed_count(workplace, first) as place:
        workplace.tabia(RESUMED, place, traced.injected(place.parent / "trace.txt", second, KILL))
        return ends_right(workplace, place, may_refuse=False)


def ends_right(workplace: Workplace, place: Path, may_refuse: bool) -> str | None:
    """The count goes on to the table of an undisturbed one, and its folder is gone."""
    ran = workplace.tabia(RESUMED, place)
    if ran.crash():
        return ran.crash()
    if may_refuse and ran.code == 1 and ran.err.startswith("tabia: "):
        return None
    if ran.code != 0:
        return f"then again: {ran.how}"
    left = [path.name for path in (place / RUNS).rglob("*")]
    if left:
        return f"{', '.join(left)} stay in {RUNS}"
    found = workplace.not_new(COUNT, place)
    return f"then {found}" if found else None


def damaged_runs(workplace: Workplace, most: int) -> Cases:
    """Bytes flipped, and files cut, in the folder of a count that was killed."""
    available(workplace)
    # Everything is in the folder of runs when the first output gets its name.
    renames = (call for call in points(workplace) if call.name in traced.RENAMES)
    last = next(call for call in renames if RUNS not in call.text)

    def of_files(runs: bool, most: int) -> Cases:
        damages = [
            (file, way) for file in files if file[0].endswith(".run") == runs for way in (FLIP, RESIZE)
        ]
        return each(damages, lambda damage: damage[1].numbers(damage[0][1]), most, case, "bytes and lengths")

    def case(damage: tuple[tuple[str, int], Damage], number: int, _number: int) -> Case:
        file, way = damage
        check = functools.partial(damaged_run, workplace, last, file, functools.partial(way.make, number))
        return Case(f"{shown(last)}   # between them: {file[0]} {way.text.format(number)}", check)

    files = files_of(workplace, last).items()
    others, runs = of_files(False, most), of_files(True, min(most, BYTES_OF_RUN))
    return Cases([*others.chosen, *runs.chosen], others.all + runs.all, runs.unit)


def files_of(workplace: Workplace, call: Call) -> dict[str, int]:
    """Names and sizes of what a count leaves that is killed at this call."""
    with killed_count(workplace, call) as place:
        paths = sorted((place / RUNS).rglob("*"))
        return {path.name: path.stat().st_size for path in paths if path.is_file()}


@contextlib.contextmanager
def killed_count(workplace: Workplace, call: Call) -> Iterator[Path]:
    """A folder in which a count was killed."""
    with workplace.copy_for(COUNT) as place:
        (place / RUNS).mkdir()
        before = traced.injected(place.parent / "trace.txt", call, KILL)
        must_be_killed(workplace.tabia(RESUMED, place, before))
        yield place


def damaged_run(
    workplace: Workplace, call: Call, file: tuple[str, int], make: Callable[[bytes], bytes]
) -> str | None:
    """Damages a file of a count that was killed, and lets the count go on.

    A thread may have written less of the file than when its name and size were looked up.
    """
    name, size = file
    with killed_count(workplace, call) as place:
        paths = list((place / RUNS).rglob(name))
        if not paths or paths[0].stat().st_size < size:
            raise Missed
        paths[0].write_bytes(make(paths[0].read_bytes()))
        return ends_right(workplace, place, may_refuse=True)

"""What is refused: before a session is started, or where a run is lost, doubled or changed on the way."""

import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import chaos
from judge.report import Case, Failed
from place import Place, must_fail

SECONDS_MAX = 5

KINDS = ("drop a run", "double a run", "flip a bit", "drop the report")

REFUSED = (("--dedup-games", "truncated"), ("--limit", "5"))


def cases(place: Place, quick: bool) -> Iterator[Case]:
    """Flags that are refused by name, a wrong one, and each kind of damage to the stream of one map."""
    file = str(place.inputs.small["plain"])
    for flags in REFUSED:
        yield Case(f"{flags[0]} is refused", partial(refused, place, flags[0], file, *flags))
    yield Case("standard input is refused", partial(refused, place, "standard input", "-"))
    yield Case("a flag that is none", partial(refused, place, "--max-plies", file, "--max-plies"))
    yield Case("workers that do not see the output's folder", partial(unseen, place))
    yield Case("an input rewritten between maps", partial(rewritten, place))
    for kind in KINDS[2:3] if quick else KINDS:
        yield Case(kind, partial(spoiled, place, kind))


def refused(place: Place, word: str, *arguments: str) -> str:
    """Exit code 2 at once, with the binary's message, which names the flag."""
    table = place.new_folder("refused") / "games.table"
    ran = place.spark("plan-and-count", *arguments, "-o", table)
    if ran.code != 2 or word not in ran.err or ran.seconds > SECONDS_MAX:
        raise Failed(f"exit {ran.code} after {ran.seconds:.1f} s: {ran.err}")
    if any(table.parent.iterdir()):
        raise Failed(f"{list(table.parent.iterdir())} after a refusal")
    return ""


def spoiled(place: Place, kind: str) -> str:
    """Counts with the damage, which does not mend itself."""
    fault = place.fault(kind, "map", after=1)
    table = Path(fault.folder).parent / "games.table"
    files = (place.inputs.small["plain"],)
    arguments = ("plan-and-count", *files, "-o", table, "--chunk", place.inputs.chunk)
    ran = place.spark(*arguments, fault=fault)
    must_fail(ran, table, "tabia cluster reduce", "chunk")
    return ran.err.strip().splitlines()[-1]


def unseen(place: Place) -> str:
    """The first tasks fail, and say so while others run."""
    fault = place.fault("hide folder", "map", times=99)
    table = Path(fault.folder).parent / "games.table"
    ran = place.spark("plan-and-count", place.inputs.small["plain"], "-o", table, fault=fault)
    must_fail(ran, table, "is not the folder that the driver made", "a task failed on 127.0.0.1")
    if any(task.verb == "reduce" for task in chaos.journal(fault)):
        raise Failed("it was found only in the reduce")
    if left := list(table.parent.glob(".games.table*")):
        raise Failed(f"{left} after a failure")
    return ran.err.strip().splitlines()[-1]


def rewritten(place: Place) -> str:
    """Maps that read other bytes than were planned fail, though the length is the same."""
    fault = place.fault("rewrite input", "map", after=2)
    table = Path(fault.folder).parent / "games.table"
    games = Path(fault.folder).parent / "games.pgn"
    shutil.copyfile(place.inputs.large["plain"], games)
    ran = place.spark("plan-and-count", games, "-o", table, "--chunk", place.inputs.chunk, fault=fault)
    must_fail(ran, table, "tabia cluster map", "plan again")
    return ran.err.strip().splitlines()[-1]

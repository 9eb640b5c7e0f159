"""Runs that are lost, doubled or changed on the way: no table, and the binary's own message."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from place import Case, Place, must_fail

KINDS = ("drop a run", "double a run", "flip a bit", "drop the account")


def cases(place: Place, quick: bool) -> Iterator[Case]:
    """Each kind of damage, to the stream of one map."""
    for kind in KINDS[2:3] if quick else KINDS:
        yield Case(kind, partial(spoiled, place, kind))


def spoiled(place: Place, kind: str) -> str:
    """Counts with the damage, which does not mend itself."""
    fault = place.fault(kind, "map", after=1)
    table = Path(fault.folder).parent / "games.table"
    files = (place.inputs.small["plain"],)
    arguments = ("plan-and-count", *files, "-o", table, "--chunk", place.inputs.chunk)
    ran = place.spark(*arguments, fault=fault)
    must_fail(ran, table, "tabia cluster reduce", "chunk")
    return ran.err.strip().splitlines()[-1]

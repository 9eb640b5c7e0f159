"""What needs one machine is refused before a session is started."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from place import Case, Failed, Place

SECONDS_MAX = 5

REFUSED = (("--dedup-games", "exact"), ("--limit", "5"), ("--rejects", "rejects.jsonl"), ("--resume",))


def cases(place: Place, _quick: bool) -> Iterator[Case]:
    """Flags that are refused by name, and a wrong one."""
    file = str(place.inputs.small["plain"])
    for flags in REFUSED:
        yield Case(f"{flags[0]} is refused", partial(refused, place, flags[0], file, *flags))
    yield Case("standard input is refused", partial(refused, place, "standard input", "-"))
    yield Case("a flag that is none", partial(refused, place, "--max-plies", file, "--max-plies"))


def refused(place: Place, word: str, *arguments: str) -> str:
    """Exit code 2 at once, with the binary's message, which names the flag."""
    table = place.new_folder("refused") / "games.table"
    ran = place.spark("plan-and-count", *arguments, "-o", table)
    if ran.code != 2 or word not in ran.err or ran.seconds > SECONDS_MAX:
        raise Failed(f"exit {ran.code} after {ran.seconds:.1f} s: {ran.err}")
    if any(table.parent.iterdir()):
        raise Failed(f"{list(table.parent.iterdir())} after a refusal")
    return ""

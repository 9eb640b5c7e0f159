"""kill -9 at every call that changes a file: all outputs are old or all are new; nothing stays."""

from __future__ import annotations

import functools
from pathlib import Path, PurePath

import traced
from case import Case, Cases, Missed
from commands import FOLDER_ENDS, WRITERS, Writer, openers
from traced import Call
from workplace import Workplace, arguments, shown

KILLED = -9

# Calls at which a command is killed: all of them, but for the many writes of the one that spills.
CALLS_MAX = 150
CALLS_QUICK = 3


def kills(workplace: Workplace, quick: bool) -> Cases:
    """A kill before each call."""
    return cases(workplace, quick, WRITERS, [])


def kills_without_exchange(workplace: Workplace, quick: bool) -> Cases:
    """The same where the kernel cannot exchange two names, as on some file systems."""
    folders = [each for each in WRITERS if any(name.endswith(FOLDER_ENDS) for name in each.outputs)]
    return cases(workplace, quick, folders, ["inject=renameat2:error=EINVAL"])


def cases(workplace: Workplace, quick: bool, writers: list[Writer], also: list[str]) -> Cases:
    """Kills of these writers, while other faults happen too."""
    chosen, total = traced.faults(
        workplace, writers, changing, CALLS_QUICK if quick else CALLS_MAX, also
    )
    found = []
    for writer, calls in chosen:
        for number, call in enumerate(calls):
            check = functools.partial(killed, workplace, writer, (call, also), number)
            command = shown(killing("trace.txt", call, also), arguments(writer))
            found.append(Case(command, check))
    return Cases(found, total, "calls")


def changing(calls: list[Call]) -> list[Call]:
    """The calls that change something."""
    return [call for call in calls if call.changes()]


def killing(log: Path | str, call: Call, also: list[str]) -> list[str]:
    """The command before one that is killed at this call."""
    kill = f"inject={call.name}:signal=KILL:when={call.nth}"
    # strace makes one fault a name: where this call is killed, those of its name before it succeed.
    also = [fault for fault in also if not fault.startswith(f"inject={call.name}:")]
    return traced.strace(log, f"trace={call.name},?renameat2", *also, kill)


def killed(
    workplace: Workplace, writer: Writer, fault: tuple[Call, list[str]], number: int
) -> str | None:
    """Kills the writer, lets a next command recover, and looks at what is there."""
    with workplace.copy_for(writer) as place:
        log = place.parent / "trace.txt"
        ran = workplace.tabia(arguments(writer), place, killing(log, *fault))
        if ran.code == 0:
            raise Missed
        if ran.code != KILLED:
            return f"was not killed: exit {ran.code}: {ran.err.strip()}"
        return recovered(workplace, writer, place, number) or swept(workplace, writer, place)


def recovered(workplace: Workplace, writer: Writer, place: Path, number: int) -> str | None:
    """The next command opens one of the outputs: another one, or by another command, each time."""
    candidates = [opener for output in writer.outputs for opener in openers(output)]
    # What no command opens is recovered by the next one that writes beside it.
    candidates = candidates or ["count own.pgn -o other.table -q"]
    opener = candidates[number % len(candidates)]
    ran = workplace.tabia(opener, place)
    if ran.code != 0:
        return f"then `tabia {opener}`: {ran.crash() or ran.err.strip()}"
    workplace.remove_others(place)
    state, description = workplace.whole(writer, place)
    return f"then {description}" if state == "mixed" else None


def swept(workplace: Workplace, writer: Writer, place: Path) -> str | None:
    """The command runs again, and another one in each folder; no temporary file is left."""
    state, _ = workplace.whole(writer, place)
    if state == "old" or writer.repeatable or workplace.not_new(writer, place):
        again = workplace.tabia(arguments(writer), place)
        if again.code != 0:
            return f"then again: exit {again.code}: {again.err.strip()}"
    for parent in sorted({str(PurePath(output).parent) for output in writer.outputs}):
        workplace.must(f"count own.pgn -o {parent}/other.table -q", place)
    workplace.remove_others(place)
    if found := workplace.not_new(writer, place):
        return f"then again: {found}"
    left = workplace.leftovers(writer, place)
    return f"the next runs leave {', '.join(left)}" if left else None

"""Errors of the system at every call: one message that names the file, and whole outputs."""

import errno
import functools
import os
import re
from pathlib import Path

import traced
from cases import Case, Cases, each
from commands import WRITERS, Writer, openers
from judge.run import Ran
from traced import Call
from workplace import Workplace, arguments, shown

# After a signal a call is made again: then nothing has failed.
AGAIN = "EINTR"
# What a call that changes something may fail with, and one that reads.
CHANGE_ERRORS = ("ENOSPC", "EIO", "EDQUOT")
OPEN_ERRORS = ("EMFILE", "EIO", "EACCES", AGAIN)
READ_ERRORS = ("EIO",)

# How messages name a cause where they do not use the system's words alone.
CAUSES = {"ENOSPC": "No space left on device|not enough disk"}

# The folder that commands work in, as messages name it.
HERE = re.compile(r"(^tabia: | in )\.[:;/ ]")


def errors(workplace: Workplace, most: int) -> Cases:
    """One error in each run."""

    def case(writer: Writer, fault: tuple[Call, str], _number: int) -> Case:
        before = traced.injected("trace.txt", fault[0], f"error={fault[1]}")
        return Case(shown(before, arguments(writer)), functools.partial(failed, workplace, writer, *fault))

    return each(WRITERS, traced.of_writers(workplace, with_errors), most, case, "calls and errors")


def with_errors(calls: list[Call]) -> list[tuple[Call, str]]:
    """Each call with each of its errors."""
    return [(call, error) for call in calls for error in errors_of(call)]


def errors_of(call: Call) -> tuple[str, ...]:
    """What a call may fail with."""
    if call.creates():
        return (*CHANGE_ERRORS, "EMFILE", AGAIN)
    if call.changes():
        return CHANGE_ERRORS
    if call.name in traced.LOCKS:
        return (AGAIN,)
    return OPEN_ERRORS if call.name in traced.OPENS else READ_ERRORS


def failed(workplace: Workplace, writer: Writer, call: Call, error: str) -> str | None:
    """Runs the writer with one call that fails."""
    with workplace.copy_for(writer) as place:
        log = place.parent / "trace.txt"
        ran = workplace.tabia(arguments(writer), place, traced.injected(log, call, f"error={error}"))
        traced.met(log, call, place)
        if error == AGAIN and ran.code != 0:
            return f"after a signal: {ran.how}"
        return judged(workplace, writer, place, ran, (call.name, cause_of(error)))


def cause_of(error: str) -> str:
    """The pattern that a message about an error has."""
    return CAUSES.get(error, os.strerror(getattr(errno, error)))


def judged(
    workplace: Workplace, writer: Writer, place: Path, ran: Ran, fault: tuple[str, str | None]
) -> str | None:
    """Whether message and outputs are right; the fault is a call and a pattern of its cause."""
    name, cause = fault
    if crash := ran.crash():
        return crash
    if ran.code == 0:
        if name in traced.SYNCS:
            return "exit 0 although a sync failed"
        if found := workplace.not_new(writer, place):
            return f"exit 0, but {found}"
        return left_over(workplace, writer, place, name)
    wrong = message(ran, place, cause) or outputs(workplace, writer, place, ran)
    return wrong or left_over(workplace, writer, place, name)


def message(ran: Ran, place: Path, cause: str | None) -> str | None:
    """One line on stderr that names a file or folder, and the cause (a pattern)."""
    if wrong := not_one_line(ran, cause):
        return wrong
    names = {path.name for path in place.rglob("*")} | {str(place)}
    if not HERE.search(ran.err) and not any(name in ran.err for name in (*names, "standard input")):
        return f"the message names no file: {ran.err.strip()}"
    return None


def not_one_line(ran: Ran, cause: str | None) -> str | None:
    """What is wrong with a message that is not one line with its cause."""
    lines = ran.err.strip().splitlines()
    if len(lines) != 1 or not lines[0].startswith("tabia: "):
        return f"exit {ran.code} with {len(lines)} lines: {ran.err.strip()!r}"
    if cause and not re.search(cause, lines[0], re.IGNORECASE):
        return f"the message does not say {cause!r}: {lines[0]}"
    return None


def outputs(workplace: Workplace, writer: Writer, place: Path, ran: Ran) -> str | None:
    """The outputs are all old or all new; if only some were replaced, the message names those."""
    for opener in [opener for output in writer.outputs for opener in openers(output)[:1]]:
        opened = workplace.tabia(opener, place)
        if opened.code != 0:
            return f"exit {ran.code}, then `tabia {opener}`: {opened.err.strip()}"
    state, description = workplace.whole(writer, place)
    if state != "mixed":
        return None
    replaced = [part.removesuffix(" is new") for part in description.split(", ") if part.endswith(" is new")]
    honest = all(part.endswith((" is new", " is old")) for part in description.split(", "))
    if honest and all(output in ran.err for output in replaced):
        return None
    return f"exit {ran.code}, then {description}: {ran.err.strip()}"


def left_over(workplace: Workplace, writer: Writer, place: Path, name: str) -> str | None:
    """A run cleans up after itself.

    The next run does where that needs the call that fails, or where no command opens the outputs.
    """
    nothing_opens = not any(openers(output) for output in writer.outputs)
    if nothing_opens or name in (*traced.REMOVALS, *traced.OPENS, *traced.LOOKS, "getdents64"):
        # On a full disk it fails, after it has finished or removed what was left.
        workplace.tabia("count own.pgn -o other.table -q", place)
        for output in writer.outputs:
            for opener in openers(output)[:1]:
                workplace.tabia(opener, place)
        workplace.remove_others(place)
    return workplace.leftovers(writer, place)

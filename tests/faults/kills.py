"""kill -9 at every call that changes a file: all outputs are old or all are new; nothing stays."""

import functools
from pathlib import Path, PurePath

import traced
from cases import Case, Cases, each
from commands import FOLDER_ENDS, WRITERS, Writer, openers
from judge.kill import KILL, must_be_killed
from traced import Call
from workplace import Workplace, arguments, shown


def kills(
    workplace: Workplace, most: int, writers: tuple[Writer, ...] = WRITERS, also: tuple[str, ...] = ()
) -> Cases:
    """A kill before each call of each writer, while other faults happen too."""

    def case(writer: Writer, call: Call, number: int) -> Case:
        check = functools.partial(killed, workplace, writer, call, also, number)
        return Case(shown(traced.injected("trace.txt", call, KILL, also), arguments(writer)), check)

    return each(writers, traced.of_writers(workplace, changing, also), most, case, "calls")


def kills_without_exchange(workplace: Workplace, most: int) -> Cases:
    """The same where the kernel cannot exchange two names, as on some file systems."""
    folders = tuple(
        writer for writer in WRITERS if any(name.endswith(FOLDER_ENDS) for name in writer.outputs)
    )
    return kills(workplace, most, folders, ("inject=renameat2:error=EINVAL",))


def changing(calls: list[Call]) -> list[Call]:
    """The calls that change something."""
    return [call for call in calls if call.changes()]


def killed(
    workplace: Workplace, writer: Writer, call: Call, also: tuple[str, ...], number: int
) -> str | None:
    """Kills the writer, lets a next command recover, and looks at what is there."""
    with workplace.copy_for(writer) as place:
        before = traced.injected(place.parent / "trace.txt", call, KILL, also)
        must_be_killed(workplace.tabia(arguments(writer), place, before))
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
            return f"then again: {again.how}"
    for parent in sorted({str(PurePath(output).parent) for output in writer.outputs}):
        workplace.must(f"count own.pgn -o {parent}/other.table -q", place)
    workplace.remove_others(place)
    if found := workplace.not_new(writer, place) or workplace.leftovers(writer, place):
        return f"then again: {found}"
    return None

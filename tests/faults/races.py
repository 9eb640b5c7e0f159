"""Writers of one artefact at the same time, and readers while it is replaced."""

import functools
import itertools
import re
import shlex
import threading
from collections.abc import Sequence
from pathlib import Path

from cases import Case, Cases, each, spread
from commands import openers
from judge.compare import Tree
from judge.run import Overdue, Process, Ran, end, start, stopped
from workplace import Workplace, tree

# Commands that run at the same time.
WRITERS = (
    ("add t.table b.pgn", "add t.table c.pgn"),
    ("add t.table b.pgn", "add t.table c.pgn", "add t.table d.pgn", "add t.table own.pgn"),
    ("add ab.table c.pgn", "subtract ab.table b.pgn"),
    ("add t.table b.pgn", "count c.pgn -o t.table --shards 2 --force"),
    ("add t.table b.pgn", "merge t.table u.table -o m.table --force", "add m.table c.pgn"),
    ("count b.pgn -o t.table --shards 2 --force", "count c.pgn -o t.table --shards 2 --force"),
    ("compact u.table -o k.tabia --force", "compact ab.table -o k.tabia --force"),
)

# What a reader may end with when the artefact was replaced under it, after it had begun to answer.
REPLACED = "replaced while it was read"

READERS = (
    *openers("t.table"),
    "merge t.table u.table -o other.table -q",
    "learn crafty book.lrn --table t.table -o other.experience.parquet -q",
    *openers("k.tabia"),
    "why k.tabia e4",
    "simulate k.tabia --policy polyglot --seed 1 --games 5",
    *openers("o.experience.parquet"),
    "experience merge o.experience.parquet e.experience.parquet -o other.experience.parquet -q",
    *openers("bins/k.bin"),
)

# What replaces each artefact, in turn: two versions.
SWAPS = (
    "count a.pgn -o t.table --shards 2 --force -q",
    "compact t.table -o k.tabia --force -q",
    "learn set --line d4 --value 50 -o o.experience.parquet --force -q",
    "export polyglot k.tabia -o bins/k.bin --force -q",
    "count b.pgn -o t.table --shards 2 --force -q",
    "compact u.table -o k.tabia --force -q",
    "learn set --line c4 --value 100 -o o.experience.parquet --force -q",
    "export polyglot l.tabia -o bins/k.bin --force -q",
)


def writers(workplace: Workplace, most: int) -> Cases:
    """Writers at once: what is there afterwards is what some order of them leaves."""
    orders = Orders(workplace)

    def case(group: tuple[str, ...], _fault: int, number: int) -> Case:
        shown = " & ".join(f"tabia {command}" for command in group)
        return Case(f"{shown}, round {number}", functools.partial(orders.race, group))

    return each(WRITERS, lambda _: range(most), most, case, "rounds")


class Orders:
    """What commands leave when they run one after another, in every order."""

    def __init__(self, workplace: Workplace) -> None:
        """Nothing is known yet."""
        self.workplace = workplace
        self.known: dict[tuple[str, ...], list[Tree]] = {}

    def outcomes(self, commands: tuple[str, ...]) -> list[Tree]:
        """The folder after each order."""
        if commands not in self.known:
            found: list[Tree] = []
            for order in itertools.permutations(commands):
                with self.workplace.copy() as place:
                    for command in order:
                        self.workplace.must(f"{command} -q", place)
                    found.append(tree(place))
            self.known[commands] = found
        return self.known[commands]

    def race(self, commands: tuple[str, ...]) -> str | None:
        """Runs the commands at the same time."""
        with self.workplace.copy() as place:
            binary, done = self.workplace.binary, []
            ended = ended_all([start([binary, *shlex.split(command), "-q"], place) for command in commands])
            for command, ran in zip(commands, ended, strict=True):
                if ran.crash() or (ran.code != 0 and REPLACED not in ran.err):
                    return f"`tabia {command}`: {ran.how}"
                done += [command] if ran.code == 0 else []
            if tree(place) in self.outcomes(tuple(done)):
                return None
            return "all ended with exit 0, and no order of them leaves what is there"


def ended_all(running: list[Process]) -> list[Ran]:
    """How each of them ended; if one does not, the others end with it."""
    try:
        return [end(process) for process in running]
    except Overdue:
        for process in running:
            if process.poll() is None:
                stopped(process)
        raise


def readers(workplace: Workplace, most: int) -> Cases:
    """Each reader again and again while what it reads is replaced; of few rounds, not all readers."""
    chosen = spread(READERS, 2 * most)
    answers = answers_at_rest(workplace, chosen)
    cases = [
        Case(
            f"while true; do tabia {'; tabia '.join(swaps_of(reader))}; done & tabia {reader}",
            functools.partial(read_during_swaps, workplace, reader, answers[reader], most),
        )
        for reader in chosen
    ]
    return Cases(cases, len(READERS) * most, "rounds")


Answer = tuple[int, bytes, tuple[tuple[str, str], ...]]


def answer(workplace: Workplace, reader: str, place: Path, before: Sequence[str] = ()) -> tuple[Ran, Answer]:
    """Runs a reader; its answer is what it prints and what it writes."""
    ran = workplace.tabia(reader, place, before)
    written = {
        f"{path.name}/{name}": digest for path in place.glob("other*") for name, digest in tree(path).items()
    }
    workplace.remove_others(place)
    return ran, (ran.code, ran.out, tuple(sorted(written.items())))


def answers_at_rest(workplace: Workplace, chosen: list[str]) -> dict[str, set[Answer]]:
    """What each reader answers of each version when nothing else runs."""
    answers: dict[str, set[Answer]] = {reader: set() for reader in chosen}
    with workplace.copy() as place:
        for swap in SWAPS:
            workplace.must(swap, place)
        for swap in SWAPS:
            workplace.must(swap, place)
            for reader in [reader for reader in chosen if swap in swaps_of(reader)]:
                answers[reader].add(answer(workplace, reader, place)[1])
    return answers


def swaps_of(reader: str) -> list[str]:
    """The commands that replace what a reader reads: it is what stands after their `-o`."""
    return [swap for swap in SWAPS if re.search(r" -o (\S+)", swap)[1] in reader]


def read_during_swaps(workplace: Workplace, reader: str, allowed: set[Answer], rounds: int) -> str | None:
    """Runs a reader many times while the swaps go on."""
    wrong: list[str] = []
    stop = threading.Event()
    with workplace.copy() as place:
        for swap in SWAPS:
            workplace.must(swap, place)
        swapping = threading.Thread(target=swap_on, args=(workplace, place, stop, wrong))
        swapping.start()
        try:
            for _ in range(rounds):
                ran, got = answer(workplace, reader, place)
                if got not in allowed and not (ran.code == 1 and REPLACED in ran.err):
                    wrong.append(ran.crash() or f"{ran.how} (an answer of no version)")
        finally:
            stop.set()
            swapping.join()
    return f"{len(wrong)} of {rounds}: {wrong[0]}" if wrong else None


def swap_on(workplace: Workplace, place: Path, stop: threading.Event, wrong: list[str]) -> None:
    """Replaces everything in turn until the reader is done."""
    while not stop.is_set():
        for swap in SWAPS:
            try:
                ran = workplace.tabia(swap, place)
            except Overdue as overdue:
                wrong.append(f"`tabia {swap}`: {overdue}")
                return
            if ran.code != 0:
                wrong.append(f"`tabia {swap}`: {ran.how}")

"""Many threads, some of which wait at calls drawn by chance: the same bytes, errors, no hangs.

Threads meet in orders that a quiet machine never shows. strace makes some of their system calls
wait, a lock's among them, and not a line of the program is another one for it.
"""

import functools
import random
import shutil
from pathlib import Path

import flips
import traced
from cases import Case, Cases, each
from commands import WRITERS, Writer, with_threads
from flips import Artefact, Asked, undamaged
from judge.recipes import book_of_table
from judge.report import SAMPLE
from races import Answer
from workplace import Workplace, given, shown

# Calls that wait: those of locks and threads, and those that give other threads time.
CALLS = (
    "futex", "clone3", "sched_yield", "madvise", "mmap", "munmap", "openat", "read", "pread64",
    "write", "pwrite64", "fsync", "statx", "close",
)  # fmt: skip

# How long they wait, in microseconds; every how many calls.
WAITS = (100, 1_000, 5_000, 20_000)
EVERY = (1, 2, 3, 7, 20)

# What calls wait on average at most, so that a thread with thousands of them ends in time.
WAIT_AVERAGE_MAX = 1_000

THREADS = (2, 3, 4, 8)

# A table of many shards, and books: what threads share out among themselves.
LARGE = (
    "count all.pgn -o own.table --force -q --memory 64MiB",
    "compact own.table -o s.tabia -q",
    "compact t.table -o l.tabia -q --force",
)
KEPT = ("own.table", "t.table", "s.tabia", "l.tabia", "book.lrn", "open.toml")

TABLE = (
    "verify own.table",
    "merge own.table t.table -o other.table -q",
    "compact own.table -o other.tabia -q",
    "export parquet own.table -o other.export -q",
    "export abk own.table -o other.abk -q --max-ply 16",
    "export csv own.table -o other.csv -q --max-ply 16",
    "report own.table -o other.html -q",
    "suite own.table -o other.epd -q --plies 4",
    "diff own.table t.table -o other.parquet -q",
    "learn crafty book.lrn --table own.table -o other.experience.parquet -q",
    "run open.toml -q",
)

BOOK = (
    "verify s.tabia",
    "merge s.tabia l.tabia -o other.tabia -q",
    "export polyglot s.tabia -o other.bin -q",
    "export parquet s.tabia -o other.export -q",
    "export json s.tabia -o other.jsonl -q",
    "export epd s.tabia -o other.epd -q --max-ply 16",
    "export pgn s.tabia -o other.pgn -q --max-ply 16",
    "check s.tabia",
    "diff s.tabia l.tabia -o other.parquet -q",
)


def delayed(workplace: Workplace, most: int) -> Cases:
    """Each writer with many threads that wait."""
    traced.available()

    def case(writer: Writer, _fault: int, number: int) -> Case:
        seed = f"{writer.arguments} {number}"
        words = with_threads(writer.arguments, random.Random(seed).choice(THREADS)) + given(writer)
        check = functools.partial(same, workplace, writer, words, seed)
        return Case(shown(waiting("trace.txt", seed), words), check)

    return each(WRITERS, lambda _: range(most), most, case, "rounds")


def waiting(log: Path | str, seed: str) -> list[str]:
    """The command before one whose threads wait now and then."""
    chance = random.Random(seed)
    calls = chance.sample(CALLS, 4)
    waits = []
    for call in calls:
        every = chance.choice(EVERY)
        wait = min(chance.choice(WAITS), WAIT_AVERAGE_MAX * every)
        waits.append(f"inject={call}:delay_enter={wait}:when={chance.randrange(1, 30)}+{every}")
    return traced.strace(log, f"trace={','.join(calls)}", "signal=none", *waits)


def same(workplace: Workplace, writer: Writer, words: str, seed: str) -> str | None:
    """The outputs are those of one thread, and nothing else is left."""
    with workplace.copy_for(writer) as place:
        ran = workplace.tabia(words, place, waiting(place.parent / "trace.txt", seed))
        if ran.code != 0:
            return ran.crash() or ran.how
        return workplace.not_new(writer, place) or workplace.leftovers(writer, place)


def damaged(workplace: Workplace, most: int) -> Cases:
    """One bit of an artefact that many threads read; in half of the runs they wait."""
    traced.available()
    template = large(workplace)
    parts = sorted(str(path.relative_to(template)) for path in template.glob("own.table/part-*"))
    questions = [(parts, answered) for answered in undamaged(workplace, "large", TABLE).items()]
    questions += [(["s.tabia"], answered) for answered in undamaged(workplace, "large", BOOK).items()]

    def case(question: tuple[list[str], tuple[str, Answer]], _fault: int, number: int) -> Case:
        paths, answered = question
        return damage(workplace, template, paths, answered, f"{answered[0]} {number}")

    return each(questions, lambda _: range(most), most, case, "rounds")


def damage(
    workplace: Workplace, template: Path, paths: list[str], answered: tuple[str, Answer], seed: str
) -> Case:
    """A case for one place of the damage."""
    chance = random.Random(seed)
    path = chance.choice(paths)
    at = chance.randrange((template / path).stat().st_size)
    question, sound = answered
    question = f"{question} -j {chance.choice(THREADS)}"
    artefact = Artefact(path, (), question if question.startswith("verify") else "verify")
    waits = chance.random() < 0.5
    log = workplace.root / f"trace-{random.Random(seed).getrandbits(64):016x}.txt"
    asked = Asked(question, sound, template.name, waiting(log, seed) if waits else [])
    make = functools.partial(flips.FLIP.make, at)
    check = functools.partial(flips.damaged, workplace, artefact, make, asked)
    how = f"{path} {flips.FLIP.text.format(at)}, of the whole sample"
    return Case(shown(waiting("trace.txt", seed) if waits else [], f"{question}   # {how}"), check)


def large(workplace: Workplace) -> Path:
    """The folder with the artefacts that are damaged."""

    def make(place: Path) -> None:
        shutil.copy(SAMPLE, place / "all.pgn")
        (place / "open.toml").write_text(book_of_table("own.table", "other.tabia"), "utf-8")

    return workplace.template("large", LARGE, KEPT, make)

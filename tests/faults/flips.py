"""Damage to every byte of every artefact: the same answer or an error, never a wrong answer."""

import functools
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cases import Case, Cases, each
from commands import openers
from judge.run import Ran
from races import Answer, answer
from workplace import Workplace


@dataclass(frozen=True)
class Artefact:
    """An artefact, and the questions that are put to it."""

    path: str
    questions: tuple[str, ...]
    # A question that finds every damaged byte; none where the format has no checksum, and then
    # other answers are no finding either: only crashes are.
    finds_all: str | None


TABLE = (
    *openers("own.table"),
    "probe own.table --line e4 --json",
    "merge own.table t.table -o other.table -q",
    "learn crafty book.lrn --table own.table -o other.experience.parquet -q",
)

SHOWN = ("verify shown.table", "probe shown.table --games 2", "merge shown.table -o other.table -q")

ONCE = ("verify few.table", "merge few.table -o other.table -q")

BOOK = (
    *openers("s.tabia"),
    "probe s.tabia --line e4 --json",
    "pick s.tabia --policy terra --seed 7",
    "why s.tabia e5 --line e4",
    "simulate s.tabia --policy polyglot --seed 1 --games 20",
    "export parquet s.tabia -o other.export -q",
)

EXPERIENCE = (
    *openers("c.experience.parquet"),
    "probe c.experience.parquet",
    "experience show c.experience.parquet --json",
    "experience diff c.experience.parquet e.experience.parquet",
    "experience merge c.experience.parquet e.experience.parquet -o other.experience.parquet -q",
    "experience age c.experience.parquet --factor 0.5 -o other.experience.parquet -q",
    "learn set --line d4 --value 50 --continue c.experience.parquet -o other.experience.parquet -q",
    "learn export crafty c.experience.parquet -o other.lrn -q",
    "compact own.table --experience c.experience.parquet -o other.tabia -q",
)

BIN = (*openers("s.bin"), "probe s.bin --line e4", "pick s.bin --policy polyglot --seed 1")

ARTEFACTS = (
    Artefact("own.table/_manifest.json", TABLE, "verify own.table"),
    Artefact("own.table/part-00000.parquet", TABLE, "verify own.table"),
    Artefact("own.table/part-00001.parquet", TABLE, "verify own.table"),
    Artefact("few.table/_fingerprints", ONCE, "verify few.table"),
    Artefact("shown.table/_examples/moves", SHOWN, "verify shown.table"),
    Artefact("shown.table/_examples/games", SHOWN, "verify shown.table"),
    Artefact("s.tabia", BOOK, "verify s.tabia"),
    Artefact("c.experience.parquet", EXPERIENCE, "verify c.experience.parquet"),
    Artefact("s.bin", BIN, None),
)

# What makes the artefacts that are damaged, besides those of the prepared folder: a book with
# experience in it.
SMALL = (
    "compact own.table --experience c.experience.parquet -o s.tabia -q",
    "export polyglot s.tabia -o s.bin -q",
    "count own.pgn -o few.table --dedup-games exact --shards 2 -q",
    "count own.pgn -o shown.table --examples 2 --examples-min-games 1 --shards 2 -q",
)


@dataclass(frozen=True)
class Asked:
    """A question, and how it is put."""

    question: str
    # The answer when all is sound.
    sound: Answer
    # The folder that it is put in a copy of.
    template: str
    # The command that it is put below.
    before: Sequence[str] = ()


@dataclass(frozen=True)
class Damage:
    """A way to damage a file."""

    # In words, of a number.
    text: str
    # Gives damaged content, of a number.
    make: Callable[[int, bytes], bytes]
    # The numbers for a file of a size.
    numbers: Callable[[int], Sequence[int]]


def flip(at: int, content: bytes) -> bytes:
    """One bit of a byte differs, another bit from byte to byte."""
    return content[:at] + bytes([content[at] ^ 1 << at % 8]) + content[at + 1 :]


def resize(length: int, content: bytes) -> bytes:
    """The beginning of the content, or the content and zeros."""
    return content[:length] + bytes(max(0, length - len(content)))


def other_lengths(size: int) -> Sequence[int]:
    """All that are shorter, and some that are longer."""
    return [*range(size), size + 1, size + 16, size + 4096]


FLIP = Damage("with a bit of byte {} flipped", flip, range)
RESIZE = Damage("with its length changed to {}", resize, other_lengths)


def flipped(workplace: Workplace, most: int) -> Cases:
    """One bit of each byte."""
    return cases(workplace, FLIP, most, "bytes")


def cut(workplace: Workplace, most: int) -> Cases:
    """Every length."""
    return cases(workplace, RESIZE, most, "lengths")


def cases(workplace: Workplace, damage: Damage, most: int, unit: str) -> Cases:
    """A case for each damage and question."""
    kept = {artefact.path.split("/")[0] for artefact in ARTEFACTS}
    kept |= {"book.lrn", "t.table", "e.experience.parquet"}
    template = workplace.template("small", SMALL, kept)
    asked = [(artefact, question) for artefact in ARTEFACTS for question in artefact.questions]
    answers = undamaged(workplace, "small", [question for _, question in asked])

    def numbers(put: tuple[Artefact, str]) -> Sequence[int]:
        return damage.numbers((template / put[0].path).stat().st_size)

    def case(put: tuple[Artefact, str], number: int, _number: int) -> Case:
        artefact, question = put
        how = Asked(question, answers[question], "small")
        check = functools.partial(damaged, workplace, artefact, functools.partial(damage.make, number), how)
        return Case(f"tabia {question}   # {artefact.path} {damage.text.format(number)}", check)

    return each(asked, numbers, most, case, f"{unit} and commands")


def undamaged(workplace: Workplace, template: str, questions: Sequence[str]) -> dict[str, Answer]:
    """What each question is answered when all is sound."""
    with workplace.copy(template) as place:
        return {question: answer(workplace, question, place)[1] for question in questions}


def damaged(
    workplace: Workplace, artefact: Artefact, make: Callable[[bytes], bytes], asked: Asked
) -> str | None:
    """Puts the question to the damaged artefact."""
    place = place_of_thread(workplace, asked.template)
    path = place / artefact.path
    content = path.read_bytes()
    path.write_bytes(make(content))
    try:
        ran, got = answer(workplace, asked.question, place, asked.before)
    finally:
        path.write_bytes(content)
    return judged(artefact, asked.question, ran, got == asked.sound)


def judged(artefact: Artefact, question: str, ran: Ran, same: bool) -> str | None:
    """The same answer, or exit 1 with one message; what checks everything finds all damage."""
    crash = ran.crash()
    if crash:
        return crash
    if ran.code == 0 and (question == artefact.finds_all or not same) and artefact.finds_all:
        return "exit 0: the damage is not found" if same else "exit 0: a wrong answer"
    if ran.code != 0 and not ran.err.startswith("tabia: "):
        return ran.how
    return None


PLACES = threading.local()


def place_of_thread(workplace: Workplace, template: str) -> Path:
    """A copy of the template for this thread, which each case leaves as it was."""
    if getattr(PLACES, "of", None) != (workplace.root, template):
        PLACES.of = (workplace.root, template)
        PLACES.keep = workplace.copy(template)
        PLACES.place = PLACES.keep.__enter__()
    return PLACES.place

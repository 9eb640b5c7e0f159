"""Which mutants are tried: some of each crate, drawn by a seed."""

import hashlib
import json
import re
import subprocess
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

# Whatever an output or a table depends on is tried first, and most.
FIRST = {"tabia-output": 60, "tabia-table": 60}
# What only tests link.
LEFT_OUT = {"tabia-testing"}

TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^\\'])'|.", re.DOTALL)


@dataclass(frozen=True)
class Mutant:
    """One change of the code, as `cargo mutants` lists it; places are offsets in its file."""

    number: int
    package: str
    file: str
    name: str
    start: int
    end: int
    replacement: str
    # Between the braces of its function.
    body: tuple[int, int]

    @property
    def plain_name(self) -> str:
        """The name without line, column and the folder of crates, which other changes move."""
        name = re.sub(r":\d+:\d+:", ":", self.name, count=1)
        return re.sub(r"^crates/(?:\w+/)?(?=\w+/src/)", "crates/", name)


def draw(root: Path, count: int, seed: str) -> tuple[list[Mutant], int, int]:
    """The mutants to try; how many there are; how many of them no switch can choose."""
    listed = json.loads(
        subprocess.run(
            ["cargo", "mutants", "--list", "--json", "--workspace"],
            cwd=root,
            check=True,
            stdout=subprocess.PIPE,
        ).stdout
    )
    texts = {file: (root / file).read_text() for file in {each["file"] for each in listed}}
    lines = {file: line_starts(text) for file, text in texts.items()}
    by_package, fixed = defaultdict(list), 0
    for each in listed:
        if each["package"] in LEFT_OUT:
            continue
        mutant = switchable(each, texts[each["file"]], lines[each["file"]])
        fixed += mutant is None
        if mutant:
            by_package[each["package"]].append(mutant)
    drawn = []
    for package, wanted in shares(by_package, texts, count).items():
        drawn += first_by_seed(by_package[package], wanted, seed)
    numbered = [Mutant(**{**vars(each), "number": number}) for number, each in enumerate(drawn, start=1)]
    return numbered, len(listed), fixed


def line_starts(text: str) -> list[int]:
    """Where each line begins."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts


def switchable(listed: dict, text: str, lines: list[int]) -> Mutant | None:
    """The mutant, if a program can choose while it runs whether it is there.

    It cannot in constants, in functions that may run while the program is compiled, and in
    functions that return a type without a name, because both ways would have to return the same.
    """
    if not listed["function"] or "impl " in (listed["function"]["return_type"] or ""):
        return None

    def offset(place: dict) -> int:
        return lines[place["line"] - 1] + place["column"] - 1

    function, span = listed["function"]["span"], listed["span"]
    start, end = offset(function["start"]), offset(function["end"])
    opening = opening_brace(text, start, end)
    if opening is None or re.search(r"\bconst (unsafe )?fn\b", text[start:opening]):
        return None
    return Mutant(
        number=0,
        package=listed["package"],
        file=listed["file"],
        name=listed["name"],
        start=offset(span["start"]),
        end=offset(span["end"]),
        replacement=listed["replacement"],
        body=(opening + 1, end - 1),
    )


def opening_brace(text: str, start: int, end: int) -> int | None:
    """Where the body of a function opens."""
    depth = 0
    for token in TOKEN.finditer(text, start, end):
        if token[0] in "([":
            depth += 1
        elif token[0] in ")]":
            depth -= 1
        elif token[0] == "{" and depth == 0:
            return token.start()
    return None


def shares(by_package: dict[str, list[Mutant]], texts: dict[str, str], count: int) -> dict[str, int]:
    """How many of each package: those that come first, then the others by their lines."""
    wanted = {package: min(most, count, len(by_package[package])) for package, most in FIRST.items()}
    sizes = {
        package: sum(texts[file].count("\n") for file in {each.file for each in mutants})
        for package, mutants in sorted(by_package.items())
        if package not in FIRST
    }
    left, total = max(count - sum(wanted.values()), 0), sum(sizes.values())
    exact = {package: left * size / total for package, size in sizes.items()}
    # Each has its whole part; the rest goes to the largest fractions.
    wanted |= {package: int(share) for package, share in exact.items()}
    rest = left - sum(int(share) for share in exact.values())
    for package in sorted(exact, key=lambda each: int(exact[each]) - exact[each])[:rest]:
        wanted[package] += 1
    return wanted


def first_by_seed(mutants: list[Mutant], wanted: int, seed: str) -> list[Mutant]:
    """As many as are wanted, in the order of a hash of seed and name.

    A change elsewhere in the code therefore hardly changes what is drawn. Of two functions, one
    within the other, mutants of one only.
    """
    alike = defaultdict(int)
    ranked = []
    for each in mutants:
        alike[each.plain_name] += 1
        key = f"{seed} {each.plain_name} {alike[each.plain_name]}"
        ranked.append((hashlib.sha256(key.encode()).digest(), each))
    drawn = []
    for _, each in sorted(ranked, key=lambda pair: pair[0]):
        if len(drawn) == wanted:
            break
        if not any(nested(each, other) for other in drawn):
            drawn.append(each)
    return drawn


def nested(one: Mutant, other: Mutant) -> bool:
    """Whether the function of one is in that of the other."""
    overlap = one.body[0] < other.body[1] and other.body[0] < one.body[1]
    return one.file == other.file and one.body != other.body and overlap

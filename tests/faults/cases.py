"""What a class of faults is made of: cases, each of which is sound or a finding."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

Any = TypeVar("Any")
Subject = TypeVar("Subject")


@dataclass(frozen=True)
class Case:
    """One fault, and what must hold after it."""

    # How to see it again: a shell command for the folder that `check_faults.py --prepare` makes.
    command: str
    # Gives what is wrong, or nothing if all is sound.
    check: Callable[[], str | None]


@dataclass(frozen=True)
class Cases:
    """The cases of a class, and how many there would be without a spread."""

    chosen: Sequence[Case]
    all: int
    # What `all` counts.
    unit: str


def spread(items: Sequence[Any], most: int) -> list[Any]:
    """At most `most` of the items, evenly spaced, the first and the last among them."""
    if len(items) <= most:
        return list(items)
    if most == 1:
        return [items[-1]]
    return [items[at * (len(items) - 1) // (most - 1)] for at in range(most)]


def once(subjects: Sequence[Subject], case_of: Callable[[Subject], Case]) -> Cases:
    """One case of each subject."""
    return Cases([*map(case_of, subjects)], len(subjects), "commands")


def each(
    subjects: Sequence[Subject],
    faults_of: Callable[[Subject], Sequence[Any]],
    most: int,
    case_of: Callable[[Subject, Any, int], Case],
    unit: str,
) -> Cases:
    """Cases of faults of each subject, at most `most` and evenly spaced."""
    chosen, total = [], 0
    for subject in subjects:
        faults = faults_of(subject)
        total += len(faults)
        chosen += [case_of(subject, fault, number) for number, fault in enumerate(spread(faults, most))]
    return Cases(chosen, total, unit)

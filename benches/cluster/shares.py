"""Processor time of JVMs, Pythons and the binary, as far as they descend from given processes."""

import os
import threading
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

SECONDS_BETWEEN = 0.1
TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


@dataclass
class Shares:
    """Looks at processes ten times a second: what one takes after the last look is missed.

    Time of children that were waited for would be more exact, but PySpark's daemon waits for none.
    """

    roots: list[int]
    seen: dict[tuple[int, int], tuple[str, float]] = field(default_factory=dict)
    """Kind and seconds of each process, by its number and when it was started."""
    ended: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Self:
        """Begins; what the processes took before does not count."""
        self.before = {name: seconds for name, (_, seconds) in self.look().items()}
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Ends."""
        self.ended.set()
        self.thread.join()

    def run(self) -> None:
        """Looks until the end."""
        while not self.ended.wait(SECONDS_BETWEEN):
            self.seen.update(self.look())

    def look(self) -> dict[tuple[int, int], tuple[str, float]]:
        """The processes that descend from the roots."""
        children = defaultdict(list)
        stats = dict(filter(None, map(stat, map(int, filter(str.isdigit, os.listdir("/proc"))))))
        for pid, (_, fields) in stats.items():
            children[int(fields[1])].append(pid)
        found = {}
        for pid in descendants(self.roots, children):
            if pid in stats:
                name, fields = stats[pid]
                seconds = (int(fields[11]) + int(fields[12])) / TICKS_A_SECOND
                found[pid, int(fields[19])] = (kind(name), seconds)
        return found

    def seconds(self) -> Counter[str]:
        """Seconds by kind."""
        sums: Counter[str] = Counter()
        for process, (name, seconds) in self.seen.items():
            sums[name] += seconds - self.before.get(process, 0)
        return sums


def stat(pid: int) -> tuple[int, tuple[str, list[str]]] | None:
    """A process's name, and the fields behind it; None if it has ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return None
    name, _, fields = text.partition("(")[2].rpartition(")")
    return pid, (name, fields.split())


def descendants(roots: Iterable[int], children: dict[int, list[int]]) -> list[int]:
    """The roots, and all below them."""
    found = list(roots)
    for pid in found:
        found += children[pid]
    return found


def kind(name: str) -> str:
    """JVM, Python or the binary; shells that start JVMs are theirs."""
    if name.startswith("tabia"):
        return "binary"
    return "Python" if name.startswith(("python", "pyspark")) else "JVM"

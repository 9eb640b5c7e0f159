"""The steps of a count that machines share, by hand: plan, map, reduce and commit."""

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Plan:
    """What `tabia cluster plan` printed, and the commands of the steps after it."""

    printed: str

    @property
    def head(self) -> dict[str, Any]:
        """The first line: what is the same for all chunks."""
        head: dict[str, Any] = json.loads(self.printed.partition("\n")[0])
        return head

    @property
    def lines(self) -> list[str]:
        """A line for each chunk."""
        return self.printed.splitlines()[1:]

    @property
    def chunks(self) -> list[dict[str, Any]]:
        """The chunks; those of a plan that is cut are no JSON."""
        return [json.loads(line) for line in self.lines]

    def map(self, line: str) -> list[str]:
        """Maps one chunk; prints its stream."""
        return ["cluster", "map", "--chunk", line, *self.head["flags"]["map"]]

    def maps(self) -> list[list[str]]:
        """Maps each chunk."""
        return [self.map(line) for line in self.lines]

    def reduce(self, attempt: str) -> list[str]:
        """Reduces the streams that it reads; prints the lines of the parts."""
        head = self.head
        return ["cluster", "reduce", "--plan", head["plan"], "--attempt", attempt, *head["flags"]["reduce"]]

    def commit(self) -> list[str]:
        """Lets the table appear of the parts whose lines it reads."""
        return ["cluster", "commit", *self.head["flags"]["commit"]]

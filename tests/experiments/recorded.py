"""A place that writes down each command that it runs."""

import shlex
from collections.abc import Iterable
from dataclasses import dataclass

from judge.run import must
from place import Place

# A search of a whole book at many nodes takes long.
SECONDS_MAX = 24 * 3600


@dataclass(frozen=True)
class Recorded(Place):
    """The binary and a folder, with its commands in `commands.txt`."""

    def note(self, command: Iterable[object]) -> None:
        """Writes a command down."""
        with (self.folder / "commands.txt").open("a", encoding="utf-8") as file:
            file.write(shlex.join(map(str, command)) + "\n")

    def run(self, *arguments: object) -> str:
        """Runs the binary; gives its standard output."""
        command = (self.binary, *arguments)
        self.note(command)
        return must(*command, seconds=SECONDS_MAX).text

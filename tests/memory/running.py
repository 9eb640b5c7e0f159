"""The binary below a limit, and its commands."""

import re
from pathlib import Path

from judge.measure import Measured, measure
from judge.run import must

# So that what has no bound fails, and not the machine.
LIMITED = ("prlimit", f"--as={8 << 30}", "--")

# How a command says that what it is given is too little, and how much is enough.
NEED = re.compile(r"use --memory (\d+[GM]iB)")


def run(command: list[object], folder: Path, given: Path | None = None, out: Path | None = None) -> Measured:
    """Runs a command in a folder to its end."""
    return measure([*LIMITED, *command], folder, given, out)


def help_of(binary: Path, words: list[str]) -> str:
    """The long help of a command."""
    return must(binary, *words, "--help").text


def leaves(binary: Path, words: list[str]) -> list[str]:
    """The commands of `--help` that have no commands of their own, below some words."""
    section = help_of(binary, words).partition("\nCommands:\n")[2].partition("\n\n")[0]
    names = re.findall(r"^  (\S+)", section, re.MULTILINE)
    if not names:
        return [" ".join(words)]
    return [leaf for name in names if name != "help" for leaf in leaves(binary, [*words, name])]

"""One command: how it ended, its seconds, and the most memory that it had at a time."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

# So that what has no bound fails, and not the machine.
ADDRESS_SPACE_BYTES = 8 << 30

# How a command says that what it is given is too little, and how much is enough.
NEED = re.compile(r"use --memory (\d+[GM]iB)")

Asking = Callable[[subprocess.Popen[bytes]], None]


@dataclass(frozen=True)
class Run:
    """How a command ended."""

    code: int
    seconds: float
    peak_bytes: int
    message: str


def run(
    command: list[str],
    folder: Path,
    given: Path | None = None,
    out: Path | None = None,
    asking: Asking | None = None,
) -> Run:
    """Runs a command in a folder to its end.

    Its output goes to a file or nowhere: Linux counts the memory of this process as the peak of
    all that it starts, so it keeps nothing.
    """
    errors = folder / "stderr.txt"
    with (
        (given or Path(os.devnull)).open("rb") as stdin,
        (out or Path(os.devnull)).open("wb") as stdout,
        errors.open("wb") as stderr,
    ):
        began = time.monotonic()
        limited = ["prlimit", f"--as={ADDRESS_SPACE_BYTES}", "--", *command]
        process = subprocess.Popen(limited, cwd=folder, stdin=stdin, stdout=stdout, stderr=stderr)
        if asking:
            asking(process)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    message = errors.read_text("utf-8", "replace")[-2000:].strip()
    return Run(process.returncode, seconds, usage.ru_maxrss << 10, message)


def help_of(binary: Path, words: list[str]) -> str:
    """The long help of a command."""
    ran = subprocess.run([binary, *words, "--help"], capture_output=True, text=True, check=True)
    return ran.stdout


def leaves(binary: Path, words: list[str]) -> list[str]:
    """The commands of `--help` that have no commands of their own, below some words."""
    section = help_of(binary, words).partition("\nCommands:\n")[2].partition("\n\n")[0]
    names = re.findall(r"^  (\S+)", section, re.MULTILINE)
    if not names:
        return [" ".join(words)]
    return [leaf for name in names if name != "help" for leaf in leaves(binary, [*words, name])]

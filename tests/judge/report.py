"""The command line of a judge, what it prints, and its exit code."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "data/sample.pgn"

# Objections that are printed.
SHOWN = 20


class Failed(Exception):
    """What must not happen."""


class Skipped(Exception):
    """Why something cannot be tried on this machine."""


def whole_path(text: str) -> Path:
    """A path of the command line, which holds in every folder."""
    return Path(text).resolve()


def command_line(about: str | None) -> argparse.ArgumentParser:
    """A command line that begins with the binary."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=whole_path, nargs="?", default=ROOT / "target/release/tabia")
    return parser


@dataclass(frozen=True)
class Case:
    """A case by name; its check gives a remark, or raises `Failed` or `Skipped`."""

    name: str
    check: Callable[[], str]

    def judge(self) -> bool:
        """Runs it and prints how it ended; false if it failed."""
        begun = time.monotonic()
        try:
            ended, remark = "ok", self.check()
        except Skipped as skipped:
            ended, remark = "SKIPPED", str(skipped)
        except (Failed, OSError, subprocess.TimeoutExpired) as failed:
            ended, remark = "FAILED", str(failed)
        except Exception:
            ended, remark = "FAILED", traceback.format_exc()
        seconds = time.monotonic() - begun
        # A line that begins with SKIPPED is one that the tests list at their end.
        told = f"{self.name}{': ' if remark else ''}{remark}"
        print(
            f"{ended}: {told}" if ended == "SKIPPED" else f"{ended:8}{told}", f"[{seconds:.1f} s]", flush=True
        )
        return ended != "FAILED"


def judge_cases(cases: Iterable[Case], words: Sequence[str] | None = None) -> int:
    """Judges the cases whose names have one of the words, if there are any; the exit code."""
    begun = time.monotonic()
    wanted = (case for case in cases if not words or any(word in case.name for word in words))
    judged = [case.judge() for case in wanted]
    print(f"{sum(judged)} of {len(judged)} cases passed, {time.monotonic() - begun:.0f} s")
    return 0 if judged and all(judged) else 1


def verdict(title: object, wrong: Sequence[str]) -> int:
    """Prints a line of what was judged, and below it what is wrong; the exit code."""
    print(f"{'DIFFERS' if wrong else 'equal'}  {title}", flush=True)
    for line in wrong[:SHOWN]:
        print(f"    {line}", flush=True)
    if len(wrong) > SHOWN:
        print(f"    and {len(wrong) - SHOWN} more")
    return 1 if wrong else 0


def objections(judge: Callable[..., Iterator[str]], *given: object, **more: object) -> list[str]:
    """All that a judge objects to; what it cannot go on after is its last objection."""
    found: list[str] = []
    try:
        found.extend(judge(*given, **more))
    except Failed as failure:
        found.append(str(failure))
    return found


def main(
    about: str | None,
    judge: Callable[..., Iterator[str]],
    name: str = "pgn",
    kind: Callable[[str], object] = whole_path,
    **options: int,
) -> NoReturn:
    """Judges one thing in a folder that is gone afterwards, with options and their defaults; exits."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("binary", type=whole_path)
    parser.add_argument(name, type=kind)
    for option, default in options.items():
        parser.add_argument(f"--{option.replace('_', '-')}", type=int, default=default)
    given = vars(parser.parse_args())
    binary, judged = given.pop("binary"), given.pop(name)
    with tempfile.TemporaryDirectory(prefix="tabia-judged-") as folder:
        wrong = objections(judge, binary, judged, Path(folder), **given)
    sys.exit(verdict(f"{Path(sys.argv[0]).stem.removeprefix('check_')} {judged}", wrong))

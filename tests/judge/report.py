"""The command line of a judge, what it prints, and its exit code."""

import argparse
import os
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "data/sample.pgn"
CORPUS = Path(os.environ.get("TABIA_CORPUS", ROOT.parent / "shared/corpus"))

# Objections that are printed.
SHOWN = 20


class Failed(Exception):
    """What must not happen."""


class Skipped(Exception):
    """Why something cannot be tried on this machine."""


def whole_path(text: str) -> Path:
    """A path of the command line, which holds in every folder."""
    return Path(text).resolve()


def command_line(about: str | None, *names: str, **defaults: Any) -> argparse.Namespace:  # noqa: ANN401
    """What a command line gives: paths by their names, and options by their defaults.

    A name may end with argparse's `?` or `+`. A default tells what an option takes: `False` nothing, a
    list several words, and `None` a path; all paths hold in every folder.
    """
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in names:
        parser.add_argument(name.rstrip("?+"), type=whole_path, nargs=name[-1] if name[-1] in "?+" else None)
    for name, default in defaults.items():
        option = f"--{name.replace('_', '-')}"
        if default is False:
            parser.add_argument(option, action="store_true")
        elif isinstance(default, list):
            parser.add_argument(option, nargs="+", default=default)
        else:
            kind = whole_path if default is None or isinstance(default, Path) else type(default)
            parser.add_argument(option, type=kind, default=default)
    return parser.parse_args()


@dataclass(frozen=True)
class Case:
    """A case by name; its check gives a remark or objections, or raises `Failed` or `Skipped`."""

    name: str
    check: Callable[[], str | Iterable[str]]

    def judge(self) -> bool:
        """Runs it and prints how it ended, with its first objections below; false if it failed."""
        begun, ended, remark, objections = time.monotonic(), "ok", "", []
        try:
            found = self.check()
            if isinstance(found, str):
                remark = found
            else:
                objections.extend(found)
        except Skipped as skipped:
            ended, remark = "SKIPPED", str(skipped)
        except (Failed, OSError, subprocess.TimeoutExpired) as failed:
            objections.append(str(failed))
        except Exception:
            objections.append(traceback.format_exc())
        ended = "FAILED" if objections else ended
        # A line that begins with SKIPPED is one that the tests list at their end.
        said = f"{ended}: " if ended == "SKIPPED" else f"{ended:8}"
        said += f"{self.name}{': ' if remark else ''}{remark} [{time.monotonic() - begun:.1f} s]"
        more = [f"and {len(objections) - SHOWN} more"] if len(objections) > SHOWN else []
        print("\n    ".join([said, *objections[:SHOWN], *more]), flush=True)
        return not objections


def chosen(name: str, words: Sequence[str]) -> bool:
    """Whether a case is wanted whose name has one of the words, if there are any."""
    return not words or any(word in name for word in words)


def judge_cases(cases: Iterable[Case], words: Sequence[str] = ()) -> int:
    """Judges the cases whose names have one of the words, if there are any; the exit code."""
    begun = time.monotonic()
    judged = [case.judge() for case in cases if chosen(case.name, words)]
    print(f"{sum(judged)} of {len(judged)} cases passed, {time.monotonic() - begun:.0f} s")
    return 0 if judged and all(judged) else 1


def main_of_cases(
    about: str | None,
    cases: Callable[[argparse.Namespace], Iterable[Case]],
    *names: str,
    **options: Any,  # noqa: ANN401
) -> NoReturn:
    """Judges cases of what a command line names; exits.

    The cases are given the command line with `place`, a folder that is gone afterwards, below `--folder`
    if that is named; `--only` chooses those whose names have one of its words.
    """
    given = command_line(about, *names, only=[], folder=None, **options)
    with tempfile.TemporaryDirectory(prefix="tabia-judged-", dir=given.folder) as folder:
        given.place = Path(folder)
        try:
            sys.exit(judge_cases(cases(given), given.only))
        except Skipped as skipped:
            sys.exit(print(f"SKIPPED: {skipped}"))


def main(about: str | None, judge: Callable[..., Iterable[str]], *names: str, **options: int) -> NoReturn:
    """Judges one thing: its judge is given the binary, what the names name, a folder, and the options."""

    def cases(given: argparse.Namespace) -> Iterator[Case]:
        named = [getattr(given, name) for name in names]
        chosen = {option: getattr(given, option) for option in options}
        title = " ".join([Path(sys.argv[0]).stem.removeprefix("check_"), *(path.name for path in named)])
        yield Case(title, partial(judge, given.binary, *named, given.place, **chosen))

    main_of_cases(about, cases, "binary", *names, **options)

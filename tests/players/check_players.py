#!/usr/bin/env python3
"""Real clients and engines play with `tabia uci`.

    PYTHONPATH=tests tests/players/check_players.py target/release/tabia --corpus ../shared/corpus
    … --only latency broken --percent 10

Each check prints a line of what it measured, or of what is wrong; the exit code is 1 if anything
is. A check whose programs are not installed prints that it is skipped.
"""

from __future__ import annotations

import functools
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import broken
import equality
import exchange
import kills
import latency
import matches
import passing
import settings
import xboard
from judge.report import ROOT, Case, command_line, judge_cases
from place import Place

CHECKS: dict[str, Callable[[Place], str]] = {
    "latency": latency.check,
    "passing": passing.check,
    "settings": settings.check,
    "broken": broken.check_engines,
    "gui": broken.check_guis,
    "kill": kills.check_kill,
    "sharing": kills.check_sharing,
    "equality": equality.check,
    "exchange": exchange.check,
    "xboard": xboard.check,
    "match": matches.check,
}


def main() -> int:
    """Runs the checks; the exit code."""
    parser = command_line(__doc__)
    parser.add_argument("--corpus", type=Path, default=ROOT.parent / "shared" / "corpus")
    parser.add_argument("--only", nargs="+", choices=CHECKS, default=list(CHECKS), metavar="CHECK")
    parser.add_argument("--percent", type=int, default=100, help="of the games that are played")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tabia-players-") as root:
        cases = []
        for name in given.only:
            place = Place(given.binary, Path(root) / name, given.corpus, given.percent)
            place.folder.mkdir()
            cases.append(Case(name, functools.partial(CHECKS[name], place)))
        return judge_cases(cases)


if __name__ == "__main__":
    sys.exit(main())

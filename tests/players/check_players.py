#!/usr/bin/env python3
"""Real clients and engines play with `tabia uci`.

    PYTHONPATH=tests tests/players/check_players.py target/release/tabia --corpus ../shared/corpus
    … --only latency broken --percent 10

Each check prints a line of what it measured, or of what is wrong; the exit code is 1 if anything
is. A check whose programs are not installed prints that it is skipped.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
import traceback
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
from match_runner import MatchError
from place import ROOT, Failed, Place, Skipped

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
    arguments = parse()
    sound = True
    with tempfile.TemporaryDirectory(prefix="tabia-players-") as root:
        for name in arguments.only or CHECKS:
            folder = Path(root) / name
            folder.mkdir()
            place = Place(arguments.binary.resolve(), folder, arguments.corpus, arguments.percent)
            sound &= run(name, place)
    return 0 if sound else 1


def run(name: str, place: Place) -> bool:
    """Runs a check and prints its line; whether nothing is wrong."""
    begun = time.monotonic()
    try:
        said, sound = CHECKS[name](place), True
    except Skipped as why:
        said, sound = f"SKIPPED: {why}", True
    except (Failed, MatchError, subprocess.TimeoutExpired) as why:
        said, sound = f"FAILED: {why}", False
    except Exception:
        said, sound = f"FAILED: {traceback.format_exc()}", False
    print(f"{name}: {said} [{time.monotonic() - begun:.0f} s]", flush=True)
    return sound


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("binary", type=Path, nargs="?", default=ROOT / "target/release/tabia")
    parser.add_argument("--corpus", type=Path, default=ROOT.parent / "shared" / "corpus")
    parser.add_argument("--only", nargs="+", choices=CHECKS, default=[], metavar="CHECK")
    parser.add_argument("--percent", type=int, default=100, help="of the games that are played")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())

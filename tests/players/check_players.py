#!/usr/bin/env python3
"""Real clients and engines play with `tabia uci`.

    PYTHONPATH=tests tests/players/check_players.py target/release/tabia --corpus ../shared/corpus
    … --only latency broken --percent 10

Each check prints a line of what it measured, or of what is wrong; the exit code is 1 if anything
is. A check whose programs are not installed prints that it is skipped.
"""

import argparse
from collections.abc import Callable, Iterator
from functools import partial

import broken
import equality
import exchange
import kills
import latency
import lichess_bot
import matches
import passing
import runners
import settings
import xboard
from judge.report import CORPUS, Case, main_of_cases
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
    "fastchess": runners.FASTCHESS.check,
    "cutechess": runners.CUTECHESS.check,
    "lichess-bot": lichess_bot.check,
    "match": matches.check,
}


def cases(args: argparse.Namespace) -> Iterator[Case]:
    """Each check in a folder of its own."""
    for name, check in CHECKS.items():
        place = Place(args.binary, args.place / name, args.corpus, args.percent)
        place.folder.mkdir()
        yield Case(name, partial(check, place))


if __name__ == "__main__":
    # Of the games that are played, how many percent.
    main_of_cases(__doc__, cases, "binary", corpus=CORPUS, percent=100)

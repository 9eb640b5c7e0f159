#!/usr/bin/env python3
"""Makes the cookbook's two samples from `data/sample.pgn`: `club.pgn` and `engines.pgn`.

Moves and results stay as they were played.  The first 1,600 games become those of a club: dates,
time controls and ratings are drawn, so that there is something to group by; the rules are below.
The other 800 stay games of engines.  A game's draws depend on its number alone.

    data/tag_sample.py data/sample.pgn FOLDER
"""

from __future__ import annotations

import argparse
import random
import re
from dataclasses import dataclass
from pathlib import Path

SEED = 48
"""Mixed into every game's own seed."""

CLUB_GAMES = 1600
YEARS = (2021, 2022, 2023, 2024)
UNKNOWN_EVERY = 40
"""One of this many club games has neither date, clock nor ratings."""

CONTROLS = {"60+0": 2, "180+2": 5, "600+5": 4, "1800+20": 1}
"""Time controls and how often each is played: bullet, blitz, rapid, classical."""

MEMBERS = {"Stockfish": "Member S", "Glaurung": "Member G"}
"""Whom an engine plays for, whatever its level."""

RATINGS = {"2100": 1450, "2300": 1700, "2500": 1950}
"""What a club player is rated whose moves an engine of that nominal rating made."""

SPREAD = 150
"""The greatest difference of a rating from that."""

TAGS = re.compile(r'^\[(\w+) "(.*)"\]$', re.MULTILINE)
MOVE_NUMBER = re.compile(r"\d+\.\s*")


@dataclass(frozen=True)
class Fashion:
    """Who plays an opening, and when."""

    moves: str
    """How the opening begins."""
    years: tuple[int, ...] = YEARS
    stronger: int = 0
    """How much higher its players are rated than the rest."""


FASHIONS = (
    Fashion("e4 e5 f4", (2021, 2022), -150),
    Fashion("e4 e5 Nc3 Nf6 f4", (2021,), -200),
    Fashion("d4 d5 c4 e5", (2021, 2022), -100),
    Fashion("d4 Nf6 c4 c5 d5 b5", (2021, 2022)),
    Fashion("e4 e5 Nf3 Nc6 Bb5 Nf6", (2023, 2024), 250),
    Fashion("e4 e5 Nf3 Nf6", (2022, 2023, 2024), 150),
    Fashion("d4 d5 Nf3 Nf6 Bf4", (2023, 2024)),
    Fashion("e4 d5", YEARS, -200),
    Fashion("e4 c5", YEARS, 50),
    Fashion("d4", YEARS, 100),
)
"""The first that a game begins with counts."""


def fashion_of(movetext: str) -> Fashion:
    """The fashion a game follows."""
    moves = MOVE_NUMBER.sub("", movetext.replace("\n", " ")) + " "
    return next((one for one in FASHIONS if moves.startswith(one.moves + " ")), Fashion(""))


def club_tags(number: int, tags: dict[str, str], movetext: str) -> dict[str, str]:
    """The tags of a club game."""
    known = {
        "Event": "Club evening",
        "Site": "?",
        "Round": str(number),
        "White": MEMBERS[tags["White"].split()[0]],
        "Black": MEMBERS[tags["Black"].split()[0]],
        "Result": tags["Result"],
    }
    if number % UNKNOWN_EVERY == 0:
        return known
    dice, fashion = random.Random(SEED * 1_000_003 + number), fashion_of(movetext)
    day = f"{dice.choice(fashion.years)}.{dice.randint(1, 12):02}.{dice.randint(1, 28):02}"
    elos = [
        RATINGS[tags[name]] + fashion.stronger + dice.randint(-SPREAD, SPREAD)
        for name in ("WhiteElo", "BlackElo")
    ]
    control = dice.choices(list(CONTROLS), list(CONTROLS.values()))[0]
    return known | {
        "UTCDate": day,
        "WhiteElo": str(elos[0]),
        "BlackElo": str(elos[1]),
        "TimeControl": control,
    }


def read_games(pgn: str) -> list[tuple[dict[str, str], str]]:
    """Tags and movetext of each game."""
    games = []
    for game in pgn.split("[Event ")[1:]:
        head, _, movetext = ("[Event " + game).partition("\n\n")
        games.append((dict(TAGS.findall(head)), movetext.strip()))
    return games


def to_pgn(tags: dict[str, str], movetext: str) -> str:
    """One game as PGN, with a blank line after it."""
    head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    return f"{head}\n{movetext}\n\n"


def main() -> None:
    """Writes both files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sample", type=Path)
    parser.add_argument("folder", type=Path)
    args = parser.parse_args()

    games = read_games(args.sample.read_text("ascii"))
    club = [
        to_pgn(club_tags(number, *game), game[1])
        for number, game in enumerate(games[:CLUB_GAMES], start=1)
    ]
    engines = [to_pgn(*game) for game in games[CLUB_GAMES:]]
    args.folder.mkdir(parents=True, exist_ok=True)
    (args.folder / "club.pgn").write_text("".join(club), "ascii", newline="\n")
    (args.folder / "engines.pgn").write_text("".join(engines), "ascii", newline="\n")


if __name__ == "__main__":
    main()

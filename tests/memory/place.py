"""The folder that commands work in: games that are made up, and what else they read."""

import re
from collections.abc import Iterator
from pathlib import Path

from judge.games import games_of, make_up
from judge.recipes import book_of_table
from judge.run import must
from works import ASKED, ENGINE

SEED = 1

# Each game to 40 plies has 20 positions that no other one has, in half a million games.
POSITIONS_A_GAME = 20

# The games of the second input, for each of the first.
MORE = 0.1

# Crafty's records: the first plies of games, with a value that its search learned.
RECORDS = 10_000
RECORD_PLIES = 20

# Keys are spread over all numbers.
KEYS_APART = 0x9E3779B97F4A7C15

# The start position, so that lines reach a value.
START = "463b96181691fc9c,e2e4,20,10"


def make_inputs(generator: Path, folder: Path, positions: int) -> None:
    """Makes all that the first commands read."""
    folder.mkdir(parents=True, exist_ok=True)
    games = -(-positions // POSITIONS_A_GAME)
    make_up(generator, folder / "games.pgn.zst", (0, games), SEED)
    make_up(generator, folder / "more.pgn.zst", (games, games + int(games * MORE)), SEED)
    (folder / "book.lrn").write_text(records(generator, min(RECORDS, games)), "utf-8")
    # Not as one text: what this process has in memory counts as the peak of what it starts.
    with (folder / "evals.csv").open("w", encoding="ascii") as evals:
        evals.writelines(values(positions))
    (folder / "recipe.toml").write_text(book_of_table("t.table", "out.tabia"), "utf-8")
    (folder / "asked.uci").write_text(ASKED, "utf-8")
    (folder / "engine").write_text(ENGINE, "ascii")


def values(count: int) -> Iterator[str]:
    """As many positions, named by keys, each with a value; the first is the start position."""
    yield f"key,uci,cp,depth\n{START}\n"
    for number in range(count):
        yield f"{number * KEYS_APART % 2**64:016x},e2e4,{number % 100},{number % 40}\n"


def records(generator: Path, count: int) -> str:
    """Games as an old Crafty wrote what it learned of them."""
    text = must(generator, SEED, 0, count, seconds=600).text
    found = []
    for number, game in enumerate(games_of(text)):
        movetext = re.sub(r"\d+\.", " ", game.rpartition("]")[2])
        moves = " ".join(movetext.split()[:-1][:RECORD_PLIES])
        tags = f'[White "Crafty 15.17"]\n[Black "Player {number}"]\n[Date "1998.09.01"]\n'
        found.append(f"{tags} {moves} {{{number % 200 - 100} 5 0}}\n")
    return "".join(found)

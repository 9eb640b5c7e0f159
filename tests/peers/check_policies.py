#!/usr/bin/env python3
"""Judges Polyglot books whose weights are a policy's: `tabia export polyglot --policy`.

    PYTHONPATH=tests tests/peers/check_policies.py target/release/tabia FILE.pgn

Three players draw moves, ten thousand unless --picks says otherwise, in each of a few positions:
`tabia simulate` from the book, python-chess's weighted choice and Debian's polyglot from the
`.bin`.  Each must agree by chi-squared with the chances that `tabia probe --policy` shows.  Exits 1
if one does not.
"""

import json
import math
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.polyglot

import tabia
from judge.boards import board_after
from judge.report import ROOT, main

POLYGLOT = Path("/usr/games/polyglot")
LINES = ["", "e4", "e4 c5", "d4 d5 c4"]
POLICIES = [
    ["crafty", "book-width=20", "rare-rule=false", "never-won-rule=false"],
    ["lokasoft", "results=book"],
    ["terra", "book-limit=0", "min-book-games=1"],
    ["postmodernist", "exclusion-factor=1"],
    ["wilson", "sharpness=2"],
    ["bayes", "sharpness=3"],
    ["polyglot", "threshold=20"],
    ["crafty-5.1"],
]
LEAST_CHANCE = 1e-9
"""A fair player is that far off in one of a thousand million checks."""

ENGINE = ROOT / "tests/players/scripted_engine.py"
"""An engine for polyglot, which does not play a book move without one."""


def named(policy: list[str]) -> list[str]:
    """The flags that name a policy and its settings."""
    settings = [argument for setting in policy[1:] for argument in ("--set", setting)]
    return ["--policy", policy[0], *settings]


def chances(binary: Path, book: Path, policy: list[str], line: str) -> dict[str, float]:
    """The chances of the policy by move in UCI."""
    flags = [*named(policy), "--line", line, "--json"]
    moves = json.loads(tabia.run(binary, "probe", book, *flags))["choice"]["moves"]
    return {move["uci"]: move["probability"] for move in moves if move["probability"] > 0}


def draw_by_simulate(binary: Path, book: Path, policy: list[str], line: str, picks: int) -> Counter[str]:
    """First moves of walks through the book."""
    flags = [*named(policy), "--line", line, "--json", "--quiet"]
    flags += ["--games", picks, "--max-ply", 1, "--lines", 1000, "--seed", 1]
    lines = json.loads(tabia.run(binary, "simulate", book, *flags))["lines"]
    board = board_after(line)
    return Counter({board.parse_san(one["moves"][0]).uci(): one["walks"] for one in lines if one["moves"]})


def draw_by_python_chess(polyglot_book: Path, line: str, picks: int) -> Counter[str]:
    """Weighted choices of python-chess."""
    board, source = board_after(line), random.Random(1)
    with chess.polyglot.open_reader(polyglot_book) as reader:
        entries = list(reader.find_all(board))
        if not entries:
            return Counter()
        drawn = (reader.weighted_choice(board, random=source) for _ in range(picks))
        return Counter(entry.move.uci() for entry in drawn)


def draw_by_polyglot(folder: Path, polyglot_book: Path, line: str, picks: int) -> Counter[str]:
    """Book moves of Debian's polyglot, which a GUI asks by the xboard protocol."""
    settings = folder / "polyglot.ini"
    options = {
        "EngineCommand": f"{sys.executable} {ENGINE} none",
        "EngineDir": folder,
        "Book": "true",
        "BookFile": polyglot_book,
        "BookRandom": "true",
        "BookTreshold": 0,
    }
    shown = "\n".join(f"{name} = {value}" for name, value in options.items())
    settings.write_text(f"[PolyGlot]\n{shown}\n[Engine]\n")
    board = board_after(line)
    if not list(chess.polyglot.open_reader(polyglot_book).find_all(board)):
        return Counter()
    return Counter(ask_polyglot(folder, settings, board.fen(), picks))


def ask_polyglot(folder: Path, settings: Path, fen: str, picks: int) -> Iterator[str]:
    """The moves that polyglot plays, one a question."""
    command = [str(POLYGLOT), str(settings)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, cwd=folder, text=True, **pipes) as process:
        process.stdin.write("xboard\nprotover 2\n")
        for _ in range(picks):
            process.stdin.write(f"new\nforce\nsetboard {fen}\ngo\n")
            process.stdin.flush()
            for answer in process.stdout:
                if answer.startswith("move "):
                    yield answer.split()[1]
                    break
        process.stdin.write("quit\n")
        process.stdin.flush()


def chance_of(statistic: float, freedom: int) -> float:
    """How often a fair player is at least that far off (Wilson and Hilferty's approximation)."""
    if freedom == 0:
        return 1.0
    spread = 2 / (9 * freedom)
    deviation = ((statistic / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return math.erfc(deviation / math.sqrt(2)) / 2


def objection(name: str, expected: dict[str, float], drawn: Counter[str], picks: int) -> Iterator[str]:
    """Why draws are not those of the chances, if they are not."""
    strange = set(drawn) - set(expected)
    if strange or drawn.total() != (picks if expected else 0):
        yield f"{name}: {drawn.total()} draws, of moves without a chance {sorted(strange)}"
        return
    # Moves that are hardly ever drawn are put together, as the approximation needs it.
    rare = {move for move, chance in expected.items() if chance * picks < 10}
    cells = [(chance * picks, drawn[move]) for move, chance in expected.items() if move not in rare]
    if rare:
        cells.append((sum(expected[move] for move in rare) * picks, sum(drawn[move] for move in rare)))
    statistic = sum((got - wanted) ** 2 / wanted for wanted, got in cells)
    chance = chance_of(statistic, len(cells) - 1)
    if chance < LEAST_CHANCE:
        yield f"{name}: chi-squared {statistic:.1f}: {dict(drawn)} for {expected}"


def check(binary: Path, pgn: Path, folder: Path, picks: int) -> Iterator[str]:
    """Everything the players object to."""
    book, polyglot_book = folder / "book.tabia", folder / "book.bin"
    tabia.run(binary, "build", pgn, "-o", book, "--min-games", 2, "--quiet")
    if not POLYGLOT.exists():
        print("    SKIPPED: no /usr/games/polyglot (apt-get install polyglot)")
    for policy in POLICIES:
        flags = ["-o", polyglot_book, *named(policy), "--force", "--quiet"]
        tabia.run(binary, "export", "polyglot", book, *flags)
        for line in LINES:
            expected = chances(binary, book, policy, line)
            players = {
                "simulate": draw_by_simulate(binary, book, policy, line, picks),
                "python-chess": draw_by_python_chess(polyglot_book, line, picks),
            }
            if POLYGLOT.exists():
                players["polyglot"] = draw_by_polyglot(folder, polyglot_book, line, picks)
            for name, drawn in players.items():
                yield from objection(f"{policy[0]} after '{line}', {name}", expected, drawn, picks)
        print(f"    {policy[0]}: {picks} draws in {len(LINES)} positions by {len(players)} players")


if __name__ == "__main__":
    main(__doc__, check, "pgn", picks=10_000)

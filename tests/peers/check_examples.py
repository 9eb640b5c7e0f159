#!/usr/bin/env python3
"""Judges which games are examples of a position's moves, by python-chess.

    PYTHONPATH=tests tests/peers/check_examples.py target/release/tabia games.pgn.zst --games 2000

The judge reads the games itself and knows the rule of docs/table.md: of each move with enough games
the best rated and the newest ones. It asks the positions with the most games of a server, and reads
every game that an answer names. Exits 1 if it objects.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import chess.pgn

import tabia
from judge import boards
from judge.report import main
from judge.server import Server

PER_ROW, GAMES_MIN, PLIES = 3, 4, 24
# Positions that are asked for; the most games of each kind that an answer has.
POSITIONS, LISTED = 200, 50


class Played(NamedTuple):
    """What orders a game."""

    elos: int
    date: tuple[int, ...]
    number: int
    """Decides between equal games, as their ids do in a table, which the judge does not know."""

    def by_date(self) -> tuple[tuple[int, ...], int, int]:
        """What orders it among the newest."""
        return self.date, self.elos, self.number


def number(text: str) -> int:
    """A rating or a part of a date; 0 if it is not known."""
    return int(text) if text.isdecimal() and len(text) <= 4 else 0


def played(game: chess.pgn.Game, place: int = 0) -> Played:
    """What orders a game."""
    tags = game.headers
    elos = [number(tags.get(name, "")) for name in ("WhiteElo", "BlackElo")]
    date = tuple(number(part) for part in tags.get("UTCDate", tags["Date"]).split("."))
    return Played(sum(elos) if all(elos) else 0, date, place)


def moves_of(pgn: Path) -> dict[str, dict[str, list[Played]]]:
    """The games of each move of each position."""
    positions: dict[str, dict[str, list[Played]]] = defaultdict(lambda: defaultdict(list))
    for place, game in enumerate(boards.games(pgn.read_text("utf-8", "replace"))):
        board, who = game.board(), played(game, place)
        for move in list(game.mainline_moves())[:PLIES]:
            games = positions[board.epd(en_passant="xfen")][boards.name_in_book(board, move)]
            if who not in games:
                games.append(who)
            board.push(move)
    return positions


def expected(moves: dict[str, list[Played]], *, newest: bool) -> list[tuple]:
    """What orders the examples of all moves, the first of a list first."""
    examples = set()
    for games in moves.values():
        if len(games) >= GAMES_MIN:
            best = sorted(games, reverse=True)[:PER_ROW]
            examples |= {*best, *sorted(games, key=Played.by_date, reverse=True)[:PER_ROW]}
    order = (lambda game: (game.date, game.elos)) if newest else (lambda game: (game.elos, game.date))
    return sorted(map(order, examples), reverse=True)[:LISTED]


def judge(binary: Path, pgn: Path, folder: Path, games: int) -> Iterator[str]:
    """The positions with the most games."""
    plain, table = folder / "all.pgn", folder / "all.table"
    strict = ["--strict-san", "--dedup-games", "exact"]
    tabia.run(binary, "filter", pgn, "-o", plain, "--limit", games, *strict, "--quiet")
    kept = ["--examples", PER_ROW, "--examples-min-games", GAMES_MIN, "--max-ply", PLIES]
    tabia.run(binary, "count", plain, "-o", table, *kept, "--quiet")
    positions = moves_of(plain)
    most = sorted(positions, key=lambda at: -sum(map(len, positions[at].values())))[:POSITIONS]
    read = 0
    with Server([binary, "serve", table]) as server:
        for at in most:
            fields = {"fen": f"{at} 0 1", "top": LISTED, "recent": LISTED}
            answer = json.loads(server.get("/tabia/games", fields))["games"]
            for kind, newest in (("top", False), ("recent", True)):
                got = []
                for listed in answer[kind]:
                    text = server.get(f"/masters/pgn/{listed['id']}").decode()
                    game = next(boards.games(text), None)
                    read += 1
                    if (
                        game is None
                        or game.errors
                        or (listed["white"]["name"], listed["black"]["name"])
                        != (game.headers["White"], game.headers["Black"])
                    ):
                        yield f"{at}: the game {listed['id']} is another one, or cannot be read"
                        continue
                    who = played(game)
                    got.append((who.date, who.elos) if newest else (who.elos, who.date))
                    if listed["san"] not in text.replace("\n", " "):
                        yield f"{at}: {listed['san']} is not in the game {listed['id']}"
                if got != expected(positions[at], newest=newest):
                    yield f"{at}, {kind}: {got} in place of {expected(positions[at], newest=newest)}"
    print(f"{len(most)} positions, {read} games read", flush=True)


if __name__ == "__main__":
    main(__doc__, judge, "pgn", games=2000)

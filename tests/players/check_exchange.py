#!/usr/bin/env python3
"""Judges `tabia exchange` under load and kills.

    PYTHONPATH=tests tests/players/check_exchange.py target/release/tabia FILE.pgn

Eight clients post the records of quick games while the server is killed with SIGKILL and started
again.  A client that gets no answer posts again, as an adapter does.  In the end every record that
was acknowledged must be there once, and the experience must be what `tabia learn games --continue`
makes of the records, run once for each.  Exits 1 if it is not.
"""

import http.client
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn

from exchange import judge_experience, records, serve
from judge.report import Failed, main
from judge.server import Server
from place import Book, Place

PLIES = 30
WAIT_SECONDS = 60


def quick_game(source: random.Random, number: int) -> str:
    """A game of E against O, by chance, with values of searches as adapters write them."""
    board, game = chess.Board(), chess.pgn.Game()
    node, value = game, source.uniform(-1, 1)
    for _ in range(PLIES):
        moves = sorted(board.legal_moves, key=str)
        if not moves:
            break
        # Few moves, so that many games have a book to learn in.
        move = moves[min(source.randrange(3) * source.randrange(4), len(moves) - 1)]
        if board.ply() < 4:
            first = {0: "e2e4", 1: "e7e5", 2: "g1f3", 3: source.choice(["b8c6", "g8f6"])}
            move = chess.Move.from_uci(first[board.ply()])
        node = node.add_variation(move)
        board.push(move)
        value += source.uniform(-0.3, 0.3)
        node.comment = f"{value if board.turn == chess.BLACK else -value:+.2f}/{8 + number % 9}"
    white, black = ("E", "O") if number % 2 else ("O", "E")
    game.headers.clear()
    result = source.choice(["1-0", "0-1", "1/2-1/2"])
    tags = {"White": white, "Black": black, "Result": result, "Event": f"game {number}"}
    game.headers.update(tags | {"Date": f"2026.11.{number % 28 + 1:02}"})
    return f"{game}\n"


class Client(threading.Thread):
    """An adapter: it plays a game, posts it until it is acknowledged, and plays the next."""

    def __init__(self, server: Server, name: int, games: int) -> None:
        """`games` of its own."""
        super().__init__()
        self.server, self.games = server, games
        self.source = random.Random(name)
        self.first = name * games
        self.acknowledged: dict[int, str] = {}
        self.repeats, self.failure = 0, None

    def run(self) -> None:
        """Plays all games."""
        try:
            for number in range(self.first, self.first + self.games):
                self.post(quick_game(self.source, number))
        except Failed as failure:
            self.failure = failure

    def post(self, text: str) -> None:
        """Posts a record until it is acknowledged."""
        until = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < until:
            try:
                status, answer = self.server.ask("POST", "/records?player=E", text.encode())
            except (OSError, http.client.HTTPException):
                self.repeats += 1
                time.sleep(0.05)
                continue
            if status not in (200, 201):
                raise Failed(f"POST: {status} {answer!r}")
            self.acknowledged[json.loads(answer)["number"]] = text
            return
        raise Failed("no answer for a minute")


def soak(server: Server, clients: list[Client], kills: int) -> None:
    """Lets the clients play while the server is killed."""
    total = sum(client.games for client in clients)
    for client in clients:
        client.start()
    while any(client.is_alive() for client in clients):
        done = sum(len(client.acknowledged) for client in clients)
        if server.kills < kills and done >= total * (server.kills + 1) / (kills + 1):
            server.kill()
            server.start()
        time.sleep(0.002)
    for client in clients:
        client.join()
        if client.failure is not None:
            raise client.failure


def check(binary: Path, pgn: Path, folder: Path, *, clients: int, games: int, kills: int) -> Iterator[str]:
    """Everything that is wrong in the end."""
    place, table = Place(binary, folder, Path()), folder / "games.table"
    place.run("count", pgn, "-o", table, "--quiet")
    book = Book(folder, table, folder, ("--min-games", "2"))
    with serve(place, book) as server:
        players = [Client(server, name, games // clients) for name in range(clients)]
        soak(server, players, kills)
        acknowledged = {number: text for player in players for number, text in player.acknowledged.items()}
        expected = sum(player.games for player in players)
        if len(acknowledged) != expected or server.kills != kills:
            yield f"{len(acknowledged)} numbers for {expected} games, {server.kills} kills"
        taught = list(records(server))
        there = {record["number"]: record["text"] for record in taught}
        yield from (f"record {number} is lost" for number in acknowledged.keys() - there.keys())
        for number in acknowledged.keys() & there.keys():
            if there[number] != acknowledged[number]:
                yield f"record {number} is another one"
        numbers, texts = (Counter(record[what] for record in taught) for what in ("number", "text"))
        if any(times > 1 for times in (*numbers.values(), *texts.values())):
            yield "a record is there twice"
        learned = judge_experience(place, book, server, taught)
        repeats = sum(player.repeats for player in players)
        print(f"    {len(taught)} records of {clients} clients, {server.kills} kills")
        print(f"    {repeats} requests without an answer; {learned} rows learned")


if __name__ == "__main__":
    main(__doc__, check, "pgn", clients=8, games=400, kills=5)

#!/usr/bin/env python3
"""Judges `tabia exchange` under load and kills.

    tests/players/check_exchange.py target/release/tabia FILE.pgn

Eight clients post the records of quick games while the server is killed with SIGKILL and started
again.  A client that gets no answer posts again, as an adapter does.  In the end every record that
was acknowledged must be there once, and the experience must be what `tabia learn games --continue`
makes of the records, run once for each.  Exits 1 if it is not.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn

FILTERS = ["--min-games", "2"]
PLIES = 30
WAIT_SECONDS = 60


class Failed(Exception):
    """What must not happen."""


class Server:
    """`tabia exchange`, which can be killed and started again at the same port."""

    def __init__(self, binary: Path, folder: Path, table: Path) -> None:
        """Starts it."""
        self.command = [binary, "exchange", folder, "--table", table, *FILTERS, "--quiet"]
        self.command += ["--requests-a-minute", "100000", "--listen"]
        self.port, self.book, self.kills = 0, "", 0
        self.start()

    def start(self) -> None:
        """Starts the process and waits until it listens."""
        address = f"127.0.0.1:{self.port}"
        command = [*map(str, self.command), address]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        words = self.process.stdout.readline().split()
        if len(words) < 4:
            raise Failed(f"the server did not start: {words}")
        self.port, self.book = int(words[0].rpartition(":")[2]), words[3].rstrip(":")

    def kill(self) -> None:
        """Kills it with SIGKILL and starts it again."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.kills += 1
        self.start()

    def stop(self) -> None:
        """Asks it to end."""
        self.process.terminate()
        if self.process.wait(WAIT_SECONDS) != 0:
            raise Failed(f"the server ended with {self.process.returncode}")

    def ask(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
        """One request; `OSError` or `HTTPException` where there is no answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request(method, path, body, {"Tabia-Book": self.book})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()


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
    tags = {
        "White": white,
        "Black": black,
        "Date": f"2026.11.{number % 28 + 1:02}",
        "Result": result,
    }
    game.headers.update(tags | {"Event": f"game {number}"})
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


def read_records(server: Server) -> dict[int, str]:
    """All records by number."""
    records: dict[int, str] = {}
    while True:
        after = max(records, default=0)
        _, answer = server.ask("GET", f"/records?after={after}")
        lines = [json.loads(line) for line in answer.decode().splitlines()]
        if not lines:
            return records
        for line in lines:
            if line["number"] in records:
                raise Failed(f"record {line['number']} is there twice")
            records[line["number"]] = line["text"]


def run(binary: Path, *arguments: object) -> str:
    """Runs the binary; its standard output."""
    command = [str(binary), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failed(f"{' '.join(command)}: exit {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def learn_each(binary: Path, folder: Path, table: Path, records: dict[int, str]) -> Path:
    """What `learn games` makes of the records, run once for each."""
    experience, game = folder / "each.parquet", folder / "game.pgn"
    before = folder / "before.parquet"
    for number in sorted(records):
        game.write_text(records[number])
        flags = [
            "--player",
            "E",
            "--search",
            "--table",
            table,
            *FILTERS,
            "--allow-empty",
            "--quiet",
        ]
        old = ["--continue", experience.replace(before)] if experience.exists() else []
        run(binary, "learn", "games", game, *flags, "-o", experience, "--force", *old)
    return experience


def soak(server: Server, clients: list[Client], kills: int) -> None:
    """Lets the clients play while the server is killed."""
    total = sum(client.games for client in clients)
    for client in clients:
        client.start()
    while any(client.is_alive() for client in clients):
        done = sum(len(client.acknowledged) for client in clients)
        if server.kills < kills and done >= total * (server.kills + 1) / (kills + 1):
            server.kill()
        time.sleep(0.002)
    for client in clients:
        client.join()
        if client.failure is not None:
            raise client.failure


def check(binary: Path, pgn: Path, folder: Path, args: argparse.Namespace) -> Iterator[str]:
    """Everything that is wrong in the end."""
    table = folder / "games.table"
    run(binary, "count", pgn, "-o", table, "--quiet")
    server = Server(binary, folder / "shared", table)
    clients = [Client(server, name, args.games // args.clients) for name in range(args.clients)]
    soak(server, clients, args.kills)
    acknowledged = {
        number: text for client in clients for number, text in client.acknowledged.items()
    }
    expected = sum(client.games for client in clients)
    if len(acknowledged) != expected or server.kills != args.kills:
        yield f"{len(acknowledged)} numbers for {expected} games, {server.kills} kills"
    records = read_records(server)
    yield from (f"record {number} is lost" for number in acknowledged if number not in records)
    yield from (
        f"record {number} is another one"
        for number in acknowledged
        if records.get(number) != acknowledged[number]
    )
    if len(set(records.values())) != len(records):
        yield "a record is there twice"
    status, shared = server.ask("GET", "/experience")
    if status != 200:
        yield f"GET /experience: {status} {shared!r}"
        return
    (folder / "shared.parquet").write_bytes(shared)
    server.stop()
    each = learn_each(binary, folder, table, records)
    differences = run(binary, "experience", "diff", folder / "shared.parquet", each).splitlines()[0]
    if not differences.startswith("0 differences, "):
        yield f"the experience differs: {differences}"
    repeats = sum(client.repeats for client in clients)
    print(f"    {len(records)} records of {args.clients} clients, {server.kills} kills")
    print(f"    {repeats} requests without an answer; {differences}")


def main() -> int:
    """Judges one run; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", type=Path)
    parser.add_argument("pgn", type=Path)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--kills", type=int, default=5)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tabia-exchange-") as name:
        try:
            objections = list(check(args.binary.resolve(), args.pgn.resolve(), Path(name), args))
        except Failed as failure:
            objections = [str(failure)]
    print(f"{'WRONG' if objections else 'right'}  exchange")
    for one in objections:
        print(f"    {one}")
    return 1 if objections else 0


if __name__ == "__main__":
    sys.exit(main())

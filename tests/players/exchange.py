"""Players that share what they learn by an exchange whose server is killed again and again."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import chess.pgn

from equality import rows
from exchange_server import Server
from match_runner import Clock, Player, play, read
from pipe import Pipe
from place import ENGINES, SMALL, Book, Failed, Place, need

PLAYERS = 8
GAMES = 400
KILLS = 5
CLOCK = Clock(start=60.0, increment=1.0, depth=1)
MAX_PLIES = 40
RULE = "terra"


@dataclass(frozen=True)
class Sharer:
    """A player that shares what it learns."""

    name: str
    command: list[str]

    def play(self, games: int) -> list[tuple[str, ...]]:
        """Plays; what is known of each game."""
        played = []
        with (
            Player(self.command, dict(SMALL), label=self.name) as player,
            Player([ENGINES["toga2"]], dict(SMALL)) as other,
        ):
            for number in range(games):
                other.label = f"toga2 {number}"
                sides = (player, other) if number % 2 == 0 else (other, player)
                played.append(known(play(*sides, CLOCK, max_plies=MAX_PLIES)))
        return played

    def send_rest(self) -> None:
        """Starts it once more: what it could not send, it sends then."""
        pipe = Pipe(self.command)
        pipe.say("uci")
        pipe.read_to("uciok")
        pipe.quit()


def known(game: chess.pgn.Game) -> tuple[str, ...]:
    """What makes a game equal to another."""
    tags = (game.headers[name] for name in ("White", "Black", "Result"))
    return (*tags, " ".join(move.uci() for move in game.mainline_moves()))


def kill_meanwhile(server: Server, done: threading.Event, kills: list[float]) -> None:
    """Kills the server at random moments; it is away for up to two seconds each time."""
    draw = random.Random(3)
    while len(kills) < KILLS and not done.wait(draw.uniform(1, 4)):
        server.kill()
        away = draw.uniform(0, 2)
        time.sleep(away)
        server.start()
        kills.append(away)


def play_all(server: Server, sharers: list[Sharer], games: int) -> tuple[Counter, list[float]]:
    """Plays with all at once while the server is killed; the games, and how long it was away."""
    done, kills = threading.Event(), []
    killer = threading.Thread(target=kill_meanwhile, args=(server, done, kills))
    with ProcessPoolExecutor(len(sharers)) as pool:
        runs: list[Future] = [pool.submit(sharer.play, games) for sharer in sharers]
        killer.start()
        try:
            played = [game for run in runs for game in run.result()]
        finally:
            done.set()
            killer.join()
    return Counter(played), kills


def learn_one_by_one(place: Place, book: Book, records: list[dict]) -> Path:
    """What `learn games --continue` learns from the records, run once for each."""
    files = [place.folder / f"{name}.again.experience.parquet" for name in ("one", "other")]
    pgn = place.folder / "record.pgn"
    for number, record in enumerate(records):
        pgn.write_text(record["text"], "utf-8")
        last, output = files[(number + 1) % 2], files[number % 2]
        before = ["--continue", last] if number else []
        flags = ["--rule", RULE, "--allow-empty", *before]
        place.learn(book, record["player"], pgn, output, *flags)
    return files[(len(records) - 1) % 2]


def judge(place: Place, book: Book, server: Server, played: Counter) -> int:
    """Fails if a record is lost or counts twice; rows of the experience."""
    records = list(server.records())
    there = Counter(known(game) for record in records for game in read(record["text"]))
    if there != played:
        raise Failed(
            f"lost: {list((played - there).items())[:3]}; too often: {list((there - played).items())[:3]}"
        )
    shared = place.folder / "shared.experience.parquet"
    shared.write_bytes(server.get("/experience"))
    again = rows(learn_one_by_one(place, book, records))
    if rows(shared) != again:
        raise Failed(f"the server's experience is not what its {len(records)} records teach")
    return len(again)


def check(place: Place) -> str:
    """Plays with eight players while the server is killed five times."""
    need("stockfish", "toga2")
    book = place.sample_book()
    flags = ["--table", book.table, *book.filters, "--rule", RULE]
    server = Server(place.binary, place.folder / "server", *flags)
    sharers = []
    for number in range(PLAYERS):
        file = place.folder / f"{number}.experience.parquet"
        learn = ("--learn", file, "--rule", RULE, "--exchange", server.url)
        names = ("--name", f"Player {number}", "--policy", "terra", "--seed", number)
        command = place.adapter(book, "stockfish", *learn, *names)
        sharers.append(Sharer(f"Player {number}", command))
    try:
        played, kills = play_all(server, sharers, place.games(GAMES // PLAYERS))
        for sharer in sharers:
            sharer.send_rest()
        learned = judge(place, book, server, played)
        server.stop()
    finally:
        server.kill()
    return (
        f"{PLAYERS} players at once, {played.total()} games, the server killed {len(kills)} times "
        f"and away for {sum(kills):.1f} s: each game is there once, and {learned} rows of the "
        "experience are those of learn games, record by record"
    )

"""Players that share what they learn by an exchange whose server is killed again and again."""

import json
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass

import chess.pgn

from equality import rows
from judge import boards
from judge.report import Failed
from judge.server import Server
from match_runner import Clock, Player, play
from pipe import begin_and_quit
from place import ENGINES, SMALL, Book, Place, need

PLAYERS = 8
GAMES = 400
KILLS = 5
CLOCK = Clock(start=60.0, increment=1.0, depth=1)
MAX_PLIES = 40
RULE = ("--rule", "terra")


def serve(place: Place, book: Book, *flags: object) -> Server:
    """A server that learns over a book, and takes as many requests as there are."""
    words = ("exchange", place.folder / "server", "--table", book.table, *book.filters, *flags)
    return Server([place.binary, *words, "--quiet", "--requests-a-minute", 1_000_000])


def records(server: Server) -> Iterator[dict]:
    """All records."""
    last = 0
    while lines := server.get(f"/records?after={last}").splitlines():
        for line in lines:
            record = json.loads(line)
            last = record["number"]
            yield record


def judge_experience(place: Place, book: Book, server: Server, taught: list[dict], *flags: object) -> int:
    """Fails if the experience is not what `learn games --continue` makes of the records, one by one."""
    shared = place.folder / "shared.experience.parquet"
    shared.write_bytes(server.get("/experience"))
    files = [place.folder / f"{name}.again.experience.parquet" for name in ("one", "other")]
    pgn = place.folder / "record.pgn"
    for number, record in enumerate(taught):
        pgn.write_text(record["text"], "utf-8")
        before = ["--continue", files[(number + 1) % 2]] if number else []
        place.learn(book, record["player"], pgn, files[number % 2], *flags, "--allow-empty", *before)
    again = rows(files[(len(taught) - 1) % 2])
    if rows(shared) != again:
        raise Failed(f"the server's experience is not what its {len(taught)} records teach")
    return len(again)


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


def judge(place: Place, book: Book, server: Server, played: Counter) -> int:
    """Fails if a record is lost or counts twice; rows of the experience."""
    taught = list(records(server))
    there = Counter(known(game) for record in taught for game in boards.games(record["text"]))
    if there != played:
        lost, too_often = (list(more.items())[:3] for more in (played - there, there - played))
        raise Failed(f"lost: {lost}; too often: {too_often}")
    return judge_experience(place, book, server, taught, *RULE)


def check(place: Place) -> str:
    """Plays with eight players while the server is killed five times."""
    need("stockfish", "toga2")
    book = place.sample_book()
    with serve(place, book, *RULE) as server:
        sharers = []
        for number in range(PLAYERS):
            learn = (
                "--learn",
                place.folder / f"{number}.experience.parquet",
                *RULE,
                "--exchange",
                server.url,
            )
            names = ("--name", f"Player {number}", "--policy", "terra", "--seed", number)
            sharers.append(Sharer(f"Player {number}", place.adapter(book, "stockfish", *learn, *names)))
        played, kills = play_all(server, sharers, place.games(GAMES // PLAYERS))
        for sharer in sharers:
            # What it could not send, it sends when it is started again.
            begin_and_quit(sharer.command)
        learned = judge(place, book, server, played)
    return (
        f"{PLAYERS} players at once, {played.total()} games, the server killed {len(kills)} times "
        f"and away for {sum(kills):.1f} s: each game is there once, and {learned} rows of the "
        "experience are those of learn games, record by record"
    )

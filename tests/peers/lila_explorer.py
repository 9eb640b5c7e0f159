"""lila-openingexplorer and ours on the same games: each answer of one against that of the other.

The games are put into lila's database by its own endpoints: `/import/masters`, `/import/lichess`, and for
`/player` by a server on loopback that streams them as Lichess does.  Then both are asked the same.  What is
known to differ is in docs/serve.md; `differences` says nothing of it, and everything else is an objection.
"""

import contextlib
import http.client
import json
import math
import random
import socket
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import chess
import chess.pgn

import export_oracle
from judge.boards import games
from judge.report import Failed
from judge.run import must, start
from judge.server import Server

REQUESTS, PLIES = 200, 50
MONTHS = [f"{year}-{month:02}" for year in (2013, 2014) for month in range(1, 13)]
SPEEDS = (*(name for _, name in export_oracle.SPEEDS), "correspondence")
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
GROUPS = {"masters": "month", "lichess": "speed,rating-band,month", "player": "player-color,speed,month"}
# Games that an answer has at most: the best rated, and all.
LISTED = {"masters": (15, 15), "lichess": (4, 8), "player": (0, 8)}
SECONDS = 60


@dataclass
class Game:
    """A game as it is imported."""

    id: str
    pgn: chess.pgn.Game
    date: str
    speed: str
    elos: tuple[int, int]
    moves: list[chess.Move]

    def player(self, color: str) -> dict[str, object]:
        """Who played."""
        return {"name": self.pgn.headers[color], "rating": self.elos[color == "Black"]}

    def winner(self) -> str | None:
        """Who won."""
        return {"1-0": "white", "0-1": "black"}.get(self.pgn.headers["Result"])

    def of_masters(self) -> dict[str, object]:
        """The body of `PUT /import/masters`."""
        tags = {tag.lower(): self.pgn.headers[tag] for tag in ("Event", "Site", "Round")}
        return {**self.of_lichess(), **tags, "moves": " ".join(move.uci() for move in self.moves)}

    def of_lichess(self) -> dict[str, object]:
        """One of the games of `PUT /import/lichess`."""
        sides = {color.lower(): self.player(color) for color in ("White", "Black")}
        about = {"variant": None, "speed": self.speed, "fen": None, "id": self.id, "date": self.date}
        return {**about, **sides, "winner": self.winner(), "moves": self.sans()}

    def of_player(self, at: int) -> dict[str, object]:
        """A line of Lichess's games of a player."""
        ended = int(time.mktime(time.strptime(self.date + " 12", "%Y.%m.%d %H"))) * 1000
        players = {
            color.lower(): {"user": {"name": self.pgn.headers[color]}, "rating": self.elos[color == "Black"]}
            for color in ("White", "Black")
        }
        times = {"createdAt": at + 1, "lastMoveAt": ended, "status": "mate", "rated": True}
        about = {"id": self.id, "variant": "standard", "speed": self.speed, "players": players}
        return {**about, **times, "winner": self.winner(), "moves": self.sans()}

    def sans(self) -> str:
        """Its moves as SAN."""
        board = chess.Board()
        return " ".join(board.san_and_push(move) for move in self.moves)

    def ends_in_new_position(self) -> bool:
        """Whether neither its end nor what is counted of it is a position that it had before."""
        board, met = chess.Board(), []
        for move in self.moves:
            met.append(board.epd(en_passant="legal"))
            board.push(move)
        met.append(board.epd(en_passant="legal"))
        return all(last not in met[:at] for at, last in enumerate(met) if at in (PLIES, len(met) - 1))


def games_of(pgn: Path) -> list[Game]:
    """Games that both count alike, in the order of their dates, which are drawn."""
    chance, found, ranks = random.Random(25), [], set()
    for at, game in enumerate(games(pgn.read_text("utf-8", "replace"))):
        tags = game.headers
        moves, control = (
            list(game.mainline_moves()),
            tags.get("TimeControl", "-").encode("latin-1", "replace"),
        )
        elos = [tags.get(name, "") for name in ("WhiteElo", "BlackElo")]
        if tags.get("Result") in (None, "*") or not moves or game.errors or not all(map(str.isdecimal, elos)):
            continue
        date = f"{chance.choice(MONTHS).replace('-', '.')}.{chance.randint(1, 28):02}"
        tags["Date"] = tags["UTCDate"] = date
        digits = "".join(DIGITS[at // 62**place % 62] for place in range(8))
        speed = export_oracle.speed_of({b"TimeControl": control}) or "correspondence"
        one = Game(digits, game, date, speed, (int(elos[0]), int(elos[1])), moves)
        if (rank := (date, sum(one.elos))) not in ranks and one.ends_in_new_position():
            found.append((rank, one))
            ranks.add(rank)
    return [game for _, game in sorted(found, key=lambda ranked: ranked[0])]


class Explorer:
    """lila-openingexplorer on loopback, with a new database."""

    def __init__(self, binary: Path, folder: Path, streamed: dict[str, list[Game]]) -> None:
        """Starts it, and what it asks for games of players."""
        lines = {
            player.lower(): "".join(json.dumps(game.of_player(at)) + "\n" for at, game in enumerate(played))
            for player, played in streamed.items()
        }

        class Lichess(BaseHTTPRequestHandler):
            """Games of players as a stream."""

            def do_GET(self) -> None:
                """Answers; of a name that is not known there is no game."""
                self.send_response(200)
                self.end_headers()
                self.wfile.write(lines.get(self.path.split("?")[0].split("/")[-1], "").encode())

            def log_message(self, *_: object) -> None:
                """Prints nothing."""

        self.lichess = ThreadingHTTPServer(("127.0.0.1", 0), Lichess)
        threading.Thread(target=self.lichess.serve_forever, daemon=True).start()
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        options = ["--bind", f"127.0.0.1:{self.port}", "--db", folder / "lila"]
        lichess = f"http://127.0.0.1:{self.lichess.server_port}"
        command = [binary, *options, "--lila", lichess, "--db-cache", 1 << 27]
        self.process = start(command, errors=subprocess.DEVNULL)
        until = time.monotonic() + SECONDS
        while True:
            with contextlib.suppress(OSError):
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
                self.connection.connect()
                return
            if self.process.poll() is not None or time.monotonic() > until:
                raise Failed(f"{binary} does not listen")
            time.sleep(0.1)

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, str]:
        """Status and text of an answer."""
        sent = None if body is None else json.dumps(body)
        self.connection.request(method, path, sent, {"Content-Type": "application/json"})
        answer = self.connection.getresponse()
        return answer.status, answer.read().decode()

    def json(self, path: str) -> Any:  # noqa: ANN401
        """The last line of an answer, which is complete."""
        status, text = self.ask("GET", path)
        if status != 200:
            raise Failed(f"lila: {path}: {status} {text}")
        return json.loads(text.strip().splitlines()[-1])

    def import_games(self, database: str, played: list[Game]) -> list[Game]:
        """The games that it takes."""
        if database == "masters":
            return [
                game for game in played if self.ask("PUT", "/import/masters", game.of_masters())[0] == 200
            ]
        for at in range(0, len(played), 200):
            part = [game.of_lichess() for game in played[at : at + 200]]
            status, text = self.ask("PUT", "/import/lichess", part)
            if status != 200:
                raise Failed(f"lila refuses games: {text}")
        return played

    def end(self) -> None:
        """Ends it."""
        self.connection.close()
        self.process.terminate()
        self.process.communicate(timeout=SECONDS)
        self.lichess.shutdown()
        self.lichess.server_close()


def named(game: dict[str, Any]) -> tuple:
    """Which game it is, for both."""
    players = [(game[color]["name"], game[color]["rating"]) for color in ("white", "black")]
    return *players, game["winner"], game.get("month")


def with_move(game: dict[str, Any]) -> tuple:
    """Which game it is, and its move."""
    return *named(game), game["uci"]


def elos(game: dict[str, Any]) -> int:
    """What orders the games of masters."""
    return game["white"]["rating"] + game["black"]["rating"]


def total(counts: dict[str, int]) -> int:
    """All games."""
    return counts["white"] + counts["draws"] + counts["black"]


def differences(database: str, fields: dict[str, Any], ours: dict, lila: dict) -> Iterator[str]:
    """What our answer has otherwise than lila's."""
    yield from (f"no {key}" for key in lila if key not in ours)
    for key in ("white", "draws", "black", "opening", "queuePosition"):
        if ours.get(key) != lila.get(key) and not (key == "opening" and lila[key] is None):
            yield f"{key}: {ours.get(key)}, lila {lila.get(key)}"
    yield from moves_differ(ours["moves"], lila["moves"], fields.get("color"))
    if history := lila.get("history"):
        yield from history_differs(fields, ours["history"], history)
    both = [
        [with_move(game) for kind in ("topGames", "recentGames") for game in answer.get(kind, [])]
        for answer in (ours, lila)
    ]
    yield from (f"a game twice: {game}" for game, times in Counter(both[0]).items() if times > 1)
    if database == "masters":
        yield from best_differ(ours["topGames"], lila["topGames"])
        return
    # lila lists as the best ones the newest of the best rating group, ours the best rated, and both as the
    # newest ones others than these: so what neither has among the best begins alike. That is seen where a
    # request does not ask for fewer.
    if fields.get("topGames", 4) < LISTED[database][0]:
        return
    best = [{with_move(game) for game in answer.get("topGames", [])} for answer in (ours, lila)]
    newest = [
        [game for game in map(with_move, answer["recentGames"]) if game not in best[0] | best[1]]
        for answer in (ours, lila)
    ]
    least = min(map(len, newest))
    if newest[0][:least] != newest[1][:least]:
        yield f"recentGames: {newest[0]}, lila {newest[1]}"


def performance(move: dict[str, int], color: str) -> int:
    """The player's performance by Elo's curve, of a move's results and the opponents' mean rating."""
    score = (move[color] + move["draws"] / 2) / total(move)
    margin = 800 if score == 1 else -800 if score == 0 else 400 * math.log10(score / (1 - score))
    return round(move["averageOpponentRating"] + max(-800, min(800, margin)))


def moves_differ(ours: list[dict], lila: list[dict], color: str | None) -> Iterator[str]:
    """What moves have otherwise; of those of equally many games any may come first."""
    if list(map(total, ours)) != list(map(total, lila)):
        yield f"moves of {list(map(total, ours))} games, lila {list(map(total, lila))}"
        return
    last = total(lila[-1]) if lila else 0
    theirs = {move["uci"]: move for move in lila}
    for move in ours:
        other = theirs.get(move["uci"])
        if other is None:
            if total(move) != last:
                yield f"{move['san']}: lila has no such move"
            continue
        for key in other:
            values = [move.get(key), other[key]]
            if key == "game":
                values = [value and named(value) for value in values]
            if key == "opening" and values[1] is None:
                continue
            # lila's is by FIDE's table, and the mean that it shows is rounded.
            if key == "performance" and abs(values[0] - performance(other, color)) <= 1:
                continue
            if values[0] != values[1]:
                yield f"{move['san']}: {key} {values[0]}, lila {values[1]}"


def best_differ(ours: list[dict], lila: list[dict]) -> Iterator[str]:
    """What the best rated games have otherwise; of equally rated ones any may be there."""
    if list(map(elos, ours)) != list(map(elos, lila)):
        yield f"topGames rated {list(map(elos, ours))}, lila {list(map(elos, lila))}"
    elif lila:
        last = elos(lila[-1])
        sets = [{with_move(game) for game in listed if elos(game) > last} for listed in (ours, lila)]
        yield from (f"topGames: {game}" for game in sets[0] ^ sets[1])


def history_differs(fields: dict[str, Any], ours: list[dict], lila: list[dict]) -> Iterator[str]:
    """What months have otherwise: lila has those without games, too, and without `until` not the newest."""
    if "until" not in fields:
        ours = [month for month in ours if month["month"] <= lila[-1]["month"]]
    if ours != [month for month in lila if total(month)]:
        yield f"history: {ours}, lila {lila}"


def drawn(chance: random.Random, database: str, played: list[Game]) -> dict[str, Any]:
    """A request: a position of a game, filters and numbers of moves and games."""
    moves = chance.choice(played).moves
    moves = moves[: min(len(moves) - 1, PLIES - 1, int(chance.expovariate(0.15)))]
    fields: dict[str, Any] = {}
    board = chess.Board()
    for move in moves:
        board.push(move)
    if chance.random() < 0.5:
        fields["play"] = ",".join(move.uci() for move in moves)
    else:
        fields["fen"] = board.fen(en_passant="legal")
    for name, values in (("moves", [0, 3, 12, 300]), ("topGames", [0, 2, 15]), ("recentGames", [0, 1, 8])):
        if chance.random() < 0.4:
            fields[name] = chance.choice(values)
    for name in ("since", "until"):
        if chance.random() < 0.2:
            month = chance.choice(MONTHS)
            fields[name] = month[:4] if database == "masters" else month
    if database != "masters" and chance.random() < 0.4:
        fields["speeds"] = ",".join(chance.sample(SPEEDS, chance.randint(1, 4)))
    if database == "lichess" and chance.random() < 0.4:
        ratings = chance.sample(export_oracle.BANDS[:9], chance.randint(1, 6))
        fields["ratings"] = ",".join(map(str, ratings))
    if database == "lichess" and chance.random() < 0.3:
        fields["history"] = "true"
    return fields


def check(binary: Path, explorer: Path, pgns: list[Path], folder: Path) -> Iterator[str]:
    """Imports the games into both, and compares their answers."""
    lichess, masters = games_of(pgns[0]), [game for game in games_of(pgns[-1]) if sum(game.elos) >= 4400]
    names = Counter(game.pgn.headers[color] for game in lichess for color in ("White", "Black"))
    player = names.most_common(1)[0][0]
    theirs = [game for game in lichess if player in (game.pgn.headers["White"], game.pgn.headers["Black"])]
    lila = Explorer(explorer, folder, {player: theirs})
    try:
        played = {
            "masters": lila.import_games("masters", masters),
            "lichess": lila.import_games("lichess", lichess),
            "player": theirs,
        }
        tables = {name: count(binary, folder / name, name, found, player) for name, found in played.items()}
        options = [word for name, table in tables.items() for word in (f"--{name}", table)]
        # lila indexes a player when it is asked, and answers the rest when that is done.
        lila.json(f"/player?player={player}&color=white")
        with Server([binary, "serve", "--strict-filters", *options]) as server:
            yield from compare(server, lila, played, player)
    finally:
        lila.end()


def count(binary: Path, path: Path, database: str, played: list[Game], player: str) -> Path:
    """A table of games, counted as lila counts them."""
    pgn, table = path.with_suffix(".pgn"), path.with_suffix(".table")
    pgn.write_text("\n\n".join(str(game.pgn) for game in played) + "\n")
    flags = ["--repeats", "once", "--ratings", "--by", GROUPS[database]]
    flags += ["--examples", LISTED[database][1], "--examples-min-games", 1]
    flags += [] if database == "masters" else ["--max-ply", PLIES]
    flags += ["--player", player] if database == "player" else []
    must(binary, "count", pgn, "-o", table, *flags, "--quiet", seconds=600)
    return table


def compare(server: Server, lila: Explorer, played: dict[str, list[Game]], player: str) -> Iterator[str]:
    """Asks both the same."""
    chance, moves, shown, single = random.Random(7), 0, 0, 0
    for database, found in played.items():
        for _ in range(REQUESTS):
            fields = drawn(chance, database, found)
            if database == "player":
                fields |= {"player": player, "color": chance.choice(["white", "black"])}
            path = f"/{database}?{urlencode(fields)}"
            ours, theirs = server.json(path), lila.json(path)
            moves += len(theirs["moves"])
            shown += len(theirs.get("topGames", [])) + len(theirs.get("recentGames", []))
            single += sum(move["game"] is not None for move in theirs["moves"])
            yield from (f"{path}: {why}" for why in differences(database, fields, ours, theirs))
    counts = ", ".join(f"{name} {len(found)} games" for name, found in played.items())
    print(
        f"  {counts}: {REQUESTS} requests each, {moves} moves, {shown} games, {single} of one move",
        flush=True,
    )

#!/usr/bin/env python3
"""Judges `tabia serve` by clients of others, python-chess, schemas and hostile requests.

    PYTHONPATH=tests tests/peers/check_serve.py target/release/tabia --corpus FOLDER [--games N]
    … --only counts
    … --explorer PATH/lila-openingexplorer   compares answers with those of Lichess's own server

Prints a line a check, and exits 1 if one fails.  Counts are of the first games (4000, or N) of
each file of the corpus, or of the sample without one.
"""

import argparse
import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import urlencode

import chess
import chess.pgn
import jsonschema

import explorer_clients
import export_oracle
import hostile
import lila_explorer
from judge.boards import games
from judge.report import SAMPLE, Case, Skipped, main_of_cases
from judge.run import must
from judge.server import Server

POSITIONS = 300
PLIES = 30
LICHESS_RATINGS = export_oracle.BANDS[:9]
SPEEDS = (*(name for _, name in export_oracle.SPEEDS), "correspondence")

# What lichess-org/api requires of an answer (schemas OpeningExplorerLichess, …Masters, …Player).
MOVE_KEYS = {"uci", "san", "white", "draws", "black", "game", "opening"}
REQUIRED = {
    "/lichess": {"opening", "white", "draws", "black", "moves", "topGames", "recentGames"},
    "/masters": {"opening", "white", "draws", "black", "moves", "topGames"},
    "/player": {"opening", "queuePosition", "white", "draws", "black", "moves", "recentGames"},
}
REQUIRED_OF_MOVES = {
    "/lichess": MOVE_KEYS | {"averageRating"},
    "/masters": MOVE_KEYS | {"averageRating"},
    "/player": MOVE_KEYS | {"averageOpponentRating", "performance"},
}


@dataclass(frozen=True)
class Group:
    """What a game is grouped by."""

    speed: str
    band: int | None
    month: str | None


@dataclass
class Game:
    """A game that counts."""

    group: Group
    result: str
    moves: list[chess.Move]
    players: tuple[str, str]


class Place:
    """The files that checks ask about, and a server of them."""

    def __init__(
        self, binary: Path, corpus: Path | None, folder: Path, games_max: int, explorer: Path | None
    ) -> None:
        """Cuts the first games of each file, and counts them."""
        self.binary, self.folder, self.games_max, self.explorer = binary, folder, games_max, explorer
        files = [SAMPLE]
        if corpus is not None:
            files = [corpus / "lichess-2013-01a.pgn.zst", corpus / "twic-a.pgn.zst"]
        self.tables = {file.name.split(".")[0]: self.count(file) for file in files}
        first = next(iter(self.tables))
        self.book, self.bin = folder / "book.tabia", folder / "poly.bin"
        self.tabia("compact", folder / f"{first}.table", "-o", self.book, "--min-games", 2)
        self.tabia("export", "polyglot", self.book, "-o", self.bin)

    def tabia(self, *arguments: object) -> None:
        """Runs the binary."""
        must(self.binary, *arguments, "--quiet", seconds=600)

    def count(self, file: Path) -> Path:
        """The first games of a file as PGN; beside it their table."""
        pgn = self.folder / f"{file.name.split('.')[0]}.pgn"
        self.tabia("filter", file, "-o", pgn, "--limit", self.games_max)
        groups = "speed,rating-band,month"
        flags = ["--by", groups, "--ratings", "--repeats", "each", "--max-ply", PLIES]
        self.tabia("count", pgn, "-o", pgn.with_suffix(".table"), *flags)
        return pgn

    def player(self) -> tuple[str, Path, list[Game]]:
        """The player of most games of the first file, a table of those by colour, and the games."""
        pgn = next(iter(self.tables.values()))
        names = Counter(name for game in read_games(pgn) for name in game.players)
        player = names.most_common(1)[0][0]
        table = self.folder / "player.table"
        groups = ["--player", player, "--by", "player-color", "--ratings"]
        self.tabia("count", pgn, "-o", table, *groups, "--max-ply", PLIES, "--force")
        return player, table, [game for game in read_games(pgn) if player in game.players]

    def serve(self, *more: object) -> Server:
        """A server of everything."""
        tables = [pgn.with_suffix(".table") for pgn in self.tables.values()]
        return Server([self.binary, "serve", *tables, self.book, self.bin, *more])


def elo(headers: chess.pgn.Headers, name: str) -> int | None:
    """A rating that is known."""
    text = headers.get(name, "")
    return int(text) if text.isdigit() and int(text) > 0 else None


def read_games(pgn: Path) -> Iterator[Game]:
    """The games of a file by python-chess."""
    for game in games(pgn.read_text("utf-8", "replace")):
        result = game.headers.get("Result", "*")
        moves = list(game.mainline_moves())
        if result == "*" or not moves or game.errors:
            continue
        elos = [elo(game.headers, name) for name in ("WhiteElo", "BlackElo")]
        band = None if None in elos else export_oracle.band_of((elos[0], elos[1]))
        date = game.headers.get("UTCDate") or game.headers.get("Date", "")
        month = date[:7].replace(".", "-") if "?" not in date[:7] and len(date) >= 7 else None
        control = game.headers.get("TimeControl", "").encode("latin-1", "replace")
        group = Group(export_oracle.speed_of({b"TimeControl": control}) or "", band, month)
        players = (game.headers.get("White", "?"), game.headers.get("Black", "?"))
        yield Game(group, result, moves, players)


Tallies = dict[str, dict[Group, Counter]]
"""By move in Chess960's UCI, group and result."""


def visits(games: list[Game]) -> dict[str, tuple[list[str], Tallies]]:
    """What was played in each position: a line that leads there, and its counts."""
    found: dict[str, tuple[list[str], Tallies]] = {}
    for game in games:
        board, line = chess.Board(), []
        for move in game.moves[:PLIES]:
            entry = found.setdefault(board.epd(en_passant="legal"), (list(line), {}))
            uci = board.uci(move, chess960=True)
            groups = entry[1].setdefault(uci, defaultdict(Counter))
            groups[game.group][game.result] += 1
            line.append(move.uci())
            board.push(move)
    return found


def random_filter(chance: random.Random, months: list[str]) -> tuple[dict, Callable[[Group], bool]]:
    """Fields of a request, and which groups they admit."""
    fields: dict[str, object] = {}
    speeds = chance.sample(SPEEDS, chance.randint(1, 5)) if chance.random() < 0.5 else None
    ratings = chance.sample(LICHESS_RATINGS, chance.randint(1, 8)) if chance.random() < 0.5 else None
    since = chance.choice(months) if months and chance.random() < 0.3 else None
    if speeds:
        fields["speeds"] = ",".join(speeds)
    if ratings:
        fields["ratings"] = ",".join(map(str, ratings))
    if since:
        fields["since"] = since

    def admits(group: Group) -> bool:
        in_band = group.band is not None and min(group.band, 2500) in (ratings or ())
        # A filter from the first month on names every game, also those of no known month.
        in_month = since in (None, months[0] if months else None) or (group.month or "") >= since
        return (not speeds or group.speed in speeds) and (not ratings or in_band) and in_month

    return fields, admits


def check_counts(place: Place) -> Iterator[str]:
    """Answers against python-chess's counts, in random positions with random filters."""
    chance, moves, empty = random.Random(18), 0, 0
    with place.serve("--strict-filters") as server:
        for name, pgn in place.tables.items():
            games = list(read_games(pgn))
            found = visits(games)
            listed = next(a for a in server.json("/tabia/artefacts")["artefacts"] if a["name"] == name)
            if listed["games"] != len(games):
                yield f"{name}: {listed['games']} games, python-chess accepts {len(games)}"
            positions = chance.sample(sorted(found), min(POSITIONS, len(found)) - 30)
            positions += sorted(found, key=lambda epd: len(found[epd][1]))[-30:]
            for epd in positions:
                fields, admits = random_filter(chance, listed["groups"]["months"])
                line, tallies = found[epd]
                place_fields = {"fen": epd} if chance.random() < 0.5 else {"play": ",".join(line)}
                answer = server.json(f"/x/{name}/lichess", {**fields, **place_fields, "moves": 300})
                got = {m["uci"]: (m["white"], m["draws"], m["black"]) for m in answer["moves"]}
                expected = {}
                for uci, groups in tallies.items():
                    sums = sum((c for g, c in groups.items() if admits(g)), Counter())
                    if sums.total():
                        expected[uci] = (sums["1-0"], sums["1/2-1/2"], sums["0-1"])
                moves, empty = moves + len(got), empty + (not got)
                if got != expected:
                    yield f"{name}: {epd} {fields}: {got}, python-chess counts {expected}"
    print(f"  {moves} moves compared; {empty} positions without games of the filter", flush=True)


def check_clients(place: Place) -> Iterator[str]:
    """Requests of clients to one address, whose databases are artefacts of their own."""
    pgns = list(place.tables.values())
    player, table, _ = place.player()
    given = {"lichess": pgns[0].with_suffix(".table"), "masters": place.book, "player": table}
    if len(pgns) > 1:
        given["masters"] = pgns[-1].with_suffix(".table")
    options = [word for database, file in given.items() for word in (f"--{database}", file)]
    with Server([place.binary, "serve", place.bin, *options]) as server:
        yield from explorer_clients.check(server, {name: file.stem for name, file in given.items()}, player)


def check_lila(place: Place) -> Iterator[str]:
    """Answers of three databases against those of lila-openingexplorer on the same games."""
    if place.explorer is None:
        raise Skipped("no LILA_EXPLORER: answers are not compared with those of lila-openingexplorer")
    yield from lila_explorer.check(place.binary, place.explorer, list(place.tables.values()), place.folder)


def check_schemas(place: Place) -> Iterator[str]:
    """Every answer against Lichess's required keys and against our description."""
    line = {"play": "e2e4,e7e5,g1f3"}
    with place.serve("--experience", place.folder / "x.parquet") as server:
        description = server.json("/openapi.json")
        operations = [
            (path, operation["get"]) for path, operation in description["paths"].items() if "get" in operation
        ]
        artefacts = [a["name"] for a in server.json("/tabia/artefacts")["artefacts"]]
        for fields in ({}, {"play": "a2a4,h7h5,a4a5"}, line):
            for name in artefacts:
                for path, operation in operations:
                    more = {
                        "history": "true",
                        "bands": "true",
                        "policy": "wilson",
                        "move": "h3",
                        "other": artefacts[0],
                        "against": artefacts[-1],
                        "color": "white",
                    }
                    status, body = server.ask("GET", f"/x/{name}{path}?{urlencode({**fields, **more})}")
                    if path == "/openapi.json" or "{" in path:
                        continue
                    if status == 200:
                        yield from wrong(description, path, operation, json.loads(body))
                    elif status not in {400, 404}:
                        yield f"{name} {path}: {status} {body!r}"


def wrong(description: dict, path: str, operation: dict, answer: dict) -> Iterator[str]:
    """What of an answer is not as described."""
    content = next(iter(operation["responses"]["200"]["content"].values()))
    schema = {**content["schema"], "components": description["components"]}
    for error in jsonschema.Draft202012Validator(schema).iter_errors(answer):
        yield f"{path}: {error.json_path}: {error.message[:200]}"
    if path in REQUIRED:
        if missing := REQUIRED[path] - answer.keys():
            yield f"{path}: without {missing}"
        for move in answer["moves"]:
            if missing := REQUIRED_OF_MOVES[path] - move.keys():
                yield f"{path}: a move without {missing}"


def check_hostile(place: Place) -> Iterator[str]:
    """Hostile requests: no crash, no leak, answers in time to others."""
    with place.serve() as server:
        yield from hostile.check(server)


def check_player(place: Place) -> Iterator[str]:
    """What the player of most games played, by colour, against python-chess's counts."""
    player, table, games = place.player()
    moves = 0
    with Server([place.binary, "serve", table]) as server:
        for at, color in enumerate(("white", "black")):
            found = visits([game for game in games if game.players[at] == player])
            for line, tallies in list(found.values())[:POSITIONS]:
                fields = {"player": player, "color": color, "play": ",".join(line), "moves": 300}
                answer = server.json("/player", fields)
                got = {m["uci"]: (m["white"], m["draws"], m["black"]) for m in answer["moves"]}
                sums = {uci: sum(groups.values(), Counter()) for uci, groups in tallies.items()}
                results = ("1-0", "1/2-1/2", "0-1")
                expected = {uci: tuple(sums[uci][result] for result in results) for uci in sums}
                moves += len(got)
                if got != expected:
                    yield f"{player} as {color}: {line}: {got}, python-chess counts {expected}"
    print(f"  {moves} moves of {player} compared, in {len(games)} games", flush=True)


CHECKS = {
    "clients": check_clients,
    "lila": check_lila,
    "counts": check_counts,
    "player": check_player,
    "schemas": check_schemas,
    "hostile": check_hostile,
}


def cases(args: argparse.Namespace) -> list[Case]:
    """All checks of one place."""
    place = Place(args.binary, args.corpus, args.place, args.games, args.explorer)
    return [Case(name, partial(check, place)) for name, check in CHECKS.items()]


if __name__ == "__main__":
    main_of_cases(__doc__, cases, "binary", corpus=None, explorer=None, games=4000)

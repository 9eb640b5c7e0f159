"""Requests as clients of Lichess's explorer send them, and answers as its documentation describes them.

Each request is read from the client's source (its version is beside it) or recorded from it.  An answer
must have the keys, types and order of lichess-org/api (`OpeningExplorerLichess`, `…Masters`, `…Player`),
which is also what lila-openingexplorer's `response.rs` writes; its moves must be legal in python-chess,
and its counts those of the artefact that the database was given.
"""

import json
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import berserk
import chess
import jsonschema

from judge.server import Server

FEN = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR%20b%20KQkq%20e3%200%201"
FORM = FEN.replace("/", "%2F").replace("%20", "+")
SPEEDS = ["ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence"]
RATINGS = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500]

# A client, its version, and what it asks; `{player}` is a name as its encoding writes it.
REQUESTS = [
    # src/utils/lichess/explorer.ts and the defaults of src/state/atoms.ts
    (
        "En Croissant 9654961",
        f"/lichess?fen={FORM}&speeds=bullet%2Cblitz%2Crapid%2Cclassical%2Ccorrespondence"
        "&ratings=1000%2C1200%2C1400%2C1600%2C1800%2C2000%2C2200%2C2500",
    ),
    (
        "En Croissant 9654961",
        f"/lichess?fen={FORM}&variant=standard&speeds=blitz&ratings=1800%2C2000&since=2013-1&until=2022-12",
    ),
    ("En Croissant 9654961", f"/masters?fen={FEN}"),
    ("En Croissant 9654961", f"/masters?fen={FEN}&since=1952&until=2026"),
    (
        "En Croissant 9654961",
        f"/player?fen={FORM}&player={{player}}&color=black"
        "&speeds=bullet%2Cblitz%2Crapid%2Cclassical%2Ccorrespondence",
    ),
    # files/src/renderer/75_looker.js
    ("Nibbler b844f2d", f"/masters?topGames=0&fen={FEN}"),
    ("Nibbler b844f2d", f"/lichess?variant=standard&topGames=0&recentGames=0&fen={FEN}"),
    # ui/analyse/src/explorer/explorerXhr.ts, with the choices that its panel has at first
    (
        "lila",
        "/lichess?variant=standard&fen=rnbqkbnr%2Fpppppppp%2F8%2F8%2F8%2F8%2FPPPPPPPP%2FRNBQKBNR+w+KQkq+-+0+1"
        f"&play=e2e4&speeds={'%2C'.join(SPEEDS)}&ratings={'%2C'.join(map(str, RATINGS))}"
        "&since=1952-01&until=3000-12&source=analysis",
    ),
    ("lila", f"/masters?fen={FORM}&play=&since=1952&until=3000&topGames=0"),
    ("lila", f"/player?fen={FORM}&play=&player={{player}}&color=black&modes=casual%2Crated&source=analysis"),
    (
        "lila of 2022",
        f"/lichess?fen={FORM}&play=&variant=standard&speeds%5B%5D=bullet&speeds%5B%5D=blitz"
        "&ratings%5B%5D=1600&topGames=0&recentGames=0",
    ),
    ("lila of 2022", f"/master?fen={FORM}&play=&topGames=0&recentGames=0"),
    # lib/engine_wrapper.py
    ("lichess-bot", f"/masters?fen={FORM}&moves=100"),
    (
        "lichess-bot",
        f"/player?player={{player}}&fen={FORM}&moves=100&variant=standard&recentGames=0&color=black",
    ),
    ("lichess-bot", f"/lichess?fen={FORM}&moves=100&variant=standard&topGames=0&recentGames=0"),
    (
        "BookBuilder",
        f"/lichess?variant=standard&speeds=blitz,rapid&ratings=1600,1800&recentGames=0&topGames=0&moves=30&fen={FEN}",
    ),
]

COUNT = {"type": "integer", "minimum": 0}
OPENING = {
    "type": ["object", "null"],
    "properties": {"eco": {"type": "string", "pattern": "^[A-E][0-9]{2}$"}, "name": {"type": "string"}},
    "required": ["eco", "name"],
    "additionalProperties": False,
}
TALLY = {"white": COUNT, "draws": COUNT, "black": COUNT}
# Keys beside the common ones: of the answer, those of it that may be left out, and of a move.
DATABASES = {
    "lichess": (["topGames", "recentGames"], ["history"], ["averageRating"]),
    "masters": (["topGames"], ["history"], ["averageRating"]),
    "player": (["recentGames", "queuePosition"], ["history"], ["averageOpponentRating", "performance"]),
}


def schema_of(database: str) -> dict:
    """The documented form of an answer."""
    keys, optional, of_move = DATABASES[database]
    kinds = {key: {"type": "array"} for key in ("topGames", "recentGames", "history")} | {
        "queuePosition": COUNT
    }
    texts = {"uci": {"type": "string", "pattern": "^([a-h][1-8]){2}[qrbn]?$"}, "san": {"type": "string"}}
    move = {**texts, **TALLY, "game": {"type": ["object", "null"]}, "opening": OPENING}
    move |= dict.fromkeys(of_move, COUNT)
    moves = {"type": "array", "items": closed(move, list(move))}
    answer = {**TALLY, "moves": moves, "opening": OPENING}
    return closed(answer | {key: kinds[key] for key in keys + optional}, [*answer, *keys])


def closed(properties: dict, required: list[str]) -> dict:
    """An object with these keys and no others."""
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def check(server: Server, served: dict[str, str], player: str) -> Iterator[str]:
    """Objections to the answers of a server whose databases are answered by the artefacts `served`."""
    for program, request in REQUESTS:
        path = request.replace("{player}", player.replace(" ", "+").replace(",", "%2C"))
        database = {"master": "masters"}.get(name := urlsplit(path).path[1:], name)
        status, body = server.ask("GET", path)
        if status != 200:
            yield f"{program}: {path}: {status} {body[:200]!r}"
            continue
        answer = json.loads(body)
        yield from (f"{program}: {path}: {why}" for why in objections(database, path, answer))
        if server.json(f"/x/{served[database]}{path}") != answer:
            yield f"{program}: {path}: not the answer of {served[database]}"
    print(f"  {len(REQUESTS)} requests of {len({program for program, _ in REQUESTS})} clients", flush=True)
    yield from by_berserk(server, player)


def objections(database: str, path: str, answer: dict) -> Iterator[str]:
    """What an answer has that the explorer's would not, or the other way round."""
    for error in jsonschema.Draft202012Validator(schema_of(database)).iter_errors(answer):
        yield f"{error.json_path}: {error.message[:200]}"
    fields = parse_qs(urlsplit(path).query)
    board = chess.Board(fields["fen"][0])
    for uci in filter(None, fields.get("play", [""])[0].split(",")):
        board.push_uci(uci)
    games = [move["white"] + move["draws"] + move["black"] for move in answer["moves"]]
    if not games or 0 in games or games != sorted(games, reverse=True):
        yield f"moves with {games} games"
    if len(games) > int(fields.get("moves", ["12"])[0]):
        yield f"{len(games)} moves"
    for move in answer["moves"]:
        legal = {board.uci(m, chess960=True): board.san(m) for m in board.legal_moves}
        if legal.get(move["uci"]) != move["san"]:
            yield f"{move['uci']} {move['san']}: python-chess has {legal.get(move['uci'])}"
    if sum(games) > answer["white"] + answer["draws"] + answer["black"]:
        yield "moves with more games than the position"


def by_berserk(server: Server, player: str) -> Iterator[str]:
    """Calls of berserk, whose paths are absolute: each must reach the artefact of its database."""
    explorer = berserk.Client(explorer_url=server.url).opening_explorer
    filters = {
        "speeds": ["blitz", "rapid"],
        "ratings": ["1600", "2500"],
        "since": "2012-01",
        "until": "2030-12",
    }
    answer = explorer.get_lichess_games(
        position=chess.STARTING_FEN, play=["e2e4"], moves=5, history=True, **filters
    )
    asked = {key: ",".join(value) if isinstance(value, list) else value for key, value in filters.items()}
    expected = server.json("/lichess", {"play": "e2e4", "moves": 5, "history": "true", **asked})
    if answer != expected or len(answer["moves"]) != 5 or not answer["history"]:
        yield f"berserk: lichess: {answer}"
    if explorer.get_masters_games(since=2000, until=2030) != server.json(
        "/masters", {"since": 2000, "until": 2030}
    ):
        yield "berserk: masters"
    answer = explorer.get_player_games(player=player, color="white", variant="standard")
    if answer != server.json("/player", {"player": player, "color": "white"}):
        yield f"berserk: player: {answer}"

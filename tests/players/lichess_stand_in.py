"""A stand-in of Lichess's Bot API on loopback: as much of it as lichess-bot uses (lichess.org/api, "Bot").

It challenges the bot to one game after another and plays the moves of its own player.
"""

import contextlib
import itertools
import json
import queue
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import chess
import chess.pgn

BOT, OPPONENT = "tabiabot", "standin"
# Clock of a game: seconds, and seconds a move.
LIMIT, INCREMENT = 180, 2
# How often an idle stream has an empty line.
PING_SECONDS = 1

Answer = dict[str, Any]


class Game:
    """A game of the bot, which has one colour and then the other."""

    def __init__(self, number: int, choose: Callable[[chess.Board], chess.Move]) -> None:
        """Begins it; the opponent moves first if it has White."""
        self.name, self.choose = f"game{number:04}", choose
        self.bot = chess.WHITE if number % 2 else chess.BLACK
        self.board, self.states, self.is_over = chess.Board(), queue.Queue[Answer](), threading.Event()
        self.reply()

    def reply(self) -> None:
        """The opponent moves, if it is its turn."""
        if self.board.turn != self.bot and not self.board.is_game_over(claim_draw=True):
            self.board.push(self.choose(self.board))

    def play(self, uci: str) -> None:
        """The bot moves, and the opponent answers."""
        self.board.push(self.board.parse_uci(uci))
        self.states.put(self.state())
        if self.board.is_game_over(claim_draw=True):
            self.is_over.set()
            return
        self.reply()
        self.states.put(self.state())
        if self.board.is_game_over(claim_draw=True):
            self.is_over.set()

    def state(self) -> Answer:
        """`gameState`."""
        outcome = self.board.outcome(claim_draw=True)
        status = "started"
        if outcome:
            status = "mate" if outcome.termination == chess.Termination.CHECKMATE else "draw"
        moves = " ".join(move.uci() for move in self.board.move_stack)
        times = {
            "wtime": LIMIT * 1000,
            "btime": LIMIT * 1000,
            "winc": INCREMENT * 1000,
            "binc": INCREMENT * 1000,
        }
        winner = {}
        if outcome and outcome.winner is not None:
            winner = {"winner": chess.COLOR_NAMES[outcome.winner]}
        return {"type": "gameState", "moves": moves, "status": status, **times, **winner}

    def players(self) -> dict[str, Answer]:
        """Both players."""
        bot = {"id": BOT, "name": BOT, "title": "BOT", "rating": 2000}
        other = {"id": OPPONENT, "name": OPPONENT, "rating": 1500}
        return {"white": bot, "black": other} if self.bot else {"white": other, "black": bot}

    def full(self) -> Answer:
        """`gameFull`."""
        clock = {"initial": LIMIT * 1000, "increment": INCREMENT * 1000}
        about = {"id": self.name, "speed": "blitz", "perf": {"name": "Blitz"}, "rated": False}
        variant = {"variant": {"key": "standard", "name": "Standard"}, "initialFen": "startpos"}
        begun = {"createdAt": int(time.time() * 1000), "clock": clock}
        return {"type": "gameFull", **about, **variant, **begun, **self.players(), "state": self.state()}

    def pgn(self) -> str:
        """The game as `/game/export` has it."""
        game = chess.pgn.Game.from_board(self.board)
        game.headers["Result"] = self.board.result(claim_draw=True)
        game.headers.update({colour.title(): one["name"] for colour, one in self.players().items()})
        game.headers["TimeControl"] = f"{LIMIT}+{INCREMENT}"
        game.headers["UTCTime"] = f"00:00:{int(self.name[4:]) % 60:02}"
        game.headers["Site"] = self.name
        return str(game)


class StandIn:
    """The server."""

    def __init__(self, choose: Callable[[chess.Board], chess.Move]) -> None:
        """Listens at a free port."""
        self.choose, self.games, self.numbers = choose, dict[str, Game](), itertools.count(1)
        self.events, self.ends = queue.Queue[Answer](), threading.Event()
        stand_in = self

        class Handler(BaseHTTPRequestHandler):
            """One request."""

            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                """Answers, or streams."""
                stand_in.get(self)

            def do_POST(self) -> None:
                """Answers."""
                body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                stand_in.send(self, stand_in.post(self.path, body))

            def log_message(self, *_: object) -> None:
                """Says nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.server.server_address[1]}/"

    def close(self) -> None:
        """Ends it."""
        self.ends.set()
        self.server.shutdown()
        self.server.server_close()

    def challenge(self) -> Game:
        """Challenges the bot; its game begins once the bot accepts."""
        game = Game(next(self.numbers), self.choose)
        self.games[game.name] = game
        clock = {"type": "clock", "limit": LIMIT, "increment": INCREMENT, "show": "3+2"}
        about = {"id": game.name, "status": "created", "rated": False, "speed": "blitz"}
        about |= {"variant": {"key": "standard", "name": "Standard"}, "perf": {"name": "Blitz"}}
        colour = chess.COLOR_NAMES[not game.bot]
        people = {"challenger": {"id": OPPONENT, "name": OPPONENT, "rating": 1500}}
        people["destUser"] = {"id": BOT, "name": BOT, "title": "BOT"}
        told = {**about, **people, "color": colour, "finalColor": colour, "timeControl": clock}
        self.events.put({"type": "challenge", "challenge": told})
        return game

    def get(self, request: BaseHTTPRequestHandler) -> None:
        """Answers `GET`."""
        match request.path.split("?")[0].strip("/").split("/"):
            case ["api", "account"]:
                self.send(request, {"id": BOT, "username": BOT, "title": "BOT", "perfs": {}})
            case ["api", "account", "playing"]:
                self.send(request, {"nowPlaying": []})
            case ["api", "stream", "event"]:
                self.stream(request, self.lines(self.events))
            case ["api", "bot", "game", "stream", name]:
                game = self.games[name]
                self.stream(request, itertools.chain([game.full()], self.lines(game.states, game)))
            case ["game", "export", name]:
                self.send(request, self.games[name].pgn())
            case _:
                self.send(request, {})

    def post(self, path: str, body: str) -> Answer:
        """Answers `POST`."""
        match path.split("?")[0].strip("/").split("/"):
            case ["api", "token", "test"]:
                return {body: {"scopes": "bot:play", "userId": BOT}}
            case ["api", "challenge", name, "accept"]:
                about = {"gameId": name, "id": name, "fullId": name, "speed": "blitz"}
                opponent = {"opponent": {"id": OPPONENT, "username": OPPONENT}, "secondsLeft": LIMIT}
                self.events.put({"type": "gameStart", "game": about | opponent})
            case ["api", "bot", "game", name, "move", uci]:
                self.games[name].play(uci)
        return {"ok": True}

    def lines(self, answers: queue.Queue[Answer], game: Game | None = None) -> Iterator[Answer | None]:
        """What a stream has; nothing from time to time."""
        while not self.ends.is_set():
            try:
                yield answers.get(timeout=PING_SECONDS)
            except queue.Empty:
                if game and game.is_over.is_set():
                    return
                yield None

    @staticmethod
    def send(request: BaseHTTPRequestHandler, answer: Answer | str) -> None:
        """Sends JSON or text."""
        body = (answer if isinstance(answer, str) else json.dumps(answer)).encode()
        request.send_response(200)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    @staticmethod
    def stream(request: BaseHTTPRequestHandler, answers: Iterator[Answer | None]) -> None:
        """Sends a JSON object a line, each in a chunk of its own, as they come."""
        request.send_response(200)
        request.send_header("Transfer-Encoding", "chunked")
        request.end_headers()
        lines = (json.dumps(answer) + "\n" if answer else "\n" for answer in answers)
        with contextlib.suppress(OSError):
            for line in itertools.chain(lines, [""]):
                request.wfile.write(f"{len(line):x}\r\n{line}\r\n".encode())

"""A match runner: two UCI engines play games with clocks, and each game is kept as PGN.

Games are played by python-chess's engine module. Values of searches are comments from the mover's
view, as cutechess writes them: `{+0.35/12}`. An illegal move, a lost clock, a line that is no UCI
or a word on standard error ends the match with an error.
"""

import datetime
import logging
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Self

import chess
import chess.engine
import chess.pgn

SCORE = re.compile(r" score (cp|mate) (-?\d+)")
BOOK_MOVE = re.compile(r"info string book (\S+):")

# Seconds that an engine may take to start or to get ready.
SECONDS_TO_ANSWER = 60

# A game is given up once both engines find it lost for one side, this many centipawns, for this
# many moves in a row.
LOST_CENTIPAWNS = 1000
LOST_PLIES = 6


class MatchError(Exception):
    """A match that did not go by the rules."""


class Died(MatchError):
    """A player that ended in a game, or that python-chess cannot understand."""


class Complaints(logging.Handler):
    """What python-chess finds wrong with engines' lines, and what is on their standard error."""

    def __init__(self) -> None:
        """Nothing was complained of yet."""
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keeps a warning, but for words for people: python-chess expects none after options."""
        message = record.getMessage()
        if "Unexpected engine output: 'info string " not in message:
            self.lines.append(message)

    def check(self) -> None:
        """Fails if there is any."""
        if self.lines:
            raise MatchError(f"no UCI: {self.lines[:5]}")


COMPLAINTS = Complaints()
logging.getLogger("chess.engine").addHandler(COMPLAINTS)


@dataclass(frozen=True)
class Clock:
    """Seconds at the start and for each move, and perhaps a depth that ends each search."""

    start: float = 2.0
    increment: float = 0.02
    depth: int | None = None
    # Seconds that a move may be late, of a machine that does other things too.
    margin: float = 0.3
    ponder: bool = False


@dataclass(frozen=True)
class BookMove:
    """A move that a player says is of its book."""

    fen: str
    move: str
    # The player's `info string`.
    text: str


@dataclass(frozen=True)
class Value:
    """What a search found: `cp` and centipawns, or `mate` and moves, and the depth."""

    kind: str
    number: int
    depth: int

    @property
    def centipawns(self) -> int:
        """A mate is worth a thousand pawns."""
        if self.kind == "cp":
            return self.number
        return 100_000 if self.number > 0 else -100_000

    @property
    def comment(self) -> str:
        """`+0.35/12`, and mates in plies."""
        sign = "-" if self.number < 0 or (self.kind == "mate" and self.number == 0) else "+"
        if self.kind == "cp":
            return f"{sign}{abs(self.number) // 100}.{abs(self.number) % 100:02}/{self.depth}"
        plies = 2 * self.number - 1 if self.number > 0 else 2 * -self.number
        return f"{sign}M{plies}/{self.depth}"


@dataclass(frozen=True)
class Move:
    """A move with the value of its search, which a book move does not have."""

    move: chess.Move
    value: Value | None = None


def found(lines: list[str]) -> Value | None:
    """The value of the search that these lines are of."""
    for line in reversed(lines):
        score = SCORE.search(line)
        if not score or not line.startswith("info ") or " string " in line or "bound" in line:
            continue
        if " multipv " in line and " multipv 1 " not in line:
            continue
        depth = re.search(r" depth (\d+)", line)
        return Value(score[1], int(score[2]), int(depth[1]) if depth else 0)
    return None


@dataclass
class Player:
    """A running UCI engine with all lines that it printed."""

    command: list[str]
    options: dict[str, str | int | bool | None] = field(default_factory=dict)
    rating: int | None = None
    # Its name in games; by default the engine's.
    label: str | None = None
    lines: list[str] = field(default_factory=list)
    book_moves: list[BookMove] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Starts it."""
        self.engine = chess.engine.SimpleEngine.popen_uci(self.command, timeout=SECONDS_TO_ANSWER)
        protocol = self.engine.protocol
        received = protocol.line_received

        def line_received(line: str) -> None:
            self.lines.append(line)
            received(line)

        protocol.line_received = line_received
        self.engine.configure(
            {name: value for name, value in self.options.items() if name in self.engine.options}
        )

    @property
    def name(self) -> str:
        """Its name in games."""
        return self.label or self.engine.id.get("name", "?")

    @property
    def pid(self) -> int:
        """Its process."""
        return self.engine.transport.get_pid()

    def say(self, line: str) -> None:
        """Sends a line to the engine, as it is."""
        protocol = self.engine.protocol
        protocol.loop.call_soon_threadsafe(protocol.send_line, line)
        self.engine.ping()

    def meet(self, opponent: Self) -> None:
        """Names the opponent to the engine, if it has an option for that."""
        if "UCI_Opponent" in self.engine.options:
            known = chess.engine.Opponent(opponent.name, None, opponent.rating, is_engine=True)
            self.engine.send_opponent_information(opponent=known, engine_rating=self.rating)

    def move(self, board: chess.Board, limit: chess.engine.Limit, game: object, ponder: bool) -> Move:
        """Its move, with the value of its search."""
        self.lines.clear()
        try:
            move = self.engine.play(board, limit, game=game, ponder=ponder).move
        except chess.engine.EngineError as error:
            said = [*self.lines[-3:], *COMPLAINTS.lines]
            raise Died(f"{self.name} in {board.fen()}: {error}; last it said {said}") from error
        if move is None or move not in board.legal_moves:
            raise MatchError(f"{self.name} played {move} in {board.fen()}")
        book = next((line for line in self.lines if BOOK_MOVE.match(line)), None)
        if book:
            self.book_moves.append(BookMove(board.fen(), move.uci(), book))
            return Move(move)
        return Move(move, found(self.lines))

    def __enter__(self) -> Self:
        """Plays until the end of the block."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *_rest: object) -> None:
        """Quits; after an error it is only killed."""
        if kind:
            self.engine.close()
        else:
            self.close()

    def close(self) -> None:
        """Quits; the exit code must be 0."""
        self.engine.quit()
        code = self.engine.returncode.result(timeout=SECONDS_TO_ANSWER)
        if code != 0:
            raise MatchError(f"{self.name}: exit code {code}")
        COMPLAINTS.check()


@dataclass
class Game:
    """A game that is played."""

    white: Player
    black: Player
    clock: Clock
    board: chess.Board = field(default_factory=chess.Board)
    pgn: chess.pgn.Game = field(default_factory=chess.pgn.Game)
    # White's values of the last searches in a row.
    values: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Sets the clocks."""
        self.left = {chess.WHITE: self.clock.start, chess.BLACK: self.clock.start}
        self.end: chess.pgn.GameNode = self.pgn

    def limit(self) -> chess.engine.Limit:
        """What the side to move may search."""
        return chess.engine.Limit(
            depth=self.clock.depth,
            white_clock=max(self.left[chess.WHITE], 0.001),
            black_clock=max(self.left[chess.BLACK], 0.001),
            white_inc=self.clock.increment,
            black_inc=self.clock.increment,
        )

    def ply(self) -> None:
        """Plays a move."""
        side = self.board.turn
        player = self.white if side else self.black
        begun = time.perf_counter()
        played = player.move(self.board, self.limit(), self, self.clock.ponder)
        self.left[side] -= time.perf_counter() - begun
        if self.left[side] < -self.clock.margin:
            raise MatchError(f"{player.name} lost on time at ply {self.board.ply()}")
        self.left[side] = max(self.left[side], 0) + self.clock.increment
        self.note(played, 1 if side else -1)

    def note(self, played: Move, sign: int) -> None:
        """Keeps a move and its value."""
        self.end = self.end.add_variation(played.move)
        self.end.comment = played.value.comment if played.value else ""
        self.board.push(played.move)
        if played.value:
            self.values.append(sign * played.value.centipawns)
        else:
            self.values.clear()

    def result(self, max_plies: int) -> str | None:
        """The result by the rules, or where there is no doubt; a long game is a draw."""
        if self.board.is_game_over(claim_draw=True):
            return self.board.result(claim_draw=True)
        last = self.values[-LOST_PLIES:]
        if len(last) == LOST_PLIES and min(last) > LOST_CENTIPAWNS:
            return "1-0"
        if len(last) == LOST_PLIES and max(last) < -LOST_CENTIPAWNS:
            return "0-1"
        return "1/2-1/2" if self.board.ply() >= max_plies else None

    def finish(self, result: str) -> chess.pgn.Game:
        """Fills in the tags, and sends the result to players that have the option `Result`."""
        tags = {"White": self.white.name, "Black": self.black.name, "Result": result}
        tags["Date"] = datetime.date.today().strftime("%Y.%m.%d")
        for name, player in (("WhiteElo", self.white), ("BlackElo", self.black)):
            if player.rating:
                tags[name] = str(player.rating)
        self.pgn.headers.update(tags)
        moves = " ".join(move.uci() for move in self.board.move_stack)
        for player in (self.white, self.black):
            if "Result" in player.engine.options:
                player.say(f"position startpos moves {moves}")
                # python-chess sends no option again that has the value already.
                player.say(f"setoption name Result value {result}")
        return self.pgn


def play(white: Player, black: Player, clock: Clock, *, max_plies: int = 300) -> chess.pgn.Game:
    """Plays one game."""
    return play_out(Game(white, black, clock), max_plies)


def play_out(game: Game, max_plies: int) -> chess.pgn.Game:
    """Plays a game to its end."""
    game.white.meet(game.black)
    game.black.meet(game.white)
    while (result := game.result(max_plies)) is None:
        game.ply()
        COMPLAINTS.check()
    return game.finish(result)


def match(
    one: Player, other: Player, games: int, clock: Clock, *, max_plies: int = 300
) -> Iterator[chess.pgn.Game]:
    """Plays games with colours in turn."""
    for number in range(games):
        white, black = (one, other) if number % 2 == 0 else (other, one)
        yield play(white, black, clock, max_plies=max_plies)
        COMPLAINTS.check()


def write(games: list[chess.pgn.Game]) -> str:
    """Games as PGN, each a round: a runner may play the same moves twice on a day."""
    for number, game in enumerate(games, 1):
        game.headers["Round"] = str(number)
    return "".join(f"{game}\n\n" for game in games)

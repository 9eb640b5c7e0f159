"""Games of players that search to fixed nodes or to a fixed depth: the clock changes nothing."""

from dataclasses import dataclass, field

import chess
import chess.engine
import chess.pgn

from match_runner import Clock, Game, Move, Player, play_out
from place import SMALL
from recorded import Recorded

# More than any game takes: no player loses on time.
CLOCK = Clock(start=1e6)
MAX_PLIES = 200


@dataclass(frozen=True)
class Strength:
    """An engine of Debian, and how far it searches: `kind` is `nodes` or `depth`.

    Toga II, GNU Chess and Ethereal do not know `go nodes`; they get a depth, which is the same each time too.
    """

    engine: str
    kind: str
    number: int
    arguments: str = ""

    @property
    def path(self) -> str:
        """Its program."""
        return f"/usr/games/{self.engine}"

    @property
    def command(self) -> str:
        """Its command line."""
        return f"{self.path} {self.arguments}".strip()

    @property
    def label(self) -> str:
        """Its name in games."""
        return f"{self.engine} {self.kind} {self.number}"

    @property
    def limit(self) -> chess.engine.Limit:
        """What it searches for a move."""
        return chess.engine.Limit(**{self.kind: self.number})


def start(place: Recorded, book: object, strength: Strength, flags: tuple[object, ...], label: str) -> Player:
    """A player with a book, before an engine."""
    command = [str(place.binary), "uci", str(book), "--engine", strength.command, *map(str, flags)]
    place.note(command)
    return Player(command, dict(SMALL), label=label)


@dataclass
class FixedGame(Game):
    """A game in which each side has a limit of its own."""

    limits: dict[chess.Color, chess.engine.Limit] = field(default_factory=dict)

    def limit(self) -> chess.engine.Limit:
        """What the side to move may search."""
        return self.limits[self.board.turn]


@dataclass(frozen=True)
class Seat:
    """A running player and its limit."""

    player: Player
    limit: chess.engine.Limit


def play(white: Seat, black: Seat, opening: tuple[str, ...] = ()) -> chess.pgn.Game:
    """Plays a game, after moves in SAN that are made for both."""
    limits = {chess.WHITE: white.limit, chess.BLACK: black.limit}
    game = FixedGame(white.player, black.player, CLOCK, limits=limits)
    for san in opening:
        game.note(Move(game.board.parse_san(san)), 1)
    return play_out(game, MAX_PLIES)

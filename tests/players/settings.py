"""Every option of a player is set by python-chess, and does what it says."""

import chess
import chess.engine

from judge.report import Failed
from match_runner import Player
from place import Book, Place, need

LIMIT = chess.engine.Limit(depth=2)
ERROR = "info string error: "

# Options of the engine, and of the player.
OF_ENGINE = ("Hash", "Threads", "MultiPV")
OF_PLAYER = ("Own Book", "Book File", "Book Depth", "Policy", "Result", "Own Rating", "UCI_Opponent")


class Settings:
    """A player whose options are set one after another."""

    def __init__(self, player: Player) -> None:
        """`player` runs."""
        self.player = player
        self.count = 0

    def set(self, name: str, value: str | int | bool) -> list[str]:
        """Sets an option; what the player says to that."""
        self.player.lines.clear()
        shown = str(value).lower() if isinstance(value, bool) else value
        self.player.say(f"setoption name {name} value {shown}")
        self.count += 1
        return [line for line in self.player.lines if line.startswith("info string")]

    def accept(self, name: str, value: str | int | bool) -> None:
        """Sets an option, which must be possible."""
        said = self.set(name, value)
        if any(line.startswith(ERROR) for line in said):
            raise Failed(f"{name} = {value}: {said}")

    def refuse(self, name: str, value: str | int | bool) -> None:
        """Sets an option to what it cannot be, which must be said."""
        said = self.set(name, value)
        if not any(line.startswith(ERROR) for line in said):
            raise Failed(f"{name} = {value} is accepted: {said}")

    def plays(self, words: str | None) -> None:
        """Fails unless the start position is answered from the book with words like these."""
        board = chess.Board()
        move = self.player.move(board, LIMIT, object(), ponder=False).move
        if move not in board.legal_moves:
            raise Failed(f"{move} is no legal move")
        said = [line for line in self.player.lines if line.startswith("info string book ")]
        if words is None and said:
            raise Failed(f"there should be no book move: {said}")
        if words is not None and not any(words in line for line in said):
            raise Failed(f"the book should say `{words}`: {said}")


def values_of(option: chess.engine.Option) -> list[str | int | bool]:
    """What an option can be: the ends of its range, all choices; its default last."""
    default = option.default if option.default is not None else ""
    if option.type == "spin":
        return [option.min or 0, option.max or 0, default]
    if option.type == "check":
        return [True, False, default]
    return [*(option.var or []), default]


def check_policies(settings: Settings, policies: list[str], default: str) -> None:
    """Chooses by each policy."""
    for policy in policies:
        settings.accept("Policy", policy)
        settings.plays(f"% by {policy}")
    settings.refuse("Policy", "nothing")
    settings.plays(f"% by {policies[-1]}")
    settings.accept("Policy", default)


def check_book(settings: Settings, book: Book, other: Book, policy: str) -> None:
    """Plays from another book, from a Polyglot book, from none, and up to a depth."""
    settings.accept("Book File", str(other.path))
    settings.plays(" games, ")
    settings.refuse("Book File", f"{other.path}.absent")
    settings.plays(" games, ")
    settings.accept("Book File", str(book.polyglot))
    settings.accept("Policy", "polyglot")
    settings.plays(" weight ")
    settings.accept("Policy", policy)
    settings.accept("Book File", str(book.path))
    for name, off, on in (("Own Book", False, True), ("Book Depth", 0, 1)):
        settings.accept(name, off)
        settings.plays(None)
        settings.accept(name, on)
        settings.plays("book ")
    settings.refuse("Book Depth", -1)
    settings.accept("Book Depth", 1000)


def check(place: Place) -> str:
    """Sets every option to every kind of value."""
    need("stockfish")
    book, other = place.sample_book(), place.other_book()
    file = place.folder / "x.experience.parquet"
    with Player(place.adapter(book, "stockfish", "--learn", file)) as player:
        options = player.engine.options
        if absent := [name for name in (*OF_ENGINE, *OF_PLAYER) if name not in options]:
            raise Failed(f"these options are not shown: {absent}")
        settings = Settings(player)
        policies = options["Policy"].var or []
        policy = str(options["Policy"].default)
        check_policies(settings, policies, policy)
        check_book(settings, book, other, policy)
        of_policies = [name for name in options if name.split(" ")[0] in policies]
        for name in of_policies:
            for value in values_of(options[name]):
                settings.accept(name, value)
        settings.plays("% by ")
    return (
        f"{len(options)} options, {len(of_policies)} of them of {len(policies)} policies: "
        f"{settings.count} "
        "settings are obeyed, or refused in words"
    )

"""Two books against each other, with four engines and clocks: 200 games by the rules."""

import random
import re
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import chess
import chess.polyglot

from judge.report import Failed
from match_runner import BookMove, Clock, Player, match
from place import SMALL, Book, Place, need

GAMES = 200
CLOCK = Clock(start=1.0, increment=0.02)
MAX_PLIES = 240

# Policies that also play moves which no game has, into positions of the book.
BY_POSITION = ("postmodernist",)

# Positions that `tabia probe` judges too, in each match and for each player.
PROBED = 15


@dataclass(frozen=True)
class Side:
    """A player of a match: its engine, and the policy that chooses from its book."""

    engine: str
    policy: str
    seed: int


# The sample's book against the other one; and whether the players ponder. Ethereal does not: alone
# too, it sometimes goes on with its search after `ponderhit`.
PAIRINGS = (
    (Side("stockfish", "crafty", 1), Side("toga2", "terra", 2), True),
    (Side("glaurung", "lokasoft", 3), Side("ethereal-chess", "polyglot", 4), False),
    (Side("ethereal-chess", "bayes", 5), Side("stockfish", "postmodernist", 6), False),
    (Side("toga2", "crafty-5.1", 7), Side("glaurung", "wilson", 8), True),
)


@dataclass(frozen=True)
class Played:
    """What came of a match."""

    games: int
    plies: int
    # Of the first player and of the second.
    book_moves: tuple[list[BookMove], list[BookMove]]


def played(place: Place, number: int, books: tuple[Book, Book], games: int) -> Played:
    """Plays a match."""
    *sides, ponder = PAIRINGS[number]
    clock = Clock(CLOCK.start, CLOCK.increment, ponder=ponder)
    with start(place, books[0], sides[0]) as one, start(place, books[1], sides[1]) as other:
        plies = sum(game.end().ply() for game in match(one, other, games, clock, max_plies=MAX_PLIES))
    return Played(games, plies, (one.book_moves, other.book_moves))


def start(place: Place, book: Book, side: Side) -> Player:
    """A player."""
    command = place.adapter(book, side.engine, "--policy", side.policy, "--seed", side.seed)
    return Player(command, dict(SMALL), label=f"{side.engine} {side.policy}")


def check(place: Place) -> str:
    """Plays all matches, two at once, and judges the book moves."""
    for sides in PAIRINGS:
        need(*(side.engine for side in sides[:2]))
    books = (place.sample_book(), place.other_book())
    games = place.games(GAMES // len(PAIRINGS))
    begun = time.monotonic()
    with ProcessPoolExecutor(2) as pool:
        matches = [pool.submit(played, place, number, books, games) for number in range(len(PAIRINGS))]
        done = [each.result() for each in matches]
    seconds = time.monotonic() - begun
    judged = sum(
        judge(place, books[which], PAIRINGS[number][which].policy, one.book_moves[which])
        for number, one in enumerate(done)
        for which in (0, 1)
    )
    plies = sum(one.plies for one in done)
    from_book = sum(len(moves) for one in done for moves in one.book_moves)
    return (
        f"{sum(one.games for one in done)} games in {seconds:.0f} s, {plies} plies, "
        f"{from_book} of them from the books ({100 * from_book / plies:.1f} %), all of them moves "
        f"of the books, {judged} with the chance that probe has; no illegal move, no time loss, "
        "no protocol error, exit codes 0"
    )


def judge(place: Place, book: Book, policy: str, moves: list[BookMove]) -> int:
    """Fails if a move is not of the book; how many were probed."""
    if not moves:
        raise Failed(f"no move of {book.path.name} was played by {policy}")
    with chess.polyglot.open_reader(book.polyglot) as reader:
        for played in moves:
            entries = reader.find_all(chess.Board(played.fen), minimum_weight=0)
            is_in = chess.Move.from_uci(played.move) in {entry.move for entry in entries}
            if not is_in and not leads_into(place, book, played, policy):
                raise Failed(f"{played} is no move of {book.polyglot.name}")
    some = random.Random(len(moves)).sample(moves, min(PROBED, len(moves)))
    for played in some:
        probe(place, book, policy, played)
    return len(some)


def leads_into(place: Place, book: Book, played: BookMove, policy: str) -> bool:
    """Whether a move that a policy chose by the position after it leads to one of the book."""
    board = chess.Board(played.fen)
    board.push_uci(played.move)
    return policy in BY_POSITION and place.knows(book, board.fen())


def probe(place: Place, book: Book, policy: str, played: BookMove) -> None:
    """Fails if `tabia probe` has another chance for a move than the player said."""
    said = re.search(r"chance (\S+) % by (\S+)$", played.text)
    chance = place.chances(book, played.fen, policy).get(played.move, 0.0)
    if not said or said[2] != policy or chance <= 0 or said[1] != f"{100 * chance:.1f}":
        raise Failed(f"{played}: probe has the chance {100 * chance:.1f} % by {policy}")

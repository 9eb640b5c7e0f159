"""Players that are killed, and players that share one experience file: every game counts once."""

import os
import random
import re
import signal
import threading
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import chess.pgn
import pyarrow.parquet

from equality import compare, of_runner, rows
from judge import boards
from judge.kill import run_and_kill
from judge.processes import children, wait_until
from judge.report import Failed
from match_runner import COMPLAINTS, Clock, Died, Game, Player, match, play, write
from pipe import begin_and_quit
from place import ENGINES, SMALL, Book, Place, need

CLOCK = Clock(start=60.0, increment=1.0, depth=4)
MAX_PLIES = 120

# Kills during a game, and during the start or the end, when the experience file is written.
KILLS_IN_GAMES = 6
KILLS_IN_WRITING = 30
SECONDS_OF_WRITING = 0.06

# The row of a game, whatever its identity.
SEEN = ("seen",)

# Players that share a file; together they play this many games.
PLAYERS = 4
SHARED_GAMES = 40
SECONDS_TO_END = 5.0


def learner(place: Place, book: Book, file: Path, seed: int, engine: str = "stockfish") -> Player:
    """A player that learns into a file."""
    flags = ("--learn", file, "--rule", "terra", "--name", "Ada", "--policy", "terra", "--seed", seed)
    return Player(place.adapter(book, engine, *flags), dict(SMALL), label="Ada")


def opponent(engine: str = "toga2") -> Player:
    """An engine without a book."""
    return Player([ENGINES[engine]], dict(SMALL), label=engine)


def learn_again(place: Place, book: Book, pgn: Path) -> Path:
    """What `learn games` learns from games."""
    output = pgn.with_suffix(".again.experience.parquet")
    return place.learn(book, "Ada", pgn, output, "--rule", "terra")


def fold(place: Place, book: Book, file: Path, kill_after: float | None = None) -> None:
    """Starts a player and ends it at once, so that it learns what the journal has."""
    command = place.adapter(book, None, "--learn", file, "--rule", "terra")
    if kill_after is None:
        begin_and_quit(command)
    else:
        run_and_kill(command, kill_after, given=b"quit\n")


def kill_in_game(player: Player, other: Player, seconds: float) -> None:
    """Begins a game and kills the player in it, some searches and `seconds` after its book."""
    engines = children(player.pid)
    game = Game(other, player, CLOCK)
    timer = threading.Timer(seconds, os.kill, (player.pid, signal.SIGKILL))
    try:
        while True:
            game.ply()
            if len(game.values) >= 4 and timer.ident is None:
                timer.start()
            if game.board.is_game_over():
                raise Failed("the game was over before the player was killed")
    except Died:
        pass
    if not wait_until(lambda: not any(Path(f"/proc/{one}").exists() for one in engines), SECONDS_TO_END):
        raise Failed(f"the engine of a killed player is still there: {engines}")
    COMPLAINTS.lines.clear()


def games_of(journal: Path) -> list[tuple[str, str]]:
    """Results and moves of a journal, which is PGN."""
    games = list(boards.games(journal.read_text("utf-8")))
    if errors := [game.errors for game in games if game.errors]:
        raise Failed(f"{journal.name}: {errors}")
    return [moves(game) for game in games]


def moves(game: chess.pgn.Game) -> tuple[str, str]:
    """What makes a game equal to another."""
    return game.headers["Result"], " ".join(move.uci() for move in game.mainline_moves())


def one_kill(place: Place, book: Book, number: int, seconds: float) -> int:
    """Five games, the player is killed in the third; how many rows were compared."""
    file = place.folder / f"killed-{number}.experience.parquet"
    journal = place.folder / f"killed-{number}.journal"
    pgn = place.folder / f"killed-{number}.pgn"
    with opponent() as other:
        player = learner(place, book, file, number)
        games = list(match(player, other, 2, CLOCK, max_plies=MAX_PLIES))
        kill_in_game(player, other, seconds)
        player.engine.close()
        if games_of(journal) != [moves(game) for game in games]:
            raise Failed(f"{journal} does not hold the two games before the kill")
        fold(place, book, file)
        pgn.write_text(write(games), "utf-8")
        compared = compare(file, learn_again(place, book, pgn), is_of_runner=True)
        with learner(place, book, file, number + 100) as again:
            games += match(again, other, 2, CLOCK, max_plies=MAX_PLIES)
    pgn.write_text(write(games), "utf-8")
    return compared + compare(file, learn_again(place, book, pgn), is_of_runner=True)


def kills_in_writing(place: Place, book: Book) -> int:
    """Kills players while they write the file that the journal goes into; how many rows it has."""
    file = place.folder / "written.experience.parquet"
    pgn = place.folder / "written.pgn"
    with opponent() as other:
        player = learner(place, book, file, 1000)
        pgn.write_text(write(list(match(player, other, 4, CLOCK, max_plies=MAX_PLIES))), "utf-8")
        player.engine.close()
    draw = random.Random(1)
    expected = of_runner(rows(learn_again(place, book, pgn)))
    for _ in range(KILLS_IN_WRITING):
        fold(place, book, file, draw.uniform(0, SECONDS_OF_WRITING))
    fold(place, book, file)
    if of_runner(rows(file)) != expected:
        raise Failed(f"after {KILLS_IN_WRITING} kills {file.name} has other rows than its games teach")
    left = {path.name for path in place.folder.glob("*written.*")}
    if left != {file.name, pgn.name, "written.journal", "written.again.experience.parquet"}:
        raise Failed(f"kills left something behind: {sorted(left)}")
    return len(expected)


def check_kill(place: Place) -> str:
    """Kills players in games and while they write."""
    need("stockfish", "toga2")
    book = place.sample_book()
    draw = random.Random(2)
    kills = max(1, KILLS_IN_GAMES * place.percent // 100)
    compared = sum(one_kill(place, book, number, draw.uniform(0, 0.02)) for number in range(kills))
    compared += kills_in_writing(place, book)
    return (
        f"{kills} players killed in the third of five games and {KILLS_IN_WRITING} while they "
        f"write: the games before are kept, and taught once ({compared} rows compared); no process "
        "and no file left over"
    )


def share(place: Place, book: Book, file: Path, number: int, games: int) -> tuple[str, list[int]]:
    """Plays with one of the players; its games as PGN, and their numbers in the journal."""
    engine = list(ENGINES)[number % len(ENGINES)]
    played, numbers = [], []
    with learner(place, book, file, number, engine) as player, opponent("glaurung") as other:
        for turn in range(games):
            # Games of the same moves and players would be copies of one game.
            other.label = f"glaurung {number}.{turn}"
            sides = (player, other) if turn % 2 == 0 else (other, player)
            played.append(play(*sides, CLOCK, max_plies=MAX_PLIES))
            said = [re.match(r"info string game (\d+), ", line) for line in player.lines]
            numbers += [int(found[1]) for found in said if found]
    return write(played), numbers


def own_games(path: Path) -> Counter[tuple[object, ...]]:
    """How many games taught, and the moves' own results: neither depends on the order of games."""
    names = ["key", "move", "kind", "own_wins", "own_draws", "own_losses"]
    table = pyarrow.parquet.read_table(path, columns=names).to_pylist()
    return Counter(SEEN if row["kind"] == "seen" else tuple(row[name] for name in names) for row in table)


def check_sharing(place: Place) -> str:
    """Players at once that share one file."""
    need(*ENGINES)
    book = place.sample_book()
    file = place.folder / "shared.experience.parquet"
    games = place.games(SHARED_GAMES // PLAYERS)
    with ProcessPoolExecutor(PLAYERS) as pool:
        runs = [pool.submit(share, place, book, file, each, games) for each in range(PLAYERS)]
        done = [run.result() for run in runs]
    numbers = sorted(number for _, of_player in done for number in of_player)
    if numbers != list(range(1, PLAYERS * games + 1)):
        raise Failed(f"the journal's numbers are {numbers}")
    pgn = place.folder / "shared.pgn"
    pgn.write_text("".join(text for text, _ in done), "utf-8")
    ours, theirs = own_games(file), own_games(learn_again(place, book, pgn))
    if ours != theirs:
        raise Failed(f"only in the shared file: {ours - theirs}; not in it: {theirs - ours}")
    seen = ours[SEEN]
    if seen != len(numbers):
        raise Failed(f"{seen} of {len(numbers)} games are known")
    return (
        f"{PLAYERS} players at once, {seen} games: each is in the journal once, and the "
        f"{ours.total()} rows of the shared file have their results once"
    )

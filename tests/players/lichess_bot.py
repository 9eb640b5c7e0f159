"""The client lichess-bot, against a stand-in of Lichess's API; the variable LICHESS_BOT is its command line.

The command is that of lichess-bot itself, with the Python that has what it needs:
`LICHESS_BOT="venv/bin/python lichess-bot/lichess-bot.py"`.
"""

import os
import random
import re
import shlex
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import chess
import pyarrow.parquet

from judge.report import Failed, Skipped
from lichess_stand_in import BOT, Game, StandIn
from place import ENGINES, Book, Place, need

GAMES = 4
# To which the opponent plays by the book.
BOOK_PLIES = 10
SECONDS_A_GAME = 120
SECONDS_TO_END = 30
SCRIPT = """#!/bin/sh
exec {command} "$@"
"""
CONFIG = """token: stand-in
url: {url}
engine:
  dir: {folder}
  name: tabia-bot
  working_dir: {folder}
  protocol: uci
  ponder: false
  uci_options:
    Hash: 8
    go_commands:
      nodes: 2000
challenge:
  concurrency: 1
  variants: [standard]
  time_controls: [blitz]
  modes: [casual, rated]
move_overhead: 100
pgn_directory: {folder}/pgn
pgn_file_grouping: all
"""


def play(stand_in: StandIn, folder: Path, command: str, games: int) -> list[Game]:
    """Lets the bot play; its games."""
    log = folder / "lichess-bot.log"
    with log.open("wb") as file:
        bot = subprocess.Popen(
            [*shlex.split(command), "--config", str(folder / "config.yml"), "-l", str(folder / "all.log")],
            cwd=Path(shlex.split(command)[-1]).parent,
            stdout=file,
            stderr=file,
            start_new_session=True,
        )
        try:
            played = []
            for _ in range(games):
                played.append(stand_in.challenge())
                if not played[-1].is_over.wait(SECONDS_A_GAME):
                    raise Failed(
                        f"{played[-1].name} does not end; {log.read_text('utf-8', 'replace')[-800:]}"
                    )
            until = time.monotonic() + SECONDS_TO_END
            while len(results(folder)) < games and time.monotonic() < until:
                time.sleep(1)
            bot.send_signal(signal.SIGINT)
            bot.wait(SECONDS_TO_END)
        finally:
            if bot.poll() is None:
                os.killpg(bot.pid, signal.SIGKILL)
                bot.wait()
    return played


def results(folder: Path) -> list[str]:
    """The results of the games that the bot has written."""
    text = "".join(pgn.read_text("utf-8") for pgn in (folder / "pgn").glob("*.pgn"))
    return re.findall(r'^\[Result "(.*)"\]', text, re.MULTILINE)


def opponent(place: Place, book: Book) -> Callable[[chess.Board], chess.Move]:
    """Plays by the book, and any move after it."""
    chance = random.Random(1)

    def choose(board: chess.Board) -> chess.Move:
        in_book = board.ply() < BOOK_PLIES
        chances = place.chances(book, board.fen(), "crafty") if in_book else {}
        moves = list(board.legal_moves)
        weights = [chances.get(move.uci(), 0) for move in moves]
        return chance.choices(moves, weights if any(weights) else None)[0]

    return choose


def check(place: Place) -> str:
    """Lets lichess-bot play games with a book, and learns from the PGN that it keeps."""
    need("stockfish")
    command = os.environ.get("LICHESS_BOT")
    if not command:
        raise Skipped("no LICHESS_BOT: no game is played by lichess-bot")
    folder, games = place.folder / "lichess-bot", max(2, place.games(GAMES))
    folder.mkdir()
    book = place.other_book()
    script = folder / "tabia-bot"
    player = [str(place.binary.resolve()), "uci", str(book.path), "--engine", ENGINES["stockfish"]]
    script.write_text(SCRIPT.format(command=shlex.join(player)))
    script.chmod(0o755)
    stand_in = StandIn(opponent(place, book))
    try:
        (folder / "config.yml").write_text(CONFIG.format(url=stand_in.url, folder=folder))
        played = play(stand_in, folder, command, games)
    finally:
        stand_in.close()
    return judge(place, folder, book, played)


def judge(place: Place, folder: Path, book: Book, played: list[Game]) -> str:
    """Fails if a move was not of the book where the book has one, or if a game of the PGN did not teach."""
    from_book = 0
    for game in played:
        board = chess.Board()
        for move in game.board.move_stack:
            if board.turn == game.bot and (chances := place.chances(book, board.fen(), "crafty")):
                if not any(chances.values()):
                    break
                if chances.get(move.uci(), 0) == 0:
                    raise Failed(f"{game.name}: {move} is not of the book in {board.fen()}")
                from_book += 1
            elif board.turn == game.bot:
                break
            board.push(move)
    ends = results(folder)
    if len(ends) != len(played) or "*" in ends or not from_book:
        raise Failed(f"results {ends}, {from_book} moves of the book")
    pgn = next((folder / "pgn").glob("*.pgn"))
    learned = place.learn(book, BOT, pgn, folder / "bot.experience.parquet", "--rule", "terra")
    kinds = pyarrow.parquet.read_table(learned, columns=["kind"])["kind"].to_pylist()
    if kinds.count("seen") != len(played):
        raise Failed(f"of {len(played)} games {kinds.count('seen')} teach")
    plies = sum(len(game.board.move_stack) for game in played)
    return (
        f"{len(played)} games by lichess-bot against a stand-in of Lichess, {plies} plies, {from_book} moves of "
        f"the book; {len(kinds)} rows learned from its PGN"
    )

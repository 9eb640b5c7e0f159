"""What passes through a player untouched: the same searches with it and without it."""

import re

from judge.report import Failed
from pipe import Pipe
from place import Place, need

# What differs from one run of a search to the next.
OF_TIME = re.compile(r" (time|nps|hashfull|tbhits) \d+")

NOT_IN_BOOK = "position startpos moves a2a4 h7h5 a1a3 h8h6"

# Searches that end by themselves, in and out of the book; none is answered by the book.
SEARCHES = (
    (NOT_IN_BOOK, "go depth 9"),
    (NOT_IN_BOOK, "go nodes 20000"),
    ("position startpos", "go depth 7 searchmoves a2a3 h2h3"),
    (f"{NOT_IN_BOOK} a3b3", "go depth 8 wtime 60000 btime 60000 winc 0 binc 0 movestogo 40"),
    ("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "go mate 1"),
    ("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go depth 3"),
)
OPTIONS = ("setoption name Threads value 1", "setoption name Hash value 8")


def transcript(command: list[str], *more: str) -> list[str]:
    """All that is said in answer to the searches."""
    pipe = Pipe(command)
    pipe.ask("uciok", "uci")
    said = []
    pipe.say(*OPTIONS, *more, "ucinewgame")
    for position, go in SEARCHES:
        pipe.ask("readyok", "isready")
        pipe.say(position, go)
        said += [OF_TIME.sub("", line) for line in pipe.read_to("bestmove")]
    pipe.quit()
    return said


def endless(command: list[str]) -> None:
    """Analysis and pondering in positions of the book are the engine's, until it is stopped."""
    pipe = Pipe(command)
    pipe.ask("readyok", "uci", "isready")
    for go in ("go infinite", "go ponder wtime 60000 btime 60000"):
        lines = pipe.ask("info depth 3 ", "position startpos", go)
        lines += pipe.ask("bestmove", "stop")
        if any(line.startswith("info string book") for line in lines):
            raise Failed(f"{go} was answered from the book: {lines[-3:]}")
    pipe.ask("info depth 3 ", "position startpos moves e2e4", "go ponder wtime 60000 btime 60000")
    pipe.ask("bestmove", "ponderhit")
    pipe.quit()


def missed_ponders(command: list[str]) -> None:
    """A GUI that goes on after `stop` without the answer, as Debian's polyglot does."""
    pipe = Pipe(command)
    pipe.ask("readyok", "uci", "isready")
    answers = []
    for expected, played in (("g8h6", "b8a6"), ("b8a6", "e7e5"), ("g8h6", "h7h5")):
        pipe.ask("info depth 3 ", f"{NOT_IN_BOOK} a3a2 {expected}", "go ponder wtime 60000 btime 60000")
        pipe.ask("bestmove", "stop", f"{NOT_IN_BOOK} a3a2 {played}", "go depth 5")
        pipe.read_to("bestmove")
        pipe.ask("info depth 3 ", "position startpos", "go ponder wtime 60000 btime 60000")
        pipe.say("stop", "position startpos moves e2e4", "go wtime 60000 btime 60000")
        answers.append(pipe.read_to("bestmove") + pipe.read_to("bestmove"))
    for lines in answers:
        if not lines[-2:][0].startswith("info string book "):
            raise Failed(f"the book's answer is not the last one: {lines[-3:]}")
    pipe.quit()


def check(place: Place) -> str:
    """Compares what an engine says alone with what it says through a player."""
    need("stockfish")
    alone = transcript(["/usr/games/stockfish"])
    command = place.adapter(place.sample_book(), "stockfish")
    through = transcript(command)
    if through != alone:
        first = next(
            (pair for pair in zip(alone, through, strict=False) if pair[0] != pair[1]),
            (len(alone), len(through)),
        )
        raise Failed(f"not the same through the player: {first}")
    endless(command)
    missed_ponders(command)
    return (
        f"{len(SEARCHES)} searches with the same {len(alone)} lines through the player; analysis "
        "and pondering are the engine's; answers keep their order after missed ponders"
    )

"""What exact counts of a PGN file must be: an oracle independent of the Rust code.

The rules are those of docs/pgn.md; `pgn_rules` reads bytes, `replay_rules` plays moves, and here the
verdicts are ordered and the visits counted.
"""

import itertools
import mmap
import multiprocessing
from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import chess
import numpy as np

import lenient_rules
import pgn_rules
import replay_rules

START_FIELDS = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -".split()
STANDARD_VARIANTS = (b"", b"standard", b"chess", b"normal", b"regular", b"from position")
BLANK_BYTES = b" \t\r\n\v\f\x1a"
OUTCOMES = ("white", "draw", "black")
UNRATED = (0, 0)
TASK_GAMES = 500
"""Games a worker takes at once."""


@dataclass(frozen=True)
class Options:
    """The options that change counts, as `tabia count` has them."""

    max_ply: int = 60
    repeats: str = "each"
    illegal_move: str = "reject"
    from_position: bool = False
    min_plies: int = 1
    ratings: bool = False
    strict_san: bool = False


@dataclass(frozen=True)
class Rejection:
    """One game that does not count; `game` is 1-based in its stream."""

    game: int
    reason: str
    ply: int | None = None


@dataclass(frozen=True)
class Accepted:
    """One game that counts; `moves` has no terminal visit, `keys` does."""

    outcome: str
    keys: list[int]
    moves: list[int]
    first_mover: int
    """0 if White makes the first move, else 1."""
    elos: tuple[int, int]
    """White's and Black's rating; zeros unless both are known."""


@dataclass
class Visits:
    """What some games gave: parallel arrays, one element an observation."""

    keys: array = field(default_factory=lambda: array("Q"))
    edges: array = field(default_factory=lambda: array("I"))
    """Packed move, then two bits of outcome."""
    elos: array = field(default_factory=lambda: array("I"))
    """The mover's rating in the high sixteen bits, the opponent's below; 0 unless both known."""
    rejections: list[Rejection] = field(default_factory=list)

    def add(self, game: Accepted, repeats: str) -> None:
        """Adds one accepted game's visits."""
        code = OUTCOMES.index(game.outcome)
        for key, move, mover in observations(game, repeats):
            self.keys.append(key)
            self.edges.append(move << 2 | code)
            self.elos.append(game.elos[mover] << 16 | game.elos[1 - mover])


@dataclass
class Counts:
    """The oracle's answer for one file; `rows` is sorted by key and move."""

    games: int
    rejections: list[Rejection]
    rows: np.ndarray

    @property
    def rejected(self) -> Counter[str]:
        """Rejected games by reason."""
        return Counter(rejection.reason for rejection in self.rejections)


# The columns of a table but its step.
PLAIN = [("key", "u8"), ("move", "u2"), ("white", "i8"), ("draws", "i8"), ("black", "i8")]
RATINGS = [("mover_elo_sum", "i8"), ("opponent_elo_sum", "i8"), ("rated_games", "i8")]


def verdict_of_result(tag: bytes, terminator: str | None) -> str:
    """An outcome, `result-unknown` or `result-mismatch`."""
    tag = tag.strip(BLANK_BYTES)
    by_tag = "star" if tag == b"*" else pgn_rules.KNOWN_RESULTS.get(tag)
    known = {by_tag, terminator} & set(OUTCOMES)
    if not known:
        return "result-unknown"
    if len(known) == 2 or "star" in (by_tag, terminator):
        return "result-mismatch"
    return known.pop()


def start_board(tags: dict[bytes, bytes]) -> chess.Board | None:
    """The position a game starts from; None where its FEN is no legal position."""
    fen = tags.get(b"FEN", b"").strip(BLANK_BYTES)
    if not fen or fen.split()[:4] == START_FIELDS:
        return chess.Board()
    try:
        board = chess.Board(fen.decode("latin-1"))
    except ValueError:
        return None
    return board if board.is_valid() else None


def is_chess960(tags: dict[bytes, bytes]) -> bool:
    """Whether the FEN is a position of Chess960."""
    try:
        fen = tags[b"FEN"].strip(BLANK_BYTES).decode("latin-1")
        return chess.Board(fen, chess960=True).is_valid()
    except ValueError:
        return False


def read_elos(tags: dict[bytes, bytes]) -> tuple[int, int]:
    """Both ratings; zeros unless both are one to four digits that are not all 0."""
    values = [tags.get(name, b"").strip(BLANK_BYTES) for name in (b"WhiteElo", b"BlackElo")]
    elos = [int(value) if value.isdigit() and len(value) <= 4 else 0 for value in values]
    return (elos[0], elos[1]) if all(elos) else UNRATED


def count_game(text: bytes, number: int, lines: pgn_rules.Lines, options: Options) -> Rejection | Accepted:
    """What becomes of one game."""
    tags, valid, at = pgn_rules.read_tags(text[: pgn_rules.GAME_BYTES_MAX], lines)
    if reason := reason_in_tags(text, lines, tags, options):
        return Rejection(number, reason)
    valid = valid or not (
        options.strict_san or lenient_rules.needs_broken_tag(text, lines, ratings=options.ratings)
    )
    board = start_board(tags)
    first_mover = 1 if board and board.turn == chess.BLACK else 0
    movetext = pgn_rules.read_movetext(text, at, lines)
    played = play(board, movetext, options)
    if not options.strict_san and (movetext.bad or played.failure):
        movetext = pgn_rules.read_movetext(lenient_rules.respell(text, at, lines), at, lines)
        played = play(start_board(tags), movetext, options, lenient_rules.find_move)
    outcome = result_of(tags, movetext, options)
    if outcome not in OUTCOMES:
        return Rejection(number, outcome)
    if movetext.move_tokens == 0 and options.min_plies > 0:
        return Rejection(number, "no-moves")
    if played.failure and not (options.illegal_move == "keep-prefix" and played.moves):
        return Rejection(number, played.failure, len(played.moves) + 1)
    if reason := reason_in_text(movetext, valid and board is not None):
        return Rejection(number, reason)
    elos = read_elos(tags) if options.ratings else UNRATED
    return Accepted(outcome, played.keys, played.moves, first_mover, elos)


def play(
    board: chess.Board | None,
    movetext: pgn_rules.Movetext,
    options: Options,
    find: replay_rules.Find = replay_rules.find_move,
) -> replay_rules.Replay:
    """Plays the moves up to the ply limit, as far as there is a board."""
    tokens = movetext.moves[: options.max_ply or None]
    return replay_rules.replay(board, tokens, find) if board else replay_rules.Replay([], [])


def result_of(tags: dict[bytes, bytes], movetext: pgn_rules.Movetext, options: Options) -> str:
    """The outcome, of a tag with other dashes too where nothing else says it."""
    tag = tags.get(b"Result", b"")
    outcome = verdict_of_result(tag, movetext.terminator)
    if outcome == "result-unknown" and not options.strict_san and movetext.terminator is None:
        plain = lenient_rules.respell(tag, 0, pgn_rules.LF)
        return verdict_of_result(plain, None)
    return outcome


def reason_in_tags(
    text: bytes, lines: pgn_rules.Lines, tags: dict[bytes, bytes], options: Options
) -> str | None:
    """The first reasons of all, for which no movetext is read."""
    if tags.get(b"Variant", b"").strip(BLANK_BYTES).lower() not in STANDARD_VARIANTS:
        return "variant"
    if pgn_rules.is_too_large(text, lines):
        return "too-large"
    fen = tags.get(b"FEN", b"").split()
    if fen and fen[:4] != START_FIELDS:
        if not options.from_position:
            return "from-position"
        if start_board(tags) is None and is_chess960(tags):
            return "variant"
    return None


def reason_in_text(movetext: pgn_rules.Movetext, tags_valid: bool) -> str | None:
    """The last reasons of all, after those that playing the moves finds."""
    if movetext.bad:
        return "bad-token"
    if movetext.unclosed:
        return "unclosed-comment"
    return None if tags_valid else "invalid-tags"


def observations(game: Accepted, repeats: str) -> Iterator[tuple[int, int, int]]:
    """A game's keys, moves and movers (0 White), the terminal visit with move 0 among them."""
    movers = [(game.first_mover + ply) % 2 for ply in range(len(game.keys))]
    visits = zip(game.keys, [*game.moves, 0], movers, strict=True)
    if repeats == "once":
        return iter({visit[0]: visit for visit in visits}.values())
    return visits


def count_share(task: tuple[Path, list[tuple[int, pgn_rules.Span]], bool, Options]) -> Visits:
    """One worker's task: some games of a file."""
    path, games, bare_cr, options = task
    lines = pgn_rules.CR if bare_cr else pgn_rules.LF
    visits = Visits()
    with path.open("rb") as file:
        for number, span in games:
            if span.fragment:
                visits.rejections.append(Rejection(number, "fragment"))
                continue
            file.seek(span.start)
            found = count_game(file.read(span.end - span.start), number, lines, options)
            if isinstance(found, Rejection):
                visits.rejections.append(found)
            else:
                visits.add(found, options.repeats)
    return visits


def cut(path: Path) -> tuple[list[pgn_rules.Span], pgn_rules.Lines]:
    """A file's games and how its lines end."""
    if path.stat().st_size == 0:
        return [], pgn_rules.LF
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as stream:
        lines = pgn_rules.lines_of(stream)
        return list(pgn_rules.spans(stream, lines)), lines


def texts(path: Path) -> Iterator[tuple[pgn_rules.Span, bytes, pgn_rules.Lines]]:
    """Each game of a file with its text, and how the file's lines end."""
    spans, lines = cut(path)
    with path.open("rb") as file:
        for span in spans:
            file.seek(span.start)
            yield span, file.read(span.end - span.start), lines


def count(path: Path, options: Options, workers: int) -> Counts:
    """Counts one plain PGN file."""
    spans, lines = cut(path)
    numbered = list(enumerate(spans, start=1))
    tasks = [
        (path, numbered[first : first + TASK_GAMES], lines is pgn_rules.CR, options)
        for first in range(0, len(numbered), TASK_GAMES)
    ]
    if workers > 1 and len(tasks) > 1:
        with multiprocessing.Pool(workers) as pool:
            shares = list(pool.imap(count_share, tasks))
    else:
        shares = [count_share(task) for task in tasks]
    rejections = [rejection for share in shares for rejection in share.rejections]
    columns = np.dtype(PLAIN + RATINGS if options.ratings else PLAIN)
    return Counts(len(spans), rejections, sum_rows(shares, columns))


def sum_rows(shares: list[Visits], columns: np.dtype) -> np.ndarray:
    """Sorts all observations and adds up equal (key, move)."""
    keys = np.concatenate([np.zeros(0, "u8"), *(np.frombuffer(s.keys, "u8") for s in shares)])
    edges = np.concatenate([np.zeros(0, "u4"), *(np.frombuffer(s.edges, "u4") for s in shares)])
    elos = np.concatenate([np.zeros(0, "u4"), *(np.frombuffer(s.elos, "u4") for s in shares)])
    order = np.lexsort((edges, keys))
    keys, moves, outcomes = keys[order], edges[order] >> 2, edges[order] & 3
    elos = elos[order].astype("i8")
    begins = np.ones(len(keys), bool)
    begins[1:] = (keys[1:] != keys[:-1]) | (moves[1:] != moves[:-1])
    at = np.flatnonzero(begins)
    rows = np.zeros(len(at), columns)
    rows["key"], rows["move"] = keys[at], moves[at]
    parts = {name: outcomes == code for code, name in enumerate(("white", "draws", "black"))}
    parts |= {"mover_elo_sum": elos >> 16, "opponent_elo_sum": elos & 0xFFFF, "rated_games": elos > 0}
    for name in columns.names[2:]:
        if len(at):
            rows[name] = np.add.reduceat(parts[name].astype("i8"), at)
    return rows


def thin(path: Path, output: Path, every: int) -> None:
    """Writes every `every`-th game of a file, for judges that would take too long on all."""
    with output.open("wb") as sink:
        for _, text, _ in itertools.islice(texts(path), 0, None, every):
            sink.write(text + b"\n\n")

"""From bytes to games, tags and movetext tokens, by the rules of docs/pgn.md.

Written from those rules alone and from nothing in `crates/`, as regular expressions over bytes, so
that a mistake in either shows as a difference.
"""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

GAME_BYTES_MAX = 16 << 20
"""A game with more text is too large."""

GAME_TAGS_MAX = 1 << 16
"""A game with more tags is too large."""

GAME_PLIES_MAX = 100_000
"""A game with more moves is too large."""

HEADER_BYTES_MAX = 64 << 10
"""An Event further than this from the first tag line of a header starts a game."""

SNIFF_BYTES = 64 << 10
"""How much of a stream decides whether bare CR ends its lines."""

BLANK = rb"(?:[ \t\r\n\v\f\x1a]|\xef\xbb\xbf)"
LEAD = rb"(?:[ \t\x1a]|\xef\xbb\xbf)*+"

ONLY_BLANK = re.compile(BLANK + rb"*+\Z")
INDENT = re.compile(LEAD)
TAG_LOOK = re.compile(rb'\[[ \t]*+([A-Za-z][A-Za-z0-9_]*+)[ \t]*+"')
TAG = re.compile(
    rb'\[[ \t]*([A-Za-z][A-Za-z0-9_]*)[ \t]*"((?:\\[^\r\n]|[^\\"\r\n]|"(?![ \t]*\]))*+)"[ \t]*\]'
)
TAG_BEGIN = re.compile(rb"\[[ \t]*+([A-Za-z][A-Za-z0-9_]*+)")
BLANKS = re.compile(BLANK + rb"*+")
ESCAPE = re.compile(rb'\\(["\\])')

GLYPH = rb"\+/-|-/\+|\+/=|=/\+|\+-|-\+|\+=|=\+|=|~"
LONG_CHECK_GLYPH = rb"\+/-|\+/=|\+-|\+="
WORD = rb"e\.p\.|ep(?![A-Za-z0-9])"
CHECKS = rb"(?:(?!" + LONG_CHECK_GLYPH + rb")[+#])*+"
TAIL = rb"(?:(?![A-Za-z0-9@_:-])|(?=" + WORD + rb"))"
CASTLING = rb"[Oo0]-[Oo0]-[Oo0]" + CHECKS + rb"(?![A-Za-z0-9@_:-])"
CASTLING += rb"|[Oo0]-[Oo0]" + CHECKS + rb"(?![A-Za-z0-9@_:-])"
NULL_MOVE = rb"(?:--|Z0|null|0000|@@@@)(?![A-Za-z0-9@_-])"
DROP = rb"[PNBRQ]?@[a-h][1-8]" + CHECKS + TAIL
PROMOTION = rb"(?:=[QRBNqrbn]|/[QRBNqrbn]|\(=?[QRBNqrbn]\)|(?<=[18])[QRBNqrbn](?![A-Za-z0-9]))?+"
SQUARES = rb"(?>[a-h]?[1-8]?[x-]?[a-h][1-8])"
PIECE_MOVE = rb"[KQRBN]" + SQUARES + CHECKS + TAIL
PAWN_MOVE = rb"P?+" + SQUARES + PROMOTION + CHECKS + TAIL
RESULT = rb"(?:1/2-1/2|1-0|0-1|1/2|\xc2\xbd-\xc2\xbd)(?![A-Za-z0-9/:-])"
BAD = rb"[{}();$!?]|(?:(?!\xef\xbb\xbf)[^ \t\r\n\v\f\x1a{}();$!?])++"

KNOWN_RESULTS = {
    b"1-0": "white",
    b"0-1": "black",
    b"1/2-1/2": "draw",
    b"1/2": "draw",
    b"\xc2\xbd-\xc2\xbd": "draw",
}


class Span(NamedTuple):
    """One game's bytes in its stream; `fragment` is text before the first game."""

    start: int
    end: int
    fragment: bool


@dataclass
class Movetext:
    """What a game's main line is made of."""

    moves: list[bytes] = field(default_factory=list)
    """Move tokens before the first bad token."""
    move_tokens: int = 0
    """All move tokens, those after a bad token too."""
    terminator: str | None = None
    """`white`, `draw`, `black`, `star`, or None."""
    bad: bool = False
    unclosed: bool = False


class Lines:
    """The expressions that depend on which byte ends a line."""

    def __init__(self, end: bytes) -> None:
        """Compiles them for lines that end at the byte `end`."""
        percent = rb"(?:(?<=" + end + rb")|\A)%[^" + end + rb"]*"
        rest = rb";[^" + end + rb"]*"
        self.end = end
        self.before_tags = re.compile(rb"(?:" + BLANK + rb"|" + percent + rb")*+")
        self.percent_lines = re.compile(percent)
        self.variation = re.compile(
            rb"(?P<comment>\{[^}]*\})|(?P<unclosed>\{)|" + rest + rb"|" + percent + rb"|[()]"
        )
        skipped = rb"|".join([BLANK + rb"++", percent, rest, rb"\{[^}]*+\}"])
        notes = rb"|".join([rb"\$[0-9]++", rb"[!?]++"])
        self.tokens = re.compile(
            rb"(?P<skip>(?:" + skipped + rb"|" + notes + rb"|(?!0000\.)[0-9]++\.++)++)"
            rb"|(?P<unclosed>\{)|(?P<variation>\()|(?P<dollar>\$)|(?P<dots>\.++)|(?P<star>\*)"
            rb"|(?P<result>" + RESULT + rb")"
            rb"|(?P<move>" + CASTLING + rb"|" + NULL_MOVE + rb")|(?P<number>[0-9]++)"
            rb"|(?P<glyph>" + GLYPH + rb")|(?P<word>" + WORD + rb")"
            rb"|(?P<san>" + b"|".join([DROP, PIECE_MOVE, PAWN_MOVE]) + rb")"
            rb"|(?P<bad>" + BAD + rb")"
        )
        allowed = rb"|".join([skipped, notes, GLYPH])
        self.after_result = re.compile(
            rb"(?P<skip>(?:" + allowed + rb")++)|(?P<unclosed>\{)|(?P<variation>\()"
            rb"|(?P<star>\*)|(?P<result>" + RESULT + rb")"
            rb"|(?P<bad>" + BAD + rb")"
        )


LF = Lines(b"\n")
CR = Lines(b"\r")


def lines_of(stream: bytes) -> Lines:
    """Bare CR ends lines only where the beginning of the stream has no LF at all."""
    head = stream[:SNIFF_BYTES]
    return CR if b"\r" in head and b"\n" not in head else LF


def spans(stream: bytes, lines: Lines) -> Iterator[Span]:
    """Cuts a stream into games."""
    starts = list(game_starts(stream, lines))
    first = starts[0] if starts else len(stream)
    before = lines.percent_lines.sub(b"", stream[:first])
    if not ONLY_BLANK.match(before):
        yield Span(0, first, True)
    for start, end in itertools.pairwise([*starts, len(stream)]):
        yield Span(start, end, False)


def game_starts(stream: bytes, lines: Lines) -> Iterator[int]:
    """Offsets of the lines that begin a game."""
    for match in TAG_LOOK.finditer(stream):
        tag_at = match.start()
        line_at = stream.rfind(lines.end, 0, tag_at) + 1
        if INDENT.match(stream, line_at, tag_at).end() != tag_at:
            continue
        if match[1] == b"Event":
            starts = not completes_header(stream, line_at, lines.end)
        else:
            starts = is_after_blank(stream, line_at, lines.end)
        if starts:
            yield line_at


def completes_header(stream: bytes, at: int, line_end: bytes) -> bool:
    """Whether the Event line at `at` follows tags alone, back to a blank line or the beginning."""
    header = line = at
    while line > 0:
        end = line
        line = stream.rfind(line_end, 0, end - 1) + 1
        text = stream[line:end]
        if text.startswith(b"%"):
            continue
        if ONLY_BLANK.match(text):
            break
        if at - line > HEADER_BYTES_MAX or not is_header_line(text):
            return False
        header = line
    return header < at


def is_header_line(line: bytes) -> bool:
    """Whether a line holds tags and nothing else, none of them Event; the last may be unclosed."""
    at = INDENT.match(line).end()
    if not TAG_LOOK.match(line, at):
        return False
    while match := TAG.match(line, at):
        if match[1] == b"Event":
            return False
        at = BLANKS.match(line, match.end()).end()
    unclosed = TAG_BEGIN.match(line, at)
    return at == len(line) if unclosed is None else unclosed[1] != b"Event"


def is_after_blank(stream: bytes, at: int, line_end: bytes) -> bool:
    """Whether the line before the one at `at` is blank or missing; `%` lines are looked through."""
    while at > 0:
        start = stream.rfind(line_end, 0, at - 1) + 1
        line = stream[start:at]
        if not line.startswith(b"%"):
            return ONLY_BLANK.match(line) is not None
        at = start
    return True


def is_too_large(text: bytes, lines: Lines) -> bool:
    """Whether a game has more text, moves or tags than one game may have."""
    if len(text) > GAME_BYTES_MAX:
        return True
    if len(text) <= 2 * GAME_PLIES_MAX:
        return False
    tags, at = 0, 0
    while True:
        at = lines.before_tags.match(text, at).end()
        if match := TAG.match(text, at):
            tags, at = tags + 1, match.end()
        elif TAG_BEGIN.match(text, at):
            at = line_end_after(text, at, lines)
        else:
            break
    return tags > GAME_TAGS_MAX or read_movetext(text, at, lines).move_tokens > GAME_PLIES_MAX


def read_tags(text: bytes, lines: Lines) -> tuple[dict[bytes, bytes], bool, int]:
    """Tags (the last of a name wins), whether all were well formed, and where movetext begins."""
    tags: dict[bytes, bytes] = {}
    valid, at = True, 0
    while True:
        at = lines.before_tags.match(text, at).end()
        if match := TAG.match(text, at):
            value = match[2]
            tags[match[1]] = ESCAPE.sub(rb"\1", value) if b"\\" in value else value
            at = match.end()
        elif TAG_BEGIN.match(text, at):
            valid, at = False, line_end_after(text, at, lines)
        else:
            return tags, valid, at


def line_end_after(text: bytes, at: int, lines: Lines) -> int:
    """Where the line that holds `at` ends."""
    end = text.find(lines.end, at)
    return len(text) if end < 0 else end


def read_movetext(text: bytes, at: int, lines: Lines) -> Movetext:
    """Tokenises everything from `at` to the end of a game's text."""
    found = Movetext()
    pattern = lines.tokens
    while match := pattern.match(text, at):
        kind, at = match.lastgroup, match.end()
        if kind in ("san", "move"):
            found.move_tokens += 1
            if not found.bad:
                found.moves.append(match[0])
        elif kind in ("star", "result"):
            result = KNOWN_RESULTS.get(match[0], "star")
            found.bad |= found.terminator not in (None, result)
            found.terminator = found.terminator or result
            pattern = lines.after_result
        elif kind == "unclosed":
            found.unclosed = True
            return found
        elif kind == "variation":
            closed = skip_variation(text, at, lines)
            if closed is None:
                found.unclosed = True
                return found
            found.bad |= closed < 0 or pattern is lines.after_result
            at = len(text) if closed < 0 else closed
        elif kind in ("bad", "dollar"):
            found.bad = True
    return found


def skip_variation(text: bytes, at: int, lines: Lines) -> int | None:
    """Where the variation open at `at` ends; -1: nowhere; None: a comment in it does not end."""
    depth = 1
    for match in lines.variation.finditer(text, at):
        if match.lastgroup == "unclosed":
            return None
        depth += {b"(": 1, b")": -1}.get(match[0], 0)
        if depth == 0:
            return match.end()
    return -1

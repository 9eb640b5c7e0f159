"""Games whose spelling is not PGN's, as docs/pgn.md reads them: a second, independent reader.

Signs are known by their Unicode names and categories, captures without `x` are left to
python-chess's own `parse_san`, coordinates to its `parse_uci`; only what both leave open (glued
text, broken tags) is read here.
"""

import re
import unicodedata

import chess

import pgn_rules
import replay_rules

SIGN = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[\x80-\xff]")
EVALUATIONS = {"±": "+/-", "∓": "-/+", "⩲": "+/=", "⩱": "=/+", "∞": "~"}
OTHER_EVALUATIONS = "□⨀⊙○⟳↑→⇆⇄∆△▽⌓⊕⨁⯹↔≅≈"
EXCLAMATIONS = {"‼": "!!", "⁇": "??", "⁈": "?!", "⁉": "!?"}
FIGURINE = re.compile(r"(?:WHITE|BLACK) CHESS (KING|QUEEN|ROOK|BISHOP|KNIGHT|PAWN)")
INVISIBLE_BLANKS = "\u200b\u2060"
STYLES = "\ufe0e\ufe0f"

MOVE = re.compile(b"|".join([pgn_rules.CASTLING, pgn_rules.PIECE_MOVE, pgn_rules.PAWN_MOVE]))
NUMBER = re.compile(rb"[0-9]+\.+")
GLUED_NUMBER = re.compile(rb"[1-9][0-9]*\.")
GLUED_BYTES_MAX = 64
CAPTURE_SIGN = re.compile(rb"(?<=[A-Za-z0-9]):(?=[a-h])")
EN_PASSANT = re.compile(rb"(?<=.)/e(?:p|\.p\.)\Z")
WORD = re.compile(rb"(?:(?!\xef\xbb\xbf)[^ \t\r\n\v\f\x1a{}();$!?])++")

COORDINATES = re.compile(
    rb"(?P<from>[a-h][1-8])(?P<mark>[-x]?)(?P<to>[a-h][1-8])[=/(]*(?P<promotion>[QRBNqrbn]?)"
)
KING = re.compile(rb"K(?P<from>(?:e?[18]?)?)-?(?P<to>[cg][18])(?![a-h1-8])")

ALWAYS_NEEDED = {b"Variant", b"FEN", b"Result"}
RATINGS = {b"WhiteElo", b"BlackElo"}


def plain_sign(match: re.Match[bytes]) -> bytes:
    """What PGN has for a character outside ASCII; itself where it is no known sign."""
    raw = match[0]
    try:
        sign = raw.decode("utf-8")
    except UnicodeDecodeError:
        sign = raw.decode("cp1252", "replace")
        if sign == "½":
            return sign.encode()
    if figurine := FIGURINE.match(unicodedata.name(sign, "")):
        return {"KNIGHT": b"N"}.get(figurine[1], figurine[1][:1].encode())
    if sign in EVALUATIONS:
        return f" {EVALUATIONS[sign]} ".encode()
    if sign in OTHER_EVALUATIONS or sign in INVISIBLE_BLANKS or unicodedata.category(sign) == "Zs":
        return b" "
    if unicodedata.category(sign) == "Pd" or sign == "\u2212":
        return b"-"
    if sign in STYLES:
        return b""
    return {"\u00d7": b"x", "…": b"...", **{k: v.encode() for k, v in EXCLAMATIONS.items()}}.get(sign, raw)


def is_move(word: bytes) -> bool:
    """Whether all of a word is one move."""
    found = MOVE.match(word)
    return found is not None and found.end() == len(word)


def cut(word: bytes) -> bytes:
    """A word with blanks before results and numbers that are glued to moves, where one way fits."""
    done = b""
    while True:
        number = NUMBER.match(word)
        first = number.end() if number else 0
        if len(word) > GLUED_BYTES_MAX or is_move(word[first:]):
            return done + word
        cuts = [
            at
            for at in range(first + 1, len(word))
            if is_move(word[first:at])
            and (word[at:] in pgn_rules.KNOWN_RESULTS or GLUED_NUMBER.match(word, at))
        ]
        if len(cuts) != 1:
            return done + word
        done, word = done + word[: cuts[0]] + b" ", word[cuts[0] :]


def plain_word(match: re.Match[bytes]) -> bytes:
    """A word as PGN has it."""
    words = SIGN.sub(plain_sign, match[0]).split(b" ")
    mended = (EN_PASSANT.sub(b" ", CAPTURE_SIGN.sub(b"x", word)) for word in words)
    return b" ".join(cut(word) for word in mended)


def respell(text: bytes, at: int, lines: pgn_rules.Lines) -> bytes:
    """The text of a game with its main line as PGN has it, from `at` on; asides are copied."""
    parts = [text[:at]]
    begin = re.compile(rb"[{(;]|(?:(?<=" + lines.end + rb")|\A)%")
    while at < len(text):
        found = begin.search(text, at)
        stop = found.start() if found else len(text)
        parts.append(WORD.sub(plain_word, text[at:stop]))
        if not found:
            break
        end = -1
        if found[0] == b"{":
            end = text.find(b"}", stop) + 1 or -1
        elif found[0] == b"(":
            closed = pgn_rules.skip_variation(text, stop + 1, lines)
            end = -1 if closed is None else closed
        else:
            end = text.find(lines.end, stop) + 1 or -1
        at = len(text) if end < 0 else end
        parts.append(text[stop:at])
    return b"".join(parts)


def find_move(board: chess.Board, token: bytes) -> chess.Move:
    """The one legal move that a token names, or that fits what it names."""
    try:
        return replay_rules.find_move(board, token)
    except replay_rules.MoveError as error:
        if str(error) == "ambiguous-move":
            raise
    if said := COORDINATES.match(token):
        return by_squares(board, said)
    if said := KING.match(token):
        castling = [
            move
            for move in board.generate_castling_moves()
            if chess.square_name(move.to_square).encode() == said["to"]
            and all(chr(part) in chess.square_name(move.from_square) for part in said["from"])
        ]
        if castling:
            return castling[0]
    return without_x(board, token)


def by_squares(board: chess.Board, said: re.Match[bytes]) -> chess.Move:
    """A move by the squares left and reached."""
    text = (said["from"] + said["to"] + said["promotion"].lower()).decode()
    try:
        move = board.parse_uci(text)
    except ValueError:
        raise replay_rules.MoveError("illegal-move") from None
    if said["mark"] == b"x" and not board.is_capture(move):
        raise replay_rules.MoveError("illegal-move")
    return move


def without_x(board: chess.Board, token: bytes) -> chess.Move:
    """A capture that is written without `x`, as python-chess reads it."""
    said = replay_rules.SAN.match(token)
    is_quiet = said and said["mark"] == b"-" and not (said["file"] and said["rank"])
    is_push = said and said["piece"] in (b"", b"P") and not said["file"]
    if not said or said["mark"] == b"x" or is_quiet or is_push:
        raise replay_rules.MoveError("illegal-move")
    promotion = b"=" + said["promotion"].upper() if said["promotion"] else b""
    piece = said["piece"].replace(b"P", b"")
    san = piece + said["file"] + said["rank"] + b"x" + said["to"] + promotion
    try:
        move = board.parse_san(san.decode())
    except chess.AmbiguousMoveError:
        raise replay_rules.MoveError("ambiguous-move") from None
    except ValueError:
        raise replay_rules.MoveError("illegal-move") from None
    if not board.is_capture(move):
        raise replay_rules.MoveError("illegal-move")
    return move


def needs_broken_tag(text: bytes, lines: pgn_rules.Lines, *, ratings: bool) -> bool:
    """Whether a tag that cannot be read is one that the verdict or the ratings depend on."""
    needed = ALWAYS_NEEDED | (RATINGS if ratings else set())
    at = 0
    while True:
        at = lines.before_tags.match(text, at).end()
        if match := pgn_rules.TAG.match(text, at):
            at = match.end()
        elif match := pgn_rules.TAG_BEGIN.match(text, at):
            if match[1] in needed:
                return True
            at = pgn_rules.line_end_after(text, at, lines)
        else:
            return False

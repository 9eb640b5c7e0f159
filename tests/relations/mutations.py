"""Files of games, changed by chance: what people, programs and bad disks write into PGN."""

import random
import re
from collections.abc import Callable

Mutation = Callable[[random.Random, bytes], bytes]

# What is put somewhere into a text.
TOKENS = (
    b"{", b"}", b"(", b")", b";", b"\n%", b"\n\n", b"\r\n", b"\n", b" ", b"*", b"1-0", b"0-1",
    b"1/2-1/2", b"$3", b"$", b"e.p.", b"--", b"Z0", b"0000", b"...", b"1.", b"12345.", b"!?", b"+#",
    b"\xef\xbb\xbf", b"\x1a", b"\xbd-\xbd", b"\xc2\xa0", b"\xe2\x99\x98f3", b"\xff\xfe", b"\t",
    b"\x0b",
    b'[Event "x"]\n', b'\n\n[Event "x"]\n[Result "1-0"]\n\n1. e4 1-0\n\n', b'[Result "*"]\n',
    b'[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n[SetUp "1"]\n', b'[Variant "Chess960"]\n',
    b'["', b"]",
    b"e2e4", b"O-O", b"0-0-0", b"e8=Q", b"e8Q", b"Nbd7", b"exd6", b"Kxe8", b"Ng1-f3", b"e4e5",
    b"(1. d4 d5)", b"{ [%clk 0:01:00] [%eval 0.3] }", b"; rest of the line\n",
)  # fmt: skip

TAG = re.compile(rb'^\[(\w+) "([^"\n]*)"\]', re.MULTILINE)

VALUES = (
    b"", b"?", b"-", b"*", b"1-0", b"0-1", b"1/2-1/2", b"0", b"2400", b"9999", b"2014.??.??",
    b"2999.12.31", b"2013.01.05", b"B20", b"60+0", b"600+5", b"-", b"1/86400", b"Standard", b"BOT",
    b"a\\\"b", b"\xc3\xa9", b"\xe9", b"x" * 300,
)  # fmt: skip


def mutated(chance: random.Random, text: bytes) -> bytes:
    """The text after none to some mutations."""
    for _ in range(chance.choice((0, 1, 1, 2, 5, 20))):
        text = chance.choice(MUTATIONS)(chance, text)
    return text


def place(chance: random.Random, text: bytes) -> int:
    """A place in the text."""
    return chance.randrange(len(text) + 1)


def flip(chance: random.Random, text: bytes) -> bytes:
    """One bit is another one."""
    if not text:
        return text
    at = chance.randrange(len(text))
    return text[:at] + bytes([text[at] ^ 1 << chance.randrange(8)]) + text[at + 1 :]


def insert(chance: random.Random, text: bytes) -> bytes:
    """A token is put somewhere."""
    at = place(chance, text)
    return text[:at] + chance.choice(TOKENS) + text[at:]


def delete(chance: random.Random, text: bytes) -> bytes:
    """Some bytes are gone."""
    at = place(chance, text)
    return text[:at] + text[at + chance.choice((1, 2, 10, 100, 1000)) :]


def double(chance: random.Random, text: bytes) -> bytes:
    """Some bytes are there twice."""
    at = place(chance, text)
    end = at + chance.choice((1, 5, 50, 500, 5000))
    return text[:end] + text[at:]


def cut(chance: random.Random, text: bytes) -> bytes:
    """The file ends early."""
    return text[: place(chance, text)]


def other_lines(chance: random.Random, text: bytes) -> bytes:
    """Ends of lines of another system, or none."""
    return text.replace(b"\n", chance.choice((b"\r\n", b"\r", b"\n\n", b" \n")))


def retagged(chance: random.Random, text: bytes) -> bytes:
    """Values of one tag are others, in some games."""
    names = sorted({match[1] for match in TAG.finditer(text)})
    if not names:
        return text
    name, share = chance.choice(names), chance.random()

    def other(match: re.Match[bytes]) -> bytes:
        if match[1] != name or chance.random() > share:
            return match[0]
        return b"[" + name + b' "' + chance.choice(VALUES) + b'"]'

    return TAG.sub(other, text)


def untagged(chance: random.Random, text: bytes) -> bytes:
    """Lines of one tag are gone."""
    names = sorted({match[1] for match in TAG.finditer(text)})
    if not names:
        return text
    return re.sub(rb"^\[" + chance.choice(names) + rb' "[^\n]*\n', b"", text, flags=re.MULTILINE)


def reordered(chance: random.Random, text: bytes) -> bytes:
    """The games are in another order, and some of them come again."""
    games = text.split(b"[Event ")
    head, games = games[0], games[1:]
    chance.shuffle(games)
    games += chance.choices(games, k=chance.randrange(3)) if games else []
    return head + b"".join(b"[Event " + game for game in games)


def respelled(chance: random.Random, text: bytes) -> bytes:
    """One way to write is another one everywhere."""
    one, other = chance.choice(
        (
            (b". ", b"."), (b"O-O", b"0-0"), (b"x", b""), (b"x", b":"), (b"+", b""), (b"=", b""),
            (b" 1-0", b"1-0"), (b"1/2-1/2", b"\xc2\xbd-\xc2\xbd"), (b" ", b"\xc2\xa0"),
            (b" ", b"  "),
            (b"N", b"\xe2\x99\x98"), (b'"]\n\n', b'"]\n'), (b"\n\n[", b"\n["), (b"N", b"S"),
        )
    )  # fmt: skip
    return text.replace(one, other)


MUTATIONS: tuple[Mutation, ...] = (
    flip, flip, insert, insert, insert, delete, double, cut, other_lines, retagged, retagged,
    untagged, reordered, respelled,
)  # fmt: skip

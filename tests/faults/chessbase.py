"""A ChessBase book of a few positions, written from its layout (crates/formats/book/src/ctg/)."""

PAGE_BYTES = 4096

PIECES = {"p": "11", "n": "1001", "b": "1010", "r": "1011", "q": "10001", "k": "10000"}

# Placements, White to move, the ranks from above. After 1. e4 the board is turned: it is that of
# 1... e5, with Black's pawn as White's.
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
AFTER_E4 = "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR"

# Bytes of moves: the fifth pawn two ranks up, the fourth pawn two ranks up.
E4, D4 = 0x5F, 0xE6


def book() -> bytes:
    """The start position with two moves, and the position after the first of them."""
    entries = [entry(START, [(E4, 1), (D4, 0)], (10, 5, 3, 2)), entry(AFTER_E4, [], (6, 2, 3, 1))]
    body = b"".join(entries)
    header = bytes(28) + (10).to_bytes(4, "big")
    page = len(entries).to_bytes(2, "big") + (4 + len(body)).to_bytes(2, "big") + body
    return header.ljust(PAGE_BYTES, b"\0") + page.ljust(PAGE_BYTES, b"\xa5")


def entry(placement: str, moves: list[tuple[int, int]], games: tuple[int, int, int, int]) -> bytes:
    """A position, its moves with their annotations, and its games, won, lost and drawn ones."""
    known = bytes([1 + 2 * len(moves)]) + bytes(byte for move in moves for byte in move)
    counts = b"".join(number.to_bytes(3, "big") for number in games)
    return board(placement) + known + counts + bytes(18) + bytes(3)


def board(placement: str) -> bytes:
    """The bits of all squares, file by file from a1, and all rights to castle at their end."""
    ranks = [squares(rank) for rank in reversed(placement.split("/"))]
    bits = "".join(bits_of(rank[file]) for file in range(8) for rank in ranks)
    while (len(bits) + 4) % 8:
        bits += "0"
    bits += "1111"
    packed = bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8))
    return bytes([1 + len(packed) | 1 << 6]) + packed


def squares(rank: str) -> str:
    """One letter a square."""
    return "".join("." * int(letter) if letter.isdigit() else letter for letter in rank)


def bits_of(letter: str) -> str:
    """The bits of a square."""
    return "0" if letter == "." else PIECES[letter.lower()] + str(int(letter.islower()))

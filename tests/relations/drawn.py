"""Options of a count, drawn by chance."""

import random
from dataclasses import dataclass

# What a count makes of games, each with its share of the trials. A table knows these: `add` and
# `subtract` ask it.
COUNTING = (
    (0.5, ("--max-ply 0", "--max-ply 1", "--max-ply 7", "--max-ply 30", "--max-ply 300")),
    (0.3, ("--repeats once",)),
    (0.2, ("--illegal-move keep-prefix",)),
    (0.2, ("--unknown-result draw",)),
    (0.3, ("--from-position",)),
    (0.1, ("--repertoire",)),
    (0.3, ("--ratings",)),
    (0.3, ("--by speed", "--by month", "--by rating-band", "--by speed,rating-band,month")),
    (0.1, ("--line e4", "--line 'd4 d5'")),
)  # fmt: skip

# Which games count.
FILTERS = (
    (0.1, ("--player Glaurung", "--player '/stock/' --player-color white")),
    (0.1, ("--min-elo 2200", "--max-elo 2300", "--min-elo 2200 --elo-any")),
    (0.1, ("--since 2013", "--until 2026.11.20", "--since 2026-11")),
    (0.1, ("--result 1-0", "--result 1/2-1/2")),
    (0.2, ("--min-plies 0", "--min-plies 20")),
    (0.1, ("--speed blitz,bullet", "--speed correspondence")),
    (0.1, ("--eco B20..B99", "--eco C")),
    (0.1, ("--exclude-bots", "--rated-only")),
    (0.1, ("--where 'WhiteElo >= 2200'", "--where 'Event !~ \"x\" and Result != \"0-1\"'")),
    (0.1, ("--max-game-plies 40", "--max-game-bytes 65536")),
)  # fmt: skip

# Options that only some versions have: readings by tolerance.
NEWER = ((0.3, ("--strict-san",)), (0.2, ("--result-from tag", "--result-from moves")))

BOOKS = (
    (0.5, ("--min-games 2", "--min-games 1", "--min-games white=1,black=3")),
    (0.2, ("--min-score 0.3",)),
    (0.2, ("--min-share 0.1",)),
    (0.1, ("--color white", "--color black")),
    (0.2, ("--top 1", "--top 3")),
)


@dataclass(frozen=True)
class Drawn:
    """What one trial asks for."""

    counting: str
    filters: str
    book: str
    # Which copies count once; nothing if all count.
    dedup: str

    @property
    def count(self) -> str:
        """The options of a count but for copies."""
        return f"{self.counting} {self.filters}"


def draw(chance: random.Random, known: str) -> Drawn:
    """Options of a count and of its book; `known` is the help of the count."""
    newer = [each for each in NEWER if each[1][0].split()[0] in known]
    counting, filters = chosen(chance, (*COUNTING, *newer)), chosen(chance, FILTERS)
    dedup = f"--dedup-games {chance.choice(('exact', 'truncated'))}" if chance.random() < 0.2 else ""
    if "--repertoire" in counting:
        # Lines are no games: what is asked of games does not go with them.
        counting, filters, dedup = [*chosen(chance, COUNTING[:1]), "--repertoire"], [], ""
    return Drawn(*map(" ".join, (counting, filters, chosen(chance, BOOKS))), dedup)


def chosen(chance: random.Random, options: tuple) -> list[str]:
    """Each with its share."""
    return [chance.choice(values) for share, values in options if chance.random() < share]


def how(chance: random.Random) -> str:
    """What must not matter: threads and memory."""
    threads = chance.choice((1, 2, 3, 5))
    return f"-j {threads} --memory {chance.choice((8 + 16 * threads, 64, 256))}MiB"

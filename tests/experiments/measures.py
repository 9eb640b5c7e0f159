"""What is measured of the games of an arm, and the table of it."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean, stdev

from played import Row


@dataclass(frozen=True)
class Mean:
    """A mean of so many values, and its standard error; both are absent where there are too few."""

    count: int
    mean: float | None
    error: float | None

    @classmethod
    def of(cls, values: Sequence[float]) -> "Mean":
        """The mean of values."""
        error = stdev(values) / math.sqrt(len(values)) if len(values) > 1 else None
        return cls(len(values), mean(values) if values else None, error)

    def text(self, form: str) -> str:
        """As text, each number in a form."""
        if self.mean is None:
            return "-"
        return format(self.mean, form) + (
            f" ± {self.error:{form.lstrip('+')}}" if self.error is not None else ""
        )


def pairs(rows: Sequence[Row]) -> dict[tuple[str, int], float]:
    """The score of each pair of games, from 0 to 1, by opponent and seed."""
    points = defaultdict(list)
    for row in rows:
        points[row.opponent, row.seed].append(row.points)
    return {pair: mean(of) for pair, of in points.items()}


def difference(rows: Sequence[Row], control: Sequence[Row]) -> Mean:
    """How much more an arm scores than its control, pair by pair."""
    ours, theirs = pairs(rows), pairs(control)
    return Mean.of([score - theirs[pair] for pair, score in ours.items()])


def entropy_bits(rows: Sequence[Row]) -> float:
    """The entropy of the lines that were played; of n games it is at most log2(n)."""
    shares = [count / len(rows) for count in Counter(row.line for row in rows).values()]
    return sum(-share * math.log2(share) for share in shares)


# A move with a smaller chance is avoided.
CHANCE_AVOIDED = 0.01


def avoided_after(chances: Sequence[float]) -> int | None:
    """After how many games a move is avoided to the end, by its chance at first and after each game."""
    played = [number for number, chance in enumerate(chances) if chance >= CHANCE_AVOIDED]
    after = max(played, default=-1) + 1
    return None if after == len(chances) else after


@dataclass(frozen=True)
class Planted:
    """The bad move of the planted line: its chance at first and after each game, and the games with it."""

    games: int
    chances: list[float]
    bad_games: int
    avoided_after: int | None

    def text(self) -> str:
        """As text."""
        end = "never" if self.avoided_after is None else f"after {self.avoided_after}"
        first, last = (f"{100 * chance:.0f} %" for chance in (self.chances[0], self.chances[-1]))
        return f"{end}; {self.bad_games} of {self.games}; {first} → {last}"


@dataclass(frozen=True)
class Measured:
    """What came of an arm."""

    arm: str
    control: str | None
    learned_games: int
    games: int
    score: Mean
    gain: Mean | None
    exit_centipawns: Mean
    book_moves: Mean
    entropy_bits: float
    planted: Planted

    def cells(self) -> list[str]:
        """A row of the table."""
        gain = f"{self.gain.text('+.3f')} ({self.control})" if self.gain else "-"
        return [
            self.arm, str(self.learned_games), str(self.games), self.score.text(".3f"), gain,
            self.exit_centipawns.text("+.0f"), self.book_moves.text(".1f"), f"{self.entropy_bits:.2f}",
            self.planted.text(),
        ]  # fmt: skip


HEADS = [
    "arm", "games learned from", "unseen games", "score", "more than its control", "exit, cp", "book moves",
    "entropy, bits", "bad move avoided; games with it; chance",
]  # fmt: skip


def measure(
    name: str, control: str | None, rows: dict[str, list[Row]], chances: dict[str, list[float]]
) -> Measured:
    """Measures an arm, by the games of all arms."""
    own = rows[name]
    unseen = [row for row in own if row.phase == "unseen"]
    planted = [row for row in own if row.phase == "planted"]
    theirs = [row for row in rows[control] if row.phase == "unseen"] if control else []
    exits = [row.exit_centipawns for row in unseen if row.exit_centipawns is not None]
    bad = sum(row.is_bad for row in planted)
    return Measured(
        arm=name,
        control=control,
        learned_games=sum(row.phase == "learn" for row in own),
        games=len(unseen),
        score=Mean.of(list(pairs(unseen).values())),
        gain=difference(unseen, theirs) if control else None,
        exit_centipawns=Mean.of(exits),
        book_moves=Mean.of([row.book_moves for row in unseen]),
        entropy_bits=entropy_bits(unseen),
        planted=Planted(len(planted), chances[name], bad, avoided_after(chances[name])),
    )


def table(measured: Sequence[Measured]) -> str:
    """All arms as a table of Markdown."""
    lines = [HEADS, ["---"] * len(HEADS), *(one.cells() for one in measured)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)

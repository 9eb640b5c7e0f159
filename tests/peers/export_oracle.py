"""What an export of a PGN file must hold: counts by edge and group, positions, and ratings.

Games are read and played by `oracle`; the groups, what is summed and what is derived from the sums
are here, by docs/filters.md and docs/parquet.md alone.
"""

import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import oracle
import pgn_rules

BANDS = (0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500, 2800, 3200)
SPEEDS = ((30, "ultraBullet"), (180, "bullet"), (480, "blitz"), (1500, "rapid"), (21600, "classical"))
CLOCK = re.compile(r"(\d+)(?:\+(\d+))?")
MONTH = re.compile(r"(\d{4})[.\-/](\d{2})[.\-/]")
START = 0x463B96181691FC9C


class Group(NamedTuple):
    """What an edge may be split by; None where unknown."""

    speed: str | None
    rating_band: int | None
    month: int | None
    player_color: str | None


class Edge(NamedTuple):
    """A row of `moves`; with NO_GROUP where it is not grouped."""

    key: int
    move: int
    group: Group


GroupOf = Callable[[oracle.Accepted, dict[bytes, bytes]], Group | None]
"""The group of a game; None if it does not count."""

NO_GROUP = Group(None, None, None, None)


@dataclass
class Sums:
    """What a row sums; outcomes as White won, drawn, Black won."""

    outcomes: list[int] = field(default_factory=lambda: [0, 0, 0])
    mover_elo: int = 0
    opponent_elo: int = 0
    rated: int = 0

    @property
    def games(self) -> int:
        """All games."""
        return sum(self.outcomes)


@dataclass
class Expected:
    """What the export of some games must hold."""

    edges: dict[Edge, Sums]
    """Terminal visits (move 0) too."""
    positions: dict[int, list[int]]
    """Outcomes of each position's visits."""
    children: dict[tuple[int, int], int]
    """The key that an edge leads to."""
    movers: dict[int, int]
    """0 where White is to move, 1 where Black is."""
    games: list[tuple[oracle.Accepted, dict[bytes, bytes]]]

    def plies(self) -> dict[int, int]:
        """The shortest way from the start to each position it leads to."""
        onward = defaultdict(list)
        for (key, _), child in self.children.items():
            onward[key].append(child)
        plies, waiting = {START: 0}, deque([START])
        while waiting:
            key = waiting.popleft()
            for child in onward[key]:
                if child not in plies:
                    plies[child] = plies[key] + 1
                    waiting.append(child)
        return plies

    def visits(self) -> dict[tuple[int, Group], int]:
        """Visits of each position in each group."""
        found: dict[tuple[int, Group], int] = defaultdict(int)
        for edge, sums in self.edges.items():
            found[edge.key, edge.group] += sums.games
        return found


def speed_of(tags: dict[bytes, bytes]) -> str | None:
    """By the estimate of initial time and 40 increments; the spellings that our samples have."""
    control = tags.get(b"TimeControl", b"").decode("latin-1").strip()
    if control == "-":
        return "correspondence"
    match = CLOCK.fullmatch(control)
    if match is None or not any(map(int, match.groups("0"))):
        return None
    seconds = int(match[1]) + 40 * int(match[2] or 0)
    return next((name for limit, name in SPEEDS if seconds < limit), "correspondence")


def month_of(tags: dict[bytes, bytes]) -> int | None:
    """UTCDate's month, else Date's."""
    for name in (b"UTCDate", b"Date"):
        match = MONTH.match(tags.get(name, b"").decode("latin-1"))
        if match and 1 <= int(match[2]) <= 12:
            return int(match[1]) * 100 + int(match[2])
    return None


def band_of(elos: tuple[int, int]) -> int | None:
    """The band of the mean, rounded down."""
    mean = sum(elos) // 2
    return max(band for band in BANDS if band <= mean) if all(elos) else None


def read_games(path: Path, options: oracle.Options) -> Iterator[tuple]:
    """Accepted games and their tags."""
    for number, (span, text, lines) in enumerate(oracle.texts(path), start=1):
        game = None if span.fragment else oracle.count_game(text, number, lines, options)
        if isinstance(game, oracle.Accepted):
            yield game, pgn_rules.read_tags(text, lines)[0]


def expect(path: Path, group_of: GroupOf) -> Expected:
    """Counts a plain PGN file, 60 plies of each game that has a group."""
    options = oracle.Options(max_ply=60, ratings=True)
    found = Expected(defaultdict(Sums), defaultdict(lambda: [0, 0, 0]), {}, {}, [])
    for game, tags in read_games(path, options):
        group = group_of(game, tags)
        if group is not None:
            add(found, game, group)
            found.games.append((game, tags))
    return found


def ungrouped(_game: oracle.Accepted, _tags: dict[bytes, bytes]) -> Group:
    """One row an edge."""
    return NO_GROUP


def by_speed_band_month(game: oracle.Accepted, tags: dict[bytes, bytes]) -> Group:
    """As `--by speed,rating-band,month`."""
    return Group(speed_of(tags), band_of(game.elos), month_of(tags), None)


def by_color_of(player: bytes) -> GroupOf:
    """As `--by player-color --player PLAYER`: games of others do not count."""

    def group(_game: oracle.Accepted, tags: dict[bytes, bytes]) -> Group | None:
        colors = [name for name in (b"White", b"Black") if tags.get(name) == player]
        return Group(None, None, None, colors[0].decode().lower()) if colors else None

    return group


def add(found: Expected, game: oracle.Accepted, group: Group) -> None:
    """Adds one game's visits."""
    outcome = oracle.OUTCOMES.index(game.outcome)
    for ply, (key, move, mover) in enumerate(oracle.observations(game, "each")):
        sums = found.edges[Edge(key, move, group)]
        sums.outcomes[outcome] += 1
        sums.mover_elo += game.elos[mover]
        sums.opponent_elo += game.elos[1 - mover]
        sums.rated += bool(game.elos[0])
        found.positions[key][outcome] += 1
        found.movers[key] = mover
        if move:
            found.children[key, move] = game.keys[ply + 1]

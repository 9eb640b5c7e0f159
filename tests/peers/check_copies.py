#!/usr/bin/env python3
"""Compares the copies of games that Tabia finds with those that the rules in docs/copies.md give.

    PYTHONPATH=tests tests/peers/check_copies.py target/release/tabia FILE… [--games 3000]

Each file is judged twice.  A second implementation of the rules, with python-chess, finds the
copies among its first games; Tabia must leave out as many of each game.  Debian's pgn-extract
(`-D`) drops games with the same moves in the whole file, whoever played them; Tabia must drop no
other, and each that it keeps must differ in players, date or result from those with its moves that
it keeps too.  Exits 1 after printing what differs.
"""

import argparse
import itertools
import json
import re
import shutil
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Self

import tabia
from judge.boards import games as games_of
from judge.report import Case, Failed, Skipped, main_of_cases
from judge.run import must

SHORT_PLIES = 20
SHOWN = 5
PGN_EXTRACT = shutil.which("pgn-extract") or "/usr/games/pgn-extract"
LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "\u0131": "i"})
NOBODY = {"nn", "unknown", "anonymous"}

Name = tuple[str, str]
"""Surname and initial; empty where not known."""


@dataclass(frozen=True)
class Played:
    """Who played a game and when, as far as it is known."""

    white: Name
    black: Name
    date: tuple[int, int, int]

    def parts(self) -> tuple[object, ...]:
        """Its parts, in one order."""
        return (*self.white, *self.black, *self.date)

    def knows_all_of(self, other: Self) -> bool:
        """Whether all that the other knows is known here and the same."""
        return all(
            not theirs or ours == theirs for ours, theirs in zip(self.parts(), other.parts(), strict=True)
        )


def folded(text: str) -> str:
    """Letters and digits in lower case, accents folded."""
    plain = unicodedata.normalize("NFKD", text.lower().translate(LETTERS))
    plain = re.sub(r"[^a-z0-9]", "", plain.lower())
    return re.sub(r"(?<=[aou])e+", "", plain)


def name(text: str) -> Name:
    """A name, read."""
    surname, comma, given = text.partition(",")
    if not comma:
        words = text.strip().rsplit(" ", 1)
        last = words[-1].rstrip(".")
        if len(words) == 2 and len(last) == 1 and last.isalpha():
            surname, given = words[0], last
    surname = folded(surname)
    if not surname or surname in NOBODY:
        return "", ""
    return surname, folded(given)[:1]


def date(text: str) -> tuple[int, int, int]:
    """Year, month and day; 0 where not known."""
    match = re.fullmatch(r"(\d{4})[./-](\d\d?|\?\??)[./-](\d\d?|\?\??)", text)
    if not match or match[1] == "0000":
        return 0, 0, 0
    year, month, day = (int(part) if part.isdigit() else 0 for part in match.groups())
    return (year, month, day if month else 0)


def played(tags: dict[str, str]) -> Played:
    """Who played a game, by its tags."""
    when = next((found for key in ("UTCDate", "Date") if any(found := date(tags.get(key, "")))), (0, 0, 0))
    return Played(name(tags.get("White", "")), name(tags.get("Black", "")), when)


def copies_by_rules(games: list[tuple[object, Played, int]]) -> int:
    """How many of these games (moves and result, players and date, plies) are copies."""
    groups: dict[object, list[Played]] = defaultdict(list)
    for moves, who, plies in games:
        if plies >= SHORT_PLIES:
            groups[moves].append(who)
        elif who.white[0] and who.black[0] and who.date[0]:
            groups[(moves, who)].append(who)
    copies = 0
    for group in groups.values():
        kept: list[Played] = []
        for who in sorted(group, key=lambda who: -sum(map(bool, who.parts()))):
            if any(other.knows_all_of(who) for other in kept):
                copies += 1
            else:
                kept.append(who)
    return copies


def judge_rules(args: argparse.Namespace, text: str) -> str:
    """Compares the copies among the first games with those by the rules."""
    texts = re.split(r"(?m)^(?=\[Event )", text)[1 : args.games + 1]
    path = args.place / "first.pgn"
    path.write_text("".join(texts))
    listed = run(args, path)
    left_out = {line["game"] for line in listed if "copy_of" not in line}
    games = []
    for number, one in enumerate(texts, 1):
        if number in left_out:
            continue
        # python-chess ends a game at the second blank line.
        game = next(games_of(re.sub(r"\n\s*\n\s+", "\n\n", one)))
        moves = tuple(str(move) for move in game.mainline_moves())
        result = game.headers["Result"]
        if result not in ("1-0", "0-1", "1/2-1/2"):
            result = re.split(r"\s+", one.strip())[-1]
        games.append(((game.board().fen(), moves, result), played(dict(game.headers)), len(moves)))
    expected, found = copies_by_rules(games), sum("copy_of" in line for line in listed)
    if expected != found:
        raise Failed(f"{found} copies, by the rules {expected}")
    return f"{len(texts)} games, {found} copies"


def run(args: argparse.Namespace, path: Path) -> list[dict[str, object]]:
    """The games that do not count, one a line."""
    rejects = args.place / "list.jsonl"
    flags = ("-o", args.place / "a.table", "--dedup-games", "exact", "--max-ply", 0, "--rejects", rejects)
    quiet = ("--rejects-filtered", "--force", "--quiet", "--allow-empty")
    tabia.run(args.binary, "count", path, *flags, *quiet)
    return [json.loads(line) for line in rejects.read_text().splitlines()]


def tags_of(text: bytes) -> dict[str, str]:
    """The tags of a game."""
    found = re.findall(r'^\[(\w+) "(.*?)"\]', text.decode("utf-8", "replace"), re.M)
    return dict(found)


def moves_of(text: bytes) -> bytes:
    """The moves of a game as they are written."""
    movetext = re.sub(rb"^\[.*$", b"", text, flags=re.M)
    words = re.sub(rb"\{[^}]*\}|\d+\.+|\$\d+|[+#!?]", b" ", movetext).split()
    return b" ".join(word for word in words if word not in (b"1-0", b"0-1", b"1/2-1/2", b"*"))


def key(text: bytes) -> tuple[str, ...]:
    """By what a dropped game is found again."""
    tags = tags_of(text)
    return (*name(tags.get("White", "")), *name(tags.get("Black", "")), tags.get("Result", ""))


def games_at(data: bytes) -> dict[int, bytes]:
    """The games of a file by where they begin."""
    starts = [match.start() for match in re.finditer(rb"^\[Event ", data, re.M)]
    return {start: data[start:end] for start, end in zip(starts, [*starts[1:], len(data)], strict=True)}


def judge_peer(args: argparse.Namespace, data: bytes) -> str:
    """Compares the copies of a whole file with what pgn-extract drops."""
    if not Path(PGN_EXTRACT).exists():
        raise Skipped("no pgn-extract")
    path, dropped = args.place / "all.pgn", args.place / "dropped.pgn"
    path.write_bytes(data)
    must(PGN_EXTRACT, "-s", f"-d{dropped}", f"-o{args.place / 'kept.pgn'}", path, seconds=600)
    games = games_at(data)
    listed = run(args, path)
    not_counted = {line["offset"] for line in listed}
    copies = {line["offset"] for line in listed if "copy_of" in line}
    theirs = Counter(key(game) for game in games_at(dropped.read_bytes()).values())
    ours = Counter(key(games[offset]) for offset in copies)
    kept: dict[bytes, list[Played]] = defaultdict(list)
    results: dict[bytes, list[str]] = defaultdict(list)
    for offset, game in games.items():
        if offset not in not_counted:
            kept[moves_of(game)].append(played(tags_of(game)))
            results[moves_of(game)].append(tags_of(game).get("Result", ""))
    wrong = []
    for moves, players in kept.items():
        if len(moves.split()) >= SHORT_PLIES:
            ends = zip(players, results[moves], strict=True)
            for (one, first), (other, second) in itertools.combinations(ends, 2):
                if first == second and (one.knows_all_of(other) or other.knows_all_of(one)):
                    wrong.append(one)
    only_ours = ours - theirs
    counted = f"pgn-extract drops {theirs.total()}, tabia {ours.total()}"
    if only_ours or wrong:
        differences = [*only_ours][:SHOWN] + wrong[:SHOWN]
        raise Failed(f"{counted}, only tabia {only_ours.total()}, kept copies {len(wrong)}: {differences}")
    return counted


def cases(args: argparse.Namespace) -> Iterator[Case]:
    """Each file by both judges."""
    for path in args.files:
        data = must("zstd", "-dcq", path, seconds=600).out if path.suffix == ".zst" else path.read_bytes()
        yield Case(f"rules {path.name}", partial(judge_rules, args, data.decode("utf-8", "replace")))
        yield Case(f"pgn-extract {path.name}", partial(judge_peer, args, data))


if __name__ == "__main__":
    main_of_cases(__doc__, cases, "binary", "files+", games=3000)

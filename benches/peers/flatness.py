#!/usr/bin/env python3
"""Whether a game costs the same among millions as among thousands; `make bench-flat` calls this.

    benches/peers/flatness.py target/release/tabia --sizes 300000,1300000,5000000,20000000

Games are made up (`crates/formats/pgn/examples/synthetic_games.rs`), packed by zstd and read once before
the clock starts; each size has the games of the one before and more. What a size will take on disk
is estimated from the one before: if that is too much, it is skipped with a note.
"""

import argparse
import shutil
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path

from judge.games import make_up, read_through
from judge.measure import machine
from judge.report import ROOT, command_line
from peers import debian_program, skipped
from run import Sample, time_command

EDGE_BYTES = 17
"""An edge of the table, 8, and once in a spilled run or a little more often, 6.5 each."""

GAME_BYTES_FIRST = 700
"""What a game of the smallest size takes at most, packed, spilled and as edges."""

DISK_BYTES_LEFT = 1 << 30


@dataclass(frozen=True)
class Figures:
    """One size: its games, packed bytes and runs."""

    games: int
    packed_bytes: int
    samples: list[Sample]

    @property
    def seconds(self) -> float:
        """The median of the rounds."""
        return statistics.median(sample.seconds for sample in self.samples)

    @property
    def game_us(self) -> float:
        """Microseconds a game."""
        return 1e6 * self.seconds / self.games

    @property
    def game_bytes(self) -> float:
        """Bytes a game takes on disk while it is counted, about."""
        edges = self.samples[-1].summary["edges"]
        return (self.packed_bytes + EDGE_BYTES * edges) / self.games


def count(args: argparse.Namespace, pieces: list[Path]) -> Sample:
    """Counts the pieces into a table, which is then deleted."""
    command = [str(args.binary), "count", *map(str, pieces), "-o", "flat.table", "--json"]
    command += ["--quiet", "--max-ply", str(args.max_ply), "--memory", args.memory]
    # Without a number, one a core.
    command += ["--threads", str(args.threads)] if args.threads else []
    shutil.rmtree(args.folder / "flat.table", ignore_errors=True)
    sample = time_command(command, args.folder)
    shutil.rmtree(args.folder / "flat.table")
    return sample


def has_room(args: argparse.Namespace, games: int, before: Figures | None) -> bool:
    """Whether the disk has room for this many games; prints a note if not."""
    needed = games * (before.game_bytes if before else GAME_BYTES_FIRST)
    held = sum(path.stat().st_size for path in args.folder.glob("games-*"))
    free = shutil.disk_usage(args.folder).free + held - DISK_BYTES_LEFT
    allowed = min(args.disk_gib * (1 << 30), free)
    if needed > allowed:
        gib = f"about {needed / (1 << 30):.1f} GiB, and {allowed / (1 << 30):.1f} are allowed"
        skipped(f"{games:,} games: they take {gib} (--disk-gib, --max-ply)")
    return needed <= allowed


def measure(args: argparse.Namespace) -> list[Figures]:
    """All sizes there is room for, the smallest first."""
    pieces: list[Path] = []
    figures: list[Figures] = []
    made = 0
    for games in sorted(map(int, args.sizes.split(","))):
        if not has_room(args, games, figures[-1] if figures else None):
            break
        piece = args.folder / f"games-{args.seed}-{made}-{games}.pgn.zst"
        pieces.append(make_up(args.generator, piece, (made, games), args.seed))
        made = games
        for piece in pieces:
            read_through(piece)
        packed = sum(piece.stat().st_size for piece in pieces)
        samples = [count(args, pieces) for _ in range(args.rounds)]
        figures.append(Figures(games, packed, samples))
        print(f"{games:,} games: {figures[-1].seconds:.2f} s", file=sys.stderr)
    return figures


def print_figures(figures: list[Figures]) -> None:
    """The table, as Markdown."""
    print("| games | seconds | µs a game | ratio | edges a game | runs | spilled MiB | peak MiB |")
    print("|---:|---:|---:|---:|---:|---:|---:|---:|")
    for row in figures:
        reported = row.samples[-1].summary
        peak = max(sample.peak_bytes for sample in row.samples)
        print(
            f"| {row.games:,} | {row.seconds:.2f} | {row.game_us:.2f}"
            f" | {row.game_us / figures[0].game_us:.2f} | {reported['edges'] / row.games:.1f}"
            f" | {reported['runs']} | {reported['bytes_spilled'] >> 20:,} | {peak >> 20} |"
        )


def main() -> int:
    """Measures, prints, and deletes the games."""
    numbers = {"rounds": 3, "max_ply": 30, "threads": 0, "seed": 1, "disk_gib": 6.5}
    texts = {"sizes": "300000,1300000,5000000,20000000", "memory": "256MiB"}
    generator, folder = ROOT / "target/release/examples/synthetic_games", ROOT / "target/flatness"
    # `--keep` leaves the games for another run.
    args = command_line(__doc__, "binary", generator=generator, folder=folder, keep=False, **numbers, **texts)
    if debian_program("zstd", "zstd") is None:
        return 0
    args.folder.mkdir(parents=True, exist_ok=True)
    try:
        figures = measure(args)
    finally:
        for path in args.folder.glob("games-*"):
            if not args.keep:
                path.unlink()
    print_figures(figures)
    print(f"\n{machine()}, --memory {args.memory} --max-ply {args.max_ply}, {args.rounds} rounds")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Games that are made up, packed, and read before a clock starts.

`crates/formats/pgn/examples/synthetic_games.rs` makes them up.
"""

from __future__ import annotations

import argparse
from pathlib import Path


def read_through(path: Path) -> None:
    """Reads a file into the page cache."""
    with path.open("rb") as file:
        while file.read(1 << 20):
            pass


def sizes(text: str) -> list[int]:
    """Numbers of games, separated by commas."""
    return [int(size.replace("_", "")) for size in text.split(",")]


def resolve(args: argparse.Namespace) -> argparse.Namespace:
    """The command line with whole paths."""
    for name, value in vars(args).items():
        setattr(args, name, value.resolve() if isinstance(value, Path) else value)
    return args

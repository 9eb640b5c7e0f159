"""Games that are made up, packed, and read before a clock starts.

`crates/formats/pgn/examples/synthetic_games.rs` makes them up.
"""

from __future__ import annotations

import argparse
import subprocess
from pathlib import Path


def pack(generator: list[str], packer: list[str], path: Path) -> None:
    """Makes up games, which a program packs into a file."""
    with subprocess.Popen(generator, stdout=subprocess.PIPE) as made:
        subprocess.run([*packer, str(path)], stdin=made.stdout, check=True)
    if made.returncode != 0:
        raise SystemExit(f"{' '.join(generator)}: exit {made.returncode}")


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

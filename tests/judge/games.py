"""Games of a PGN text, and games that are made up."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

EVENT = "[Event "

# Programs that write what they read to a file, whose name is their last argument.
ZSTD = ("zstd", "-1", "-qf", "-o")
PLAIN = ("sh", "-c", 'cat > "$0"')


def games_of(text: str) -> list[str]:
    """The games, each of which begins with its event."""
    return [EVENT + game for game in text.split(EVENT)[1:]]


def make_up(
    generator: Path, path: Path, games: tuple[int, int], seed: int = 1, packer: Sequence[str] = ZSTD
) -> Path:
    """Makes up games from the first number to before the second, packed; a file that exists is whole.

    The generator is the example `synthetic_games` of the crate `pgn`.
    """
    if path.exists():
        return path
    first, end = games
    unfinished = path.with_suffix(".unfinished")
    made = [str(generator), str(seed), str(first), str(end - first)]
    with subprocess.Popen(made, stdout=subprocess.PIPE) as process:
        subprocess.run([*packer, str(unfinished)], stdin=process.stdout, check=True)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(made)}: exit {process.returncode}")
    return unfinished.rename(path)


def read_through(path: Path) -> None:
    """Reads a file into the page cache."""
    with path.open("rb") as file:
        while file.read(1 << 20):
            pass


def unpack(packed: Path, plain: Path) -> Path:
    """Unpacks a file of zstd; the plain one."""
    subprocess.run(["zstd", "-dqf", packed, "-o", plain], check=True)
    return plain

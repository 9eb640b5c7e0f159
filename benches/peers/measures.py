"""What is measured; `floors.py` says against what, and how good it must be."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from peers import Input, Peers

RSS_ABOVE_MEMORY_MIB = 300
"""Peak memory a run may use past its `--memory`."""
GROUPING_MIB = 2048
"""The memory that engines have for sums of rows, and ours for a table."""
GROUP_ROWS = Path(__file__).resolve().parent / "group_rows.py"


@dataclass(frozen=True)
class Measure:
    """One command on one input, and the folder it writes into, which is emptied before."""

    name: str
    command: list[str]
    folder: Path
    games: int
    rss_mib_max: int | None = None


def measures(peers: Peers) -> Iterator[Measure]:
    """All that can be measured with what is there, peer before ours."""
    for name, source in peers.inputs.items():
        yield from check_only(peers, name, source)
        yield from positions(peers, name, source)
        for threads in (1, 2):
            yield count(peers, f"{name} whole {threads}t", source, threads=threads)
        yield count(peers, f"{name} 40 1t", source, threads=1, plies=40)
    if "lichess" in peers.inputs:
        yield from books(peers, peers.inputs["lichess"])
    if "kingbase" in peers.inputs:
        yield from whole_book(peers, peers.inputs["kingbase"])
        yield from sums_of_rows(peers, peers.inputs["kingbase"])
        yield from variations(peers, peers.inputs["kingbase"])
        yield from without_copies(peers, peers.inputs["kingbase"])


def check_only(peers: Peers, name: str, source: Input) -> Iterator[Measure]:
    """Peers that read and check games and keep nothing."""
    plain, folder, games = str(source.plain), peers.folder, source.games
    if peers.validate:
        yield Measure(f"{name} validate", [str(peers.validate), plain], folder, games)
    if peers.pgn_extract and name == "lichess":
        command = [peers.pgn_extract, "-s", "-r", plain]
        yield Measure(f"{name} pgn-extract", command, folder, games)


def count(
    peers: Peers, name: str, source: Input, *, path: Path | None = None, threads: int = 2, plies: int = 0
) -> Measure:
    """`tabia count`: PGN to a finished table; 0 plies are whole games."""
    pgn = str(path or source.plain)
    command = [str(peers.tabia), "count", pgn, "-o", "peers.table", "--max-ply", str(plies)]
    command += ["--threads", str(threads), "--json", "--quiet"]
    return Measure(name, command, peers.folder, source.games)


def books(peers: Peers, source: Input) -> Iterator[Measure]:
    """PGN to a finished `.bin`."""
    plain, folder, games = str(source.plain), peers.folder, source.games
    if peers.polyglot:
        command = [peers.polyglot, "make-book", "-pgn", plain, "-bin", "polyglot.bin"]
        command += ["-max-ply", "40", "-min-game", "1"]
        yield Measure("lichess polyglot", command, folder, games)
    command = [str(peers.tabia), "build", plain, "-o", "peers.tabia", "--polyglot", "peers.bin"]
    command += ["--max-ply", "40", "--min-games", "1", "--threads", "2"]
    command += ["--json", "--quiet"]
    yield Measure("lichess bin 2t", command, folder, games)


def positions(peers: Peers, name: str, source: Input) -> Iterator[Measure]:
    """Positions of 60 plies and how often they occurred, in memory; those of eight games are written."""
    if peers.fastpopular:
        command = [peers.fastpopular, "--dir", str(source.cut), "--maxPlies", "60", "--concurrency", "2"]
        yield Measure(f"{name} fastpopular", [*command, "--minCount", "8"], peers.folder, source.games)
    yield count(peers, f"{name} 60 2t", source, plies=60)


def whole_book(peers: Peers, source: Input) -> Iterator[Measure]:
    """Whole games to a book with every move."""
    plain, folder, games = str(source.plain), peers.folder, source.games
    if peers.chess_db:
        # It writes the book beside its input.
        script = 'ln -s "$1" games.pgn && exec "$0" book games.pgn full'
        yield Measure("kingbase chess_db", ["sh", "-c", script, peers.chess_db, plain], folder, games)
    command = [str(peers.tabia), "build", plain, "-o", "peers.tabia", "--max-ply", "0", "--min-games", "1"]
    command += ["--threads", "2", "--json", "--quiet"]
    yield Measure("kingbase book 2t", command, folder, games)


def sums_of_rows(peers: Peers, source: Input) -> Iterator[Measure]:
    """The sums of ready rows, by engines; ours reads and replays the games, too."""
    limits = ["--threads", "2", "--memory-mib", str(GROUPING_MIB)]
    for engine in peers.engines:
        command = [sys.executable, str(GROUP_ROWS), engine, str(peers.rows), *limits]
        yield Measure(engine, command, peers.folder, source.games)
        command += ["--sorted", "sorted.parquet"]
        yield Measure(f"{engine}, sorted", command, peers.folder, source.games)
    whole = count(peers, "kingbase table", source)
    command = [*whole.command, "--memory", f"{GROUPING_MIB}MiB"]
    yield Measure(whole.name, command, peers.folder, source.games, GROUPING_MIB)


def variations(peers: Peers, source: Input) -> Iterator[Measure]:
    """The same table from packed input, and within little memory."""
    yield count(peers, "kingbase zst 2t", source, path=source.zst)
    if source.pzst:
        yield count(peers, "kingbase pzstd 2t", source, path=source.pzst)
    whole = count(peers, "kingbase spill 2t", source)
    command = [*whole.command, "--memory", "128MiB"]
    rss = 128 + RSS_ABOVE_MEMORY_MIB
    yield Measure(whole.name, command, peers.folder, source.games, rss)


def without_copies(peers: Peers, source: Input) -> Iterator[Measure]:
    """Each game once: counted, and as text."""
    plain, folder, games = str(source.plain), peers.folder, source.games
    if peers.pgn_extract:
        command = [peers.pgn_extract, "-s", "-D", "-opeers.pgn", plain]
        yield Measure("kingbase pgn-extract -D", command, folder, games)
    command = [str(peers.tabia), "filter", plain, "-o", "peers.pgn", "--dedup-games", "exact"]
    command += ["--threads", "1", "--json", "--quiet"]
    yield Measure("kingbase filter 1t", command, folder, games)
    whole = count(peers, "kingbase dedup 2t", source)
    command = [*whole.command, "--dedup-games", "exact"]
    yield Measure(whole.name, command, folder, games)

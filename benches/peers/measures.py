"""What is measured, against what, and how good it must be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from peers import Input, Peers

RSS_ABOVE_MEMORY_MIB = 300
"""Peak memory a run may use past its `--memory`."""


@dataclass(frozen=True)
class Measure:
    """One command on one input, and the folder it writes into, which is emptied before."""

    name: str
    command: list[str]
    folder: Path
    games: int
    rss_mib_max: int | None = None


@dataclass(frozen=True)
class Comparison:
    """Ours against a peer, by the names of their measures; figures are times as fast."""

    work: str
    ours: str
    peer: str
    floor: float
    aim: float


COMPARISONS = (
    Comparison("KingBase, 1 thread", "kingbase whole 1t", "kingbase validate", 0.6, 1.0),
    Comparison("Lichess, 1 thread", "lichess whole 1t", "lichess validate", 0.6, 1.0),
    Comparison("KingBase, 40 plies, 1 thread", "kingbase 40 1t", "kingbase validate", 1.5, 2.5),
    Comparison("Lichess, 40 plies, 1 thread", "lichess 40 1t", "lichess validate", 1.5, 2.5),
    Comparison("KingBase, 2 threads", "kingbase whole 2t", "kingbase whole 1t", 1.8, 1.95),
    Comparison("Lichess, 2 threads", "lichess whole 2t", "lichess whole 1t", 1.8, 1.95),
    Comparison("Lichess, 40 plies to .bin, 2 threads", "lichess bin 2t", "lichess polyglot", 20, 40),
    Comparison("KingBase, .zst of one frame", "kingbase zst 2t", "kingbase whole 2t", 0.6, 0.95),
    Comparison("KingBase, pzstd", "kingbase pzstd 2t", "kingbase whole 2t", 0.8, 0.95),
    Comparison("KingBase, --memory 128MiB", "kingbase spill 2t", "kingbase whole 2t", 0.7, 0.9),
    Comparison("Lichess, 1 thread, rewriting peer", "lichess whole 1t", "lichess pgn-extract", 1, 10),
    Comparison("KingBase, each game once", "kingbase dedup 2t", "kingbase whole 2t", 0.5, 0.71),
    Comparison("KingBase, copies filtered out", "kingbase filter 1t", "kingbase pgn-extract -D", 8, 12),
)


def measures(peers: Peers) -> Iterator[Measure]:
    """All that can be measured with what is there, peer before ours."""
    for name, source in peers.inputs.items():
        yield from check_only(peers, name, source)
        for threads in (1, 2):
            yield count(peers, f"{name} whole {threads}t", source, threads=threads)
        yield count(peers, f"{name} 40 1t", source, threads=1, plies=40)
    if "lichess" in peers.inputs:
        yield from books(peers, peers.inputs["lichess"])
    if "kingbase" in peers.inputs:
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

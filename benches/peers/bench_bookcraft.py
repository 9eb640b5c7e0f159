#!/usr/bin/env python3
"""How long everything takes that is made of books and tables; `make bench-bookcraft` calls this.

    benches/peers/bench_bookcraft.py target/release/tabia --rounds 3

KingBase is counted to 60 plies and cut to about a million positions in two ways: a table of fewer
plies, and a book of moves that several games played.  Work on those may take 20 seconds.  Work on
the whole table may take 20 seconds more than the walk that finds the board of each of its
positions, which an export of positions does.  Wall times with two threads, the inputs in the page
cache; medians are printed as Markdown.
"""

import shutil
from pathlib import Path

from judge.measure import machine_line
from peers import count_games, skipped
from run import Measure, Sample, bench_args, print_measures, wall

KINGBASE = "kingbase2015-recon-a.pgn.zst"
SECONDS_MAX = 20
EDITS = """drop e4 c5 Nf3 d6
weigh e4 e5 Nf3: 80
forbid d4 d5
prune unreachable
"""


def printing(*command: str) -> Measure:
    """A command that prints."""
    return Measure(" ".join(command), command)


def writing(output: str, *command: str) -> Measure:
    """A command that writes a file."""
    return Measure(" ".join([*command, "-o", output]), (*command, "-o", output), output)


WALK = writing("out.positions", "export", "parquet", "whole.table", "--only", "positions")
"""Finds the board of every position."""


def inputs(corpus: Path) -> list[Measure]:
    """What the measures read."""
    kingbase = str(corpus / KINGBASE)
    return [
        writing("whole.table", "count", kingbase),
        writing("short.table", "count", kingbase, "--max-ply", "18"),
        writing("white.table", "count", kingbase, "--result", "1-0"),
        writing("book.tabia", "compact", "whole.table", "--min-games", "2"),
        writing("white.tabia", "compact", "white.table", "--min-games", "2"),
        writing("book.bin", "export", "polyglot", "book.tabia"),
        writing("white.bin", "export", "polyglot", "white.tabia"),
        writing("book.jsonl", "export", "json", "book.tabia"),
    ]


def measures() -> list[Measure]:
    """Every kind of work."""
    lines = [
        writing(f"out.{form}", "export", form, book)
        for book in ("whole.table", "short.table", "book.tabia", "book.bin")
        for form in ("pgn", "epd", "csv")
    ]
    return [
        *lines,
        writing("out.pgn", "export", "pgn", "--games", "lines", "book.tabia"),
        writing("out.abk", "export", "abk", "whole.table"),
        writing("out.abk", "export", "abk", "book.tabia"),
        writing("out.jsonl", "export", "json", "book.tabia"),
        writing("out.tabia", "import", "json", "book.jsonl"),
        writing("out.epd", "suite", "whole.table", "--plies", "8..16", "--min-games", "20"),
        writing("out.epd", "suite", "book.tabia", "--plies", "8..16", "--min-games", "20"),
        writing("out.tabia", "edit", "book.tabia", "--script", "edits.txt"),
        writing("out.bin", "edit", "book.bin", "--script", "edits.txt"),
        printing("check", "book.tabia"),
        printing("diff", "whole.table", "white.table"),
        printing("diff", "book.tabia", "white.tabia"),
        printing("diff", "book.bin", "white.bin"),
        writing("out.tabia", "merge", "book.tabia", "white.tabia", "--force"),
        writing("out.bin", "merge", "book.bin", "white.bin", "--strategy", "sum"),
        printing("dump", "book.bin"),
    ]


def print_limits(results: dict[str, list[Sample]], walk: float) -> bool:
    """What is above its limit, and whether nothing is."""
    within = True
    for name, samples in results.items():
        limit = SECONDS_MAX + (walk if "whole.table" in name.split() else 0)
        if wall(samples) > limit:
            print(f"{name}: {wall(samples):.1f} s are above {limit:.1f} s")
            within = False
    print(f"At most {SECONDS_MAX} s; of the whole table {SECONDS_MAX + walk:.1f} s: {within}")
    return within


def main() -> int:
    """Measures and prints; with `--strict` exits 1 if a limit is passed."""
    args = bench_args(__doc__, "bench-bookcraft")
    if not (args.corpus / KINGBASE).exists():
        skipped(f"no {args.corpus / KINGBASE}")
        return 0
    count_games(args.corpus / KINGBASE)
    shutil.rmtree(args.folder, ignore_errors=True)
    args.folder.mkdir(parents=True)
    (args.folder / "edits.txt").write_text(EDITS)
    for measure in inputs(args.corpus):
        measure.run(args.binary, args.folder)
    results: dict[str, list[Sample]] = {}
    for _ in range(args.rounds):
        for measure in (WALK, *measures()):
            results.setdefault(measure.name, []).append(measure.run(args.binary, args.folder))
    shutil.rmtree(args.folder)
    print(f"{machine_line()}\n")
    print_measures(results)
    within = print_limits(results, wall(results[WALK.name]))
    return 1 if args.strict and not within else 0


if __name__ == "__main__":
    raise SystemExit(main())

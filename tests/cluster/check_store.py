#!/usr/bin/env python3
"""Counts games of object stores by hand, step by step, on servers of this machine.

    PYTHONPATH=tests tests/cluster/check_store.py BINARY --objects EXAMPLE [--corpus FOLDER] [--only WORD…]

BINARY and the example `objects` of the crate `store` have the feature `object-store`.  `tabia
cluster plan`, `map`, `reduce` and `commit` run with inputs and outputs in buckets, their streams in
files; parts and manifest must be those of `tabia count -j 1` of the same games in files, byte for
byte.  Then what goes wrong: missing objects, wrong credentials, servers that lose requests or die.
The servers are moto (S3), Azurite where npm is there, and fake-gcs-server, all on loopback.  Prints
a line a case; exits 1 if one fails.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from judge.report import ROOT, Case, command_line, judge_cases, whole_path
from stores import counted, operations, refused
from stores.place import Place, prepare
from stores.servers import S3, Azure, Google, Server, azurite


def main() -> int:
    """Runs all cases that are asked for."""
    args = arguments()
    with tempfile.TemporaryDirectory(prefix="tabia-store-") as name, contextlib.ExitStack() as ends:
        folder = Path(name)
        ends.callback(Server.end_all)
        games, chunk = prepare(folder / "games", args.corpus)
        programs = {"binary": args.binary, "objects": args.objects}
        place = Place(folder=folder, s3=S3(folder), games=games, chunk=chunk, **programs)
        return judge_cases(cases(place, args.azurite), args.only)


def arguments() -> argparse.Namespace:
    """What the command line says."""
    parser = command_line(__doc__)
    parser.add_argument("--objects", type=whole_path, required=True)
    parser.add_argument("--corpus", type=Path, help="without it, the sample is counted")
    parser.add_argument("--azurite", type=whole_path, default=ROOT / "target/azurite", help="its folder")
    parser.add_argument("--only", nargs="+", default=[], help="cases whose names have these words")
    args = parser.parse_args()
    if args.corpus and not args.corpus.is_dir():
        print(f"SKIPPED: no corpus in {args.corpus}; the sample is counted")
        args.corpus = None
    return args


def cases(place: Place, azurite_folder: Path) -> Iterator[Case]:
    """All cases."""
    others: list[Azure | Google] = []
    program = azurite(azurite_folder)
    if program:
        others.append(Azure(place.new_folder("azurite"), program))
    else:
        print("SKIPPED: no npm, so no Azurite; az:// is skipped")
    others.append(Google(place.new_folder("google")))
    yield from operations.cases(place, others)
    yield from counted.cases(place)
    for server in others:
        of_server = counted.azure_cases if isinstance(server, Azure) else counted.google_cases
        yield from of_server(place, server)
    yield from refused.cases(place)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Counts games of object stores by hand, step by step, on servers of this machine.

    PYTHONPATH=tests tests/cluster/check_store.py BINARY --objects EXAMPLE [--corpus FOLDER] [--only WORD…]

BINARY and the example `objects` of the crate `store` have the feature `object-store`.  `tabia
cluster plan`, `map`, `reduce` and `commit` run with inputs and outputs in buckets, their streams in
files; parts and manifest must be those of `tabia count -j 1` of the same games in files, byte for
byte.  Then what goes wrong: missing objects, wrong credentials, servers that lose requests or die.
The servers are moto (S3), Azurite where npm is there, one of ours for Google's calls, and, to read from,
fake-gcs-server; all are on loopback.  Prints a line a case; exits 1 if one fails.
"""

import argparse
import contextlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from judge.report import ROOT, Case, chosen, main_of_cases
from stores import copies, counted, operations, read, refused, uploads
from stores.amazon import S3
from stores.azure import Azure, azurite
from stores.bucket import Bucket
from stores.google import FakeGcs, Google
from stores.place import Place, prepare
from stores.servers import Server

THEMES = (operations, counted, copies, refused, uploads, read)


def cases(args: argparse.Namespace) -> Iterator[Case]:
    """All cases: those of each store in turn, and all stores at the same time, since most cases wait.

    So the seconds of a case are those that its line came later than the line before.
    """
    if args.corpus and not args.corpus.is_dir():
        print(f"SKIPPED: no corpus in {args.corpus}; the sample is counted")
        args.corpus = None
    with contextlib.ExitStack() as ends:
        ends.callback(Server.end_all)
        games, chunk = prepare(args.place / "games", args.corpus)
        programs = {"binary": args.binary, "objects": args.objects}
        place = Place(folder=args.place, store=Google(), games=games, chunk=chunk, **programs)
        begun = []
        for store in buckets(place, args.azurite):
            there, worker = place.at(store), ends.enter_context(ThreadPoolExecutor(1))
            checks = {name: check for theme in THEMES for name, check in theme.cases(store).items()}
            named = {f"{store.store}: {name}": check for name, check in checks.items()}
            wanted = [name for name in named if chosen(name, args.only)]
            begun += [(name, worker.submit(named[name], there)) for name in wanted]
        yield from (Case(name, check.result) for name, check in begun)
        google = FakeGcs(place.new_folder("google"))
        yield Case("fake-gcs-server: reading and deleting", partial(operations.reading, place, google))
        yield Case("fake-gcs-server: inputs", partial(counted.count_from_google, place, google))


def buckets(place: Place, azurite_folder: Path) -> Iterator[Bucket]:
    """A bucket of each store."""
    yield S3(place.folder)
    if program := azurite(azurite_folder):
        yield Azure(place.new_folder("azurite"), program)
    else:
        print("SKIPPED: no npm, so no Azurite; az:// is skipped")
    yield place.store


if __name__ == "__main__":
    azurite_folder = ROOT / "target/azurite"
    main_of_cases(__doc__, cases, "binary", objects=None, corpus=None, azurite=azurite_folder)

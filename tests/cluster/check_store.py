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

import argparse
import contextlib
from collections.abc import Iterator
from functools import partial

from judge.report import ROOT, Case, main_of_cases
from stores import counted, operations, read, refused, uploads
from stores.place import Place, prepare
from stores.servers import S3, Azure, Google, Server, azurite


def cases(args: argparse.Namespace) -> Iterator[Case]:
    """All cases."""
    if args.corpus and not args.corpus.is_dir():
        print(f"SKIPPED: no corpus in {args.corpus}; the sample is counted")
        args.corpus = None
    with contextlib.ExitStack() as ends:
        ends.callback(Server.end_all)
        games, chunk = prepare(args.place / "games", args.corpus)
        programs = {"binary": args.binary, "objects": args.objects}
        place = Place(folder=args.place, s3=S3(args.place), games=games, chunk=chunk, **programs)
        others: list[Azure | Google] = []
        if program := azurite(args.azurite):
            others.append(Azure(place.new_folder("azurite"), program))
        else:
            print("SKIPPED: no npm, so no Azurite; az:// is skipped")
        others.append(Google(place.new_folder("google")))
        yield from operations.cases(place, others)
        yield from counted.cases(place)
        for server in others:
            # Google's server does not let programs write, so there the table is in a folder.
            name = "Azure: in a container" if isinstance(server, Azure) else "Google: inputs in a bucket"
            count = counted.count_azure if isinstance(server, Azure) else counted.count_google
            yield Case(name, partial(count, place, server))
        yield from refused.cases(place)
        yield from uploads.cases(place)
        yield from read.cases(place)


if __name__ == "__main__":
    azurite_folder = ROOT / "target/azurite"
    main_of_cases(__doc__, cases, "binary", objects=None, corpus=None, azurite=azurite_folder)

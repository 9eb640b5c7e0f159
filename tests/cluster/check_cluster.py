#!/usr/bin/env python3
"""Judges counts and merges on a real Spark cluster; `make check-cluster` calls this.

    PYTHONPATH=tests tests/cluster/check_cluster.py target/release/tabia --corpus ../corpus
    … --minutes 30 --seed 7 --only random     kills at random for as long

A master and two workers of one core are started on loopback addresses of their own.  Part files and
manifest must have the bytes of `tabia count -j 1`, also when a worker is killed, and what cannot be
mended must fail with the binary's message and without a table.  Exits 1 if a case fails.
"""

import argparse
import platform
import shutil
from collections.abc import Iterator

import pyspark

import after
import apart
import deploy
import equal
import inputs
import killed
import refused
import soak
import views
from judge.report import Case, Skipped, main_of_cases
from place import Place
from standalone import Cluster

SOURCES = (refused, equal, after, views, apart, deploy, killed)


def cases(args: argparse.Namespace) -> Iterator[Case]:
    """Starts the cluster, gives its cases, and ends it."""
    if missing := [program for program in ("java", "zstd", "pzstd") if not shutil.which(program)]:
        raise Skipped(f"the cluster is not checked without {', '.join(missing)}")
    corpus = args.corpus if args.corpus and args.corpus.is_dir() and not args.quick else None
    if args.corpus and not corpus and not args.quick:
        print(f"SKIPPED: no {args.corpus}; the sample is counted in place of the corpus")
    print(f"PySpark {pyspark.__version__}, Python {platform.python_version()}", flush=True)
    with Cluster(args.place / "cluster") as cluster:
        games = inputs.prepare(args.place / "inputs", corpus)
        place = Place(folder=args.place, binary=args.binary, inputs=games, cluster=cluster)
        for source in SOURCES:
            yield from source.cases(place, args.quick)
        yield from soak.cases(place, args.minutes, args.seed)


if __name__ == "__main__":
    main_of_cases(__doc__, cases, "binary", corpus=None, quick=False, minutes=0, seed=1)

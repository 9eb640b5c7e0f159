#!/usr/bin/env python3
"""Judges counts and merges on a real Spark cluster; `make check-cluster` calls this.

    PYTHONPATH=tests tests/cluster/check_cluster.py target/release/tabia --corpus ../corpus

A master and two workers of one core are started on loopback addresses of their own.  Part files and
manifest must have the bytes of `tabia count -j 1`, also when a worker is killed, and what cannot be
mended must fail with the binary's message and without a table.  Exits 1 if a case fails.
"""

from __future__ import annotations

import argparse
import platform
import shutil
import sys
import tempfile
import time
from pathlib import Path

import pyspark

import equal
import inputs
import killed
import merged
import refused
import spoiled
from place import Place
from standalone import Cluster

SOURCES = (refused, equal, merged, killed, spoiled)


def parse_args() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", type=Path)
    parser.add_argument("--corpus", type=Path, help="a folder of real games; else the sample")
    parser.add_argument("--quick", action="store_true", help="a part of the cases, on the sample")
    parser.add_argument("--only", nargs="+", metavar="WORD", help="cases with these in their names")
    parser.add_argument("--keep", action="store_true", help="leave the folder")
    return parser.parse_args()


def missing() -> str:
    """What the check needs and is not there."""
    return ", ".join(program for program in ("java", "zstd", "pzstd") if not shutil.which(program))


def main() -> int:
    """Starts the cluster, runs the cases, ends the cluster."""
    args = parse_args()
    if missing():
        print(f"SKIPPED: the cluster is not checked without {missing()}")
        return 0
    corpus = args.corpus if args.corpus and args.corpus.is_dir() and not args.quick else None
    if args.corpus and not corpus and not args.quick:
        print(f"SKIPPED: no {args.corpus}; the sample is counted in place of the corpus")
    print(f"PySpark {pyspark.__version__}, Python {platform.python_version()}", flush=True)
    begun = time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix="tabia-cluster-"))
    cluster = Cluster(folder / "cluster")
    try:
        cluster.folder.mkdir()
        cluster.start()
        games = inputs.prepare(folder / "inputs", corpus)
        binary = args.binary.resolve()
        place = Place(folder=folder, binary=binary, inputs=games, cluster=cluster)
        cases = [case for source in SOURCES for case in source.cases(place, args.quick)]
        results = [case.judge() for case in cases if case.is_wanted(args.only)]
    finally:
        cluster.stop()
        if args.keep:
            print(f"kept {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    failed = results.count(False)
    print(f"{len(results)} cases, {failed} failed, {time.monotonic() - begun:.0f} s")
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())

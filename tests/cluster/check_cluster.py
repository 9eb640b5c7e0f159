#!/usr/bin/env python3
"""Judges counts and merges on a real Spark cluster; `make check-cluster` calls this.

    PYTHONPATH=tests tests/cluster/check_cluster.py target/release/tabia --corpus ../corpus

A master and two workers of one core are started on loopback addresses of their own.  Part files and
manifest must have the bytes of `tabia count -j 1`, also when a worker is killed, and what cannot be
mended must fail with the binary's message and without a table.  Exits 1 if a case fails.
"""

from __future__ import annotations

import platform
import shutil
import sys
import tempfile
from pathlib import Path

import pyspark

import equal
import inputs
import killed
import refused
from judge.report import command_line, judge_cases
from place import Place
from standalone import Cluster

SOURCES = (refused, equal, killed)


def missing() -> str:
    """What the check needs and is not there."""
    return ", ".join(program for program in ("java", "zstd", "pzstd") if not shutil.which(program))


def main() -> int:
    """Starts the cluster, runs the cases, ends the cluster."""
    parser = command_line(__doc__)
    parser.add_argument("--corpus", type=Path, help="a folder of real games; else the sample")
    parser.add_argument("--quick", action="store_true", help="a part of the cases, on the sample")
    parser.add_argument("--only", nargs="+", metavar="WORD", help="cases with these in their names")
    parser.add_argument("--keep", action="store_true", help="leave the folder")
    args = parser.parse_args()
    if missing():
        print(f"SKIPPED: the cluster is not checked without {missing()}")
        return 0
    corpus = args.corpus if args.corpus and args.corpus.is_dir() and not args.quick else None
    if args.corpus and not corpus and not args.quick:
        print(f"SKIPPED: no {args.corpus}; the sample is counted in place of the corpus")
    print(f"PySpark {pyspark.__version__}, Python {platform.python_version()}", flush=True)
    folder = Path(tempfile.mkdtemp(prefix="tabia-cluster-"))
    cluster = Cluster(folder / "cluster")
    try:
        cluster.folder.mkdir()
        cluster.start()
        games = inputs.prepare(folder / "inputs", corpus)
        place = Place(folder=folder, binary=args.binary, inputs=games, cluster=cluster)
        cases = [case for source in SOURCES for case in source.cases(place, args.quick)]
        return judge_cases(cases, args.only)
    finally:
        cluster.stop()
        if args.keep:
            print(f"kept {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())

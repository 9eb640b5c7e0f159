"""What is done with tables that exist, a task a shard: sums, books, exports of moves."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import time
from collections.abc import Sequence

from tabia_spark import driver, jobs
from tabia_spark.failure import WRONG_USAGE, Failed

FORCE = ("-f", "--force")
QUIET = ("-q", "--quiet")

NEED_ALL = {"--promote", "--rating-weight"}
"""Flags of `compact` for which positions count that few games reached."""


def merge(args: argparse.Namespace) -> None:
    """Tables to one."""
    given = merge_parser().parse_args(args.arguments)
    tables = [absolute(table) for table in given.tables]
    refuse_existing(given.output, force=bool(given.both))
    output = ["-o", absolute(given.output), *given.both]
    flags = {"tasks": given.tasks, "commit": given.commit, "hold": given.hold}
    merge_into(args, tables, output, **flags, quiet=QUIET[-1] in given.commit)


def compact(args: argparse.Namespace) -> None:
    """A table to a book: tasks leave out rare positions, and the rest fits one machine."""
    parser, (table, *rest) = flags_of("compact", args.arguments, "TABLE")
    parser.add_argument("--min-games", metavar="N")
    given, _ = parser.parse_known_args(rest)
    asked = {word.split("=")[0] for word in rest}
    for flag in NEED_ALL & asked:
        raise Failed(f"compact {flag} needs rare positions too: use `tabia compact`", WRONG_USAGE)
    if "--half-life" in asked and "--as-of" not in asked:
        raise Failed("compact --half-life needs --as-of: a month is newest of all", WRONG_USAGE)
    games = [int(number) for number in re.findall(r"\d+", given.min_games or "")]
    if not games or min(games) < 2:
        raise Failed("compact needs --min-games of 2 or more, for both sides", WRONG_USAGE)
    refuse_existing(given.output, force=given.force)
    folder, name = os.path.split(absolute(given.output))
    often = os.path.join(folder, f".{name}.often.table")
    tasks = ["--min-visits", str(min(games))]
    output, commit = ["-o", often, "--force"], ["--quiet"]
    try:
        merge_into(args, [absolute(table)], output, tasks=tasks, commit=commit, quiet=given.quiet)
        driver.run([args.exe, "compact", often, *rest], shown=True)
    finally:
        shutil.rmtree(often, ignore_errors=True)


def export(args: argparse.Namespace) -> None:
    """A table's moves to Parquet: what needs no walk of the whole table."""
    if args.arguments[:1] != ["moves"]:
        raise Failed("export moves TABLE -o DIR: only moves are exported by shard", WRONG_USAGE)
    parser, (table, *rest) = flags_of("export moves", args.arguments[1:], "TABLE")
    parser.add_argument("--json", action="store_true")
    given, flags = parser.parse_known_args(rest)
    refuse_existing(given.output, force=given.force)
    folder, name = os.path.split(absolute(given.output))
    parts, began = os.path.join(folder, f".{name}.shards"), time.monotonic()
    shards = driver.shards(args.exe, absolute(table))
    shutil.rmtree(parts, ignore_errors=True)
    os.mkdir(parts)
    try:
        with jobs.cluster(args, quiet=given.quiet) as cluster:
            cluster.export(absolute(table), shards, parts, flags)
        same = [f"--{flag}" for flag in ("force", "quiet", "json") if getattr(given, flag)]
        driver.gather(args.exe, parts, ["-o", given.output, *same], began)
    finally:
        shutil.rmtree(parts, ignore_errors=True)


def merge_into(
    args: argparse.Namespace,
    tables: Sequence[str],
    output: Sequence[str],
    *,
    tasks: Sequence[str],
    commit: Sequence[str],
    quiet: bool,
    hold: Sequence[str] = (),
) -> None:
    """Merges tables shard by shard, and makes the table appear."""
    began = time.monotonic()
    shards = driver.shards(args.exe, tables[0])
    with driver.held(args.exe, [*output[:2], *tables, *tasks, *hold]) as held:
        if missing := sorted(set(range(shards)) - set(held.done)):
            with jobs.cluster(args, quiet=quiet) as cluster:
                cluster.merge(tables, missing, ["--parts", held.parts, *output, *tasks])
        driver.commit(args.exe, held.parts, [*output, *commit], began)


def flags_of(
    verb: str, words: Sequence[str], first: str
) -> tuple[argparse.ArgumentParser, Sequence[str]]:
    """A parser of the flags that this program looks at too, and the words, the named one first."""
    if not words or words[0].startswith("-"):
        raise Failed(f"{verb} {first} …: the first word is the table", WRONG_USAGE)
    made = argparse.ArgumentParser(prog=f"tabia-spark {verb}", allow_abbrev=False)
    made.add_argument("-o", "--output", required=True)
    made.add_argument(*FORCE, action="store_true")
    made.add_argument(*QUIET, action="store_true")
    return made, words


def refuse_existing(output: str, *, force: bool) -> None:
    """Before a session is started: the binary would refuse it only at the end."""
    if os.path.exists(output) and not force:
        raise Failed(f"{output} already exists; --force replaces it", WRONG_USAGE)


def absolute(path: str) -> str:
    """A path that means the same on every machine; a URL does already."""
    return path if "://" in path else os.path.abspath(path)


def merge_parser() -> argparse.ArgumentParser:
    """The flags of `merge`: for its tasks, for the commit or for both, for the folder of parts."""
    made = argparse.ArgumentParser(prog="tabia-spark merge", allow_abbrev=False)
    made.add_argument("tables", metavar="TABLE", nargs="+")
    made.add_argument("-o", "--output", metavar="TABLE", required=True)
    for names, of in MERGE_FLAGS.items():
        made.add_argument(*names, action="append_const", const=names[-1], dest=of, default=[])
    return made


MERGE_FLAGS = {
    FORCE: "both",
    ("--drop-groups",): "tasks",
    ("--resume",): "hold",
    ("--no-wait",): "commit",
    ("--json",): "commit",
    QUIET: "commit",
}

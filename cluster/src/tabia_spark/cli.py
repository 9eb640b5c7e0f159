"""The command line: what is Spark's, what is the binary's, and how a run ends."""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence

from tabia_spark import driver, jobs
from tabia_spark.failure import FAILED, INTERRUPTED, WRONG_USAGE, Failed, words

EPILOG = """\
plan-and-count PGN... -o TABLE [flags]   as `tabia count`; --chunk SIZE is the input of one task;
                                         --resume goes on with the shards that are done
run RECIPE                               as `tabia run`; its [cluster] table has master and chunk
merge TABLE... -o TABLE [flags]          as `tabia merge`, a task a shard

Exit codes: 0 done, 1 failed, 2 wrong usage or recipe, 130 interrupted.
"""


def main() -> int:
    """Runs the command line; gives the exit code."""
    # SIGTERM means what Ctrl-C means at the time.
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    args = parser().parse_args()
    try:
        args.exe = driver.binary_path(args.exe)
        if {"-h", "--help"} & set(args.arguments):
            return subprocess.call([args.exe, *HELP[args.verb], "--help"])
        VERBS[args.verb](args)
    except Failed as failed:
        if str(failed):
            print(f"tabia-spark: {failed}", file=sys.stderr)
        return failed.code
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:  # Py4J's, PySpark's and gRPC's errors have nothing else in common
        print(f"tabia-spark: {words(error)}", file=sys.stderr)
        return FAILED
    return 0


def parser() -> argparse.ArgumentParser:
    """What comes before the verb is ours; what comes after it is the binary's."""
    made = argparse.ArgumentParser(
        prog="tabia-spark",
        description="Counts games and merges tables on an Apache Spark cluster.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    where = made.add_mutually_exclusive_group()
    where.add_argument("--master", metavar="URL", help="spark://HOST:PORT, yarn, local[2], …")
    where.add_argument("--remote", metavar="URL", help="a Spark Connect server: sc://HOST:PORT")
    made.add_argument("--exe", metavar="PATH", default="tabia", help="the binary (default: tabia)")
    made.add_argument(
        "--no-ship", action="store_true", help="workers have the binary at the same path"
    )
    made.add_argument(
        "--task-memory",
        metavar="SIZE",
        type=mib,
        default="1GiB",
        help="memory of the binary in each task (default: 1GiB)",
    )
    made.add_argument(
        "--conf", metavar="KEY=VALUE", action="append", type=setting, default=[], help="of Spark"
    )
    made.add_argument("--log-level", metavar="LEVEL", help="of Spark's log (default: ERROR)")
    made.add_argument("verb", choices=VERBS)
    made.add_argument("arguments", nargs=argparse.REMAINDER)
    return made


def mib(size: str) -> int:
    """A size as the binary reads it, in MiB."""
    found = re.fullmatch(r"(\d+) ?([MG])i?B?", size, re.IGNORECASE)
    if not found:
        raise argparse.ArgumentTypeError(f"{size}: not a size as 512MiB or 2GiB")
    return int(found[1]) * {"M": 1, "G": 1024}[found[2].upper()]


def setting(text: str) -> tuple[str, str]:
    """KEY=VALUE."""
    key, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text}: not KEY=VALUE")
    return key, value


def plan_and_count(args: argparse.Namespace) -> None:
    """PGN files to a table."""
    count(args, args.arguments)


def run(args: argparse.Namespace) -> None:
    """A recipe: its count on the cluster, and what comes after it on this machine."""
    planned = count(args, ["--recipe", *args.arguments])
    if "then" in planned.first:
        flags = [flag for flag in planned.flags("commit") if flag.startswith("--")]
        driver.run([args.exe, *planned.first["then"], *flags], shown=True)


def count(args: argparse.Namespace, arguments: Sequence[str]) -> driver.Plan:
    """Plans before a session is started, so that wrong usage costs nothing."""
    planned = driver.plan(args.exe, arguments)
    args.master = args.master or planned.first.get("master")
    flags, of_tasks = planned.flags("commit"), planned.flags("map")
    if "--memory" in of_tasks:
        args.task_memory = mib(of_tasks[of_tasks.index("--memory") + 1])
    hold = ["--plan", planned.first["plan"], *planned.flags("hold")]
    with driver.held(args.exe, hold) as held:
        if len(held.done) < planned.first["shards"]:
            with jobs.cluster(args, quiet="--quiet" in flags) as cluster:
                cluster.count(planned, held)
        driver.commit(args.exe, held.parts, flags)
    return planned


def merge(args: argparse.Namespace) -> None:
    """Tables to one, shard by shard."""
    given = merge_parser().parse_args(args.arguments)
    tables = [absolute(table) for table in given.tables]
    if os.path.exists(given.output) and not given.both:
        raise Failed(f"{given.output} exists; --force replaces it", WRONG_USAGE)
    output = ["-o", absolute(given.output), *given.both]
    shards = driver.shards(args.exe, tables[0])
    with driver.held(args.exe, [*output[:2], *tables]) as held:
        with jobs.cluster(args, quiet="--quiet" in given.commit) as cluster:
            flags = ["--parts", held.parts, *output, *given.tasks]
            cluster.merge(tables, shards, flags)
        driver.commit(args.exe, held.parts, output + given.commit)


def absolute(path: str) -> str:
    """A path that means the same on every machine; a URL does already."""
    return path if "://" in path else os.path.abspath(path)


def merge_parser() -> argparse.ArgumentParser:
    """The flags of `merge`: for its tasks, for the commit, or for both."""
    made = argparse.ArgumentParser(prog="tabia-spark merge", allow_abbrev=False)
    made.add_argument("tables", metavar="TABLE", nargs="+")
    made.add_argument("-o", "--output", metavar="TABLE", required=True)
    for names, of in MERGE_FLAGS.items():
        made.add_argument(*names, action="append_const", const=names[-1], dest=of, default=[])
    return made


MERGE_FLAGS = {
    ("-f", "--force"): "both",
    ("--drop-groups",): "tasks",
    ("--no-wait",): "commit",
    ("--json",): "commit",
    ("-q", "--quiet"): "commit",
}
VERBS = {"plan-and-count": plan_and_count, "run": run, "merge": merge}
HELP = {"plan-and-count": ("cluster", "plan"), "run": ("run",), "merge": ("cluster", "merge")}

"""The command line: what is Spark's, what is the binary's, and how a run ends."""

from __future__ import annotations

import argparse
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence

from tabia_spark import driver, jobs, tables
from tabia_spark.failure import FAILED, INTERRUPTED, Failed, words

EPILOG = """\
plan-and-count PGN... -o TABLE [flags]   as `tabia count`; --chunk SIZE is the input of one task;
                                         --resume goes on with the shards that are done
run RECIPE                               as `tabia run`; its [cluster] table has master and chunk
merge TABLE... -o TABLE [flags]          as `tabia merge`, a task a shard; --resume as above
compact TABLE -o BOOK --min-games N      as `tabia compact`; tasks leave out rare positions first
export moves TABLE -o DIR [flags]        as `tabia export parquet`, a task a shard; no SAN

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
        description="Counts games and works on tables on an Apache Spark cluster.",
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
    made.add_argument(
        "--ui",
        action="store_const",
        const=("spark.ui.enabled", "true"),
        help="serve Spark's web UI",
    )
    made.add_argument(
        "--event-log", metavar="DIR", help="write Spark's event log there, for its history server"
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
    began = time.monotonic()
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
        driver.commit(args.exe, held.parts, flags, began)
    return planned


VERBS = {
    "plan-and-count": plan_and_count,
    "run": run,
    "merge": tables.merge,
    "compact": tables.compact,
    "export": tables.export,
}
HELP = {
    "plan-and-count": ("cluster", "plan"),
    "run": ("run",),
    "merge": ("cluster", "merge"),
    "compact": ("compact",),
    "export": ("export", "parquet"),
}

"""What comes after the count, a task a shard: books and exports of moves, the bytes of one machine's."""

import os
import re
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from expected import must_say, must_succeed
from judge import processes
from judge.compare import contents, different
from judge.report import ROOT, SAMPLE, Case, Failed
from judge.run import must, run, start, stopped
from place import SECONDS_MAX, Place, must_equal

TABLE = ("--by", "month", "--shards", "8", "--max-ply", "30")

KEPT = ("--min-games", "white=3,black=2", "--min-share", "0.02")

COLUMNS = ("--without", "performance_rating", "--min-games", "2", "--month-folders")

DYNAMIC = {
    "dynamicAllocation_enabled": "true",
    "dynamicAllocation_shuffleTracking_enabled": "true",
    "dynamicAllocation_minExecutors": "1",
    "dynamicAllocation_executorIdleTimeout": "2s",
    "executor_cores": "1",
}


def cases(place: Place, quick: bool) -> Iterator[Case]:
    """A book, an export, and Spark's own services."""
    yield Case("compact", partial(compact, place))
    yield Case("export moves", partial(export, place))
    if not quick:
        yield Case("executors that come and go", partial(dynamic, place))
        yield Case("an event log", partial(event_log, place))
        yield Case("the lines of docs/cluster.md", partial(documented, place))


def compact(place: Place) -> str:
    """A book of a table is the same, and what it cannot be made of is refused at once."""
    table, folder = place.expected([place.inputs.large["plain"]], TABLE), place.new_folder("books")
    here, there = folder / "here.tabia", folder / "there.tabia"
    must(place.binary, "compact", table, "-o", here, *KEPT, "--quiet")
    arguments = ("compact", table, "-o", there)
    must_say(place.spark(*arguments), "--min-games", code=2)
    must_say(place.spark(*arguments, *KEPT, "--promote", "own"), "--promote", code=2)
    must_succeed(place.spark(*arguments, *KEPT))
    if here.read_bytes() != there.read_bytes():
        raise Failed("the books differ")
    must_say(place.spark(*arguments, *KEPT), there, code=2)
    if left := {path.name for path in folder.glob(".*often*") if path.is_dir()}:
        raise Failed(f"left: {left}")
    return f"{there.stat().st_size} bytes"


def export(place: Place) -> str:
    """Moves without SAN are the same files, and nothing is left beside them."""
    table, folder = place.expected([place.inputs.large["plain"]], TABLE), place.new_folder("exports")
    here, there = folder / "here", folder / "there"
    only = ("--only", "moves", "--without", "san")
    must(place.binary, "export", "parquet", table, "-o", here, *only, *COLUMNS, "--quiet")
    arguments = ("export", "moves", table, "-o", there, *COLUMNS)
    must_succeed(place.spark(*arguments))
    if names := different(contents(here), contents(there)):
        raise Failed(f"not as on one machine: {names}")
    must_say(place.spark(*arguments), there, code=2)
    if (folder / ".there.shards").exists():
        raise Failed("exports of shards were left")
    return f"{len(contents(there))} files"


def dynamic(place: Place) -> str:
    """Spark starts executors while they are needed, and ends those that are idle."""
    files, flags = (place.inputs.large["plain"],), ("--shards", "8")
    table = place.new_folder("dynamic") / "games.table"
    ran = place.spark("plan-and-count", *files, "-o", table, "--chunk", place.inputs.chunk, *flags, **DYNAMIC)
    must_equal(ran, table, place.expected(files, flags))
    return ""


def documented(place: Place) -> str:
    """A cluster of one's own as the page starts it, at another port."""
    page = (ROOT / "docs/cluster.md").read_text("utf-8")
    *daemons, count = re.findall(
        r"^(?:SPARK_LOCAL_IP=.*&|tabia-spark --master spark://127.*)$", page, re.MULTILINE
    )
    port, folder = str(processes.free_port("127.0.0.1")), place.new_folder("documented")
    binaries = f"{Path(sys.executable).parent}:{Path(place.binary).parent}"
    env = {**os.environ, "PATH": f"{binaries}:{os.environ['PATH']}", "PYSPARK_PYTHON": sys.executable}
    (folder / "data").symlink_to(ROOT / "data")
    started = []
    try:
        for line in daemons:
            command = re.sub("(--port|--cores)", r"--webui-port 0 \1", line.replace("7077", port)).rstrip(
                "& "
            )
            started.append(start(["bash", "-c", f"exec env {command}"], folder, env=env))
        ran = run(["bash", "-c", count.replace("7077", port)], folder, env=env, seconds=SECONDS_MAX)
    finally:
        for daemon in reversed(started):
            stopped(daemon)
    must_succeed(ran)
    if names := different(contents(folder / "games.table"), contents(place.expected([SAMPLE], ()))):
        raise Failed(f"not as on one machine: {names}")
    return f"{len(daemons)} daemons"


def event_log(place: Place) -> str:
    """A flag writes it, whole."""
    folder = place.new_folder("events")
    ran = place.spark(
        "--event-log", folder, "plan-and-count", place.inputs.small["plain"], "-o", folder / "games.table"
    )
    must_succeed(ran)
    logs = [path for path in folder.rglob("*") if path.is_file() and "app-" in str(path)]
    if not logs or any(path.name.endswith(".inprogress") for path in logs):
        raise Failed(f"no event log that has ended: {logs}")
    return f"{len(logs)} files"

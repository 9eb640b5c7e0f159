"""Commands with a partner: servers and a client, and the steps of a count that machines share."""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from judge.measure import Measured
from judge.report import Failed
from judge.server import Server
from judge.shared_count import Plan
from running import LIMITED, run
from works import LIMIT, MEMORY, NOTHING, Bound

Row = tuple[str, Bound, Measured]

# In which a server listens and answers, of a book of millions of positions.
SECONDS_MAX = 600

# Of a table that is counted with the defaults.
SHARDS = 16

# Requests to a server: many for positions, one of each that looks further.
REQUESTS = 200
FURTHER = ("/tabia/info", "/tabia/why?move=e4", "/tabia/holes")


def servers(binary: Path, folder: Path) -> Iterator[Row]:
    """Each server on a large book, until it answers and has answered."""
    cached = Bound("128 MiB of checked blocks, and buffers of a fixed size", 128 << 20)
    for artefact, bound in (("t.tabia", cached), ("t.table", cached), ("t.bin", NOTHING)):
        yield server(binary, folder, f"serve {artefact}", bound, ("/tabia/probe", FURTHER))
    yield server(binary, folder, "exchange lessons --book t.tabia", LIMIT, ("/", ()))
    yield server(binary, folder, "exchange records --table t.table", LIMIT, ("/", ()))


def server(
    binary: Path, folder: Path, arguments: str, bound: Bound, asked: tuple[str, tuple[str, ...]]
) -> Row:
    """One server, which answers a client and ends when it is asked to."""
    begun, (often, once) = time.monotonic(), asked
    with Server([*LIMITED, binary, *arguments.split()], folder, seconds=SECONDS_MAX) as server:
        for path in (*[often] * REQUESTS, *once):
            status, _ = server.ask("GET", path)
            if status >= 500:
                raise Failed(f"{server.url}{path}: {status}")
        peak = server.status("VmHWM") << 10
        ran = server.end()
    return arguments, bound, Measured(ran.code, time.monotonic() - begun, peak, ran.err.strip())


def cluster(binary: Path, folder: Path) -> Iterator[Row]:
    """Plan, map, reduce, commit, merge and gather; of the many runs of a step the largest."""

    def step(words: list[str], given: str | None, out: str, *flags: str) -> Measured:
        stdin = folder / given if given else None
        done = run([binary, *words, *flags], folder, stdin, folder / out)
        if done.code != 0:
            raise Failed(f"tabia {' '.join(words)}: exit {done.code}: {done.message}")
        return done

    plan = "cluster plan games.pgn.zst --max-ply 40 --chunk 16MiB -o c.table"
    yield plan, NOTHING, step(plan.split(), None, "plan.jsonl", "--force", "-q")
    steps = Plan((folder / "plan.jsonl").read_text("utf-8"))
    maps = []
    with (folder / "streams").open("wb") as streams:
        for words in steps.maps():
            maps.append(step(words, None, "stream", "--memory", MEMORY))
            with (folder / "stream").open("rb") as stream:
                shutil.copyfileobj(stream, streams)
    largest = max(maps, key=lambda done: done.peak_bytes)
    yield f"cluster map, the largest of {len(maps)} chunks", LIMIT, largest
    yield "cluster reduce", LIMIT, step(steps.reduce("a"), "streams", "parts.jsonl", "--memory", MEMORY)
    yield "cluster commit", NOTHING, step(steps.commit(), "parts.jsonl", "none")
    merge = "cluster merge t.table u.table --shard 0 --attempt a --force -o cm.table"
    yield merge, NOTHING, step(merge.split(), None, "none")
    (folder / "shards").mkdir(exist_ok=True)
    for number in range(SHARDS):
        export = f"export parquet t.table --only moves --without san --shard {number} -o shards/{number}"
        step(export.split(), None, "none", "--memory", MEMORY, "--force")
    gather = "cluster gather shards -o out.export --force"
    yield gather, NOTHING, step(gather.split(), None, "none")

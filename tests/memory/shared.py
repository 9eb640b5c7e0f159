"""Commands with a partner: servers and a client, and the steps of a count that machines share."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from running import Run, run
from works import LIMIT, MEMORY, NOTHING, Bound

Measured = tuple[str, Bound, Run]

SECONDS_TO_START = 600

# Requests to a server: many for positions, one of each that looks further.
REQUESTS = 200
FURTHER = ("/tabia/info", "/tabia/why?move=e4", "/tabia/holes")


def servers(binary: Path, folder: Path) -> Iterator[Measured]:
    """Each server on a large book, until it answers and has answered."""
    cached = Bound("128 MiB of checked blocks, and buffers of a fixed size", 128 << 20)
    for artefact, bound in (("t.tabia", cached), ("t.table", cached), ("t.bin", NOTHING)):
        yield server(binary, folder, f"serve {artefact}", bound, ("/tabia/probe", FURTHER))
    yield server(binary, folder, "exchange lessons --book t.tabia", LIMIT, ("/", ()))
    yield server(binary, folder, "exchange records --table t.table", LIMIT, ("/", ()))


def server(
    binary: Path, folder: Path, arguments: str, bound: Bound, asked: tuple[str, tuple[str, ...]]
) -> Measured:
    """One server, which answers a client and ends when it is asked to."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"

    def asking(process: subprocess.Popen[bytes]) -> None:
        often, once = asked
        try:
            wait(f"http://{address}{often}")
            for path in (*[often] * REQUESTS, *once):
                answer(f"http://{address}{path}")
        finally:
            process.terminate()

    command = [str(binary), *arguments.split(), "--listen", address]
    return arguments, bound, run(command, folder, asking=asking)


def wait(url: str) -> None:
    """Waits until a server answers."""
    end = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < end:
        with contextlib.suppress(urllib.error.URLError):
            answer(url)
            return
        time.sleep(0.1)
    raise SystemExit(f"{url} does not answer")


def answer(url: str) -> None:
    """Reads an answer, a refusal too."""
    try:
        with urllib.request.urlopen(url, timeout=60) as response:
            while response.read(1 << 16):
                pass
    except urllib.error.HTTPError as refusal:
        if refusal.code >= 500:
            raise SystemExit(f"{url}: {refusal}") from refusal


def cluster(binary: Path, folder: Path) -> Iterator[Measured]:
    """Plan, map, reduce, commit and merge; of the many runs of a step the largest."""

    def step(words: str, given: str | None, out: str, *flags: str) -> Run:
        command = [str(binary), "cluster", *words.split(), *flags]
        stdin = folder / given if given else None
        done = run(command, folder, stdin, folder / out)
        if done.code != 0:
            raise SystemExit(f"tabia cluster {words}: exit {done.code}: {done.message}")
        return done

    plan = "plan games.pgn.zst --max-ply 40 --chunk 16MiB -o c.table --force -q"
    yield f"cluster {plan.removesuffix(' --force -q')}", NOTHING, step(plan, None, "plan.jsonl")
    lines = (folder / "plan.jsonl").read_text("utf-8").splitlines()
    flags = json.loads(lines[0])["flags"]
    maps = []
    with (folder / "streams").open("wb") as streams:
        for line in lines:
            maps.append(step("map", None, "stream", "--chunk", line, "--memory", MEMORY, *flags["map"]))
            with (folder / "stream").open("rb") as stream:
                while piece := stream.read(1 << 20):
                    streams.write(piece)
    yield (
        f"cluster map, the largest of {len(maps)} chunks",
        LIMIT,
        max(maps, key=lambda done: done.peak_bytes),
    )
    names = ("--plan", json.loads(lines[0])["plan"], "--attempt", "a", "--memory", MEMORY)
    yield ("cluster reduce", LIMIT, step("reduce", "streams", "parts.jsonl", *names, *flags["reduce"]))
    yield "cluster commit", NOTHING, step("commit", "parts.jsonl", "none", *flags["commit"])
    merge = "merge t.table u.table --shard 0 --attempt a --force -o cm.table"
    yield f"cluster {merge}", NOTHING, step(merge, None, "none")

#!/usr/bin/env python3
"""What `tabia serve` answers a second, how fast, and in how much memory, by wrk on loopback.

    PYTHONPATH=tests benches/peers/bench_serve.py target/release/tabia --corpus FOLDER

A book of about a million positions, a table by group and one of all files are made of the corpus.
Requests are of random positions that games reached.  The server and wrk share the machine's cores.
"""

import json
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from judge.report import CORPUS, command_line
from judge.run import must
from judge.server import Server

POSITIONS = 500
PLIES = 20
CONNECTIONS = 32
SECONDS = 10
ROUNDS = 5
SECONDS_MAX = 3600
MILLION = 1_000_000
SCRIPT = """
wrk.headers["Host"] = "127.0.0.1"
local lines = {}
for line in io.lines("%s") do lines[#lines + 1] = wrk.format("GET", line) end
local at = 0
request = function() at = at + 1; return lines[at %% #lines + 1] end
"""


def positions(server: Server, name: str) -> list[str]:
    """Lines of random length, each move as often as it was played."""
    chance, lines = random.Random(18), []
    for _ in range(POSITIONS):
        line: list[str] = []
        for _ in range(chance.randint(0, PLIES)):
            fields = {"play": ",".join(line), "moves": 300}
            moves = server.json(f"/x/{name}/lichess", fields)["moves"]
            if not moves:
                break
            games = [move["white"] + move["draws"] + move["black"] for move in moves]
            line.append(chance.choices(moves, games)[0]["uci"])
        lines.append(",".join(line))
    return lines


def wrk(server: Server, folder: Path, paths: list[str], seconds: float) -> dict[str, float]:
    """What wrk measured: requests a second, milliseconds at percentiles, requests in all."""
    (folder / "paths").write_text("\n".join(paths) + "\n")
    (folder / "wrk.lua").write_text(SCRIPT % (folder / "paths"))
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds:.0f}s", "--latency"]
    command += ["-s", str(folder / "wrk.lua"), server.url]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in text or "Socket errors" in text:
        raise RuntimeError(text)
    units = {"us": 1e-3, "ms": 1.0, "s": 1e3}
    found = {
        f"p{percent}": float(value) * units[unit]
        for percent, value, unit in re.findall(r"(\d+)%\s+([\d.]+)(us|ms|s)", text)
    }
    found["a_second"] = float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1])
    found["requests"] = int(re.search(r"(\d+) requests in", text)[1])
    return found


def alone(server: Server, names: list[str], paths: list[str]) -> list[list[float]]:
    """Milliseconds of each request when there is one at a time, by table.

    The tables are asked in turns, round by round, so that a machine that slows down slows all of them
    alike; the first round only warms up.
    """
    times: list[list[float]] = [[] for _ in names]
    for repeat in range(ROUNDS):
        for name, found in zip(names, times, strict=True):
            for path in paths:
                begun = time.perf_counter()
                server.ask("GET", f"/x/{name}{path}")
                if repeat:
                    found.append((time.perf_counter() - begun) * 1e3)
    return [sorted(found) for found in times]


def main() -> int:
    """Makes the book and the table, and measures."""
    args = command_line(__doc__, "binary", corpus=CORPUS)
    names = ["kingbase2015-recon-a", "pgnmentor-2023a", "twic-a", "lichess-2013-01a"]
    pgn = [args.corpus / f"{name}.pgn.zst" for name in names]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def tabia(*arguments: object) -> None:
            must(args.binary, *arguments, "--quiet", seconds=SECONDS_MAX)

        groups = ["--by", "speed,rating-band,month", "--ratings"]
        tabia("build", *pgn, "-o", folder / "book.tabia", "--max-ply", 40, "--min-games", 2)
        tabia("count", *pgn, "-o", folder / "games.table", "--max-ply", 50, *groups)
        shown = ["--max-ply", 50, *groups, "--examples", 4]
        tabia("count", *pgn, "-o", folder / "shown.table", *shown)
        every = sorted(args.corpus.glob("*.pgn.zst"))
        tabia("count", *every, "-o", folder / "corpus.table", "--max-ply", 0)
        tables = [folder / f"{name}.table" for name in ("games", "shown", "corpus")]
        with Server([args.binary, "serve", folder / "book.tabia", *tables], seconds=600) as server:
            listed = server.json("/tabia/artefacts")["artefacts"]
            lines = positions(server, "book")
            paths = [f"/lichess?play={line}" for line in lines]
            kinds = ("by group", "by group with --examples 4", "whole, the whole corpus")
            measured = alone(server, [table["name"] for table in listed[1:]], paths)
            for table, what, times in zip(listed[1:], kinds, measured, strict=True):
                share = {f"p{percent}": round(times[len(times) * percent // 100], 2) for percent in (50, 99)}
                print(f"table of {table['games']} games {what}, warm, alone: {share} ms", flush=True)
            found = wrk(server, folder, paths, SECONDS)
            many = f"{CONNECTIONS} connections: {json.dumps(found)}"
            print(f"book of {listed[0]['positions']} positions, {many}", flush=True)
            before, requests = server.resident_mib(), 0
            while requests < MILLION:
                requests += wrk(server, folder, paths, SECONDS)["requests"]
            after = server.resident_mib()
            print(f"memory: {before:.1f} MiB, after {requests} requests more {after:.1f} MiB")
    return 0


if __name__ == "__main__":
    sys.exit(main())

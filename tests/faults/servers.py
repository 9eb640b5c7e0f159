"""Servers that are killed, and whose calls fail: what they have acknowledged is there.

Each is driven by a client that goes on until it has asked everything, or the server is gone. Then
the server is started again, undisturbed, and asked for what it has acknowledged.
"""

from __future__ import annotations

import contextlib
import functools
import http.client
import json
import os
import select
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import traced
from case import Case, Cases, Missed, Overdue, spread
from errors import CHANGE_ERRORS
from kills import KILLED
from traced import Call
from workplace import Process, Ran, Workplace, shown, start, stopped

# In which a server listens, and answers a request, also when other cases keep the machine busy.
SECONDS_TO_START = 20
SECONDS_TO_ANSWER = 20

# Its own token, so that edits are taken whatever a server without one demands.
TOKENS = "tokens.txt"
TOKEN = "0123456789abcdef"

POINTS_MAX = 100
POINTS_QUICK = 2

# First moves that are given values, and removed again by the second request of the two.
FIRST_MOVES = ("e4", "d4", "c4", "Nf3", "g3", "b3")

GAME = (
    '[White "eng"]\n[Black "opp"]\n[Date "2026.11.{0:02}"]\n[Round "{0}"]\n[Result "0-1"]\n\n'
    "{1} 0-1\n"
)
LINES = ("1. e4 e5 2. Nf3 Nf6", "1. d4 d5 2. c4 e6", "1. e4 c5 2. Nf3 d6")

# What a client was promised: texts that the server has to have.
Promised = list[str]


@dataclass(frozen=True)
class Service:
    """A server, what a client asks of it, and what it has of that."""

    name: str
    arguments: str
    # The files that it writes.
    writes: tuple[str, ...]
    # Asks everything, and calls back with each thing that was acknowledged.
    drive: Callable[[Server, Callable[[str], None]], None]
    # What it has.
    kept: Callable[[Server], Promised]


class Server:
    """A server of its own, perhaps below strace."""

    def __init__(self, process: Process, address: str, line: str) -> None:
        """A server that listens."""
        self.process = process
        self.address = address
        # What it printed of itself: `exchange` names its book there.
        self.line = line

    def ask(self, method: str, path: str, body: str = "") -> tuple[int, bytes]:
        """Status and body of an answer; `OSError` or `HTTPException` where there is none."""
        connection = http.client.HTTPConnection(self.address, timeout=SECONDS_TO_ANSWER)
        headers = {
            "Authorization": f"Bearer {TOKEN}",
            "Tabia-Book": self.line.split()[3].rstrip(":"),
        }
        try:
            connection.request(method, path, body.encode(), headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        except TimeoutError:
            raise Overdue(f"{method} {path}: no answer in {SECONDS_TO_ANSWER} s") from None
        finally:
            connection.close()

    def end(self) -> Ran:
        """Ends it as a user does."""
        for pid in traced_processes(self.process):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
        try:
            out, err = self.process.communicate(timeout=SECONDS_TO_START)
        except Exception:
            raise Overdue(f"SIGTERM does not end it{stopped(self.process)}") from None
        return Ran(self.process.returncode, out, err.decode("utf-8", "replace"))


def traced_processes(process: Process) -> list[int]:
    """The process below strace, which passes no signals on, or the process; none if it is gone."""
    if process.poll() is not None:
        return []
    task = Path(f"/proc/{process.pid}/task/{process.pid}")
    if (task / "comm").read_text("utf-8").strip() != "strace":
        return [process.pid]
    return [int(pid) for pid in (task / "children").read_text("utf-8").split()]


@contextlib.contextmanager
def serving(
    workplace: Workplace, service: Service, place: Path, before: list[str]
) -> Iterator[Server]:
    """Starts a server; it fails with `Missed` where the fault met it before it listened."""
    words = [str(workplace.binary), *service.arguments.split()]
    process = start([*before, *words, "--listen", "127.0.0.1:0"], place)
    try:
        line = first_line(process)
        if not line.startswith("http://"):
            raise Missed
        yield Server(process, line.split()[0].removeprefix("http://").split("/")[0], line)
    finally:
        if process.poll() is None:
            stopped(process)


def first_line(process: Process) -> str:
    """The first line of the output; nothing if the process ends before."""
    assert process.stdout is not None
    line, until = b"", time.monotonic() + SECONDS_TO_START
    while not line.endswith(b"\n"):
        if not select.select([process.stdout], [], [], max(0, until - time.monotonic()))[0]:
            raise Overdue(f"not listening after {SECONDS_TO_START} s{stopped(process)}")
        byte = os.read(process.stdout.fileno(), 1)
        if not byte:
            process.wait()
            break
        line += byte
    return line.decode("utf-8", "replace")


def set_values(server: Server, acknowledged: Callable[[str], None]) -> None:
    """Gives moves values, another one each."""
    for number, move in enumerate(FIRST_MOVES):
        edit = json.dumps({"move": move, "value": 10 + number})
        status, _ = server.ask("PUT", "/tabia/experience", edit)
        if status == 200:
            acknowledged(f"{move} {10 + number}")


def values(server: Server) -> Promised:
    """Moves and their values."""
    status, body = server.ask("GET", "/tabia/probe")
    if status != 200:
        raise Overdue(f"GET /tabia/probe: {status} {body!r}")
    answer = json.loads(body)
    known = [(mv["san"], mv.get("known") or {}) for mv in answer["moves"]]
    known += [(mv["mv"], mv) for mv in answer.get("beyond", [])]
    return [f"{san} {of['user_value']}" for san, of in known if of.get("user_value") is not None]


def post_games(server: Server, acknowledged: Callable[[str], None]) -> None:
    """Posts records, and asks for the experience between them."""
    for number in range(1, 7):
        text = GAME.format(number, LINES[number % len(LINES)])
        status, _ = server.ask("POST", "/records?player=eng", text)
        if status in (200, 201):
            acknowledged(text.strip())
        if number % 2 == 0:
            server.ask("GET", "/experience")


def records(server: Server) -> Promised:
    """The texts of all records; the experience has to be had, too."""
    status, body = server.ask("GET", "/experience")
    if status != 200:
        raise Overdue(f"GET /experience: {status} {body!r}")
    _, lines = server.ask("GET", "/records?after=0")
    return [json.loads(line)["text"].strip() for line in lines.splitlines()]


SERVICES = (
    Service(
        "serve",
        f"serve l.tabia --experience o.experience.parquet --tokens {TOKENS}",
        ("o.experience.parquet",),
        set_values,
        values,
    ),
    Service(
        "exchange",
        f"exchange shared --table own.table --tokens {TOKENS} -q",
        ("shared",),
        post_games,
        records,
    ),
)


@contextlib.contextmanager
def place_for(workplace: Workplace) -> Iterator[Path]:
    """A folder for one server."""
    with workplace.copy() as place:
        (place / TOKENS).write_text(f"ada {TOKEN} all\n", "utf-8")
        yield place


def kills(workplace: Workplace, quick: bool) -> Cases:
    """`kill -9` at the calls that change a file."""
    return cases(workplace, quick, lambda call: ("signal=KILL",) if call.changes() else ())


def errors(workplace: Workplace, quick: bool) -> Cases:
    """Errors of the system at the same calls."""
    faults = tuple(f"error={error}" for error in CHANGE_ERRORS)
    return cases(workplace, quick, lambda call: faults if call.changes() else ())


def cases(workplace: Workplace, quick: bool, faults_of: Callable[[Call], tuple[str, ...]]) -> Cases:
    """Each fault at each call that concerns the folder."""
    traced.available()
    chosen, total = [], 0
    for service in SERVICES:
        faults = [(call, fault) for call in calls(workplace, service) for fault in faults_of(call)]
        total += len(faults)
        for call, fault in spread(faults, POINTS_QUICK if quick else POINTS_MAX):
            check = functools.partial(disturbed, workplace, service, call, fault)
            before = traced.injected("trace.txt", call, fault)
            chosen.append(Case(shown(before, f"{service.arguments}   # while it is asked"), check))
    return Cases(chosen, total, "calls and faults")


def calls(workplace: Workplace, service: Service) -> list[Call]:
    """The calls of a server that is asked everything."""
    with place_for(workplace) as place:
        names = ",".join(f"?{name}" for name in (*traced.CHANGES, *traced.OPENS))
        log = place.parent / "trace.txt"
        before = traced.strace(log, f"trace={names}", "signal=none")
        with serving(workplace, service, place, before) as server:
            service.drive(server, lambda _: None)
            server.end()
        return list(traced.calls(log.read_text("utf-8", "replace").splitlines(), place))


def disturbed(workplace: Workplace, service: Service, call: Call, fault: str) -> str | None:
    """Asks a server that meets the fault; then one that meets none for what was acknowledged."""
    promised: Promised = []
    with place_for(workplace) as place:
        log = place.parent / "trace.txt"
        with serving(workplace, service, place, traced.injected(log, call, fault)) as server:
            with contextlib.suppress(OSError, http.client.HTTPException):
                service.drive(server, promised.append)
            ran = server.end()
        if "KILL" in fault and ran.code != KILLED:
            raise Missed
        if "KILL" not in fault:
            lines = log.read_text("utf-8", "replace").splitlines()
            hit = [line for line in lines if "(INJECTED)" in line]
            # Every thread counts for itself: the fault may have met a call on a socket.
            if not hit or not all(traced.concerns(line, call.name, place) for line in hit):
                raise Missed
            if wrong := ran.crash():
                return wrong
        return kept(workplace, service, place, promised)


def kept(workplace: Workplace, service: Service, place: Path, promised: Promised) -> str | None:
    """Whether a server that is started there has all that was promised, each once."""
    with serving(workplace, service, place, []) as server:
        found = service.kept(server)
        ran = server.end()
    if ran.code != 0:
        return ran.crash() or f"ended with exit {ran.code}: {ran.err.strip()}"
    for each in promised:
        if found.count(each) != 1:
            return f"acknowledged and there {found.count(each)} times: {each}"
    workplace.must("count own.pgn -o other.table -q", place)
    workplace.remove_others(place)
    left = [path.name for path in place.rglob(".tabia-*") if path.suffix == ".partial"]
    return f"{', '.join(left)} stay" if left else None

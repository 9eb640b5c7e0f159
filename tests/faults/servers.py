"""Servers that are killed, and whose calls fail: what they have acknowledged is there.

Each is driven by a client that goes on until it has asked everything, or the server is gone. Then
the server is started again, undisturbed, and asked for what it has acknowledged.
"""

import contextlib
import functools
import http.client
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import traced
from cases import Case, Cases, each
from errors import CHANGE_ERRORS
from judge.kill import KILL, KILLED, Missed
from judge.processes import children
from judge.run import Overdue
from judge.server import NotListening, Server
from traced import Call
from workplace import Workplace, shown

# Its own token, so that edits are taken whatever a server without one demands.
TOKENS = "tokens.txt"
TOKEN = "0123456789abcdef"

# First moves that are given values, and removed again by the second request of the two.
FIRST_MOVES = ("e4", "d4", "c4", "Nf3", "g3", "b3")

GAME = '[White "eng"]\n[Black "opp"]\n[Date "2026.11.{0:02}"]\n[Round "{0}"]\n[Result "0-1"]\n\n{1} 0-1\n'
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


class Traced(Server):
    """A server that may run below strace, which passes no signals on."""

    def pids(self) -> list[int]:
        """The process below strace, or the process; none if it is gone."""
        return children(self.process.pid) or super().pids() if super().pids() else []

    def ask(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
        """Status and body of an answer; none in time is a finding."""
        try:
            return super().ask(method, path, body)
        except TimeoutError:
            raise Overdue(f"{method} {path}: no answer in time") from None


@contextlib.contextmanager
def serving(workplace: Workplace, service: Service, place: Path, before: list[str]) -> Iterator[Traced]:
    """Starts a server; it fails with `Missed` where the fault met it before it listened."""
    try:
        server = Traced([*before, workplace.binary, *service.arguments.split()], place, token=TOKEN)
    except NotListening:
        raise Missed from None
    try:
        yield server
    finally:
        if not server.errors.closed:
            server.end()


def set_values(server: Server, acknowledged: Callable[[str], None]) -> None:
    """Gives moves values, another one each."""
    for number, move in enumerate(FIRST_MOVES):
        edit = json.dumps({"move": move, "value": 10 + number}).encode()
        status, _ = server.ask("PUT", "/tabia/experience", edit)
        if status == 200:
            acknowledged(f"{move} {10 + number}")


def values(server: Server) -> Promised:
    """Moves and their values."""
    answer = server.json("/tabia/probe")
    known = [(mv["san"], mv.get("known") or {}) for mv in answer["moves"]]
    known += [(mv["mv"], mv) for mv in answer.get("beyond", [])]
    return [f"{san} {of['user_value']}" for san, of in known if of.get("user_value") is not None]


def post_games(server: Server, acknowledged: Callable[[str], None]) -> None:
    """Posts records, and asks for the experience between them."""
    for number in range(1, 7):
        text = GAME.format(number, LINES[number % len(LINES)])
        status, _ = server.ask("POST", "/records?player=eng", text.encode())
        if status in (200, 201):
            acknowledged(text.strip())
        if number % 2 == 0:
            server.ask("GET", "/experience")


def records(server: Server) -> Promised:
    """The texts of all records; the experience has to be had, too."""
    server.get("/experience")
    return [json.loads(line)["text"].strip() for line in server.get("/records?after=0").splitlines()]


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


def kills(workplace: Workplace, most: int) -> Cases:
    """`kill -9` at the calls that change a file."""
    return cases(workplace, most, (KILL,))


def errors(workplace: Workplace, most: int) -> Cases:
    """Errors of the system at the same calls."""
    return cases(workplace, most, tuple(f"error={error}" for error in CHANGE_ERRORS))


def cases(workplace: Workplace, most: int, faults: tuple[str, ...]) -> Cases:
    """Each fault at each call that changes something in the folder."""
    traced.available()

    def faults_of(service: Service) -> list[tuple[Call, str]]:
        return [(call, fault) for call in calls(workplace, service) if call.changes() for fault in faults]

    def case(service: Service, fault: tuple[Call, str], _number: int) -> Case:
        before = traced.injected("trace.txt", *fault)
        check = functools.partial(disturbed, workplace, service, *fault)
        return Case(shown(before, f"{service.arguments}   # while it is asked"), check)

    return each(SERVICES, faults_of, most, case, "calls and faults")


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
        if fault == KILL and ran.code != KILLED:
            raise Missed
        if fault != KILL:
            traced.met(log, call, place)
            if wrong := ran.crash():
                return wrong
        return kept(workplace, service, place, promised)


def kept(workplace: Workplace, service: Service, place: Path, promised: Promised) -> str | None:
    """Whether a server that is started there has all that was promised, each once."""
    with serving(workplace, service, place, []) as server:
        found = service.kept(server)
        ran = server.end()
    if ran.code != 0:
        return ran.crash() or f"ended with {ran.how}"
    for text in promised:
        if found.count(text) != 1:
            return f"acknowledged and there {found.count(text)} times: {text}"
    workplace.must("count own.pgn -o other.table -q", place)
    workplace.remove_others(place)
    left = [path.name for path in place.rglob(".tabia-*") if path.suffix == ".partial"]
    return f"{', '.join(left)} stay" if left else None

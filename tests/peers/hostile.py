"""Requests that no client of good will sends, and many of them."""

import contextlib
import random
import socket
import threading
import time
from collections.abc import Iterator

from judge.server import Server

CONNECTIONS = 10_000
AT_A_TIME = 900
"""Connections of one process, within the usual limit of open files."""
IN_TIME_S = 2.0
"""How long another client's request may take meanwhile."""
LEAK_MIB = 64
SEED = 18


def requests() -> list[bytes]:
    """Two hundred requests."""
    chance = random.Random(SEED)
    host = b" HTTP/1.1\r\nHost: localhost\r\n"
    end = b"Connection: close\r\n\r\n"
    paths = [
        "/../../../../etc/passwd",
        "/x/../../etc/passwd/lichess",
        "/x/%2e%2e%2f%2e%2e/lichess",
        "/x/%00/lichess",
        "/page/../../Cargo.toml",
        "/page/%2e%2e/%2e%2e/etc/passwd",
        "//",
        "/x//",
        "/lichess?fen=" + "/" * 2000,
        "/lichess?fen=8/8/8/8/8/8/8/8%20w%20-%20-",
        "/lichess?fen=kkkkkkkk/KKKKKKKK/8/8/8/8/8/8%20w%20KQkq%20e3",
        "/lichess?fen=%ff%fe%00",
        "/lichess?fen=9/9/9/9/9/9/9/9%20w%20KQkq%20-",
        "/lichess?play=" + "e2e4," * 1500,
        "/lichess?play=" + ",".join(["g1f3", "g8f6", "f3g1", "f6g8"] * 300),
        "/lichess?play=0000",
        "/lichess?play=e7e8q",
        "/lichess?moves=-1",
        "/lichess?moves=99999999999999999999",
        "/lichess?since=9999999-99",
        "/lichess?ratings=-1",
        "/lichess?speeds=" + "blitz," * 1000,
        "/tabia/probe?policy=" + "x" * 7000,
        "/tabia/probe?policy=terra&set=book-limit=1e999",
        "/tabia/probe?policy=terra&" + "set=a=b&" * 800,
        "/tabia/holes?limit=0&min_share=0",
        "/tabia/holes?min_share=NaN",
        "/tabia/holes?limit=18446744073709551615",
        "/tabia/compare?other=../../etc/passwd",
        "/tabia/why?move=" + "e4" * 1000,
        "/lichess?" + "a=b&" * 2000,
        "/lichess?%",
        "/lichess?fen=%",
        "/lichess?fen[]=x",
    ]
    made = [b"GET " + path.encode() + host + end for path in paths]
    made += [
        b"GET /lichess?fen=" + b"x" * (1 << 20) + host + end,
        b"GET /lichess" + host + b"X: " + b"y" * (1 << 20) + b"\r\n" + end,
        b"GET /lichess" + host + b"X: y\r\n" * 5000 + end,
        b"PUT /tabia/experience" + host + b"Content-Length: 99999999999\r\n" + end,
        b"PUT /tabia/experience" + host + b"Content-Length: 10\r\n" + end + b"x" * 100_000,
        b"PUT /tabia/experience" + host + b"Transfer-Encoding: chunked\r\n" + end + b"fffffffff\r\n",
        b"POST /lichess" + host + b"Content-Length: -1\r\n" + end,
        b"GET /lichess HTTP/9.9\r\n\r\n",
        b"GET\r\n\r\n",
        b"\r\n" * 1000,
        b"\x16\x03\x01\x02\x00" * 100,
        b"GET /lichess" + host + b"Content-Length: 5\r\nContent-Length: 6\r\n" + end + b"abcde",
        b"GET /lichess" + host + b"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n" + end,
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"OPTIONS *" + host + end,
        b"CONNECT x:1" + host + end,
        b"TRACE /lichess" + host + end,
        b"GET http://elsewhere/lichess" + host + end,
        b"GET /lichess HTTP/1.1\r\nHost: elsewhere\r\n" + end,
        b"GET /lichess HTTP/1.1\r\n" + end,
    ]
    while len(made) < 200:
        noise = bytes(chance.randrange(256) for _ in range(chance.randrange(1, 400)))
        kind = chance.randrange(3)
        if kind == 0:
            made.append(noise)
        elif kind == 1:
            made.append(b"GET /" + noise.replace(b" ", b"") + host + end)
        else:
            text = "".join(f"%{byte:02x}" for byte in noise)
            field = chance.choice(["fen", "play", "policy", "set", "speeds", "since"])
            made.append(f"GET /tabia/probe?{field}={text}".encode() + host + end)
    return made


def send(port: int, request: bytes) -> bytes:
    """What is answered until the server ends the connection, at most."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as stream:
        with contextlib.suppress(OSError):
            stream.sendall(request)
            stream.shutdown(socket.SHUT_WR)
        answer = b""
        with contextlib.suppress(OSError):
            while more := stream.recv(1 << 16):
                answer += more
        return answer


class Others:
    """A client of good will, who asks all the time."""

    def __init__(self, server: Server) -> None:
        """Begins to ask."""
        self.server, self.slowest, self.wrong = server, 0.0, ""
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.ask)
        self.thread.start()

    def ask(self) -> None:
        """Asks until told to end."""
        while not self.is_over.is_set():
            begun = time.monotonic()
            try:
                status, _ = self.server.ask("GET", "/lichess?play=e2e4")
            except OSError as error:
                status, self.wrong = 0, f"others: {error!r}"
            self.slowest = max(self.slowest, time.monotonic() - begun)
            if status != 200:
                self.wrong = self.wrong or f"others: status {status}"
            time.sleep(0.01)

    def end(self, what: str) -> Iterator[str]:
        """Ends, and says what was wrong."""
        self.is_over.set()
        self.thread.join()
        if self.wrong:
            yield f"{what}: {self.wrong}"
        if self.slowest > IN_TIME_S:
            yield f"{what}: another client waited {self.slowest:.1f} s"


def many_connections(server: Server) -> None:
    """Ten thousand connections that say nothing, half of a head, or read nothing."""
    says = [b"", b"GET /lichess HT", b"GET /lichess HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20]
    open_ones: list[socket.socket] = []
    for number in range(CONNECTIONS):
        with contextlib.suppress(OSError):
            stream = socket.create_connection(("127.0.0.1", server.port), timeout=10)
            stream.sendall(says[number % 3])
            open_ones.append(stream)
        if len(open_ones) > AT_A_TIME:
            open_ones.pop(0).close()
    for stream in open_ones:
        stream.close()


def slow_heads(server: Server) -> Iterator[str]:
    """Heads that come a byte a second, or never end."""
    begun = time.monotonic()
    streams = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(200)]
    text = b"GET /lichess HTTP/1.1\r\nHost: localhost\r\nX-Slow: " + b"y" * 60
    ended: set[int] = set()
    for byte in text[:20]:
        for number, stream in enumerate(streams):
            with contextlib.suppress(OSError):
                stream.settimeout(0.001)
                stream.sendall(bytes([byte]))
                if stream.recv(100) == b"":
                    ended.add(number)
            # A reset is an end, too.
        time.sleep(1)
    for stream in streams:
        stream.close()
    if time.monotonic() - begun > 18 and not ended:
        yield "slow heads: none of them was ended within 20 s"


def check(server: Server) -> Iterator[str]:
    """All of it; what went wrong."""
    for path in ("/lichess", "/tabia/policies", "/tabia/holes"):
        server.ask("GET", path)
    before = server.resident_mib()
    others = Others(server)
    for request in requests():
        answer = send(server.port, request)
        if answer and not answer.startswith(b"HTTP/1."):
            yield f"{request[:60]!r}: {answer[:60]!r}"
        if b" 500 " in answer[:20]:
            yield f"{request[:80]!r}: {answer[:200]!r}"
    yield from others.end("200 requests")
    others = Others(server)
    yield from slow_heads(server)
    yield from others.end("slow heads")
    others = Others(server)
    many_connections(server)
    yield from others.end("10,000 connections")
    time.sleep(1)
    if server.process.poll() is not None:
        yield f"the server ended with {server.process.returncode}"
    grown = server.resident_mib() - before
    if grown > LEAK_MIB:
        yield f"memory grew by {grown:.0f} MiB"
    if server.descriptors() > 100:
        yield f"{server.descriptors()} descriptors are open"
    print(f"  memory grew by {grown:.1f} MiB; {server.descriptors()} descriptors", flush=True)

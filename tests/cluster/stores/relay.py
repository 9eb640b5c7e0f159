"""A relay before a server, which lets requests through and fails others."""

import contextlib
import enum
import socket
import struct
import threading
from collections.abc import Callable
from urllib.parse import unquote


class Fate(enum.Enum):
    """What becomes of a request."""

    PASS = enum.auto()
    REFUSED = enum.auto()
    CUT_REQUEST = enum.auto()
    CUT_ANSWER = enum.auto()
    NO_ANSWER = enum.auto()


# The fate of a request by its first line without `%`, or the answer that it gets in place of the server's.
Rule = Callable[[str], Fate | bytes]


class Relay:
    """Relays each connection to a server until its rule refuses a request."""

    def __init__(self, port: int, rule: Rule) -> None:
        """Listens on a port of its own."""
        self.target = ("127.0.0.1", port)
        self.rule = rule
        self.refused, self.seen = 0, list[str]()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.endpoint = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        """Serves each connection in a thread of its own, until the relay is closed."""
        with contextlib.suppress(OSError):
            while True:
                client, _address = self.listener.accept()
                threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client: socket.socket) -> None:
        """One request, after which the connection ends."""
        with client, contextlib.suppress(OSError):
            head = b""
            while b"\r\n\r\n" not in head:
                received = client.recv(65536)
                if not received:
                    return
                head += received
            self.seen.append(unquote(head.split(b"\r\n", 1)[0].decode("latin-1")))
            fate = self.rule(self.seen[-1])
            self.refused += fate not in (Fate.PASS, Fate.CUT_ANSWER)
            if fate is Fate.REFUSED:
                # Every second time by a reset, which clients take for another failure than an end.
                linger = struct.pack("ii", self.refused % 2, 0)
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                return
            self.relay(client, head, fate)

    def relay(self, client: socket.socket, head: bytes, fate: Fate | bytes) -> None:
        """Sends the request on, and its answer back: all of it, or the first part."""
        begin, rest = head.split(b"\r\n\r\n", 1)
        lines = [line for line in begin.split(b"\r\n") if not line.lower().startswith(b"connection:")]
        sizes = [line.split(b":")[1] for line in lines if line.lower().startswith(b"content-length:")]
        size = int(sizes[0]) if sizes else 0
        if fate is Fate.CUT_REQUEST:
            size //= 2
            rest = rest[:size]
        missing = size - len(rest)
        if isinstance(fate, bytes):
            while missing > 0 and (received := client.recv(65536)):
                missing -= len(received)
            client.sendall(fate)
            return
        with socket.create_connection(self.target) as server:
            server.sendall(b"\r\n".join([*lines, b"Connection: close"]) + b"\r\n\r\n" + rest)
            while missing > 0:
                received = client.recv(min(missing, 65536))
                if not received:
                    return
                server.sendall(received)
                missing -= len(received)
            if fate is Fate.NO_ANSWER:
                while server.recv(65536):
                    pass
            elif fate is not Fate.CUT_REQUEST:
                self.answer(client, server, whole=fate is not Fate.CUT_ANSWER)

    def answer(self, client: socket.socket, server: socket.socket, *, whole: bool) -> None:
        """Sends an answer back; not whole, it ends after its first 10,000 bytes."""
        sent = 0
        while received := server.recv(5000):
            if not whole and sent >= 10000:
                self.refused += 1
                return
            client.sendall(received)
            sent += len(received)

    def close(self) -> None:
        """Takes no more connections."""
        self.listener.close()

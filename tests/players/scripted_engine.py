#!/usr/bin/env python3
"""An engine that does one thing wrong: `scripted_engine.py FAULT`. It always plays 1.a3."""

import os
import signal
import sys
import time
from collections.abc import Callable

NAME = "id name Scripted\nid author the Tabia developers\noption name Hash type spin default 1"
SECONDS_OF_HANGING = 60


def say(text: str) -> None:
    """Prints lines."""
    os.write(1, f"{text}\n".encode())


def hang() -> None:
    """Neither reads nor prints."""
    time.sleep(SECONDS_OF_HANGING)


def flood() -> None:
    """Prints lines without end."""
    while True:
        os.write(1, b"info depth 1 score cp 1\n" * 1000)


def garbage() -> None:
    """Prints lines that are no UCI."""
    os.write(1, bytes(range(256)) * 4 + b"\n\n\x00\xff\nbest move a2a3\ninfo\ninfo score\n")
    say("option\nid\nreadyok now\nuciok?\ninfo depth -1 score cp 99999999999999999999")


def crash() -> None:
    """Ends by a signal."""
    os.kill(os.getpid(), signal.SIGSEGV)


# What a fault does in place of the answer to a command.
FAULTS: dict[str, dict[str, Callable[[], object]]] = {
    "none": {},
    "dies at start": {"start": lambda: os._exit(3)},
    "dies at uci": {"uci": lambda: os._exit(3)},
    "dies at isready": {"isready": lambda: os._exit(3)},
    "dies in a search": {"go": lambda: os._exit(3)},
    "crashes in a search": {"go": crash},
    "dies after its move": {"go": lambda: (say("bestmove a2a3"), os._exit(0))},
    "hangs at uci": {"uci": hang},
    "hangs at isready": {"isready": hang},
    "hangs at position": {"position": hang},
    "hangs in a search": {"go": hang},
    "hangs at stop": {"stop": hang},
    "prints garbage": {
        "uci": lambda: (garbage(), say(f"{NAME}\nuciok")),
        "go wtime": lambda: (garbage(), say("bestmove a2a3")),
    },
    "answers an illegal move": {"go": lambda: say("bestmove e2e5")},
    "answers no move": {"go": lambda: say("bestmove")},
    "answers (none)": {"go": lambda: say("bestmove (none)")},
    "answers 0000": {"go": lambda: say("bestmove 0000")},
    "prints 2 MB without an end of line": {"go": lambda: os.write(1, b"x" * (2 << 20))},
    "prints without end at uci": {"uci": flood},
    "prints without end in a search": {"go": flood},
    "closes its output": {"go": lambda: (os.close(1), time.sleep(SECONDS_OF_HANGING))},
    "does not read": {"start": hang},
    "ignores quit": {"quit": hang},
    "ignores quit and signals": {
        "start": lambda: signal.signal(signal.SIGTERM, signal.SIG_IGN),
        "quit": hang,
        "end": hang,
    },
}


class Search:
    """A search that lasts until `stop` or `ponderhit`, if there is one."""

    is_endless = False

    def go(self) -> None:
        """Starts one that is over at once."""
        say("info depth 1 score cp 20 pv a2a3\nbestmove a2a3")

    def go_on(self) -> None:
        """Starts an endless one."""
        self.is_endless = True

    def stop(self) -> None:
        """Ends an endless one."""
        if self.is_endless:
            self.is_endless = False
            self.go()


def main() -> None:
    """Answers until the input ends. An answer is for the first two words or for the first."""
    fault, search = FAULTS[sys.argv[1]], Search()
    answers: dict[str, Callable[[], object]] = {
        "uci": lambda: say(f"{NAME}\nuciok"),
        "isready": lambda: say("readyok"),
        "go": search.go,
        "go infinite": search.go_on,
        "go ponder": search.go_on,
        "stop": search.stop,
        "ponderhit": search.stop,
        "quit": lambda: sys.exit(0),
    }
    fault.get("start", lambda: None)()
    for line in sys.stdin:
        words = line.split()
        for known in (" ".join(words[:2]), *words[:1]):
            if answer := fault.get(known, answers.get(known)):
                answer()
                break
    fault.get("end", lambda: None)()


if __name__ == "__main__":
    main()

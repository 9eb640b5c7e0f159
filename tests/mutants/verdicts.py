"""Runs tests with one mutant chosen, where it can break and fill nothing."""

import os
import resource
import subprocess
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from switch import CHOSEN, Program

# A mutant that is slower than this many times its tests without it, and this many seconds, hangs.
SLOWER_MAX = 8
SECONDS_MIN = 120
BASELINE_SECONDS_MAX = 1800
# Tests that take longer run when the others have passed.
SLOW_SECONDS = 2
# What a mutant may take: address space, one file, and all files.
ADDRESS_BYTES_MAX = 16 << 30
FILE_BYTES_MAX = 1 << 30
SCRATCH = "2g"
# Everything is read-only but a file system in memory; what is started ends with the shell.
ALONE = f"""
mount --make-rprivate / && mount -o remount,bind,ro / || exit 99
for folder in "$TMPDIR" /dev/shm; do
  mount -t tmpfs -o size={SCRATCH} tmpfs "$folder" || exit 99
done
exec "$@"
"""


@dataclass(frozen=True)
class Suite:
    """Some tests of a program: all, or those of one module."""

    program: Program
    module: str | None = None

    @property
    def name(self) -> str:
        """As a report has it."""
        return self.module or f"{self.program.package} {self.program.target}"


@dataclass
class Part:
    """Tests of a suite that run together, and how long they take without a mutant."""

    tests: list[str] = field(default_factory=list)
    seconds: float = 0


@dataclass
class Run:
    """How tests ended: `passed`, `failed` or `timed out`; what they printed, and when."""

    ended: str
    lines: list[tuple[float, str]]

    @property
    def printed(self) -> str:
        """All of it."""
        return "".join(line for _, line in self.lines)

    @property
    def failing(self) -> list[str]:
        """The tests that failed."""
        return [name_of(line) for _, line in self.lines if is_failure(line)]


def name_of(line: str) -> str:
    """The test that a line is about."""
    return line.split()[1]


def is_failure(line: str) -> bool:
    """Whether the line says that a test failed."""
    return line.startswith("test ") and line.rstrip().endswith("... FAILED")


def run(suite: Suite, chosen: int, scratch: Path, asked: list[str], seconds: float) -> Run:
    """Runs tests with that mutant until one fails; without a mutant, all of them."""
    command = [str(suite.program.path), *asked]
    alone = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    environment = os.environ | {
        CHOSEN: str(chosen),
        "TMPDIR": str(scratch),
        "CARGO_MANIFEST_DIR": str(suite.program.folder),
        "INSTA_UPDATE": "no",
        "PROPTEST_RNG_SEED": "1",
    }
    started = subprocess.Popen(
        [*alone, "sh", "-c", ALONE, "sh", *command],
        cwd=suite.program.folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        preexec_fn=limit,  # noqa: PLW1509 — the timers begin later
    )
    over = threading.Event()
    timer = threading.Timer(seconds, lambda: (over.set(), started.kill()))
    timer.start()
    begun, lines = time.monotonic(), []
    for line in started.stdout or ():
        lines.append((time.monotonic() - begun, line))
        if chosen and is_failure(line):
            started.kill()
    code = started.wait()
    timer.cancel()
    ended = Run("timed out" if over.is_set() else "failed" if code else "passed", lines)
    if code == 99:
        raise SystemExit(f"tests cannot be run apart from the system: {ended.printed}")
    return ended


def limit() -> None:
    """What the tests may take."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_BYTES_MAX, ADDRESS_BYTES_MAX))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES_MAX, FILE_BYTES_MAX))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def modules(program: Program) -> list[str]:
    """The modules of a test program that has one a theme."""
    listed = subprocess.run(
        [program.path, "--list"], cwd=program.folder, check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    names = [line.split(":")[0] for line in listed.splitlines() if line.endswith(": test")]
    return list(dict.fromkeys(names))


class Judge:
    """Knows how each suite ends without a mutant."""

    def __init__(self, scratch: Path) -> None:
        """With an empty folder to mount a file system on."""
        scratch.mkdir(parents=True, exist_ok=True)
        self.scratch = scratch
        self.baselines: dict[Suite, list[Part]] = {}

    def baseline(self, suite: Suite) -> list[Part]:
        """Its quick tests and its slow ones. Tests that fail without a mutant are left out."""
        if suite in self.baselines:
            return self.baselines[suite]
        asked = [suite.module + "::"] if suite.module else []
        ran = run(suite, 0, self.scratch, asked, BASELINE_SECONDS_MAX)
        if ran.ended == "timed out" or (ran.ended == "failed" and not ran.failing):
            raise SystemExit(f"{suite.name} {ran.ended} without a mutant:\n{ran.printed[-3000:]}")
        parts, before = [Part(), Part()], 0.0
        for seconds, line in ran.lines:
            if line.startswith("test ") and line.rstrip().endswith("ok"):
                part = parts[seconds - before > SLOW_SECONDS]
                part.tests.append(name_of(line))
                part.seconds += seconds - before
            before = seconds
        left_out = f", left out as they fail without a mutant: {ran.failing}" if ran.failing else ""
        count = sum(len(part.tests) for part in parts)
        print(f"baseline {suite.name}: {count} tests in {before:.1f} s{left_out}", flush=True)
        self.baselines[suite] = [part for part in parts if part.tests]
        return self.baselines[suite]

    def seconds(self, suite: Suite) -> float:
        """How long the suite takes without a mutant."""
        return sum(part.seconds for part in self.baseline(suite))

    def verdict(self, suite: Suite, mutant: int) -> tuple[str, list[str]]:
        """How the suite ends with the mutant, and which tests fail then."""
        for part in self.baseline(suite):
            seconds = max(SECONDS_MIN, SLOWER_MAX * part.seconds)
            ran = run(suite, mutant, self.scratch, ["--exact", *part.tests], seconds)
            if ran.ended != "passed":
                return ran.ended, ran.failing
        return "passed", []

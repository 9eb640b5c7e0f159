"""The games that are counted, and what must come of them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from judge.compare import contents, different
from judge.disks import Folders
from judge.games import games_of, unpack
from judge.report import SAMPLE, Failed
from judge.run import Ran, must

# Of the sample, the games that are the larger input.
LARGE_GAMES = 1800

SECONDS_MAX = 300

CORPUS = ("lichess-2013-01a", "twic-a")


def games(folder: Path, corpus: Path | None) -> tuple[Path, Path]:
    """The corpus's Lichess and TWIC games; without a corpus, two parts of the sample."""
    folder.mkdir(parents=True)
    large, small = folder / "large.pgn", folder / "small.pgn"
    if corpus:
        for path, name in zip((large, small), CORPUS, strict=True):
            unpack(corpus / f"{name}.pgn.zst", path)
        return large, small
    all_games = games_of(SAMPLE.read_text("utf-8"))
    for path, part in ((large, all_games[:LARGE_GAMES]), (small, all_games[LARGE_GAMES:])):
        path.write_text("".join(part), "utf-8")
    return large, small


@dataclass(kw_only=True)
class Tables(Folders):
    """Folders, and the tables that one thread makes of files: each is counted once."""

    binary: Path
    counted: dict[tuple[str, ...], Path] = field(default_factory=dict)

    def expected(self, files: Sequence[Path], flags: Sequence[str]) -> Path:
        """The table of these files."""
        key = (*map(str, files), *flags)
        if key not in self.counted:
            table = self.new_folder("expected") / "games.table"
            must(self.binary, "count", *files, *flags, "-o", table, "-j", 1, "--quiet", seconds=SECONDS_MAX)
            self.counted[key] = table
        return self.counted[key]


def must_be_same(found: Mapping[str, bytes], expected: Path) -> None:
    """The files are those of a table, no more and no less."""
    if names := different(found, contents(expected)):
        raise Failed(f"not as in {expected}: {', '.join(names)}")


def must_be_stored(found: Mapping[str, bytes], expected: Path) -> None:
    """The objects are those of a table but for the job in the names of parts, which is one, and what follows.

    What follows is the checksum of the manifest, sixteen digits before its last four bytes.
    """
    jobs = {job for name in found for job in re.findall(JOB, name)}
    named = {re.sub(JOB, "", name): content for name, content in found.items()}
    if len(jobs) != 1 or len(named) != len(found):
        raise Failed(f"parts of jobs {sorted(jobs)}: {', '.join(found)}")
    text, local = named.get("_manifest.json", b""), (expected / "_manifest.json").read_bytes()
    if re.sub(JOB.encode(), b"", text)[:-20] != local[:-20]:
        raise Failed("the manifest differs in more than the names of parts")
    must_be_same({**named, "_manifest.json": local}, expected)


# The job in the name of a part in a store, or of its roots, or of the fingerprints.
JOB = r"(?:(?<=part-\d{5})|(?<=_fingerprints))-[0-9a-f]{8}"


def must_say(ran: Ran, *words: object, code: int = 1) -> None:
    """It exited with a code and a message that has these words, and without a panic or a stack."""
    if ran.code != code:
        raise Failed(f"exit {ran.code} and not {code}: {ran.err[-1500:]}")
    if missing := [word for word in words if str(word) not in ran.err]:
        raise Failed(f"no {missing} in: {ran.err[-1500:]}")
    if any(mark in ran.err for mark in ("panicked", "\tat org.apache", "Traceback")):
        raise Failed(f"a panic or a stack: {ran.err[-1500:]}")


def must_succeed(ran: Ran) -> Ran:
    """It exited with 0."""
    if ran.code != 0:
        raise Failed(f"exit {ran.code}: {ran.err[-1500:]}")
    return ran

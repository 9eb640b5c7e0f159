"""The programs under judgement, the games that they count, and the tables that there should be."""

from __future__ import annotations

import gzip
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from expected import games, must_succeed
from judge.disks import Folders
from judge.run import Ran
from stores.by_hand import Job
from stores.servers import S3


@dataclass(kw_only=True)
class Place(Folders):
    """The programs, a server, and games in files."""

    binary: Path
    objects: Path
    s3: S3
    games: dict[str, Path]
    chunk: str
    counted: dict[tuple[str, ...], Path] = field(default_factory=dict)

    def job(self, name: str, environment: Mapping[str, str] | None = None) -> Job:
        """A count with an environment, by default that of the bucket."""
        return Job(self.binary, self.new_folder(name), environment or self.s3.environment())

    def operation(self, environment: Mapping[str, str], *arguments: object) -> Ran:
        """An operation of the crate alone."""
        return Job(self.objects, self.folder, environment).run(*arguments)

    def put(self, *names: str, below: str = "") -> list[str]:
        """Puts games into the bucket, under the names of their files."""
        return [self.s3.put(below + self.games[name].name, self.games[name].read_bytes()) for name in names]

    def expected(self, names: Sequence[str], flags: Sequence[str]) -> Path:
        """The table that one thread makes of the files."""
        key = (*names, *flags)
        if key not in self.counted:
            job = self.job("expected")
            table = job.folder / "games.table"
            files = [self.games[name] for name in names]
            must_succeed(job.run("count", *files, *flags, "-o", table, "-j", 1, "--quiet"))
            for left in table.parent.glob(".*"):
                left.unlink()
            self.counted[key] = table
        return self.counted[key]


def prepare(folder: Path, corpus: Path | None) -> tuple[dict[str, Path], str]:
    """Games, plain and packed in each way that there is a program for; and bytes of a chunk."""
    large, small = games(folder, corpus if shutil.which("zstd") else None)
    packed = {"large": large, "small": small, "gz": folder / "small.pgn.gz"}
    packed["gz"].write_bytes(gzip.compress(small.read_bytes(), 3, mtime=0))
    if shutil.which("pzstd"):
        packed["pzstd"] = folder / "large.pgn.zst"
        command = ["pzstd", "-qf", "-p2", "-1", str(large), "-o", str(packed["pzstd"])]
        subprocess.run(command, check=True)
    return packed, f"{large.stat().st_size // 7 // 1024 + 1}KiB"

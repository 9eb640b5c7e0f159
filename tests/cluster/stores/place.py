"""The programs under judgement, the games that they count, and the tables that there should be."""

import gzip
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from expected import Tables, games
from judge.run import Ran
from stores.by_hand import Job
from stores.servers import S3


@dataclass(kw_only=True)
class Place(Tables):
    """The programs, a server, and games in files."""

    objects: Path
    s3: S3
    games: dict[str, Path]
    chunk: str

    def job(self, name: str, environment: Mapping[str, str] | None = None) -> Job:
        """A count with an environment, by default that of the bucket."""
        return Job(self.binary, self.new_folder(name), environment or self.s3.environment())

    def operation(self, environment: Mapping[str, str], *arguments: object) -> Ran:
        """An operation of the crate alone."""
        return Job(self.objects, self.folder, environment).run(*arguments)

    def put(self, *names: str, below: str = "") -> list[str]:
        """Puts games into the bucket, under the names of their files."""
        return [self.s3.put(below + self.games[name].name, self.games[name].read_bytes()) for name in names]

    def of_games(self, names: Sequence[str], flags: Sequence[str]) -> Path:
        """The table that one thread makes of files by their names."""
        return self.expected([self.games[name] for name in names], flags)


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

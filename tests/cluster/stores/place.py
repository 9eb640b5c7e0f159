"""The programs under judgement, the games that they count, and the tables that there should be."""

import gzip
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from expected import Tables, games, must_be_stored
from judge.report import Failed, Skipped
from judge.run import Ran
from stores.bucket import Bucket
from stores.by_hand import Job
from stores.relay import Fate, Relay, Rule

FLAGS = ("--max-ply", "30", "--shards", "8")


@dataclass(kw_only=True)
class Place(Tables):
    """The programs, a bucket, and games in files."""

    objects: Path
    store: Bucket
    games: dict[str, Path]
    chunk: str

    def job(self, name: str, environment: Mapping[str, str] | None = None) -> Job:
        """A count with an environment, by default that of the bucket."""
        return Job(self.binary, self.new_folder(name), environment or self.store.environment())

    def at(self, store: Bucket) -> "Place":
        """The same with another bucket, in a folder of its own."""
        return replace(self, store=store, folder=self.new_folder(store.store))

    def relayed(self, rule: Rule = lambda _line: Fate.PASS) -> tuple[Relay, dict[str, str]]:
        """A relay before the server, and the environment that leads there."""
        relay = Relay(self.store.port, rule)
        return relay, self.store.environment(relay.endpoint)

    def must_hold(self, below: str, folder: str, table: Path) -> None:
        """A folder has the table that is expected, and nothing else is below the prefix."""
        must_be_stored(self.store.objects(below + folder), table)
        self.must_be_alone(below, folder)

    def must_be_alone(self, below: str, folder: str = "/") -> None:
        """Nothing is below a prefix but what is in this folder, and no upload is unfinished."""
        left = [name for name in self.store.objects(below) if not name.startswith(folder)]
        if left or self.store.unfinished():
            raise Failed(f"left: {left}, and {self.store.unfinished()} unfinished uploads")

    def operation(self, environment: Mapping[str, str], *arguments: object) -> Ran:
        """An operation of the crate alone."""
        return Job(self.objects, self.folder, environment).run(*arguments)

    def put(self, *names: str, below: str = "") -> list[str]:
        """Puts games into the bucket, under the names of their files."""
        files = [self.file(name) for name in names]
        return [self.store.put(below + file.name, file.read_bytes()) for file in files]

    def of_games(self, names: Sequence[str], flags: Sequence[str]) -> Path:
        """The table that one thread makes of files by their names."""
        return self.expected([self.file(name) for name in names], flags)

    def file(self, name: str) -> Path:
        """The games of a name, unless nothing on this machine packs so."""
        if name not in self.games:
            raise Skipped(f"nothing packs by {name}")
        return self.games[name]


# What is judged of a bucket, by name.
Checks = Mapping[str, Callable[[Place], str]]


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

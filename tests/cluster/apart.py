"""A count by hand on machines that share no file system: what one needs of another is copied."""

import contextlib
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from judge.compare import contents, different
from judge.disks import mounted
from judge.report import Case, Failed
from judge.run import Ran, must
from place import Place

MACHINES = 3
SHARDS = 4
DISK_BYTES = 1 << 30

# In a mount namespace of its own, so that each machine sees its own disk at one path.
ON_DISK = 'mount --bind "$1" "$2" && cd "$2" && shift 2 && exec "$@"'


@dataclass(frozen=True)
class Machine:
    """A disk that no other machine sees, and where the machine has it."""

    disk: Path
    seen: Path
    binary: Path

    def tabia(self, *arguments: object) -> Ran:
        """Runs the binary where it sees this disk alone."""
        words = ("unshare", "--mount", "sh", "-c", ON_DISK, "sh", self.disk, self.seen)
        return must(*words, self.binary, *arguments)

    def take(self, pattern: str, other: "Machine") -> None:
        """Copies what another machine has under names like this one."""
        for path in other.disk.glob(pattern) if other is not self else ():
            to = self.disk / path.relative_to(other.disk)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, to)


def cases(place: Place, quick: bool) -> Iterator[Case]:
    """One count."""
    yield Case("three machines that share no file system", partial(count, place))


def count(place: Place) -> str:
    """Each map and each reduce is on the next machine; the first one plans and commits."""
    folder = place.new_folder("apart")
    seen = folder / "disk"
    seen.mkdir()
    games = place.inputs.small["plain"]
    flags = ("--shards", str(SHARDS))
    with contextlib.ExitStack() as disks:
        new = (disks.enter_context(mounted(folder / "disks", DISK_BYTES)) for _ in range(MACHINES))
        machines = [Machine(disk, seen, place.binary) for disk in new]
        first = machines[0]
        for machine in machines:
            shutil.copyfile(games, machine.disk / games.name)
        planned = first.tabia(
            *("cluster", "plan", games.name, "-o", "games.table", "--chunk", place.inputs.chunk, *flags)
        )
        for machine in machines:
            (machine.disk / "plan.jsonl").write_bytes(planned.out)
        maps = int(json.loads(planned.out.splitlines()[0])["plan"].partition("-")[2])
        for task in range(maps):
            map_ = ("cluster", "map", "--plan-file", "plan.jsonl", "--task", task, "--to", "runs")
            machines[task % MACHINES].tabia(*map_)
        for shard in range(SHARDS):
            machine = machines[shard % MACHINES]
            for other in machines:
                machine.take(f"runs/{shard:05}/*", other)
            reduce = ("cluster", "reduce", "--plan-file", "plan.jsonl", "--from", "runs", "--shard", shard)
            machine.tabia(*reduce, "--attempt", "a")
        for other in machines:
            first.take(".games.table.*.parts/*", other)
        first.tabia("cluster", "commit", "--plan-file", "plan.jsonl", "--quiet")
        if names := different(contents(first.disk / "games.table"), contents(place.expected([games], flags))):
            raise Failed(f"not as on one machine: {names}")
    return f"{maps} maps"

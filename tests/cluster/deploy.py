"""The files of cluster/deploy, as far as they can be tried here: linters, schemas, and the task's script."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from judge.compare import contents, different
from judge.report import ROOT, Case, Failed, Skipped
from judge.run import must
from place import Place

DEPLOY = ROOT / "cluster/deploy"

LINTERS = {
    "hadolint": ("Dockerfile",),
    "kubernetes-validate": ("kubernetes.yaml",),
    "cfn-lint": ("aws-batch.yaml",),
    "shellcheck": ("task.sh", "emr-bootstrap.sh"),
}

# How schedulers name the number of a task.
NUMBERS = ("AWS_BATCH_JOB_ARRAY_INDEX", "JOB_COMPLETION_INDEX", "SLURM_ARRAY_TASK_ID", "TASK")

SHARDS = 4


def cases(place: Place, quick: bool) -> Iterator[Case]:
    """Each linter, and a count by the script."""
    for linter, names in LINTERS.items():
        yield Case(f"{linter} {' '.join(names)}", partial(lint, linter, names))
    yield Case("tasks by task.sh", partial(tasks, place))


def lint(linter: str, names: tuple[str, ...]) -> str:
    """It has nothing to say."""
    program = shutil.which(linter, path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if not program:
        raise Skipped(f"no {linter}")
    ran = subprocess.run(
        [program, *(str(DEPLOY / name) for name in names)], capture_output=True, text=True, check=False
    )
    if ran.returncode:
        raise Failed(ran.stdout + ran.stderr)
    return ""


def tasks(place: Place) -> str:
    """A plan, its maps and reduces by number as schedulers give it, and the commit: one machine's bytes."""
    folder, file = place.new_folder("tasks"), place.inputs.small["plain"]
    table, plan, programs = folder / "games.table", folder / "plan.jsonl", folder / "bin"
    programs.mkdir()
    (programs / "tabia").symlink_to(place.binary)
    flags = ("--shards", str(SHARDS))
    planned = must(place.binary, "cluster", "plan", file, "-o", table, "--chunk", place.inputs.chunk, *flags)
    plan.write_bytes(planned.out)
    maps = int(json.loads(planned.out.splitlines()[0])["plan"].partition("-")[2])
    env = {"PATH": f"{programs}:{os.environ['PATH']}", "PLAN": str(plan), "RUNS": str(folder / "runs")}
    for verb, count in (("map", maps), ("reduce", SHARDS)):
        for number in range(count):
            task(verb, {**env, NUMBERS[number % len(NUMBERS)]: str(number)})
    task("commit", env)
    if names := different(contents(table), contents(place.expected([file], flags))):
        raise Failed(f"not as on one machine: {names}")
    return f"{maps} maps"


def task(verb: str, env: dict[str, str]) -> None:
    """One task, in an environment of its own."""
    ran = subprocess.run(
        [str(DEPLOY / "task.sh"), verb], env=env, capture_output=True, text=True, check=False
    )
    if ran.returncode:
        raise Failed(f"{verb}: {ran.stderr}")

"""Copies of games found in a store, and the list of what does not count: as on one machine."""

from expected import must_be_stored, must_succeed
from judge.report import Failed
from stores.bucket import Bucket
from stores.by_hand import Job
from stores.place import Checks, Place

SHARDS = 4
FLAGS = ("--dedup-games", "exact", "--rejects-filtered", "--shards", SHARDS, "--max-ply", "20")


def cases(_store: Bucket) -> Checks:
    """A count in two readings."""
    return {"copies left out of a table in a bucket": copies}


def copies(place: Place) -> str:
    """The same games twice, counted by the numbers of tasks; then again, over the table."""
    job = place.job("copies")
    below, expected = f"{job.folder.name}/", job.folder / "games.table"
    names = ("large", "gz", "small")
    here, there = job.folder / "here.jsonl", job.folder / "there.jsonl"
    files = [place.file(name) for name in names]
    must_succeed(job.run("count", *files, *FLAGS, "-o", expected, "--rejects", here))
    urls, table = place.put(*names, below=below), place.store.url(f"{below}games.table")
    listed = here.read_text("utf-8")
    for file, url in zip(files, urls, strict=True):
        listed = listed.replace(f'"{file}"', f'"{url}"')
    for force in ((), ("--force",)):
        flags = (*FLAGS, *force, "--rejects", there)
        must_succeed(job.plan(*urls, *flags, "-o", table, "--chunk", place.chunk))
        count_by_number(job, *force)
        must_be_stored(place.store.objects(f"{below}games.table/"), expected)
        if there.read_text("utf-8") != listed or "copy_of" not in listed:
            raise Failed(f"{there} is not {here}")
    must_succeed(job.run("verify", table))
    return f"{listed.count('copy_of')} copies in {len(job.chunks)} chunks"


def count_by_number(job: Job, *force: str) -> None:
    """All steps, by the plan in a file and the numbers of chunks and buckets."""
    plan = job.folder / "plan.jsonl"
    plan.write_text(job.steps.printed, "utf-8")
    of, limits = ("--plan-file", plan), ("--temp-dir", job.folder)
    for what in (("--find-copies",), ()):
        for task in range(len(job.chunks)):
            to = ("--to", job.folder / "runs")
            must_succeed(job.run("cluster", "map", *of, "--task", task, *to, *what, *limits))
        for shard in range(SHARDS):
            of_shard = ("--from", job.folder / "runs", "--shard", shard, "--attempt", "a")
            must_succeed(job.run("cluster", "reduce", *of, *of_shard, *what, *limits))
    must_succeed(job.run("cluster", "commit", *of, *force))

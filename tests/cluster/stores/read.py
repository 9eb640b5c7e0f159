"""Tables in a bucket are read by all commands as those in a folder, and single files are written there."""

import json
from pathlib import Path

from expected import must_say, must_succeed
from judge.compare import contents, different
from judge.report import Failed
from stores.bucket import Bucket
from stores.by_hand import Job
from stores.place import Checks, Place

# Everything that a table can have: copies are left out, games are kept, and some start elsewhere.
FLAGS = ("--max-ply", "30", "--by", "month", "--ratings", "--shards", "4", "--dedup-games", "exact")
EXAMPLES = ("--examples", "2", "--examples-min-games", "5")


def cases(_store: Bucket) -> Checks:
    """What looks up, what streams, what writes, and what goes wrong."""
    return {
        "info, verify, probe and sql of a stored table": same_words,
        "merge, add, compact and exports of a stored table": same_files,
        "all of it of a table that was made in a bucket": made_there,
        "a book in a bucket, and one that is there already": written,
        "a probe asks for little": few_bytes,
        "a part that is cut, changed or missing": damaged,
    }


def stored(place: Place, name: str) -> tuple[Job, Path, str]:
    """A job, a table in its folder, and the URL of the same table."""
    job = place.job(name)
    table = job.folder / "games.table"
    must_succeed(job.run("count", place.games["large"], *FLAGS, *EXAMPLES, "-o", table, "--quiet"))
    for path, data in contents(table).items():
        place.store.put(f"{name}/games.table/{path}", data)
    return job, table, place.store.url(f"{name}/games.table")


def same_words(place: Place) -> str:
    """What is printed differs by the name of the table alone."""
    job, table, url = stored(place, "words")
    questions = [
        ("info",),
        ("info", "--json"),
        ("verify",),
        ("probe", "--json"),
        ("probe", "--line", "e4 e5", "--games"),
        ("sql",),
    ]
    for verb, *flags in questions:
        local, remote = (job.run(verb, where, *flags) for where in (table, url))
        must_succeed(local)
        must_succeed(remote)
        if remote.text.replace(url, str(table)) != local.text:
            raise Failed(f"{verb} {flags}: {remote.text[:300]} and not {local.text[:300]}")
    return f"{len(questions)} questions"


def same_files(place: Place) -> str:
    """What is made of a stored table has the bytes of what is made of the folder."""
    job, table, url = stored(place, "files")
    other = job.folder / "other.table"
    must_succeed(job.run("count", place.games["small"], *FLAGS, *EXAMPLES, "-o", other, "--quiet"))
    made = [
        (("merge", other), "merged.table"),
        (("compact",), "book.tabia"),
        (("export", "parquet"), "parquet"),
        (("export", "polyglot"), "book.bin"),
        (("suite", "--plies", "8", "--min-games", "5"), "suite.epd"),
    ]
    for words, name in made:
        verb, flags = words[: 2 if words[0] == "export" else 1], words[2 if words[0] == "export" else 1 :]
        found = {}
        for kind, where in (("local", table), ("stored", url)):
            output = job.folder / kind / name
            output.parent.mkdir(exist_ok=True)
            must_succeed(job.run(*verb, where, *flags, "-o", output, "--quiet"))
            found[kind] = contents(output) if output.is_dir() else {name: output.read_bytes()}
        if names := [n for n in different(found["stored"], found["local"]) if n != "export.json"]:
            raise Failed(f"{words}: {names} differ")
    must_succeed(job.run("add", other, url, "--quiet"))
    merged = contents(job.folder / "local/merged.table")
    added = contents(other)
    if names := [name for name in different(added, merged) if name.endswith(".parquet")]:
        raise Failed(f"add: {names} differ")
    return f"{len(made) + 1} commands"


def made_there(place: Place) -> str:
    """The names of its parts have a job; what is made of them has the same rows."""
    job = place.job("made-there")
    flags = ("--max-ply", "30", "--shards", "4")
    url, table = place.store.url(f"{job.folder.name}/games.table"), place.of_games(("large",), flags)
    must_succeed(job.all(place.games["large"], *flags, "-o", url))
    names = place.store.objects(f"{job.folder.name}/games.table/")
    if any(name.endswith(("-00000.parquet", "_roots/part-00000")) for name in names):
        raise Failed(f"names without a job: {', '.join(names)}")
    for verb in ("verify", "info"):
        must_succeed(job.run(verb, url))
    for words in (("probe", "--line", "e4 c5"), ("sql",)):
        local, remote = (job.run(words[0], where, *words[1:]) for where in (table, url))
        must_succeed(remote)
        if remote.text.replace(url, str(table)) != local.text:
            raise Failed(f"{words[0]}: {remote.text[:300]}")
    for made in (("merge",), ("compact",), ("export", "polyglot"), ("export", "parquet")):
        ends = {"merge": ".table", "compact": ".tabia", "polyglot": ".bin"}.get(made[-1], "")
        outputs = [job.folder / f"{made[-1]}-{kind}{ends}" for kind in ("stored", "local")]
        for where, output in zip((url, table), outputs, strict=True):
            must_succeed(job.run(*made, where, "-o", output, "--quiet"))
        found = [contents(out) if out.is_dir() else {"": out.read_bytes()} for out in outputs]
        if wrong := [name for name in different(*found) if name != "export.json"]:
            raise Failed(f"{made}: {wrong} differ")
    return ""


def written(place: Place) -> str:
    """A book appears in the bucket whole, and is replaced only with --force."""
    job, table, url = stored(place, "written")
    here, there = job.folder / "book.tabia", place.store.url("written/book.tabia")
    must_succeed(job.run("compact", table, "-o", here, "--quiet"))
    must_succeed(job.run("compact", url, "-o", there, "--quiet"))
    objects = place.store.objects("written/book.")
    if objects != {"tabia": here.read_bytes()}:
        raise Failed(f"{[(name, len(data)) for name, data in objects.items()]}")
    must_say(job.run("compact", url, "-o", there, "--quiet"), there, "already exists", "--force", code=2)
    must_succeed(job.run("compact", url, "-o", there, "--quiet", "--force"))
    other = place.store.url("written/b.table")
    for words in (("count", place.games["small"]), ("merge", table, url)):
        must_say(job.run(*words, "-o", other), place.store.url(""), "tabia cluster")
    if left := [name for name in place.store.objects("written/") if not name.startswith(("games", "book"))]:
        raise Failed(f"left: {left}")
    return ""


def few_bytes(place: Place) -> str:
    """A probe reads the manifest, the footer and a few pages of one part, and no other part."""
    job, table, _ = stored(place, "few")
    relay, environment = place.relayed()
    near = Job(job.binary, job.folder, environment)
    must_succeed(near.run("probe", place.store.url("few/games.table"), "--line", "d4"))
    relay.close()
    seen = [line.split()[1].partition("?")[0] for line in relay.seen]
    parts = {path for path in seen if path.endswith(".parquet")}
    manifest = json.loads((table / "_manifest.json").read_text("utf-8"))
    if len(parts) != 1 or len(seen) > 12:
        raise Failed(f"{len(seen)} requests for one of {len(manifest['shards'])} parts: {seen}")
    return f"{len(seen)} requests"


def damaged(place: Place) -> str:
    """Each is named, and nothing is written."""
    job, table, url = stored(place, "damaged")
    part = "part-00002.parquet"
    data = (table / part).read_bytes()
    output = job.folder / "out.tabia"
    flipped = bytearray(data)
    flipped[len(data) // 2] ^= 1
    for spoiled, word in ((data[:-1], "bytes"), (bytes(flipped), "checksum")):
        place.store.put(f"damaged/games.table/{part}", spoiled)
        for verb, *flags in (("verify",), ("compact", "-o", output)):
            must_say(job.run(verb, url, *flags), part, word)
    must_say(job.run("info", place.store.url("damaged/none.table")), "none.table", "not a table")
    must_say(job.run("info", "s3a://games/damaged/games.table"), "s3://", code=2)
    if output.exists():
        raise Failed("a book was made")
    return ""

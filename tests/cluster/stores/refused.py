"""What goes wrong with a store is reported in one message, and leaves no table."""

import json

from expected import must_say, must_succeed
from judge.report import Failed
from stores.bucket import Bucket
from stores.by_hand import Job
from stores.place import FLAGS, Checks, Place
from stores.relay import Fate, Relay

# Of the wrong credentials.
UNKNOWN = ("AKIAUNKNOWN", "unknown-token", "dW5rbm93bi1rZXk=")


def cases(store: Bucket) -> Checks:
    """What is missing, what is refused, what ends in the middle."""
    return {
        "a missing object, bucket and scheme": missing,
        "wrong credentials and none": credentials,
        **({"an endpoint without TLS that is not allowed": without_tls} if store.scheme == "s3" else {}),
        "an object that vanishes or changes after the plan": changed,
        "a server that dies while a chunk is mapped": dies_in_map,
        "a server that dies while a part is written": dies_in_reduce,
        "a server that dies in a commit, before the manifest": dies_before_manifest,
        "a server that dies in a commit, before anything is removed": dies_before_removal,
        "a server that dies while a table is replaced": dies_in_replacement,
        "a commit while another one writes the table": claimed,
    }


def missing(place: Place) -> str:
    """The plan names what is not there."""
    job = place.job("missing")
    (games,) = place.put("small", below="missing/")
    out, nothing = place.store.url("missing/games.table"), f"{place.store.scheme}://nothing/"
    for url in (place.store.url("missing/none.pgn"), f"{nothing}none.pgn"):
        must_say(job.plan(games, url, *FLAGS, "-o", out), url, "no such object")
    must_say(job.plan("s3a://games/a.pgn", *FLAGS, "-o", out), "s3a://games/a.pgn", "s3://", code=2)
    must_succeed(job.plan(games, *FLAGS, "-o", f"{nothing}games.table", "--force"))
    must_succeed(job.map(job.chunks[0]))
    must_say(job.reduce("a", of=1)[0], nothing, place.store.missing_bucket)
    return ""


def credentials(place: Place) -> str:
    """Neither the key nor what it signed is printed."""
    guarded = place.store.guarded(place.new_folder("guarded"))
    games = guarded.put("small.pgn", place.games["small"].read_bytes())
    arguments = (games, *FLAGS, "-o", place.new_folder("table") / "games.table")
    must_succeed(place.job("right", guarded.environment()).plan(*arguments))
    *wrong, none = guarded.wrong()
    for environment in wrong:
        ran = place.job("wrong", environment).plan(*arguments)
        must_say(ran, "access is refused", guarded.credentials)
        printed = [key for key in (*guarded.secrets, *UNKNOWN) if key in ran.err]
        if printed:
            raise Failed(f"a key is printed: {ran.err}")
    must_say(place.job("none", none).plan(*arguments), "no role", guarded.credentials)
    return ""


def without_tls(place: Place) -> str:
    """The message has the variable."""
    environment = place.store.environment()
    del environment["AWS_ALLOW_HTTP"]
    ran = place.job("tls", environment).plan("s3://games/a.pgn", "-o", "s3://games/b.table")
    must_say(ran, "s3://games/", "AWS_ALLOW_HTTP")
    return ""


def changed(place: Place) -> str:
    """A chunk is of the object that was planned, or it fails."""
    job = place.job("changed")
    below = f"{job.folder.name}/"
    (games,) = place.put("large", below=below)
    must_succeed(job.plan(games, *FLAGS, "-o", place.store.url(f"{below}t"), "--chunk", place.chunk))
    rewritten = place.games["large"].read_bytes().replace(b'Result "1-0"', b'Result "0-1"')
    place.store.put(f"{below}large.pgn", rewritten)
    must_say(job.map(job.chunks[0]), games, "was rewritten after the count was planned", "plan again")
    place.store.put(f"{below}large.pgn", place.games["large"].read_bytes()[:-200000])
    must_say(job.map(job.chunks[0]), games)
    place.store.remove(f"{below}large.pgn")
    must_say(job.map(job.chunks[0]), games, "no such object")
    return ""


def planned(place: Place, name: str) -> tuple[Job, str, list[str]]:
    """A job whose inputs are in the bucket, the folder of both there, and the URLs of the inputs."""
    job = place.job(name)
    below = f"{job.folder.name}/"
    urls = place.put("large", "small", below=below)
    must_succeed(job.plan(*urls, *FLAGS, "-o", place.store.url(f"{below}t")))
    return job, below, urls


def dying(place: Place, job: Job, line: str, after: int) -> Relay:
    """Lets requests pass until the one of this beginning comes a number of times; then none."""
    seen: list[str] = []

    def rule(request: str) -> Fate:
        seen.extend([request] if request.startswith(line) or len(seen) > after else [])
        return Fate.PASS if len(seen) <= after else Fate.REFUSED

    relay, job.environment = place.relayed(rule)
    return relay


def no_table(place: Place, below: str) -> None:
    """There is no manifest, which makes a table."""
    found = [name for name in place.store.objects(below) if name.endswith("manifest.json")]
    if found:
        raise Failed(f"a table is there: {found}")


def dies_in_map(place: Place) -> str:
    """The failed task writes no stream; it is done again when the server is back."""
    job, below, urls = planned(place, "dies-in-map")
    relay = dying(place, job, "GET", 1)
    must_say(job.map(job.chunks[0]), urls[0], "attempts")
    relay.close()
    job.environment = place.store.environment()
    return finish(place, job, below)


def dies_in_reduce(place: Place) -> str:
    """Parts that were written are orphans, which the next commit sweeps."""
    job, below, _ = planned(place, "dies-in-reduce")
    for chunk in job.chunks:
        must_succeed(job.map(chunk))
    relay = dying(place, job, "PUT", 3)
    must_say(job.reduce("a", of=1)[0], place.store.url(below), "attempts")
    relay.close()
    if len(job.lines) >= 8:
        raise Failed(f"{len(job.lines)} shards are reported")
    no_table(place, below)
    job.environment = place.store.environment()
    if job.lines:
        must_say(job.commit(), "shard")
        no_table(place, below)
    return finish(place, job, below)


def dies_before_manifest(place: Place) -> str:
    """Only the claim of the commit is there; the same commit made again finishes it."""
    return dies_in_commit(place, "PUT", 1)


def dies_before_removal(place: Place) -> str:
    """The table is there, and lines and claim are left, which the same commit removes."""
    return dies_in_commit(place, place.store.removal, 0)


def dies_in_commit(place: Place, request: str, after: int) -> str:
    """After so many requests of a kind there are no more."""
    job, below, _ = planned(place, "dies-in-commit")
    for ran in (*map(job.map, job.chunks), *job.reduce("a")):
        must_succeed(ran)
    relay = dying(place, job, request, after)
    must_say(job.commit(), place.store.url(below), "cannot be")
    relay.close()
    if request == "PUT":
        no_table(place, below)
    job.environment = place.store.environment()
    must_succeed(job.commit())
    return judge(place, below)


def dies_in_replacement(place: Place) -> str:
    """With --force the table that was there is whole until the other one is."""
    job, below, urls = planned(place, "replaced")
    must_succeed(job.all(*urls, *FLAGS, "-o", place.store.url(f"{below}t")))
    before = place.store.objects(f"{below}t/")
    other = place.job("replacing")
    must_succeed(other.plan(urls[1], *FLAGS, "-o", place.store.url(f"{below}t"), "--force"))
    for ran in (*map(other.map, other.chunks), *other.reduce("b")):
        must_succeed(ran)
    relay = dying(place, other, "PUT", 1)
    must_say(other.commit(), place.store.url(below), "attempts")
    relay.close()
    there = place.store.objects(f"{below}t/")
    if changed := [name for name, content in before.items() if there.get(name) != content]:
        raise Failed(f"gone or changed: {changed}")
    other.environment = place.store.environment()
    must_succeed(other.run("verify", place.store.url(f"{below}t")))
    must_succeed(other.commit())
    for url in urls:
        place.store.remove(f"{below}{url.rpartition('/')[2]}")
    place.must_hold(below, "t/", place.of_games(("small",), FLAGS))
    return ""


def claimed(place: Place) -> str:
    """The store lets one commit write a table; parts and lines stay for the other."""
    job, below, _ = planned(place, "claimed")
    for ran in (*map(job.map, job.chunks), *job.reduce("a")):
        must_succeed(ran)
    claim = place.store.put(f"{below}t/_commit", b"another job")
    must_say(job.commit(), claim, "another commit is writing the table")
    no_table(place, below)
    place.store.remove(f"{below}t/_commit")
    parts = place.store.url(f"{below}t/.{json.loads(job.lines[0])['job']}.parts")
    must_succeed(job.run("cluster", "commit", "--parts", parts))
    return judge(place, below)


def finish(place: Place, job: Job, below: str) -> str:
    """What is left of the count, with the server there again."""
    for ran in (*map(job.map, job.chunks), *job.reduce("again")):
        must_succeed(ran)
    shards = sorted(json.loads(line)["shard"] for line in job.lines)
    if shards != list(range(8)):
        raise Failed(f"shards {shards}")
    must_succeed(job.commit())
    return judge(place, below)


def judge(place: Place, below: str) -> str:
    """The table is whole, and nothing of failed attempts is left."""
    for name in ("large.pgn", "small.pgn"):
        place.store.remove(f"{below}{name}")
    place.must_hold(below, "t/", place.of_games(("large", "small"), FLAGS))
    return ""

"""What goes wrong with a store is reported in one message, and leaves no table."""

import json
from collections.abc import Iterator
from functools import partial

from expected import must_be_stored, must_say, must_succeed
from judge.report import Case, Failed
from stores.by_hand import Job
from stores.counted import FLAGS, alone
from stores.place import Place
from stores.relay import Fate, Relay
from stores.servers import S3


def cases(place: Place) -> Iterator[Case]:
    """What is missing, what is refused, what ends in the middle."""
    yield Case("a missing object, bucket and scheme", partial(missing, place))
    yield Case("wrong credentials and none", partial(credentials, place))
    yield Case("an endpoint without TLS that is not allowed", partial(without_tls, place))
    yield Case("an object that vanishes or changes after the plan", partial(changed, place))
    yield Case("a server that dies while a chunk is mapped", partial(dies_in_map, place))
    yield Case("a server that dies while a part is written", partial(dies_in_reduce, place))
    for request, after in (("PUT", 1), ("POST", 0)):
        case = partial(dies_in_commit, place, request, after)
        yield Case(f"a server that dies in a commit, at {request} {after + 1}", case)
    yield Case("a server that dies while a table is replaced", partial(dies_in_replacement, place))
    yield Case("a commit while another one writes the table", partial(claimed, place))


def missing(place: Place) -> str:
    """The plan names what is not there."""
    job = place.job("missing")
    (games,) = place.put("small", below="missing/")
    out = "s3://games/missing/games.table"
    for url in ("s3://games/missing/none.pgn", "s3://nothing/none.pgn"):
        must_say(job.plan(games, url, *FLAGS, "-o", out), url, "no such object")
    must_say(job.plan("s3a://games/a.pgn", *FLAGS, "-o", out), "s3a://games/a.pgn", "s3://", code=2)
    must_succeed(job.plan(games, *FLAGS, "-o", "s3://nothing/games.table", "--force"))
    must_succeed(job.map(job.chunks[0]))
    must_say(job.reduce("a", of=1)[0], "s3://nothing/", "NoSuchBucket")
    return ""


def credentials(place: Place) -> str:
    """Neither the key nor what it signed is printed."""
    signed = S3(place.new_folder("signed"), signed=True)
    games = signed.put("small.pgn", place.games["small"].read_bytes())
    arguments = (games, *FLAGS, "-o", place.new_folder("table") / "games.table")
    must_succeed(place.job("right", signed.environment()).plan(*arguments))
    for changed in ({"AWS_SECRET_ACCESS_KEY": "wrong"}, {"AWS_ACCESS_KEY_ID": "AKIAUNKNOWN"}):
        ran = place.job("wrong", signed.environment(**changed)).plan(*arguments)
        must_say(ran, "access is refused", "AWS_SECRET_ACCESS_KEY")
        printed = [key for key in (signed.id, signed.secret, "AKIAUNKNOWN") if key in ran.err]
        if printed:
            raise Failed(f"a key is printed: {ran.err}")
    none = signed.environment(AWS_METADATA_ENDPOINT="http://127.0.0.1:9")
    del none["AWS_ACCESS_KEY_ID"], none["AWS_SECRET_ACCESS_KEY"]
    must_say(place.job("none", none).plan(*arguments), "no role", "AWS_ACCESS_KEY_ID")
    return ""


def without_tls(place: Place) -> str:
    """The message has the variable."""
    environment = place.s3.environment()
    del environment["AWS_ALLOW_HTTP"]
    ran = place.job("tls", environment).plan("s3://games/a.pgn", "-o", "s3://games/b.table")
    must_say(ran, "s3://games/", "AWS_ALLOW_HTTP")
    return ""


def changed(place: Place) -> str:
    """A chunk is of the object that was planned, or it fails."""
    job = place.job("changed")
    below = f"{job.folder.name}/"
    (games,) = place.put("large", below=below)
    must_succeed(job.plan(games, *FLAGS, "-o", f"s3://games/{below}t", "--chunk", place.chunk))
    rewritten = place.games["large"].read_bytes().replace(b'Result "1-0"', b'Result "0-1"')
    place.s3.put(f"{below}large.pgn", rewritten)
    must_say(job.map(job.chunks[0]), games, "was rewritten after it was planned", "plan again")
    place.s3.put(f"{below}large.pgn", place.games["large"].read_bytes()[:-200000])
    must_say(job.map(job.chunks[0]), games)
    place.s3.client.delete_object(Bucket="games", Key=f"{below}large.pgn")
    must_say(job.map(job.chunks[0]), games, "no such object")
    return ""


def planned(place: Place, name: str) -> tuple[Job, str, list[str]]:
    """A job whose inputs are in the bucket, the folder of both there, and the URLs of the inputs."""
    job = place.job(name)
    below = f"{job.folder.name}/"
    urls = place.put("large", "small", below=below)
    must_succeed(job.plan(*urls, *FLAGS, "-o", f"s3://games/{below}t"))
    return job, below, urls


def dying(place: Place, job: Job, line: str, after: int) -> Relay:
    """Lets requests pass until the one of this beginning comes a number of times; then none."""
    seen: list[str] = []

    def rule(request: str) -> Fate:
        seen.extend([request] if request.startswith(line) or len(seen) > after else [])
        return Fate.PASS if len(seen) <= after else Fate.REFUSED

    relay = Relay(place.s3.server.port, rule)
    job.environment = place.s3.environment(AWS_ENDPOINT_URL=relay.endpoint)
    return relay


def no_table(place: Place, below: str) -> None:
    """There is no manifest, which makes a table."""
    found = [name for name in place.s3.objects(below) if name.endswith("manifest.json")]
    if found:
        raise Failed(f"a table is there: {found}")


def dies_in_map(place: Place) -> str:
    """The failed task writes no stream; it is done again when the server is back."""
    job, below, urls = planned(place, "dies-in-map")
    relay = dying(place, job, "GET", 1)
    must_say(job.map(job.chunks[0]), urls[0], "attempts")
    relay.close()
    job.environment = place.s3.environment()
    return finish(place, job, below)


def dies_in_reduce(place: Place) -> str:
    """Parts that were written are orphans, which the next commit sweeps."""
    job, below, _ = planned(place, "dies-in-reduce")
    for chunk in job.chunks:
        must_succeed(job.map(chunk))
    relay = dying(place, job, "PUT", 3)
    must_say(job.reduce("a", of=1)[0], f"s3://games/{below}", "attempts")
    relay.close()
    if len(job.lines) >= 8:
        raise Failed(f"{len(job.lines)} shards are reported")
    no_table(place, below)
    job.environment = place.s3.environment()
    if job.lines:
        must_say(job.commit(), "shard")
        no_table(place, below)
    return finish(place, job, below)


def dies_in_commit(place: Place, request: str, after: int) -> str:
    """Before the manifest is there, or before anything is deleted, which S3 does by POST."""
    job, below, _ = planned(place, "dies-in-commit")
    for ran in (*map(job.map, job.chunks), *job.reduce("a")):
        must_succeed(ran)
    relay = dying(place, job, request, after)
    must_say(job.commit(), f"s3://games/{below}", "attempts")
    relay.close()
    if request == "PUT":
        no_table(place, below)
    job.environment = place.s3.environment()
    must_succeed(job.commit())
    return judge(place, below)


def dies_in_replacement(place: Place) -> str:
    """With --force the table that was there is whole until the other one is."""
    job, below, urls = planned(place, "replaced")
    must_succeed(job.all(*urls, *FLAGS, "-o", f"s3://games/{below}t"))
    before = place.s3.objects(f"{below}t/")
    other = place.job("replacing")
    must_succeed(other.plan(urls[1], *FLAGS, "-o", f"s3://games/{below}t", "--force"))
    for ran in (*map(other.map, other.chunks), *other.reduce("b")):
        must_succeed(ran)
    relay = dying(place, other, "PUT", 1)
    must_say(other.commit(), f"s3://games/{below}", "attempts")
    relay.close()
    there = place.s3.objects(f"{below}t/")
    if changed := [name for name, content in before.items() if there.get(name) != content]:
        raise Failed(f"gone or changed: {changed}")
    other.environment = place.s3.environment()
    must_succeed(other.run("verify", f"s3://games/{below}t"))
    must_succeed(other.commit())
    must_be_stored(place.s3.objects(f"{below}t/"), place.of_games(("small",), FLAGS))
    return ""


def claimed(place: Place) -> str:
    """The store lets one commit write a table; parts and lines stay for the other."""
    job, below, _ = planned(place, "claimed")
    for ran in (*map(job.map, job.chunks), *job.reduce("a")):
        must_succeed(ran)
    claim = place.s3.put(f"{below}t/_commit", b"another job")
    must_say(job.commit(), claim, "another commit writes the table")
    no_table(place, below)
    place.s3.client.delete_object(Bucket="games", Key=f"{below}t/_commit")
    parts = f"s3://games/{below}t/.{json.loads(job.lines[0])['job']}.parts"
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
    must_be_stored(place.s3.objects(f"{below}t/"), place.of_games(("large", "small"), FLAGS))
    for name in ("large.pgn", "small.pgn"):
        place.s3.client.delete_object(Bucket="games", Key=f"{below}{name}")
    alone(place, below, "t/")
    return ""

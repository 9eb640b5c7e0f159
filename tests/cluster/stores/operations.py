"""Operations of the crate alone: uploads in parts, listings, positioned reads."""

import random
import shutil
from collections.abc import Mapping
from functools import partial

from expected import must_say, must_succeed
from judge.report import Failed, Skipped
from stores.amazon import S3WithTls
from stores.bucket import Bucket
from stores.google import FakeGcs
from stores.place import Checks, Place

# Three parts of an upload, and some.
BYTES = 26_000_001


def cases(store: Bucket) -> Checks:
    """What every store does, and what only one here does."""
    return {
        "operations": lambda place: operations(place, place.store.environment()),
        **({"operations by TLS": by_tls} if store.scheme == "s3" else {}),
        "requests of a positioned reader": requests,
    }


def operations(place: Place, environment: Mapping[str, str]) -> str:
    """Objects come, are the same bytes, and go."""
    bucket = place.store.url("").rstrip("/")
    content = random.Random(1).randbytes(BYTES)
    file = place.new_folder("operations") / "file"
    file.write_bytes(content)
    run = partial(place.operation, environment)
    one, two = f"{bucket}/operations/a b/c+%20#d", f"{bucket}/operations/two"
    must_succeed(run("put", file, one))
    must_succeed(run("once", file, "0a", two))
    must_succeed(run("once", file, "0a", two))
    must_say(run("once", file, "0b", two), two, "with different content")
    if run("get", one).out != content or run("read", one, 131072, 0, BYTES).out != content:
        raise Failed("other bytes came back")
    if run("read", one, 7, 12_345_678, 12_345_700).out != content[12_345_678:12_345_700]:
        raise Failed("other bytes came from the middle")
    ran = run("list", f"{bucket}/operations")
    must_succeed(ran)
    listed = ran.out.decode()
    if listed != f"{BYTES} a b/c+%20#d\n{BYTES} two\n":
        raise Failed(f"listed: {listed}")
    for _ in range(2):
        must_succeed(run("delete", two))
    if [run("exists", url).out for url in (one, two)] != [b"true\n", b"false\n"]:
        raise Failed("an object is there that should not, or the other way round")
    must_say(run("get", two), two, "no such object")
    must_say(run("list", f"{bucket}x"), f"{bucket}x", "no such bucket")
    return ""


def by_tls(place: Place) -> str:
    """A certificate is trusted if the system, or the environment, names it."""
    if not shutil.which("openssl"):
        raise Skipped("no openssl, so no certificate")
    server = S3WithTls(place.new_folder("tls"))
    trusting = server.environment(SSL_CERT_FILE=str(server.certificate))
    operations(place, trusting)
    url = "s3://games/small.pgn"
    must_succeed(place.operation(trusting, "put", place.games["small"], url))
    must_succeed(place.job("tls", trusting).plan(url, "-o", "s3://games/games.table"))
    must_say(place.operation(server.environment(), "get", url), url, "certificate")
    return ""


def requests(place: Place) -> str:
    """A sequential reader makes few requests, and one that hops one a hop."""
    url = place.store.put("requests/file", random.Random(2).randbytes(64 << 20))
    relay, environment = place.relayed()
    found = []
    for step, begin, end in ((131072, 0, 64 << 20), (12, 50_000_000, 50_000_012)):
        before = len(relay.seen)
        must_succeed(place.operation(environment, "read", url, step, begin, end))
        found.append(sum(line.startswith("GET") for line in relay.seen[before:]))
    relay.close()
    if found[0] > 12 or found[1] != 1:
        raise Failed(f"{found[0]} requests for 64 MiB in turn, {found[1]} for a hop")
    return f"{found[0]} for 64 MiB in turn, {found[1]} for a hop"


def reading(place: Place, google: FakeGcs) -> str:
    """What a server that takes no objects from programs can show."""
    content = random.Random(3).randbytes(BYTES)
    url = google.put("operations/file", content)
    run = partial(place.operation, google.environment())
    if run("get", url).out != content or run("read", url, 131072, 0, BYTES).out != content:
        raise Failed("other bytes came back")
    listed = run("list", "gs://games/operations").out.decode()
    if listed != f"{BYTES} file\n":
        raise Failed(f"listed: {listed}")
    must_succeed(run("delete", url))
    must_say(run("get", url), url, "no such object")
    return ""

"""Operations of the crate alone: uploads in parts, listings, positioned reads."""

import random
import shutil
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from expected import must_say, must_succeed
from judge.report import Case, Failed
from stores.place import Place
from stores.servers import Azure, Google, S3WithTls

# Three parts of an upload, and some.
BYTES = 26_000_001


def cases(place: Place, others: Sequence[Azure | Google]) -> Iterator[Case]:
    """For each server."""
    yield Case("S3: operations", partial(operations, place, "s3://games", place.s3.environment()))
    if shutil.which("openssl"):
        yield Case("S3: operations by TLS", partial(by_tls, place))
    else:
        print("SKIPPED: no openssl, so no certificate; TLS is skipped")
    yield Case("S3: requests of a positioned reader", partial(requests, place))
    for server in others:
        if isinstance(server, Google):
            yield Case("Google: reading and deleting", partial(reading, place, server))
        else:
            check = partial(operations, place, "az://games", server.environment())
            yield Case("Azure: operations", check)


def operations(place: Place, bucket: str, environment: Mapping[str, str]) -> str:
    """Objects come, are the same bytes, and go."""
    content = random.Random(1).randbytes(BYTES)
    file = place.new_folder("operations") / "file"
    file.write_bytes(content)
    run = partial(place.operation, environment)
    one, two = f"{bucket}/operations/a b/c+%20#d", f"{bucket}/operations/two"
    must_succeed(run("put", file, one))
    must_succeed(run("once", file, "0a", two))
    must_succeed(run("once", file, "0a", two))
    must_say(run("once", file, "0b", two), two, "with other bytes")
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
    server = S3WithTls(place.new_folder("tls"))
    trusting = server.environment(SSL_CERT_FILE=str(server.certificate))
    operations(place, "s3://games", trusting)
    url = "s3://games/small.pgn"
    must_succeed(place.operation(trusting, "put", place.games["small"], url))
    must_succeed(place.job("tls", trusting).plan(url, "-o", "s3://games/games.table"))
    must_say(place.operation(server.environment(), "get", url), url, "certificate")
    return ""


def requests(place: Place) -> str:
    """A sequential reader makes few requests, and one that hops one a hop."""
    url = place.s3.put("requests/file", random.Random(2).randbytes(64 << 20))
    line = "GET /games/requests/file"
    must_succeed(place.operation(place.s3.environment(), "read", url, 131072, 0, 64 << 20))
    sequential = place.s3.requests(line)
    must_succeed(place.operation(place.s3.environment(), "read", url, 12, 50_000_000, 50_000_012))
    hop = place.s3.requests(line) - sequential
    if sequential > 12 or hop != 1:
        raise Failed(f"{sequential} requests for 64 MiB in turn, {hop} for a hop")
    return f"{sequential} for 64 MiB in turn, {hop} for a hop"


def reading(place: Place, google: Google) -> str:
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

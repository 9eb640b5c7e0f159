"""Uploads that are cut, throttled or refused: whole objects or none, and a message."""

import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from expected import must_be_stored, must_say, must_succeed
from judge.report import Case, Failed
from stores.counted import FLAGS, alone
from stores.operations import BYTES
from stores.place import Place
from stores.relay import Fate, Relay
from stores.servers import S3

SLOW_DOWN = b"<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>"
THROTTLED = (b"503 Slow Down", b"429 Too Many Requests")


def cases(place: Place) -> Iterator[Case]:
    """On moto's S3."""
    yield Case("an upload whose parts are cut in their middle", partial(cut, place))
    yield Case("an upload that is cut each time", partial(always_cut, place))
    yield Case("an upload that another attempt has made", partial(twice, place))
    yield Case("a count whose uploads are cut in their middle", partial(count_cut, place))
    yield Case("a count on a store that throttles", partial(throttled, place))
    yield Case("a store that throttles for ever", partial(always_throttled, place))
    yield Case("wrong credentials of a reduce", partial(refused, place))


def slow_down(status: bytes) -> bytes:
    """The answer of a store that is asked too often."""
    head = b"HTTP/1.1 %b\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
    return head % (status, len(SLOW_DOWN)) + SLOW_DOWN


def relayed(place: Place, rule: Callable[[str], Fate | bytes]) -> tuple[Relay, dict[str, str]]:
    """A relay before the server, and the environment that leads there."""
    relay = Relay(place.s3.server.port, rule)
    return relay, place.s3.environment(AWS_ENDPOINT_URL=relay.endpoint)


def large_file(place: Place, name: str) -> tuple[Path, str]:
    """A file of several parts, and the URL that it is to have."""
    file = place.new_folder(name) / "file"
    file.write_bytes(random.Random(4).randbytes(BYTES))
    return file, f"s3://games/{file.parent.name}/file"


def must_be_there(place: Place, file: Path) -> None:
    """The object has the bytes of the file, and no upload is unfinished."""
    found = place.s3.objects(f"{file.parent.name}/")
    if found != {"file": file.read_bytes()} or place.s3.unfinished():
        raise Failed(f"other bytes, or {place.s3.unfinished()} unfinished uploads")


def cut(place: Place) -> str:
    """Each part is sent again, the object is whole, and nothing of the upload is left."""
    file, url = large_file(place, "cut")
    seen: list[str] = []

    def rule(line: str) -> Fate:
        seen.extend([line] if "partNumber" in line else [])
        return Fate.CUT_REQUEST if "partNumber" in line and len(seen) % 2 else Fate.PASS

    relay, environment = relayed(place, rule)
    must_succeed(place.operation(environment, "once", file, "0a", url))
    relay.close()
    must_be_there(place, file)
    return f"{relay.refused} of {len(seen)} parts were cut"


def always_cut(place: Place) -> str:
    """The message has the number of attempts; nothing is there, not even parts that could be paid for."""
    file, url = large_file(place, "always-cut")
    relay, environment = relayed(
        place, lambda line: Fate.CUT_REQUEST if "partNumber=3" in line else Fate.PASS
    )
    must_say(place.operation(environment, "once", file, "0a", url), url, "cannot be written", "attempts")
    relay.close()
    if place.s3.objects(f"{file.parent.name}/") or place.s3.unfinished():
        raise Failed("something is there")
    return ""


def twice(place: Place) -> str:
    """It is not sent again; other bytes are refused."""
    file, url = large_file(place, "twice")
    must_succeed(place.operation(place.s3.environment(), "once", file, "0a", url))
    sent = place.s3.requests("partNumber")
    must_succeed(place.operation(place.s3.environment(), "once", file, "0a", url))
    if place.s3.requests("partNumber") != sent:
        raise Failed("it was sent again")
    must_say(place.operation(place.s3.environment(), "once", file, "0b", url), url, "other bytes")
    must_be_there(place, file)
    return ""


def count_through(place: Place, name: str, rule: Callable[[str], Fate | bytes]) -> Relay:
    """A count of which some requests fail has the bytes of one without failures."""
    relay, environment = relayed(place, rule)
    job = place.job(name, environment)
    below = f"{job.folder.name}/"
    urls = place.put("large", "small", below=below)
    must_succeed(job.all(*urls, *FLAGS, "-o", f"s3://games/{below}out/t"))
    relay.close()
    must_be_stored(place.s3.objects(f"{below}out/t/"), place.of_games(("large", "small"), FLAGS))
    alone(place, f"{below}out/", "t/")
    if not relay.refused:
        raise Failed("no request failed")
    return relay


def count_cut(place: Place) -> str:
    """Each second part and line is cut; each is sent again, though it must not be there yet."""
    seen: list[str] = []

    def rule(line: str) -> Fate:
        seen.extend([line] if line.startswith("PUT") else [])
        return Fate.CUT_REQUEST if line.startswith("PUT") and len(seen) % 2 else Fate.PASS

    relay = count_through(place, "count-cut", rule)
    return f"{relay.refused} of {len(seen)} uploads were cut"


def throttled(place: Place) -> str:
    """Each second request is answered with 503 or 429, and made again after a pause."""
    seen: list[str] = []

    def rule(line: str) -> Fate | bytes:
        seen.append(line)
        return slow_down(THROTTLED[len(seen) // 2 % 2]) if len(seen) % 2 else Fate.PASS

    relay = count_through(place, "throttled", rule)
    return f"{relay.refused} of {len(seen)} requests were throttled"


def always_throttled(place: Place) -> str:
    """The reduce fails in the store's words, and no part is there."""
    job = place.job("always-throttled")
    below = f"{job.folder.name}/"
    must_succeed(job.plan(place.games["small"], *FLAGS, "-o", f"s3://games/{below}t"))
    must_succeed(job.map(job.chunks[0]))
    relay, job.environment = relayed(
        place, lambda line: slow_down(THROTTLED[0]) if line.startswith("PUT") else Fate.PASS
    )
    must_say(job.reduce("a", of=1)[0], f"s3://games/{below}", "SlowDown", "attempts")
    relay.close()
    alone(place, below, "nothing")
    return ""


def refused(place: Place) -> str:
    """Nothing is written, and no key is printed."""
    signed = S3(place.new_folder("signed-reduce"), signed=True)
    job = place.job("refused", signed.environment())
    must_succeed(job.plan(place.games["small"], *FLAGS, "-o", "s3://games/t"))
    must_succeed(job.map(job.chunks[0]))
    job.environment = signed.environment(AWS_SECRET_ACCESS_KEY="wrong")
    ran = job.reduce("a", of=1)[0]
    must_say(ran, "s3://games/t/", "access is refused", "AWS_SECRET_ACCESS_KEY")
    if signed.secret in ran.err or signed.id in ran.err:
        raise Failed(f"a key is printed: {ran.err}")
    if signed.objects(""):
        raise Failed("something is there")
    return ""

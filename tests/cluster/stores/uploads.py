"""Uploads that are cut, throttled or refused: whole objects or none, and a message."""

import random
from pathlib import Path

from expected import must_say, must_succeed
from judge.report import Failed
from stores.bucket import Bucket
from stores.operations import BYTES
from stores.place import FLAGS, Checks, Place
from stores.relay import Fate, Relay, Rule

SLOW_DOWN = b"<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>"
THROTTLED = (b"503 Slow Down", b"429 Too Many Requests")


def cases(_store: Bucket) -> Checks:
    """Of an object in parts, and of whole counts."""
    return {
        "an upload whose parts are cut in their middle": cut,
        "an upload that is cut each time": always_cut,
        "an upload whose requests are done and not answered": unanswered,
        "an upload that another attempt has made": twice,
        "a count whose uploads are cut in their middle": count_cut,
        "a count whose changes are done and not answered": count_unanswered,
        "a count on a store that throttles": throttled,
        "a store that throttles for ever": always_throttled,
        "wrong credentials of a reduce": refused,
    }


def slow_down(status: bytes) -> bytes:
    """The answer of a store that is asked too often."""
    head = b"HTTP/1.1 %b\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
    return head % (status, len(SLOW_DOWN)) + SLOW_DOWN


def large_file(place: Place, name: str) -> tuple[Path, str]:
    """A file of several parts, and the URL that it is to have."""
    file = place.new_folder(name) / "file"
    file.write_bytes(random.Random(4).randbytes(BYTES))
    return file, place.store.url(f"{file.parent.name}/file")


def must_be_there(place: Place, file: Path) -> None:
    """The object has the bytes of the file, and no upload is unfinished."""
    found = place.store.objects(f"{file.parent.name}/")
    if found != {"file": file.read_bytes()} or place.store.unfinished():
        raise Failed(f"other bytes, or {place.store.unfinished()} unfinished uploads")


def cut(place: Place) -> str:
    """Each part is sent again, the object is whole, and nothing of the upload is left."""
    file, url = large_file(place, "cut")
    seen: list[str] = []

    def rule(line: str) -> Fate:
        seen.extend([line] if place.store.part in line else [])
        return Fate.CUT_REQUEST if place.store.part in line and len(seen) % 2 else Fate.PASS

    relay, environment = place.relayed(rule)
    must_succeed(place.operation(environment, "once", file, "0a", url))
    relay.close()
    must_be_there(place, file)
    return f"{relay.refused} of {len(seen)} parts were cut"


def always_cut(place: Place) -> str:
    """The message has the number of attempts; nothing is there, not even parts that could be paid for.

    The first two requests that take the upload back are lost, too.
    """
    file, url = large_file(place, "always-cut")

    def rule(line: str) -> Fate:
        if line.startswith("DELETE") and relay.seen.count(line) <= 2:
            return Fate.REFUSED
        return Fate.CUT_REQUEST if place.store.part in line else Fate.PASS

    relay, environment = place.relayed(rule)
    must_say(place.operation(environment, "once", file, "0a", url), url, "cannot be written", "attempts")
    relay.close()
    if place.store.objects(f"{file.parent.name}/") or place.store.unfinished():
        raise Failed("something is there")
    return ""


def first_unanswered(seen: list[str]) -> Rule:
    """Each change is done at its first request, and not answered; but what begins an upload is."""

    def rule(line: str) -> Fate:
        is_first = not line.startswith(("GET", "HEAD")) and "uploads" not in line and line not in seen
        seen.append(line)
        return Fate.NO_ANSWER if is_first else Fate.PASS

    return rule


def unanswered(place: Place) -> str:
    """What was done is found done: also what lets the object appear, which cannot be done again."""
    file, url = large_file(place, "unanswered")
    seen: list[str] = []
    relay, environment = place.relayed(first_unanswered(seen))
    must_succeed(place.operation(environment, "once", file, "0a", url))
    relay.close()
    must_be_there(place, file)
    return f"{relay.refused} of {len(seen)} requests were not answered"


def twice(place: Place) -> str:
    """It is not sent again; other bytes are refused."""
    file, url = large_file(place, "twice")
    must_succeed(place.operation(place.store.environment(), "once", file, "0a", url))
    relay, environment = place.relayed()
    must_succeed(place.operation(environment, "once", file, "0a", url))
    must_say(place.operation(environment, "once", file, "0b", url), url, "different content")
    relay.close()
    if any(place.store.part in line for line in relay.seen):
        raise Failed("it was sent again")
    must_be_there(place, file)
    return ""


def count_through(place: Place, name: str, rule: Rule) -> Relay:
    """A count of which some requests fail has the bytes of one without failures."""
    relay, environment = place.relayed(rule)
    job = place.job(name, environment)
    below = f"{job.folder.name}/"
    urls = place.put("large", "small", below=below)
    must_succeed(job.all(*urls, *FLAGS, "-o", place.store.url(f"{below}out/t")))
    relay.close()
    place.must_hold(f"{below}out/", "t/", place.of_games(("large", "small"), FLAGS))
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


def count_unanswered(place: Place) -> str:
    """What must not be there yet, and is since it was done, is no failure, and neither is what is removed."""
    seen: list[str] = []
    relay = count_through(place, "count-unanswered", first_unanswered(seen))
    return f"{relay.refused} of {len(seen)} requests were not answered"


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
    must_succeed(job.plan(place.games["small"], *FLAGS, "-o", place.store.url(f"{below}t")))
    must_succeed(job.map(job.chunks[0]))
    relay, job.environment = place.relayed(
        lambda line: slow_down(THROTTLED[0]) if line.startswith("PUT") else Fate.PASS
    )
    must_say(job.reduce("a", of=1)[0], place.store.url(below), "SlowDown", "attempts")
    relay.close()
    place.must_be_alone(below)
    return ""


def refused(place: Place) -> str:
    """Nothing is written, and no key is printed."""
    guarded = place.store.guarded(place.new_folder("guarded-reduce"))
    job = place.job("refused", guarded.environment())
    must_succeed(job.plan(place.games["small"], *FLAGS, "-o", guarded.url("t")))
    must_succeed(job.map(job.chunks[0]))
    job.environment = guarded.wrong()[0]
    ran = job.reduce("a", of=1)[0]
    must_say(ran, guarded.url("t/"), "access is refused", guarded.credentials)
    if any(secret in ran.err for secret in guarded.secrets):
        raise Failed(f"a key is printed: {ran.err}")
    if guarded.objects(""):
        raise Failed("something is there")
    return ""

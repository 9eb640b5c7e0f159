"""Counts whose inputs and outputs are in stores have the bytes of a count by one thread."""

from collections.abc import Iterator, Sequence
from functools import partial

from expected import must_be_same, must_be_stored, must_say, must_succeed
from judge.compare import contents
from judge.report import Failed
from stores.bucket import Bucket
from stores.google import FakeGcs
from stores.place import FLAGS, Checks, Place
from stores.relay import Fate

FILTERS = ("--ratings", "--by", "month", "--min-plies", "20", "--shards", "4", "--max-ply", "0")

# Packed files that are planned, frames of each, at least about so many, and requests of a plan for each file
# beside one for each of its frames.
FILES, FRAMES, MORE_REQUESTS_MAX = 3, 12, 7


def cases(_store: Bucket) -> Checks:
    """Each way to pack, with flags of each kind."""
    packings = [(("large", "small"), FLAGS), (("gz", "large"), FILTERS), (("pzstd", "gz"), FLAGS)]
    counts = {f"{' and '.join(names)} {' '.join(flags)}": (names, flags) for names, flags in packings}
    return {
        "requests of a plan": plan_of_frames,
        **{name: partial(count, names=names, flags=flags) for name, (names, flags) in counts.items()},
        "inputs in a bucket, table in a folder": to_folder,
        "a table that is there is replaced only with --force": again,
        "each third request lost, each fifth cut": through_faults,
    }


def count(place: Place, names: Sequence[str], flags: Sequence[str]) -> str:
    """Files of a bucket, counted into the same bucket."""
    job = place.job("count")
    below = f"{job.folder.name}/"
    urls = place.put(*names, below=below)
    table = place.store.url(f"{below}out/games.table")
    must_succeed(job.all(*urls, *flags, "-o", table, "--chunk", place.chunk))
    place.must_hold(f"{below}out/", "games.table/", place.of_games(names, flags))
    return f"{len(job.chunks)} chunks"


def plan_of_frames(place: Place) -> str:
    """A frame costs a request, and a file a few more."""
    once = place.file("pzstd").read_bytes()
    packed = once * max(1, FRAMES // len(list(frames_of(once))))
    frames = FILES * len(list(frames_of(packed)))
    job = place.job("frames")
    urls = [place.store.put(f"{job.folder.name}/{number}.pgn.zst", packed) for number in range(FILES)]
    relay, job.environment = place.relayed()
    must_succeed(job.plan(*urls, "-o", job.folder / "games.table", "--chunk", place.chunk))
    relay.close()
    more = (len(relay.seen) - frames) / FILES
    if more > MORE_REQUESTS_MAX:
        raise Failed(f"{len(relay.seen)} requests for {frames} frames in {FILES} files")
    return f"{len(relay.seen)} for {frames} frames in {FILES} files, {more:.1f} a file beside its frames"


def frames_of(packed: bytes) -> Iterator[int]:
    """Where frames of pzstd begin: before each is one to be skipped, whose four bytes are its length."""
    at = 0
    while at < len(packed):
        yield at
        at += 12 + int.from_bytes(packed[at + 8 : at + 12], "little")


def to_folder(place: Place) -> str:
    """Only the inputs are in the bucket."""
    job = place.job("to-folder")
    table = job.folder / "out/games.table"
    table.parent.mkdir()
    urls = place.put("large", "small", below=f"{job.folder.name}/")
    must_succeed(job.all(*urls, *FLAGS, "-o", table, "--chunk", place.chunk))
    must_be_same(contents(table), place.of_games(("large", "small"), FLAGS))
    return ""


def again(place: Place) -> str:
    """Other games, the same place."""
    job = place.job("again")
    below = f"{job.folder.name}/"
    table = place.store.url(f"{below}games.table")
    first, second = place.put("small", below=below), place.put("gz", below=below)
    place.store.put(f"{below}games.tables", b"a neighbour whose name begins alike")
    must_succeed(job.all(*first, *FLAGS, "-o", table))
    must_say(job.plan(*second, *FLAGS, "-o", table), table, code=2)
    must_be_stored(place.store.objects(f"{below}games.table/"), place.of_games(("small",), FLAGS))
    must_succeed(job.all(*second, *FLAGS, "-o", table, "--force", attempt="b"))
    must_be_stored(place.store.objects(f"{below}games.table/"), place.of_games(("gz",), FLAGS))
    return ""


def through_faults(place: Place) -> str:
    """Requests that fail now and then are made again, and no byte differs."""
    seen: list[str] = []

    def rule(line: str) -> Fate:
        seen.append(line)
        if len(seen) % 3 == 0:
            return Fate.REFUSED
        return Fate.CUT_ANSWER if line.startswith("GET") and len(seen) % 5 == 0 else Fate.PASS

    relay, environment = place.relayed(rule)
    job = place.job("faults", environment)
    below = f"{job.folder.name}/"
    urls = place.put("large", "small", below=below)
    must_succeed(job.all(*urls, *FLAGS, "-o", place.store.url(f"{below}games.table")))
    relay.close()
    expected = place.of_games(("large", "small"), FLAGS)
    must_be_stored(place.store.objects(f"{below}games.table/"), expected)
    if not relay.refused:
        raise Failed("no request failed")
    return f"{relay.refused} of {len(seen)} requests failed"


def count_from_google(place: Place, google: FakeGcs) -> str:
    """Inputs in a server that takes no tables, so the table is in a folder."""
    job = place.job("google", google.environment())
    table = job.folder / "out/games.table"
    table.parent.mkdir()
    urls = [google.put(place.games[n].name, place.games[n].read_bytes()) for n in ("large", "gz")]
    must_succeed(job.all(*urls, *FLAGS, "-o", table, "--chunk", place.chunk))
    must_be_same(contents(table), place.of_games(("large", "gz"), FLAGS))
    return f"{len(job.chunks)} chunks"

"""Counts whose inputs and outputs are in stores have the bytes of a count by one thread."""

from collections.abc import Iterator, Sequence
from functools import partial

from expected import must_be_same, must_be_stored, must_say, must_succeed
from judge.compare import contents
from judge.report import Case, Failed
from stores.place import Place
from stores.relay import Fate, Relay
from stores.servers import Azure, Google

FLAGS = ("--max-ply", "30", "--shards", "8")
FILTERS = ("--ratings", "--by", "month", "--min-plies", "20", "--shards", "4", "--max-ply", "0")


def cases(place: Place) -> Iterator[Case]:
    """Each way to pack, with flags of each kind."""
    counts = [(("large", "small"), FLAGS), (("gz", "large"), FILTERS)]
    if "pzstd" in place.games:
        counts.append((("pzstd", "gz"), FLAGS))
    for names, flags in counts:
        yield Case(f"{' and '.join(names)} {' '.join(flags)}", partial(count, place, names, flags))
    yield Case("inputs in a bucket, table in a folder", partial(to_folder, place))
    yield Case("a table that is there is replaced only with --force", partial(again, place))
    yield Case("each third request lost, each fifth cut", partial(through_faults, place))


def count(place: Place, names: Sequence[str], flags: Sequence[str]) -> str:
    """Files of a bucket, counted into the same bucket."""
    expected = place.of_games(names, flags)
    job = place.job("count")
    below = f"{job.folder.name}/"
    urls = place.put(*names, below=below)
    table = f"s3://games/{below}out/games.table"
    must_succeed(job.all(*urls, *flags, "-o", table, "--chunk", place.chunk))
    alone(place, f"{below}out/", "games.table/")
    must_be_stored(place.s3.objects(f"{below}out/games.table/"), expected)
    return f"{len(job.chunks)} chunks"


def alone(place: Place, prefix: str, kept: str) -> None:
    """Nothing but the table is below a prefix, and no upload is unfinished."""
    left = [name for name in place.s3.objects(prefix) if not name.startswith(kept)]
    if left or place.s3.unfinished():
        raise Failed(f"left: {left}, and {place.s3.unfinished()} unfinished uploads")


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
    table = f"s3://games/{below}games.table"
    first, second = place.put("small", below=below), place.put("gz", below=below)
    place.s3.put(f"{below}games.tables", b"a neighbour whose name begins alike")
    must_succeed(job.all(*first, *FLAGS, "-o", table))
    must_say(job.plan(*second, *FLAGS, "-o", table), table, code=2)
    must_be_stored(place.s3.objects(f"{below}games.table/"), place.of_games(("small",), FLAGS))
    must_succeed(job.all(*second, *FLAGS, "-o", table, "--force", attempt="b"))
    must_be_stored(place.s3.objects(f"{below}games.table/"), place.of_games(("gz",), FLAGS))
    return ""


def through_faults(place: Place) -> str:
    """Requests that fail now and then are made again, and no byte differs."""
    seen: list[str] = []

    def rule(line: str) -> Fate:
        seen.append(line)
        if len(seen) % 3 == 0:
            return Fate.REFUSED
        return Fate.CUT_ANSWER if line.startswith("GET") and len(seen) % 5 == 0 else Fate.PASS

    relay = Relay(place.s3.server.port, rule)
    job = place.job("faults", place.s3.environment(AWS_ENDPOINT_URL=relay.endpoint))
    below = f"{job.folder.name}/"
    urls = place.put("large", "small", below=below)
    must_succeed(job.all(*urls, *FLAGS, "-o", f"s3://games/{below}games.table"))
    relay.close()
    expected = place.of_games(("large", "small"), FLAGS)
    must_be_stored(place.s3.objects(f"{below}games.table/"), expected)
    if not relay.refused:
        raise Failed("no request failed")
    return f"{relay.refused} of {len(seen)} requests failed"


def count_azure(place: Place, azure: Azure) -> str:
    """The same count as of files."""
    job = place.job("azure", azure.environment())
    below = "az://games/count"
    for name in ("large", "small"):
        path = place.games[name]
        must_succeed(place.operation(job.environment, "put", path, f"{below}/{path.name}"))
    urls = [f"{below}/{place.games[name].name}" for name in ("large", "small")]
    table = f"{below}/out/games.table"
    must_succeed(job.all(*urls, *FLAGS, "-o", table, "--chunk", place.chunk))
    listed = place.operation(job.environment, "list", f"{below}/out").out.decode().splitlines()
    found = {}
    for name in (line.split(" ", 1)[1] for line in listed):
        got = place.operation(job.environment, "get", f"{below}/out/{name}")
        found[name.removeprefix("games.table/")] = got.out
    must_be_stored(found, place.of_games(("large", "small"), FLAGS))
    return f"{len(job.chunks)} chunks"


def count_google(place: Place, google: Google) -> str:
    """The same count as of files."""
    job = place.job("google", google.environment())
    table = job.folder / "out/games.table"
    table.parent.mkdir()
    urls = [google.put(place.games[n].name, place.games[n].read_bytes()) for n in ("large", "gz")]
    must_succeed(job.all(*urls, *FLAGS, "-o", table, "--chunk", place.chunk))
    must_be_same(contents(table), place.of_games(("large", "gz"), FLAGS))
    return f"{len(job.chunks)} chunks"

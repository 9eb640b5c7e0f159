"""Counts, recipes and merges on the cluster have the bytes of those on one machine."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

import chaos
from expected import must_say
from judge import recipes
from judge.recipes import stage
from judge.report import Case, Failed
from judge.run import must
from place import Place, must_equal

# How the larger and the smaller file are packed, and flags of the count.
COUNTS = (
    ("plain", "pzstd", ("--ratings", "--by", "month", "--shards", "8")),
    ("pzstd", "gz", ("--min-elo", "1500", "--min-plies", "20", "--result", "1-0")),
    # Spark shuffles more than 200 partitions in another way.
    ("zst", "plain", ("--by", "speed,rating-band", "--shards", "256")),
    ("gz", "zst", ("--max-ply", "0", "--illegal-move", "keep-prefix")),
)


def cases(place: Place, quick: bool) -> Iterator[Case]:
    """Each way to pack with both files, and flags of each kind."""
    for large, small, flags in COUNTS[:1] if quick else COUNTS:
        name = f"{large} and {small} {' '.join(flags)}"
        yield Case(name, partial(count, place, large, small, flags))
    if not quick:
        yield Case("a recipe", partial(recipe, place))
    yield Case("copies left out, in the list", partial(copies, place, "none"))
    if not quick:
        kill = "a worker killed while copies are looked for"
        yield Case(kill, partial(copies, place, "kill worker"))
    yield Case("merge of two tables", partial(merge, place))


def count(place: Place, large: str, small: str, flags: Sequence[str]) -> str:
    """Two files on the cluster and by one thread, where a table is that is replaced."""
    files = (place.inputs.large[large], place.inputs.small[small])
    table = place.new_folder("equal") / "games.table"
    place.tabia("count", files[1], "--max-ply", 4, "-o", table)
    arguments = ("plan-and-count", *files, "-o", table, "--chunk", place.inputs.chunk, *flags)
    must_say(place.spark(*arguments), table, code=2)
    watched = place.fault("none", "none")
    ran = place.spark(*arguments, "--force", "--json", "--quiet", fault=watched)
    must_equal(ran, table, place.expected(files, flags))
    if b'"accepted"' not in ran.out or "games/s" in ran.err:
        raise Failed(f"--json printed {ran.out[:500]!r}, and --quiet {ran.err[:500]!r}")
    tasks = Counter(task.verb for task in chaos.journal(watched))
    shards = len(list(table.glob("part-*")))
    if tasks["reduce"] != shards:
        raise Failed(f"{tasks['reduce']} tasks and not one for each of {shards} shards")
    return f"{tasks['map']} maps, {tasks['reduce']} reduces"


def copies(place: Place, kind: str) -> str:
    """The same games packed in two ways, and others: one copy counts, and the list names the others."""
    files = (place.inputs.large["plain"], place.inputs.large["pzstd"], place.inputs.small["gz"])
    folder = place.new_folder("copies")
    flags = ("--dedup-games", "exact", "--rejects-filtered", "--shards", "4")
    lists = [folder / name for name in ("here.jsonl", "there.jsonl")]
    expected = place.expected(files, (*flags, "--rejects", str(lists[0])))
    arguments = ("plan-and-count", *files, "-o", folder / "games.table", *flags, "--rejects", lists[1])
    ran = place.spark(*arguments, "--chunk", place.inputs.chunk, fault=place.fault(kind, "reduce", after=2))
    must_equal(ran, folder / "games.table", expected, beside=frozenset(path.name for path in lists))
    here, there = (path.read_bytes() for path in lists)
    if here != there or b"copy_of" not in there:
        raise Failed(f"{len(here)} bytes in the list of one machine, {len(there)} in that of the cluster")
    if kind != "none" and "Lost executor" not in ran.err:
        raise Failed(f"no executor was lost: {ran.err}")
    return f"{there.count(b'copy_of')} copies"


def text_of_recipe(place: Place) -> str:
    """A table and a book."""
    return recipes.recipe(
        "A table and a book",
        {
            "cluster": {"master": place.cluster.url, "shards": 8, "chunk": place.inputs.chunk},
            "stage.games": stage("read-games", paths=[str(place.inputs.small["plain"])]),
            "stage.replay": stage("replay", "games", max_ply=20),
            "stage.tally": stage("sort-merge", "replay", shards=8, output="games.table"),
            "stage.book": stage("compact", "tally", output="book.tabia"),
        },
    )


def recipe(place: Place) -> str:
    """A recipe on the cluster has the outputs of the recipe on one machine."""
    text = text_of_recipe(place)
    here, there = place.new_folder("recipe-here"), place.new_folder("recipe-there")
    for folder in (here, there):
        (folder / "recipe.toml").write_text(text, "utf-8")
    must(place.binary, "run", here / "recipe.toml", "--quiet", folder=here)
    ran = place.spark("run", there / "recipe.toml", folder=there)
    must_equal(ran, there / "games.table", here / "games.table", beside=BESIDE)
    if (here / "book.tabia").read_bytes() != (there / "book.tabia").read_bytes():
        raise Failed("the books differ")
    return ""


BESIDE = frozenset({"recipe.toml", "book.tabia"})


def merge(place: Place) -> str:
    """Merges by one machine and by the cluster; then once more, which is refused."""
    tables = [
        place.expected([files["plain"]], ("--shards", "8"))
        for files in (place.inputs.large, place.inputs.small)
    ]
    expected = place.new_folder("merged-here") / "all.table"
    must(place.binary, "merge", *tables, "-o", expected, "--quiet")
    table = place.new_folder("merged-there") / "all.table"
    must_equal(place.spark("merge", *tables, "-o", table), table, expected)
    must_say(place.spark("merge", *tables, "-o", table), table, code=2)
    return ""

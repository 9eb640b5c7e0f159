"""Counts on the cluster have the bytes of a count by one thread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

import chaos
from place import Case, Failed, Place, must_equal

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


def count(place: Place, large: str, small: str, flags: Sequence[str]) -> str:
    """Two files on the cluster and by one thread, where a table is that is replaced."""
    files = (place.inputs.large[large], place.inputs.small[small])
    table = place.new_folder("equal") / "games.table"
    place.tabia("count", files[1], "--max-ply", 4, "-o", table)
    arguments = ("plan-and-count", *files, "-o", table, "--chunk", place.inputs.chunk, *flags)
    refused = place.spark(*arguments)
    if refused.code != 2 or str(table) not in refused.err:
        raise Failed(f"exit {refused.code} though the table exists: {refused.err}")
    watched = place.fault("none", "none")
    ran = place.spark(*arguments, "--force", "--json", "--quiet", fault=watched)
    must_equal(ran, table, place.expected(files, flags))
    if '"accepted"' not in ran.out or "games/s" in ran.err:
        raise Failed(f"--json printed {ran.out[:500]!r}, and --quiet {ran.err[:500]!r}")
    tasks = Counter(task.verb for task in chaos.journal(watched))
    shards = len(list(table.glob("part-*")))
    if tasks["reduce"] != shards:
        raise Failed(f"{tasks['reduce']} tasks and not one for each of {shards} shards")
    return f"{tasks['map']} maps, {tasks['reduce']} reduces"


RECIPE = """
[pipeline]
format = 1
summary = "A table and a book"

[cluster]
master = "{master}"
shards = 8
chunk = "{chunk}"

[stage.games]
kind = "read-games"
paths = ["{games}"]

[stage.replay]
kind = "replay"
inputs = ["games"]
max_ply = 20

[stage.tally]
kind = "sort-merge"
inputs = ["replay"]
shards = 8
output = "games.table"

[stage.book]
kind = "compact"
inputs = ["tally"]
output = "book.tabia"
"""


def recipe(place: Place) -> str:
    """A recipe on the cluster has the outputs of the recipe on one machine."""
    games, chunk = place.inputs.small["plain"], place.inputs.chunk
    text = RECIPE.format(master=place.cluster.url, chunk=chunk, games=games)
    here, there = place.new_folder("recipe-here"), place.new_folder("recipe-there")
    for folder in (here, there):
        (folder / "recipe.toml").write_text(text, "utf-8")
    alone = place.tabia("run", here / "recipe.toml", "--quiet", folder=here)
    if alone.code != 0:
        raise Failed(f"tabia run: exit {alone.code}: {alone.err}")
    ran = place.spark("run", there / "recipe.toml", folder=there)
    must_equal(ran, there / "games.table", here / "games.table", beside=BESIDE)
    if (here / "book.tabia").read_bytes() != (there / "book.tabia").read_bytes():
        raise Failed("the books differ")
    return ""


BESIDE = frozenset({"recipe.toml", "book.tabia"})

"""Tables of months are merged shard by shard, to the bytes of `tabia merge`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from place import Case, Failed, Place, must_equal


def cases(place: Place, _quick: bool) -> Iterator[Case]:
    """Two tables, as of two months."""
    yield Case("merge of two tables", partial(merge, place))


def merge(place: Place) -> str:
    """Merges by one machine and by the cluster; then once more, which is refused."""
    tables = [
        place.expected([files["plain"]], ("--shards", "8"))
        for files in (place.inputs.large, place.inputs.small)
    ]
    expected = place.new_folder("merged-here") / "all.table"
    alone = place.tabia("merge", *tables, "-o", expected, "--quiet")
    if alone.code != 0:
        raise Failed(f"tabia merge: exit {alone.code}: {alone.err}")
    table = place.new_folder("merged-there") / "all.table"
    must_equal(place.spark("merge", *tables, "-o", table), table, expected)
    again = place.spark("merge", *tables, "-o", table)
    if again.code != 2 or str(table) not in again.err:
        raise Failed(f"exit {again.code} though the table exists: {again.err}")
    return ""

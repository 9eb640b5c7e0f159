"""What must be equal, however it is counted."""

import bz2
import gzip
import json
import lzma
import re
from collections.abc import Callable
from dataclasses import replace

from drawn import how
from judge.report import Failed
from judge.shared_count import Plan
from trial import Refused, Trial

# Small, so that files of some kilobytes have several.
CHUNKS = ("2KiB", "7KiB", "50KiB", "1GiB")


def count(trial: Trial, files: list[str], output: str, more: str = "") -> dict:
    """Counts some of the files; the summary."""
    command = f"count {' '.join(files)} -o {output} {trial.drawn.count} {trial.drawn.dedup} {more}"
    return json.loads(trial.tabia(f"{command} --allow-empty --json -q"))


def equal(what: str, one: object, other: object) -> None:
    """Fails unless both are the same."""
    if one != other:
        raise Failed(what)


def sums(trial: Trial) -> None:
    """Every game is counted, filtered, rejected or a copy."""
    summary = count(trial, trial.files, "all.table", "-j 1")
    kinds = ("accepted", "filtered", "rejected", "copies")
    counted = sum(total(summary.get(kind, 0)) for kind in kinds)
    equal(f"{summary['games']} games, and {counted} of them accounted for", summary["games"], counted)


def total(numbers: int | dict) -> int:
    """A number, or the sum of those by kind."""
    return sum(numbers.values()) if isinstance(numbers, dict) else numbers


def any_way(trial: Trial) -> None:
    """Threads, memory and the order of inputs do not matter."""
    files = trial.chance.sample(trial.files, len(trial.files))
    more = how(trial.chance)
    count(trial, files, "again.table", more)
    equal(f"{files} with {more}", trial.whole("all.table"), trial.whole("again.table"))


def packed(trial: Trial) -> None:
    """Packing does not matter."""
    pack = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}
    names = []
    for name in trial.files:
        kind = trial.chance.choice(sorted(pack))
        (trial.folder / f"{name}.{kind}").write_bytes(pack[kind](trial.read(name)))
        names.append(f"{name}.{kind}")
    count(trial, names, "packed.table", how(trial.chance))
    equal("packed inputs", trial.parts("all.table"), trial.parts("packed.table"))


def merged(trial: Trial) -> None:
    """The count of all is the sum of the counts of each, in any order; the first one's shards."""
    if trial.drawn.dedup:
        return
    tables = []
    for number, name in enumerate(trial.files):
        shards = "" if number == 0 else f"--shards {trial.chance.choice((1, 2, 16, 64))}"
        count(trial, [name], f"{number}.table", shards)
        tables.append(f"{number}.table")
    order = [tables[0], *trial.chance.sample(tables[1:], len(tables) - 1)]
    trial.must(f"merge {' '.join(order)} -o merged.table -f -q -j {trial.chance.choice((1, 2, 4))}")
    equal("the merged counts", trial.parts("all.table"), trial.parts("merged.table"))


def added(trial: Trial) -> None:
    """To add files is to count them together; to subtract them again is to have added nothing."""
    count(trial, trial.files[:1], "added.table", how(trial.chance))
    before = trial.parts("added.table")
    for name in trial.files[1:]:
        add(trial, "add", name)
    equal("added files", trial.parts("all.table"), trial.parts("added.table"))
    if trial.drawn.dedup:
        return
    for name in trial.chance.sample(trial.files[1:], len(trial.files) - 1):
        add(trial, "subtract", name)
    equal("added and subtracted files", before, trial.parts("added.table"))


def add(trial: Trial, command: str, name: str) -> None:
    """Adds a file, or subtracts it."""
    only = f"{trial.drawn.dedup} --force" if command == "add" else ""
    options = f"{trial.drawn.filters} {only} --allow-empty"
    trial.must(f"{command} added.table {name} {options} {how(trial.chance)} -q")


def shared(trial: Trial) -> None:
    """A count in chunks, its steps by hand, is the count at once."""
    if trial.drawn.dedup or "--repertoire" in trial.drawn.counting:
        return
    chunk = f"--chunk {trial.chance.choice(CHUNKS)}"
    printed = trial.must(
        f"cluster plan {' '.join(trial.files)} -o shared.table {trial.drawn.count} {chunk} -q"
    )
    plan = Plan(printed.decode())
    streams = [trial.must(words) for words in plan.maps()]
    trial.chance.shuffle(streams)
    made = trial.must(plan.reduce("a"), b"".join(streams))
    trial.must([*plan.commit(), "--allow-empty"], made)
    equal(f"shared with {chunk}", trial.whole("all.table"), trial.whole("shared.table"))


def built(trial: Trial) -> None:
    """To build is to count and to compact; threads and memory do not matter."""
    book = trial.drawn.book
    options = f"{trial.drawn.count} {trial.drawn.dedup} {book}"
    output = "-o built.tabia --table built.table --polyglot built.bin"
    more = how(trial.chance)
    trial.tabia(f"build {' '.join(trial.files)} {output} {options} --allow-empty -q {more}")
    equal("the table of build", trial.whole("all.table"), trial.whole("built.table"))
    more = how(trial.chance)
    trial.must(f"compact all.table -o compacted.tabia {book} --allow-empty -q {more}")
    trial.must("verify built.tabia compacted.tabia")
    if "--repertoire" in trial.drawn.counting:
        # A build of lines takes their marks into the book, too.
        return
    equal(
        f"build, and count and compact with {more}", trial.read("built.tabia"), trial.read("compacted.tabia")
    )
    threads = trial.chance.choice((1, 3))
    output = "-o compacted.bin --allow-empty"
    trial.must(f"export polyglot compacted.tabia {output} -q -j {threads}")
    equal("the .bin of build", trial.read("built.bin"), trial.read("compacted.bin"))


def again(trial: Trial) -> None:
    """A book as JSON lines is the same book."""
    trial.must("export json compacted.tabia -o book.jsonl -q")
    trial.must("import json book.jsonl -o imported.tabia --allow-empty -q")
    equal("export json, import json", trial.read("compacted.tabia"), trial.read("imported.tabia"))


def filtered(trial: Trial) -> None:
    """Games that count, written to a file, are what counts of it; with the others they are all."""
    # It judges whole games, whatever a count would cut.
    counting = re.sub(r"--max-ply \d+", "", trial.drawn.counting)
    options = f"{counting} {trial.drawn.filters} {trial.drawn.dedup} --allow-empty -q"
    try:
        trial.tabia(f"filter {' '.join(trial.files)} -o kept.pgn --rest rest.pgn {options}")
    except Refused as refused:
        if "unexpected argument" in str(refused):
            return
        raise
    trial.drawn = replace(trial.drawn, counting=f"{counting} --max-ply 0")
    count(trial, trial.files, "whole.table")
    summary = count(trial, ["kept.pgn"], "kept.table")
    equal("the games that filter keeps", trial.parts("whole.table"), trial.parts("kept.table"))
    left = total(summary["filtered"]) + total(summary["rejected"])
    equal(f"{left} games that filter keeps do not count", left, 0)
    if not trial.drawn.dedup:
        rest = count(trial, ["rest.pgn"], "rest.table")
        equal(f"{rest['accepted']} games count that filter leaves out", rest["accepted"], 0)


RELATIONS: tuple[Callable[[Trial], None], ...] = (
    sums, any_way, packed, merged, added, shared, built, again, filtered,
)  # fmt: skip

"""The commands under test: those that write, those that open, and those that make their folder."""

from dataclasses import dataclass

from judge.recipes import recipe, stage

# Commands of one thread that need little memory, and so have no flag for either.
OF_EXPERIENCE = ("experience merge", "experience age", "experience clear", "experience show")
OF_ONE_THREAD = ("learn set", "learn export", *OF_EXPERIENCE, "import ", "edit ", "cluster commit")
# Commands that keep nothing in memory which could spill.
UNSORTED = ("merge ", "export abk", "export csv", "export epd", "export pgn")


def with_threads(arguments: str, threads: int) -> str:
    """The arguments, and those that bound a run's threads and memory, as far as it has them."""
    if arguments.startswith(OF_ONE_THREAD):
        return f"{arguments} -q"
    memory = "" if arguments.startswith(UNSORTED) else f" --memory {8 + 16 * threads}MiB"
    return f"{arguments} -q -j {threads}{memory}"


def one_thread(arguments: str) -> str:
    """The arguments, and those that make a run repeat its calls and spill."""
    return with_threads(arguments, 1)


# What the names of outputs end with that are folders.
FOLDER_ENDS = (".table", ".export")


@dataclass(frozen=True)
class Writer:
    """A command that replaces outputs which exist."""

    name: str
    arguments: str
    outputs: tuple[str, ...]
    # Whether it gives the same outputs when it is run again.
    repeatable: bool = True
    # The file that is its standard input.
    reads: str | None = None


# Exports that people read.
TEXTS = ("csv", "epd", "pgn")

REVIEWED = "--book l.tabia --drill drill.csv --pgn review.pgn --parquet review.parquet"

# What makes the folder, in this order. Afterwards each output of the writers below exists, with
# other content than they write.
PREPARE = (
    "count a.pgn -o t.table --shards 2",
    "count b.pgn -o u.table --shards 2",
    "count a.pgn b.pgn -o ab.table --shards 2",
    "count a.pgn -o once.table --dedup-games exact --shards 2",
    "filter a.pgn -o kept.pgn --rest rest.pgn",
    "merge t.table -o m.table",
    "build a.pgn -o k.tabia --table built.table --polyglot bins/k.bin --parquet x.export "
    "--rejects r.jsonl --shards 2",
    "compact u.table -o l.tabia",
    "compact own.table -o own.tabia",
    "export games a.pgn -o games.export",
    "report t.table -o page.html",
    "learn set --line e4 --value 100 -o e.experience.parquet",
    "learn games own.pgn --player eng --rule terra --table own.table -o f.experience.parquet",
    "learn set --line d4 --value 50 -o o.experience.parquet",
    "learn crafty book.lrn --table own.table -o c.experience.parquet",
    "learn evals evals.csv -o v.experience.parquet",
    "learn export crafty c.experience.parquet -o out.lrn",
    "export csv e.experience.parquet -o e.csv",
    "compact t.table -o mk.tabia",
    "compact t.table -o i.tabia",
    "compact t.table -o edited.tabia",
    "export polyglot l.tabia -o bins/l.bin",
    "export polyglot l.tabia -o bins/m.bin",
    "export polyglot l.tabia -o bins/i.bin",
    "export polyglot l.tabia -o bins/edited.bin",
    *(f"export {kind} k.tabia -o out.{kind} --max-ply 12" for kind in TEXTS),
    "export abk k.tabia -o out.abk --max-ply 12",
    "export json k.tabia -o out.jsonl",
    "export abk l.tabia -o in.abk --max-ply 12",
    "export json l.tabia -o in.jsonl",
    "export json bins/k.bin -o bin.jsonl",
    "count own.pgn -o abk.table --shards 2",
    "count own.pgn -o ctg.table --shards 2",
    "count own.pgn -o c.table --shards 2",
    "suite t.table -o suite.epd --plies 4 --min-games 1",
    f"review own.pgn --player opp {REVIEWED}",
    "diff t.table ab.table -o differs.parquet",
)

# Before PREPARE: what it reads.
PREPARE_FIRST = ("count own.pgn -o own.table --shards 2",)


def writes(name: str, arguments: str, output: str = "o.experience.parquet") -> Writer:
    """A command that begins as it is named, and writes one file or folder."""
    return Writer(name, f"{name} {arguments} -o {output} --force", (output,))


BUILT = ("built.table", "k.tabia", "bins/k.bin")

# The lines of a shared count's parts.
CLUSTER = "parts.jsonl"

WRITERS = (
    Writer("count", "count b.pgn -o t.table --rejects r.jsonl --shards 2 --force", ("t.table", "r.jsonl")),
    Writer(
        "build",
        "build b.pgn -o k.tabia --table built.table --polyglot bins/k.bin --parquet x.export "
        "--rejects r.jsonl --shards 2 --force",
        (*BUILT, "x.export", "r.jsonl"),
    ),
    Writer(
        "count, each game once",
        "count b.pgn -o once.table --dedup-games truncated --shards 2 --force",
        ("once.table",),
    ),
    Writer(
        "filter",
        "filter b.pgn -o kept.pgn --rest rest.pgn --dedup-games exact --force",
        ("kept.pgn", "rest.pgn"),
    ),
    Writer("add", "add t.table b.pgn", ("t.table",), repeatable=False),
    Writer("subtract", "subtract ab.table b.pgn", ("ab.table",), repeatable=False),
    writes("merge", "t.table u.table", "m.table"),
    writes("compact", "u.table", "k.tabia"),
    writes("export parquet", "u.table", "x.export"),
    writes("export polyglot", "l.tabia", "bins/k.bin"),
    writes("export games", "b.pgn --observations", "games.export"),
    writes("report", "u.table", "page.html"),
    writes("learn crafty", "book.lrn --table own.table"),
    writes("learn games", "own.pgn --player opp --rule terra --table own.table"),
    writes("learn annotations", "marks.pgn"),
    writes("learn evals", "evals.csv"),
    # What it has searched stays if it fails: so it goes on with that.
    writes("learn engine", "own.tabia --engine ./engine --nodes 1k --resume"),
    writes("learn set", "--line c4 --value 75 --continue e.experience.parquet"),
    Writer(
        "learn export", "learn export crafty c.experience.parquet -o out.lrn --as 16.0 --force", ("out.lrn",)
    ),
    writes("import csv", "e.csv"),
    writes("experience minimax", "--book l.tabia v.experience.parquet"),
    writes("experience merge", "e.experience.parquet f.experience.parquet"),
    writes("experience age", "c.experience.parquet --factor 0.5"),
    writes("experience clear", "c.experience.parquet --before 1998-09-02"),
    writes("merge", "k.tabia l.tabia", "mk.tabia"),
    writes("merge", "bins/k.bin bins/l.bin", "bins/m.bin"),
    *(writes(f"export {kind}", "l.tabia --max-ply 12", f"out.{kind}") for kind in TEXTS),
    writes("export abk", "l.tabia --max-ply 12", "out.abk"),
    writes("export json", "l.tabia", "out.jsonl"),
    writes("import abk", "in.abk", "abk.table"),
    writes("import ctg", "in.ctg", "ctg.table"),
    writes("import json", "in.jsonl", "i.tabia"),
    writes("import json", "bin.jsonl", "bins/i.bin"),
    writes("edit", "l.tabia 'add h4 h5: !' 'mark e4: !?'", "edited.tabia"),
    writes("edit", "bins/k.bin 'add h4 h5: 7' 'weigh h4: 3'", "bins/edited.bin"),
    writes("suite", "u.table --plies 4 --min-games 1", "suite.epd"),
    writes("diff", "t.table u.table", "differs.parquet"),
    Writer(
        "review",
        f"review own.pgn --player eng {REVIEWED} --force",
        ("drill.csv", "review.pgn", "review.parquet"),
    ),
    Writer("cluster commit", "cluster commit -o c.table --force", ("c.table",), False, CLUSTER),
    Writer("run", "run recipe.toml --force", BUILT),
    Writer("count, spilled", "count large.pgn -o t.table --shards 2 --force", ("t.table",)),
)

# Commands that open an artefact, by the end of its name. `{}` is the artefact; what they write
# begins with `other.`.
OPENERS = {
    ".table": (
        "verify {}",
        "info {}",
        "probe {}",
        "merge {} -o other.table -q",
        "compact {} -o other.tabia -q",
        "export parquet {} -o other.export -q",
        "report {} -o other.html -q",
    ),
    ".tabia": (
        "verify {}",
        "info {}",
        "probe {}",
        "export polyglot {} -o other.bin -q",
        "report {} -o other.html -q",
    ),
    ".bin": ("verify {}", "info {}", "probe {}"),
    ".experience.parquet": (
        "verify {}",
        "info {}",
        "experience show {}",
        "experience merge {} -o other.experience.parquet -q",
    ),
}


def openers(output: str) -> list[str]:
    """The commands that open this output; none for what is only read by others."""
    for end, commands in OPENERS.items():
        if output.endswith(end):
            return [command.format(output) for command in commands]
    return []


RECIPE = recipe(
    "A table, a book and a Polyglot book",
    {
        "stage.games": stage("read-games", paths=["b.pgn"]),
        "stage.replay": stage("replay", "games"),
        "stage.tally": stage("sort-merge", "replay", shards=2, output="built.table"),
        "stage.book": stage("compact", "tally", output="k.tabia"),
        "stage.polyglot": stage("export-polyglot", "book", output="bins/k.bin"),
    },
)

"""Every command that reads or writes a table, a book or games, in an order that makes inputs."""

from dataclasses import dataclass

MEMORY = "256MiB"
MEMORY_BYTES = 256 << 20

# The program, its libraries and stacks, and buffers whose number settings bound.
BESIDES_BYTES = 100_000_000


@dataclass(frozen=True)
class Bound:
    """What bounds the memory of a command."""

    text: str
    fixed_bytes: int = 0
    # For each position of the table.
    position_bytes: int = 0

    def bytes(self, positions: int) -> int:
        """The most that a command may have."""
        return BESIDES_BYTES + self.fixed_bytes + self.position_bytes * positions


LIMIT = Bound("`--memory`", MEMORY_BYTES)
NOTHING = Bound("buffers of a fixed size")
MAPPED = Bound("the pages of the book that are touched")


@dataclass(frozen=True)
class Work:
    """One command, and what must hold of its memory."""

    arguments: str
    bound: Bound
    # What it writes; removed afterwards unless a later command reads it.
    output: str | None = None
    kept: bool = False
    # The file that is its standard input.
    given: str | None = None
    # It may refuse: then it says what is enough, and runs with that.
    may_refuse: bool = False
    # Exit codes other than 0 that are an answer.
    code: int = 0

    @property
    def line(self) -> str:
        """The command as it is typed."""
        return f"{self.arguments} -o {self.output}" if self.output else self.arguments


def makes(arguments: str, output: str, bound: Bound = LIMIT) -> Work:
    """A command whose output later commands read."""
    return Work(arguments, bound, output, kept=True)


def writes(arguments: str, output: str, bound: Bound = LIMIT, *, may_refuse: bool = False) -> Work:
    """A command whose output is removed."""
    return Work(arguments, bound, output, may_refuse=may_refuse)


GAMES = "games.pgn.zst --max-ply 40"
OWN = "--player '/Player 7/' --table t.table --rule terra"
EXPERIENCE = "x.experience.parquet"

# As docs/material.md, docs/edit.md and docs/books.md have them.
# Of 40 plies, 20 have nearly all positions: the widest two, a tenth.
EDITED = Bound("25 bytes per position, 300 per position of the widest plies", position_bytes=25 + 30)
ARENA = Bound("the file, 28 bytes per move, and 64 per move of a line", position_bytes=28 + 64 + 64)
REPAIRED = Bound("24 bytes per entry", position_bytes=48)
# As `Dump` says; the book of the check has every position on a line.
DUMPED = Bound("8 bytes per position, 100 per position that lines reach", position_bytes=8 + 100)
# The experience of the check has 1.1 million rows.
SHOWN = Bound("800 bytes per row of the file", 900_000_000)
EVALUATED = Bound("100 bytes per evaluation", position_bytes=100 + 20)
LEARNED = Bound("`--memory`, and 60 bytes per move of the records", MEMORY_BYTES)

TABLES = (
    makes(f"count {GAMES}", "t.table"),
    writes(f"build {GAMES} --table built.table --polyglot built.bin", "built.tabia"),
    makes("count more.pgn.zst --max-ply 40", "u.table"),
    writes(f"count {GAMES} --examples 4", "shown.table"),
    makes("merge t.table u.table", "m.table", NOTHING),
    Work("add u.table games.pgn.zst", LIMIT),
    Work("subtract u.table more.pgn.zst", LIMIT),
    makes("compact t.table", "t.tabia"),
    makes("compact t.table --color white", "w.tabia"),
    makes("export polyglot t.tabia", "t.bin"),
    makes("export polyglot w.tabia", "w.bin"),
    makes(f"learn games games.pgn.zst {OWN}", EXPERIENCE),
    makes("learn crafty book.lrn --table t.table", "c.experience.parquet", LEARNED),
    writes(f"compact t.table --experience {EXPERIENCE}", "out.tabia"),
    writes("merge t.tabia w.tabia", "out.tabia", NOTHING),
    writes("merge t.bin w.bin", "out.bin", NOTHING),
    writes("merge --repair t.bin", "out.bin", REPAIRED),
)

LOOKS = tuple(
    Work(f"{question} {artefact}", bound)
    for artefact, bound in (("t.table", NOTHING), ("t.tabia", MAPPED), ("t.bin", NOTHING))
    for question in (
        "info",
        "verify",
        "probe",
        "pick --policy polyglot --seed 1",
        "simulate --policy polyglot --seed 1 --games 100",
    )
)

READS = (
    Work("why t.tabia e4", MAPPED),
    Work("check t.tabia", LIMIT, may_refuse=True, code=1),
    Work("check t.bin", LIMIT, may_refuse=True, code=1),
    Work("diff t.table m.table", LIMIT),
    writes("diff t.tabia w.tabia", "out.parquet"),
    Work("diff t.bin w.bin", LIMIT),
    Work("sql t.table", NOTHING),
    Work("uci t.tabia", MAPPED, given="asked.uci"),
    Work("uci t.tabia --learn own.experience.parquet", MAPPED, given="asked.uci"),
    Work("run recipe.toml", LIMIT),
    Work("plan recipe.toml", NOTHING),
    writes("report t.table", "out.html"),
    writes("report t.tabia", "out.html"),
    writes("suite t.table --min-games 1", "out.epd"),
    writes("suite t.tabia --min-games 1 --plies 6..30", "out.epd"),
    writes("suite t.bin", "out.epd"),
    writes("edit t.tabia 'drop e4' 'forbid d4' 'prune unreachable' --color white", "out.tabia", EDITED),
    writes("edit t.bin 'drop e4' 'forbid d4' 'prune unreachable' --color white", "out.bin", EDITED),
    Work("review games.pgn.zst --book t.tabia --player '/Player 7/'", LIMIT),
    writes("filter games.pgn.zst --dedup-games exact", "out.pgn"),
)

EXPORTS = (
    writes("export parquet t.table", "out.export"),
    writes("export parquet t.table --only lines --min-games 2", "out.export"),
    writes("export parquet t.tabia", "out.export"),
    writes("export polyglot t.table", "out.bin"),
    writes("export games games.pgn.zst", "out.export"),
    writes("export games games.pgn.zst --observations", "out.export"),
    writes("export csv t.table", "out.csv", may_refuse=True),
    writes("export epd t.tabia", "out.epd", may_refuse=True),
    writes("export pgn t.bin", "out.pgn", may_refuse=True),
    writes("export pgn t.tabia --min-games 2", "out.pgn", may_refuse=True),
    writes("export abk t.table", "out.abk", may_refuse=True),
    Work("export abk t.tabia --max-records 20000000", LIMIT, "t.abk", kept=True, may_refuse=True),
    makes("export json t.tabia", "t.jsonl"),
    makes("export json t.bin", "bin.jsonl"),
    writes("import json t.jsonl", "out.tabia", NOTHING),
    writes("import json bin.jsonl", "out.bin", NOTHING),
    writes("import abk t.abk", "out.table", ARENA),
    writes("import abk t.abk", "out.tabia", ARENA),
)

EXPERIENCES = (
    Work("dump t.bin", DUMPED),
    writes("learn annotations games.pgn.zst --allow-empty", "out.experience.parquet"),
    writes(f"learn set --line e4 --value 75 --continue {EXPERIENCE}", "out.experience.parquet", NOTHING),
    writes("learn engine t.tabia --engine 'sh engine' --nodes 1 --plies 1", "out.experience.parquet"),
    makes("learn evals evals.csv", "v.experience.parquet"),
    makes("learn export exp v.experience.parquet", "v.exp", EVALUATED),
    writes("learn exp v.exp", "out.experience.parquet"),
    writes(
        "experience minimax --book t.tabia v.experience.parquet --allow-empty",
        "out.experience.parquet",
        may_refuse=True,
    ),
    writes("learn export crafty c.experience.parquet", "out.lrn", SHOWN),
    makes(f"export csv {EXPERIENCE}", "x.csv", NOTHING),
    writes("import csv x.csv", "out.experience.parquet", NOTHING),
    Work(f"info {EXPERIENCE}", NOTHING),
    Work(f"verify {EXPERIENCE}", NOTHING),
    Work(f"experience show {EXPERIENCE}", SHOWN),
    Work(f"experience diff {EXPERIENCE} c.experience.parquet", NOTHING),
    writes(f"experience merge {EXPERIENCE} c.experience.parquet", "out.experience.parquet", NOTHING),
    writes(f"experience age {EXPERIENCE} --factor 0.5", "out.experience.parquet", NOTHING),
    writes(f"experience clear {EXPERIENCE} --kind position", "out.experience.parquet", NOTHING),
)

WORKS = (*TABLES, *LOOKS, *READS, *EXPORTS, *EXPERIENCES)

# What shared.py runs: servers with a client, and steps that hand each other streams.
SHARED = (
    "serve",
    "exchange",
    "cluster plan",
    "cluster map",
    "cluster reduce",
    "cluster commit",
    "cluster merge",
    "cluster gather",
)

# Commands that are not measured, and why.
EXCEPTIONS = {
    "policies": "reads no file",
    "completions": "reads no file",
    "manual": "reads no file",
    "cluster hold": "waits for the end of its input",
    # docs/material.md: the file and 200 bytes per position.
    "import ctg": "nothing writes a large one",
}

# An engine that plays the move of a pawn that Black always has after one ply.
ENGINE = """while read -r word rest; do case "$word" in
  uci) echo uciok ;; isready) echo readyok ;; quit) exit ;;
  go) echo "info depth 1 score cp 9 nodes 1"; echo "bestmove a7a6" ;; esac; done
"""

# What a GUI says.
ASKED = "uci\nisready\nposition startpos moves e2e4\ngo movetime 10\nquit\n"

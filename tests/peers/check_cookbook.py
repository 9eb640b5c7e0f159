#!/usr/bin/env python3
"""Runs the cookbook's three pages: their commands, then every query in DuckDB and in Polars.

    PYTHONPATH=tests tests/peers/check_cookbook.py target/release/tabia
    … --write     print the answers anew

docs/cookbook.md sets up the questions of all pages. Those under "On real games" are asked only
if --corpus names the folder of these games.

A question is a heading of the third level with a block of SQL, a block of Python whose last
expression is the answer, and a Markdown table after them.  All three must agree.  Exits 1 if
any differs, after printing where.
"""

import argparse
import ast
import contextlib
import math
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import polars

from judge.report import ROOT, Case, Skipped, main_of_cases
from judge.run import must

PAGES = [ROOT / "docs" / f"{name}.md" for name in ("cookbook", "cookbook-openings", "cookbook-players")]
QUESTIONS = 34
SETTING_UP = ("## Setting up\n", "## Setting up for real games\n")
"""The headings on the first page under which both parts are set up."""
ASKED = ("## On the sample\n", "## On real games\n")
"""The headings on every page that the questions of both parts are under."""

GAMES = {
    "kingbase.pgn.zst": "kingbase2015-recon-a.pgn.zst",
    "lichess.pgn.zst": "lichess-2013-01a.pgn.zst",
    "clocks.pgn.zst": "online-clk-eval-a.pgn.zst",
}
"""The real games as the pages call them, and as the corpus does."""

BLOCK = re.compile(
    r"^```(sh|sql|python)( setup)?(?: real| norun:[^\n]*)?\n(.*?)^```\n", re.MULTILINE | re.DOTALL
)
QUESTION = re.compile(r"^### (\d+)\. .*?(?=^##|\Z)", re.MULTILINE | re.DOTALL)
TABLE = re.compile(r"^\|.*\n(?:\|.*\n)*", re.MULTILINE)

CLOSE = 1e-6
"""How far two engines' fractions may differ: some columns are 32-bit."""

SHOWN_DIGITS = 3
"""Of fractions on the pages."""


@dataclass(frozen=True)
class Answer:
    """Rows in order, under names."""

    names: list[str]
    rows: list[tuple[Any, ...]]

    def markdown(self) -> str:
        """The table as the pages have it."""
        lines = [self.names, ["---"] * len(self.names)]
        lines += [[show(value) for value in row] for row in self.rows]
        return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def show(value: object) -> str:
    """One cell."""
    if value is None:
        return "null"
    return f"{value:.{SHOWN_DIGITS}f}" if isinstance(value, float) else str(value)


def blocks(text: str) -> dict[str, str]:
    """A text's blocks of code by their kind."""
    return {kind + setup: code for kind, setup, code in BLOCK.findall(text)}


def section(text: str, heading: str) -> str:
    """What is under a heading of the second level, or nothing."""
    return re.split(r"^## ", text.partition(f"\n{heading}")[2], maxsplit=1, flags=re.MULTILINE)[0]


def questions(text: str, heading: str) -> list[tuple[int, str]]:
    """The questions under a heading, with their numbers."""
    return [(int(match[1]), match[0]) for match in QUESTION.finditer(section(text, heading))]


def run_commands(script: str, binary: Path) -> None:
    """The cookbook's shell commands, `tabia` and `data/` being the project's."""
    script = script.replace("data/", f"{ROOT}/data/")
    script = f'set -e; tabia() {{ "{binary}" "$@"; }}\n{script}'
    must("bash", "-c", script, seconds=3600)


def ask_polars(names: dict[str, Any], code: str) -> Answer:
    """The value of the last expression, with what the setting-up defined."""
    tree = ast.parse(code)
    last = tree.body.pop()
    if not isinstance(last, ast.Expr):
        raise TypeError("the last statement is no expression")
    scope = dict(names)
    exec(compile(tree, "cookbook", "exec"), scope)
    frame = eval(compile(ast.Expression(last.value), "cookbook", "eval"), scope)
    frame = frame.collect() if isinstance(frame, polars.LazyFrame) else frame
    return Answer(frame.columns, frame.rows())


def differences(ours: Answer, other: Answer) -> Iterator[str]:
    """Where two engines' answers differ."""
    if ours.names != other.names:
        yield f"columns {ours.names} and {other.names}"
    if len(ours.rows) != len(other.rows):
        yield f"{len(ours.rows)} and {len(other.rows)} rows"
    for left, right in zip(ours.rows, other.rows, strict=False):
        if len(left) != len(right) or not all(map(is_same, left, right)):
            yield f"{left} and {right}"


def is_same(left: object, right: object) -> bool:
    """Whether two cells are equal; fractions nearly."""
    if isinstance(left, float) and isinstance(right, float):
        return math.isclose(left, right, rel_tol=CLOSE, abs_tol=CLOSE)
    return type(left) is type(right) and left == right


def judge(question: str, connection: duckdb.DuckDBPyConnection, names: dict) -> tuple[str, list]:
    """The question's answer as Markdown, and all that is wrong with it."""
    code = blocks(question)
    try:
        found = connection.execute(code["sql"])
        by_duckdb = Answer([column[0] for column in found.description], found.fetchall())
        wrong = list(differences(by_duckdb, ask_polars(names, code["python"])))
    except (duckdb.Error, polars.exceptions.PolarsError, TypeError, KeyError) as error:
        return "", [str(error)]
    if not by_duckdb.rows:
        wrong.append("no row")
    return by_duckdb.markdown(), wrong


def check(
    args: argparse.Namespace, setup: dict[str, str], heading: str, games: dict[str, str]
) -> Iterator[str]:
    """A part of each page, in a folder of its own; `--write` writes its answers into the pages."""
    if not all((args.corpus / name).exists() for name in games.values()):
        raise Skipped(f"no real games in {args.corpus}")
    with tempfile.TemporaryDirectory(dir=args.place) as folder, contextlib.chdir(folder):
        for name, file in games.items():
            Path(name).symlink_to(args.corpus / file)
        run_commands(setup["sh"], args.binary)
        connection, names = duckdb.connect(), {}
        connection.execute(setup["sql setup"])
        exec(compile(setup["python setup"], "cookbook", "exec"), names)
        for page in PAGES:
            text = page.read_text("utf-8")
            for number, question in questions(text, heading):
                answer, wrong = judge(question, connection, names)
                if args.write:
                    body = TABLE.sub("", question).rstrip("\n")
                    text = text.replace(question.rstrip("\n"), f"{body}\n\n{answer}".rstrip("\n"))
                elif TABLE.findall(question) != [answer]:
                    wrong.append(f"the page does not say\n{answer}")
                yield from (f"question {number}: {line}" for line in wrong)
            if args.write:
                page.write_text(text, "utf-8")


def check_numbers() -> Iterator[str]:
    """The questions of all pages are numbered."""
    asked = [questions(page.read_text("utf-8"), heading) for page in PAGES for heading in ASKED]
    numbers = [number for of_page in asked for number, _ in of_page]
    if sorted(numbers) != list(range(1, QUESTIONS + 1)):
        yield f"questions {numbers}"


def cases(args: argparse.Namespace) -> Iterator[Case]:
    """Both parts of the cookbook."""
    first = PAGES[0].read_text("utf-8")
    # Without a corpus only the first of them.
    parts = list(zip(SETTING_UP, ASKED, ({}, GAMES), strict=True))
    for setting_up, heading, games in parts if args.corpus else parts[:1]:
        check_part = partial(check, args, blocks(section(first, setting_up)), heading, games)
        yield Case(f"the cookbook {heading[3:].strip()}", check_part)
    yield Case("numbers of questions", check_numbers)


if __name__ == "__main__":
    main_of_cases(__doc__, cases, "binary", corpus=None, write=False)

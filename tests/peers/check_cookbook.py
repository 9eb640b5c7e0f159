#!/usr/bin/env python3
"""Runs the cookbook's three pages: their commands, then every query in DuckDB and in Polars.

    PYTHONPATH=tests tests/peers/check_cookbook.py --binary target/release/tabia
    … --write     print the answers anew

docs/cookbook.md sets up the questions of all pages. Those under "On real games" are asked only
if --corpus names the folder of these games.

A question is a heading of the third level with a block of SQL, a block of Python whose last
expression is the answer, and a Markdown table after them.  All three must agree.  Exits 1 if
any differs, after printing where.
"""

from __future__ import annotations

import argparse
import ast
import math
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import polars

from judge.report import ROOT, verdict
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


def run_commands(script: str, binary: Path) -> None:
    """The cookbook's shell commands, `tabia` and `data/` being the project's."""
    script = script.replace("data/", f"{ROOT}/data/")
    script = f'set -e; tabia() {{ "{binary}" "$@"; }}\n{script}'
    must("bash", "-c", script, seconds=3600)


def ask_duckdb(connection: duckdb.DuckDBPyConnection, query: str) -> Answer:
    """The answer of a query."""
    found = connection.execute(query)
    return Answer([column[0] for column in found.description], found.fetchall())


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
        by_duckdb = ask_duckdb(connection, code["sql"])
        wrong = list(differences(by_duckdb, ask_polars(names, code["python"])))
    except (duckdb.Error, polars.exceptions.PolarsError, TypeError, KeyError) as error:
        return "", [str(error)]
    if not by_duckdb.rows:
        wrong.append("no row")
    return by_duckdb.markdown(), wrong


def rewrite(question: str, answer: str) -> str:
    """The question with this answer after its code."""
    body = TABLE.sub("", question).rstrip("\n")
    return f"{body}\n\n{answer}\n"


def check(setup: str, pages: list[str], write: bool) -> tuple[list[str], list[int], list[str]]:
    """A part of each page with its answers, its questions, and what is wrong; in this folder."""
    connection, names = duckdb.connect(), {}
    connection.execute(blocks(setup)["sql setup"])
    exec(compile(blocks(setup)["python setup"], "cookbook", "exec"), names)
    numbers, wrong = [], []
    for index, text in enumerate(pages):
        for match in QUESTION.finditer(text):
            question, number = match[0], int(match[1])
            numbers.append(number)
            answer, found = judge(question, connection, names)
            if write:
                pages[index] = pages[index].replace(
                    question.rstrip("\n"), rewrite(question, answer).rstrip("\n")
                )
            elif TABLE.findall(question) != [answer]:
                found.append(f"the page does not say\n{answer}")
            wrong += [f"question {number}: {line}" for line in found]
    return pages, numbers, wrong


def run_part(
    setup: str, pages: list[str], args: argparse.Namespace, real: bool
) -> tuple[list[str], list[int], list[str]]:
    """A part of each page in a folder of its own; of real games only where they are."""
    if real and not (args.corpus and all((args.corpus / name).exists() for name in GAMES.values())):
        if args.corpus:
            print(f"SKIPPED: the cookbook: no real games in {args.corpus}")
        return pages, [int(match[1]) for text in pages for match in QUESTION.finditer(text)], []
    with tempfile.TemporaryDirectory(prefix="tabia-cookbook-") as folder:
        os.chdir(folder)
        for name, file in GAMES.items() if real else ():
            Path(name).symlink_to(args.corpus / file)
        run_commands(blocks(setup)["sh"], args.binary.resolve())
        done = check(setup, pages, args.write)
        os.chdir(ROOT)
    return done


def parse_args() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, help="the folder of the real games")
    parser.add_argument("--write", action="store_true", help="write the answers into the pages")
    return parser.parse_args()


def main() -> int:
    """Runs both parts of the cookbook; 1 if anything is wrong."""
    args = parse_args()
    args.corpus, args.binary = args.corpus and args.corpus.resolve(), args.binary.resolve()
    texts = [page.read_text("utf-8") for page in PAGES]
    numbers, wrong, asked = [], [], 0
    for real, (setting_up, heading) in enumerate(zip(SETTING_UP, ASKED, strict=True)):
        parts = [section(text, heading) for text in texts]
        answered, more, found = run_part(section(texts[0], setting_up), list(parts), args, bool(real))
        texts = [text.replace(part, new) for text, part, new in zip(texts, parts, answered, strict=True)]
        numbers, wrong = numbers + more, wrong + found
        asked += len(more) if args.corpus or not real else 0
    if sorted(numbers) != list(range(1, QUESTIONS + 1)):
        wrong.append(f"questions {numbers}")
    if args.write:
        for page, text in zip(PAGES, texts, strict=True):
            page.write_text(text, "utf-8")
    return verdict(f"cookbook: {asked} of {QUESTIONS} questions", wrong)


if __name__ == "__main__":
    sys.exit(main())

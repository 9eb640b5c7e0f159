#!/usr/bin/env python3
"""Runs docs/cookbook.md: its commands, then every query in DuckDB and in Polars.

    tests/peers/check_cookbook.py --binary target/release/tabia
    tests/peers/check_cookbook.py --binary target/release/tabia --write     print the answers anew

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
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import polars

ROOT = Path(__file__).resolve().parents[2]
COOKBOOK = ROOT / "docs" / "cookbook.md"
QUESTIONS = 20

BLOCK = re.compile(
    r"^```(sh|sql|sql setup|python|python setup)\n(.*?)^```\n", re.MULTILINE | re.DOTALL
)
QUESTION = re.compile(r"^### (\d+)\. .*?(?=^##|\Z)", re.MULTILINE | re.DOTALL)
TABLE = re.compile(r"^\|.*\n(?:\|.*\n)*", re.MULTILINE)

CLOSE = 1e-6
"""How far two engines' fractions may differ: some columns are 32-bit."""

SHOWN_DIGITS = 3
"""Of fractions in the document."""


@dataclass(frozen=True)
class Answer:
    """Rows in order, under names."""

    names: list[str]
    rows: list[tuple[Any, ...]]

    def markdown(self) -> str:
        """The table as the document has it."""
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
    return dict(BLOCK.findall(text))


def run_commands(script: str, binary: Path) -> None:
    """The document's shell commands, `tabia` and `data/` being the project's."""
    script = script.replace("data/", f"{ROOT}/data/")
    script = f'set -e; tabia() {{ "{binary}" "$@"; }}\n{script}'
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"the commands of {COOKBOOK.name}: exit {done.returncode}\n{done.stderr}")


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


def check(text: str, write: bool) -> tuple[str, list[str]]:
    """The document with its answers, and all that is wrong; works in the current folder."""
    connection, names = duckdb.connect(), {}
    connection.execute(blocks(text)["sql setup"])
    exec(compile(blocks(text)["python setup"], "cookbook", "exec"), names)
    numbers, wrong = [], []
    for match in QUESTION.finditer(text):
        question, number = match[0], int(match[1])
        numbers.append(number)
        answer, found = judge(question, connection, names)
        if write:
            text = text.replace(question, rewrite(question, answer))
        elif TABLE.findall(question) != [answer]:
            found.append(f"the document does not say\n{answer}")
        wrong += [f"question {number}: {line}" for line in found]
    if numbers != list(range(1, QUESTIONS + 1)):
        wrong.append(f"questions {numbers}")
    return text, wrong


def parse_args() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", type=Path, required=True)
    parser.add_argument("--write", action="store_true", help="write the answers into the document")
    return parser.parse_args()


def main() -> int:
    """Runs the document in a folder of its own; 1 if anything is wrong."""
    args = parse_args()
    text, binary = COOKBOOK.read_text("utf-8"), args.binary.resolve()
    with tempfile.TemporaryDirectory(prefix="tabia-cookbook-") as folder:
        os.chdir(folder)
        run_commands(blocks(text)["sh"], binary)
        text, wrong = check(text, args.write)
        os.chdir(ROOT)
    if args.write:
        COOKBOOK.write_text(text, "utf-8")
    print(f"{'DIFFERS' if wrong else 'equal'}  {COOKBOOK.name}: {QUESTIONS} questions")
    for line in wrong:
        print(f"    {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

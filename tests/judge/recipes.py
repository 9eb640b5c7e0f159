"""Recipes, as they are in files."""

import json
from collections.abc import Mapping


def recipe(summary: str, tables: Mapping[str, Mapping[str, object]]) -> str:
    """A recipe with these tables; of a stage, `kind` comes first."""
    whole = {"pipeline": {"format": 1, "summary": summary}, **tables}
    lines = []
    for name, values in whole.items():
        lines += [f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in values.items()), ""]
    return "\n".join(lines)


def stage(kind: str, *inputs: str, **more: object) -> dict[str, object]:
    """A stage that reads others."""
    return {"kind": kind, **({"inputs": inputs} if inputs else {}), **more}


def book_of_table(table: str, book: str) -> str:
    """A table that is opened and compacted."""
    opened, made = stage("open-table", path=table), stage("compact", "table", output=book)
    return recipe("A book of a table", {"stage.table": opened, "stage.book": made})

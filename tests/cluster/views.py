"""Spark reads tables and exports as they lie, by the views of `tabia sql --for spark`."""

import json
from collections.abc import Iterator
from functools import partial

import pyspark
from pyspark.sql import SparkSession

from expected import must_succeed
from judge.report import Case, Failed, Skipped
from place import Place

FLAGS = ("--by", "month", "--max-ply", 20)


def cases(place: Place, quick: bool) -> Iterator[Case]:
    """One session for all of it."""
    yield Case("tabia sql --for spark", partial(views, place))


def views(place: Place) -> str:
    """Moves of the start position as `probe` has them, from a table and from its export."""
    if pyspark.__version__ < "4":
        raise Skipped("Spark 3.5 has no functions in SQL")
    table = place.expected([place.inputs.small["plain"]], FLAGS)
    export = place.new_folder("views") / "export"
    must_succeed(place.tabia("export", "parquet", table, "--key-type", "i64", "-o", export, "--quiet"))
    probed = json.loads(place.tabia("probe", table, "--json").text)["moves"]
    expected = sorted((move["uci"], move["white"], move["draws"], move["black"]) for move in probed)
    games = sum(sum(one[1:]) for one in expected)
    session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        for folder in (table, export):
            run(session, place.tabia("sql", folder, "--for", "spark").text)
            found = session.sql(
                "SELECT uci, CAST(sum(white) AS INT), CAST(sum(draws) AS INT), CAST(sum(black) AS INT)"
                " FROM moves WHERE key = key_of('463b96181691fc9c') GROUP BY uci ORDER BY uci"
            )
            if (rows := [tuple(row) for row in found.collect()]) != expected:
                raise Failed(f"{folder.name}: {rows[:5]} and not {expected[:5]}")
        check_functions(session)
    finally:
        session.stop()
    return f"{len(expected)} moves, {games} games"


def run(session: SparkSession, text: str) -> None:
    """Runs statements, each of which ends a line."""
    for statement in text.split(";\n"):
        if any(line and not line.startswith("--") for line in statement.splitlines()):
            session.sql(statement)


def check_functions(session: SparkSession) -> None:
    """Values that docs/sql.md and the definitions give."""
    expressions = {
        "uci(796)": "e2e4",
        "uci(263)": "e1g1",
        "uci(263, 0)": "e1h1",
        "squares(263)": "e1h1",
        "uci(0)": None,
        "key_hex(-1)": "f" * 16,
        "key_hex(start_key())": "463b96181691fc9c",
        "signed_key_of('ffffffffffffffff')": -1,
        "turn_of(32768)": "white",
        "score(1, 1, 0, 'white')": 0.75,
        "score(0, 0, 0, 'white')": None,
        "fen('8/8/8/8/8/8/8/8 w - -', 3)": "8/8/8/8/8/8/8/8 w - - 0 2",
    }
    for expression, value in expressions.items():
        if (found := session.sql(f"SELECT {expression}").collect()[0][0]) != value:
            raise Failed(f"{expression}: {found!r} and not {value!r}")
    low, high = session.sql("SELECT wilson_low(0.5D, 100), wilson_high(0.5D, 100)").collect()[0]
    # Wilson's interval of 50 of 100: Brown, Cai and DasGupta 2001, by hand.
    if abs(low - 0.40383) > 1e-5 or abs(high - 0.59617) > 1e-5:
        raise Failed(f"Wilson: {low} to {high}")

#!/usr/bin/env python3
"""Does learning help? A player learns in games, is frozen, and plays against engines it has not seen.

    PYTHONPATH=tests:tests/players tests/experiments/learning.py target/release/tabia target/learning --quick

The folder gets `games.parquet` (a row a game), `games.pgn`, `summary.json`, and a folder for each arm with
its commands, its books and what it learned. Searches go to fixed nodes or depths, and all draws have seeds,
so the same seed and engines give the same games. --jobs arms are played at the same time, which changes
nothing. --resume goes on with a folder: arms that are complete are not played again. docs/experiments.md says
what is measured.
"""

import json
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from functools import partial
from pathlib import Path

import chess.engine

from arms import ARMS, count
from judge.report import CORPUS, Skipped, command_line
from measures import Measured, measure, table
from place import need
from recorded import Recorded
from series import FULL, LEARNER, QUICK, TEACHERS, UNSEEN, Size, Trial, run, write_rows


def names() -> dict[str, str]:
    """The engines, and as what they introduce themselves."""
    found = {}
    for strength in {one.engine: one for one in (LEARNER, *TEACHERS, *UNSEEN)}.values():
        with chess.engine.SimpleEngine.popen_uci(strength.command.split()) as engine:
            found[strength.engine] = engine.id.get("name", "?")
    return found


def settings(place: Recorded, size: Size, seed: int) -> dict[str, object]:
    """What was played, and with what."""
    players = {"teachers": [*map(asdict, TEACHERS)], "unseen": [*map(asdict, UNSEEN)]}
    return {
        "tabia": place.run("--version").strip(),
        "command": sys.argv,
        "seed": seed,
        "size": asdict(size),
        "engines": names(),
        "learner": asdict(LEARNER),
        **players,
    }


def measure_all(trials: list[Trial]) -> list[Measured]:
    """Measures each arm."""
    by_arm = dict(zip((arm.name for arm in ARMS), trials, strict=True))
    rows = {name: trial.rows for name, trial in by_arm.items()}
    chances = {name: trial.chances for name, trial in by_arm.items()}
    return [measure(arm.name, arm.control, rows, chances) for arm in ARMS]


def write_all(folder: Path, trials: list[Trial], summary: dict[str, object]) -> None:
    """Writes all games, and what was measured."""
    write_rows([row for trial in trials for row in trial.rows], folder / "games.parquet")
    (folder / "games.pgn").write_text("".join(trial.pgn for trial in trials), "utf-8")
    (folder / "summary.json").write_text(json.dumps(summary, indent=2) + "\n", "utf-8")


def main() -> None:
    """Plays and measures all arms."""
    given = command_line(__doc__, "binary", "output", quick=False, resume=False, jobs=1, seed=1)
    try:
        need(*(one.path for one in (LEARNER, *TEACHERS, *UNSEEN)))
    except Skipped as skipped:
        sys.exit(print(f"SKIPPED: {skipped}"))
    if given.output.exists() and not given.resume:
        sys.exit(f"{given.output} exists; name another folder, remove it, or go on with --resume")
    begun, size = time.monotonic(), QUICK if given.quick else FULL
    given.output.mkdir(parents=True, exist_ok=True)
    place = Recorded(given.binary, given.output, CORPUS)
    play_arm = partial(run, place=place, tables=count(place), size=size, seed=given.seed)
    with ProcessPoolExecutor(given.jobs) as pool:
        trials = list(pool.map(play_arm, ARMS))
    measured = measure_all(trials)
    arms = [asdict(one) for one in measured]
    write_all(given.output, trials, {**settings(place, size, given.seed), "arms": arms})
    print(table(measured))
    games = sum(len(trial.rows) for trial in trials)
    print(f"{games} games in {time.monotonic() - begun:.0f} s, into {given.output}")


if __name__ == "__main__":
    main()

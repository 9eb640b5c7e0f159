"""Counts and builds: their summaries, progress, errors, and the ways in which they are stopped."""

# ruff: noqa: D103 -- the name of a test says what it tests

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest
from conftest import MEMORY, SAMPLE

import tabia


def test_a_build_has_the_summary_and_the_settings_of_the_command(tmp_path: Path) -> None:
    book = tmp_path / "book.tabia"
    outputs = {"polyglot": tmp_path / "book.bin", "parquet": tmp_path / "out"}
    summary = tabia.build(
        [SAMPLE], book, **outputs, min_games="white=3,black=4", max_ply=10, **MEMORY
    )
    assert summary["accepted"] == 2400
    assert sorted(summary["outputs"]) == sorted(map(str, [book, *outputs.values()]))
    assert all(Path(output).exists() for output in summary["outputs"])
    keeps = tabia.Book(book).explain("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -")
    assert all(move["games"] >= 3 for move in keeps["moves"])


def test_what_the_user_should_know_is_a_warning(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="was given more than once, but is read only once"):
        summary = tabia.count([SAMPLE, SAMPLE], tmp_path / "games.table", **MEMORY)
    assert summary["accepted"] == 2400


def test_progress_is_reported_and_ends_at_all_bytes(tmp_path: Path) -> None:
    seen = []
    tabia.count(SAMPLE, tmp_path / "games.table", progress=seen.append, **MEMORY)
    assert seen[-1].games == 2400
    assert seen[-1].bytes_done == seen[-1].bytes_total == SAMPLE.stat().st_size
    assert (
        tabia.count(SAMPLE, tmp_path / "drawn.table", progress=True, **MEMORY)["accepted"] == 2400
    )


def test_an_exception_of_progress_stops_the_run_and_nothing_is_written(tmp_path: Path) -> None:
    def stop(_: object) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        tabia.count([SAMPLE], tmp_path / "games.table", progress=stop, **MEMORY)


def test_control_c_stops_a_run_and_nothing_is_written(tmp_path: Path) -> None:
    games = tmp_path / "games.pgn"
    games.write_bytes(SAMPLE.read_bytes() * 400)
    table = tmp_path / "games.table"
    # A shell's background job ignores the signal, and Python then sets no handler.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        tabia.count(games, table, progress=False, **MEMORY)
    assert time.monotonic() - begun < 60
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.pgn"]


def test_other_threads_run_meanwhile(tmp_path: Path) -> None:
    games, ticks, done = tmp_path / "games.pgn", [], threading.Event()
    games.write_bytes(SAMPLE.read_bytes() * 20)

    def tick() -> None:
        while not done.wait(0.005):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    tabia.count(games, tmp_path / "games.table", progress=False, **MEMORY)
    done.set()
    thread.join()
    assert len(ticks) >= 3


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"min_ello": 2000}, "there is no setting `min_ello`; the settings are "),
        ({"max_ply": "many"}, "`max_ply`: invalid type"),
        ({"shards": 3}, "a power of two from 1 to 65536"),
        ({"memory": "1MiB"}, "1 MiB of memory are not enough"),
        ({"memory": "much"}, "much"),
    ],
)
def test_wrong_settings_are_named(tmp_path: Path, settings: dict, text: str) -> None:
    with pytest.raises(tabia.Error) as caught:
        tabia.count(SAMPLE, tmp_path / "games.table", **settings)
    assert text in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_an_output_that_exists_is_replaced_only_by_force(tmp_path: Path) -> None:
    table = tmp_path / "games.table"
    tabia.count(SAMPLE, table, limit=10, **MEMORY)
    with pytest.raises(
        tabia.Error, match=r"games\.table already exists; choose another output, or use force=True"
    ):
        tabia.count(SAMPLE, table, **MEMORY)
    assert tabia.count(SAMPLE, table, force=True, **MEMORY)["accepted"] == 2400
    with pytest.raises(tabia.Error, match=r"nothing\.pgn"):
        tabia.count(tmp_path / "nothing.pgn", tmp_path / "other.table", **MEMORY)

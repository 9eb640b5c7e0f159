"""Counts and builds, with progress."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from tabia import _tabia

if TYPE_CHECKING:
    Path = str | os.PathLike[str]
    Report = Callable[["Progress"], object]


class Progress(NamedTuple):
    """How far a run is. While games are read it counts bytes of input, then the steps of a
    phase.
    """

    phase: str
    unit: str
    bytes_done: int
    bytes_total: int
    games: int
    rejected: int
    spilled_bytes: int
    steps_done: int
    steps_total: int


def count(
    pgn: Path | Iterable[Path],
    output: Path,
    *,
    force: bool = False,
    strict: bool = False,
    allow_empty: bool = False,
    resume: bool = False,
    progress: bool | Report | None = None,
    **settings: Any,  # noqa: ANN401 -- a number, a text or a list, as the setting has it
) -> dict[str, Any]:
    """Counts games into a table, as `tabia count` does; returns its summary.

    `settings` are the flags of the command with underscores (`max_ply=40, by=["month"]`).
    `progress` is called ten times a second; True draws a bar with tqdm, and None does in notebooks
    and terminals if tqdm is there. Ctrl-C stops the run, and so does an exception of `progress`;
    nothing is written then.
    """
    places = places_of(pgn, table=output)
    options = {"force": force, "strict": strict, "allow_empty": allow_empty, "resume": resume}
    return run(places, settings, options, progress)


def build(
    pgn: Path | Iterable[Path],
    output: Path,
    *,
    table: Path | None = None,
    polyglot: Path | None = None,
    parquet: Path | None = None,
    learn: Path | Iterable[Path] = (),
    force: bool = False,
    strict: bool = False,
    allow_empty: bool = False,
    resume: bool = False,
    progress: bool | Report | None = None,
    **settings: Any,  # noqa: ANN401 -- a number, a text or a list, as the setting has it
) -> dict[str, Any]:
    """Builds a book, as `tabia build` does; returns its summary. See `count`."""
    outputs = {"book": output, "table": table, "polyglot": polyglot, "parquet": parquet}
    places = places_of(pgn, learn, **outputs)
    options = {"force": force, "strict": strict, "allow_empty": allow_empty, "resume": resume}
    return run(places, settings, options, progress)


def places_of(
    pgn: Path | Iterable[Path], learn: Path | Iterable[Path] = (), **outputs: Path | None
) -> dict[str, Any]:
    """What is read and written, as texts."""

    def texts(paths: Path | Iterable[Path]) -> list[str]:
        if isinstance(paths, str | os.PathLike):
            return [os.fspath(paths)]
        return [os.fspath(path) for path in paths]

    outputs = dict.fromkeys(("book", "table", "polyglot", "parquet")) | outputs
    named = {name: path and os.fspath(path) for name, path in outputs.items()}
    return {"paths": texts(pgn), "learn": texts(learn), **named}


def run(
    places: dict[str, Any],
    settings: dict[str, Any],
    options: dict[str, bool],
    progress: bool | Report | None,
) -> dict[str, Any]:
    """Runs a count or a build and shows its progress."""
    bar = None
    if progress is None or isinstance(progress, bool):
        wanted = in_notebook() or sys.stderr.isatty() if progress is None else progress
        bar = Bar.of_tqdm(required=progress is True) if wanted else None
        show: Report | None = bar.show if bar else None
    else:
        show = progress

    def report(phase: str, unit: str, counts: tuple[int, ...]) -> None:
        if show is not None:
            show(Progress(phase, unit, *counts))

    try:
        summary = _tabia.run(places, settings, options, report if show else None)
    finally:
        if bar:
            bar.close()
    for text in summary["warnings"]:
        warnings.warn(text, stacklevel=3)
    return summary


def in_notebook() -> bool:
    """Whether this is a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython and ipython.get_ipython()
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


class Bar:
    """A bar of tqdm for the present phase."""

    def __init__(self, tqdm: Callable[..., Any]) -> None:
        """A bar that is drawn when the first phase begins."""
        self.tqdm = tqdm
        self.bar: Any = None
        self.phase: tuple[str, int] | None = None

    @classmethod
    def of_tqdm(cls, *, required: bool) -> Bar | None:
        """A bar; None if tqdm is not there, unless it is required."""
        try:
            from tqdm.auto import tqdm  # noqa: PLC0415 -- optional
        except ImportError:
            if required:
                raise
            return None
        return cls(tqdm)

    def show(self, progress: Progress) -> None:
        """Draws what is done of the present phase."""
        steps = progress.steps_total > 0
        total = progress.steps_total if steps else progress.bytes_total
        if self.bar is None or self.phase != (progress.phase, total):
            self.close()
            self.phase = progress.phase, total
            unit = f" {progress.unit}" if steps else "B"
            self.bar = self.tqdm(
                total=total or None, desc=progress.phase, unit=unit, unit_scale=not steps
            )
        done = progress.steps_done if steps else progress.bytes_done
        self.bar.update(done - self.bar.n)
        if not steps:
            self.bar.set_postfix(games=progress.games, rejected=progress.rejected, refresh=False)

    def close(self) -> None:
        """Ends the bar of the present phase."""
        if self.bar is not None:
            self.bar.close()
            self.bar = None

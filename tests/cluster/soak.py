"""Kills at random, for as long as is wished: the same bytes after each."""

import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import chaos
from judge.report import Case, Failed
from killed import SHARDS, arguments_of, begin, count, lines_beside
from place import Place, must_equal

KINDS = ("kill worker", "kill executor", "kill driver")

# More tasks than a run has: then nothing is struck.
TASKS_MOST = 10

SECONDS_LOOKED = 0.1

# A machine that other work keeps busy is slow, and none of this is about speed.
SECONDS_A_RUN = 1200


def cases(place: Place, minutes: int, seed: int) -> Iterator[Case]:
    """One case, if there is time for it."""
    if minutes:
        yield Case(f"kills at random for {minutes} minutes, seed {seed}", partial(soak, place, minutes, seed))


def soak(place: Place, minutes: int, seed: int) -> str:
    """Run after run, each with something killed in it."""
    place = replace(place, seconds=SECONDS_A_RUN)
    chance, until = random.Random(seed), time.monotonic() + 60 * minutes
    struck: Counter[str] = Counter()
    runs = 0
    while time.monotonic() < until:
        kind, verb = chance.choice(KINDS), chance.choice(("map", "reduce"))
        after = chance.randrange(TASKS_MOST)
        place.cluster.mend()
        strike = driver_killed if kind == "kill driver" else tasks_killed
        runs += 1
        try:
            struck[f"{kind} in {verb}"] += strike(place, kind, verb, after)
        except Failed as failed:
            raise Failed(f"run {runs}, {kind} in the {verb} after {after}: {failed}") from None
    return f"{runs} runs; struck: " + ", ".join(f"{what} {times}" for what, times in sorted(struck.items()))


def tasks_killed(place: Place, kind: str, verb: str, after: int) -> bool:
    """An executor or its whole machine is killed in a task; whether one was."""
    fault = place.fault(kind, verb, after=after)
    ran, table, expected = count(place, fault)
    must_equal(ran, table, expected)
    return any(task.struck for task in chaos.journal(fault))


def driver_killed(place: Place, _kind: str, verb: str, after: int) -> bool:
    """The driver is killed when so many tasks have begun; another one goes on, or counts anew."""
    watched = place.fault("none", "none")
    run, table = begin(place, watched)
    while run.poll() is None and sum(task.verb == verb for task in chaos.journal(watched)) <= after:
        time.sleep(SECONDS_LOOKED)
    killed = run.poll() is None
    if killed:
        run.kill()
    run.wait()
    place.must_be_quiet()
    place.cluster.mend()
    expected = place.expected([place.inputs.large["plain"]], SHARDS)
    if table.exists():
        must_equal(place.tabia("verify", table), table, expected)
        return killed
    goes_on = ["--resume"] if lines_beside(table) else []
    must_equal(place.spark(*arguments_of(place, table), *goes_on), table, expected)
    return killed

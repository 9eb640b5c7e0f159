"""What may go wrong with a map's stream on its way: the reduce must notice each of these."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence

import pyarrow as pa

Rows = list[pa.RecordBatch]


def rewrite(kind: str, command: Sequence[str]) -> None:
    """Runs a map, writes its stream changed to stdout, and ends."""
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    stream = pa.ipc.open_stream(done.stdout)
    with pa.ipc.new_stream(sys.stdout.buffer, stream.schema) as out:
        for row in SPOILS[kind](list(single_rows(stream))):
            out.write_batch(row)
    sys.stdout.flush()
    os._exit(0)


def single_rows(stream: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Batches of one row each."""
    for batch in stream:
        for row in range(batch.num_rows):
            yield batch.slice(row, 1)


def longest_run(rows: Rows) -> int:
    """The row with the longest run, which is not an empty one."""
    return max(range(len(rows)), key=lambda row: len(rows[row]["run"][0].as_py()))


def drop(rows: Rows) -> Rows:
    """Without one run."""
    place = longest_run(rows)
    return rows[:place] + rows[place + 1 :]


def double(rows: Rows) -> Rows:
    """With one run twice."""
    place = longest_run(rows)
    return [*rows, rows[place]]


def flip(rows: Rows) -> Rows:
    """With one bit of a run changed."""
    place = longest_run(rows)
    changed = rows[place].to_pydict()
    run = bytearray(changed["run"][0])
    run[len(run) // 2] ^= 0x10
    changed["run"] = [bytes(run)]
    rows[place] = pa.RecordBatch.from_pydict(changed, schema=rows[place].schema)
    return rows


def drop_report(rows: Rows) -> Rows:
    """Without what the task says of its games."""
    return [row for row in rows if row["seq"][0].as_py() != -1]


SPOILS: dict[str, Callable[[Rows], Rows]] = {
    "drop a run": drop,
    "double a run": double,
    "flip a bit": flip,
    "drop the report": drop_report,
}

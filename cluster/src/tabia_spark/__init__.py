"""Runs `tabia cluster` on Apache Spark: one task a chunk of games, one task a shard of the table.

Spark moves sorted runs between machines, starts tasks again and survives lost machines.  What is
in the runs, and whether they are all there, only the binary knows.

- `cli`: the command line and its exit codes
- `driver`: the binary on the driver's machine: plan, hold and commit
- `tables`: what is done with tables that exist
- `session`: a Spark session and its settings
- `jobs`: which tasks there are
- `buckets`: how each shard gets a partition of its own
- `tasks`, `child`: what runs on the workers
- `progress`: the line on stderr
- `failing`: tasks that fail, while others run
- `failure`: what went wrong, in the binary's words
"""

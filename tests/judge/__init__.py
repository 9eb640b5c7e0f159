"""What the judges in tests/ share: they find it by `PYTHONPATH=tests`, which the Makefile sets.

`run` runs programs to their end, `kill` kills them before it, and `server` keeps a server of ours
running. `compare` looks at what they leave, `disks` gives them little room, `processes` finds what
still runs, `shared_count` knows the steps of a count that machines share, and `report` has the
command line, the lines that a judge prints, and its exit code.
"""

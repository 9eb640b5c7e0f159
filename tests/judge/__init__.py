"""What the judges in tests/ share: they find it by `PYTHONPATH=tests`, which the Makefile sets.

`run` runs programs to their end, `kill` kills them before it, and `server` keeps a server of ours
running. `compare` looks at what they leave, `measure` at what they take, `disks` gives them little room,
`processes` finds what still runs and waits for it. `games` makes up, packs and unpacks games, `boards`
reads them by python-chess, `recipes` writes recipes, and `shared_count` knows the steps of a count that
machines share. `report` has the command line, the cases that a judge prints, and its exit code.
"""

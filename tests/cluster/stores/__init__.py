"""Object stores on this machine, and counts whose inputs and outputs are there."""

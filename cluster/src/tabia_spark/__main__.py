"""`python -m tabia_spark`."""

import sys

from tabia_spark.cli import main

sys.exit(main())

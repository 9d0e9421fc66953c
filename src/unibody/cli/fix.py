"""Correct the findings that have an automatic fix, in the files of a model.

The same as unibody check --fix, with the same options: --fix=all or --fix=CODE selects other fixes. The
diff is printed first and written after confirmation or with --yes. Nothing else in the files changes.
"""

from __future__ import annotations

import argparse

from unibody.cli import check

EXAMPLE = "unibody fix robot.urdf --yes"
CODES = check.CODES


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    check.declare(parser, fixes=True)


def run(options: argparse.Namespace) -> int:
    """Fix the models; return the exit code."""
    options.fix = options.fix or [["safe"]]
    return check.run(options)

"""Format files: layout and spelling of keys, nothing else.

Comments, order, anchors, spelling of values, encoding and line ends are kept. A file is replaced only if
the formatted text gives the same model. --check lists the files that would change, without writing.
"""

from __future__ import annotations

import argparse
import difflib
from typing import Any

from unibody.cli.declaration import Option, add
from unibody.cli.options import JSON, read_options, reading_options
from unibody.cli.output import complain, emit, emit_data, report

EXAMPLE = "unibody fmt robot.body --check"
CODES = """\
exit codes: 0 formatted, or no change, 1 with --check or --diff: a file would change, 2 wrong usage, or
a file cannot be read, formatted or written
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    add(
        parser,
        Option("FILE", "model files", keyword="files", many=True),
        Option("--check", "list the files that would change, without writing"),
        Option("--diff", "print the changes as a diff, without writing"),
        *reading_options(only_text=True),
        JSON,
    )


def run(options: argparse.Namespace) -> int:
    """Format all files; return the exit code."""
    results: list[dict[str, Any]] = []
    code = max(_format(path, options, results) for path in options.files)
    if options.json:
        emit_data({"files": results})
    return code


def _format(path: str, options: argparse.Namespace, results: list[dict[str, Any]]) -> int:
    from unibody.conversion.formatting import formatted

    how = read_options(options, shared=len(options.files) > 1)
    reading, found = formatted(path, options.source_format, how)
    errors = [f for f in reading.findings if f.severity == "error"]
    refused = errors if found is None else [found.refused] if found.refused else []
    if found is None or refused:
        results.append(
            {
                "file": path,
                "changes": False,
                "written": False,
                "findings": [f.json("command") for f in refused],
            }
        )
        report(refused, False)
        return 2
    changes = found.after != found.before
    results.append(
        {"file": path, "changes": changes, "written": changes and not (options.check or options.diff)}
    )
    if not changes:
        return 0
    if options.json and (options.check or options.diff):
        return 1
    if options.diff:
        lines = difflib.unified_diff(
            found.before.splitlines(), found.after.splitlines(), path, path, lineterm=""
        )
        emit(lines)
        return 1
    if options.check:
        emit([f"{path} would change"])
        return 1
    import os

    from unibody.files.access import FileError, write_atomic

    target = os.path.realpath(path)
    try:
        if read_options(options).files.read(target) != found.read:
            complain("unibody fmt", f"{path} changed while it was being formatted; not written")
            return 2
        write_atomic(target, found.data)
    except FileError as e:
        complain("unibody fmt", str(e.finding))
        return 2
    except OSError as e:
        complain("unibody fmt", f"cannot write {e.filename or target}: {e.strerror or e}")
        return 2
    if not options.json:
        emit([f"{path} formatted"])
    return 0

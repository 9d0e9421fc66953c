"""Check a model: its text, numbers, meshes and loops.

Findings are printed on standard output; unibody explain CODE explains them. --mute hides a finding, as
does a comment in the file: "# unibody: mute CODE" in YAML (at the end of a line, for that line only),
"<!-- unibody: mute CODE -->" in XML.

--fix corrects the findings that have an automatic fix, in the files of the model. The diff is printed
first, and written after confirmation or with --yes; nothing else in the files changes.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from unibody.cli.exchange import FORMS, SEVERITIES, Checked, failing
from unibody.cli.options import add_model, mesh_reading, open_input, reach
from unibody.cli.output import (
    UsageError,
    emit,
    emit_data,
    finding_lines,
    summary,
    wants_color,
    worth_showing,
)

if TYPE_CHECKING:
    from unibody.formats.loader import Reading
    from unibody.text.finding import Finding

EXAMPLE = "unibody check robot.urdf --level warning --mute mesh-open"
CODES = """\
exit codes: 0 no findings of the severity of --level or above, 1 such findings, 2 wrong usage, or the
model could not be read; with --fix, for the files after fixing
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    add_model(parser)
    parser.add_argument(
        "--format",
        choices=("text", "json", *FORMS),
        default="text",
        help="output format (json is the same as --json); sarif, github, gitlab and junit are for other "
        "programs (see docs/ci.md)",
    )
    parser.add_argument(
        "--level",
        choices=SEVERITIES,
        default="error",
        help="lowest severity that gives exit code 1 (default: error)",
    )
    parser.add_argument(
        "--mute",
        metavar="CODE",
        action="append",
        default=[],
        help="hide findings with this code; repeatable",
    )
    parser.add_argument(
        "--fix",
        metavar="WHICH",
        nargs="?",
        const=["safe"],
        action=_Fix,
        type=_which,
        help="print fixes as a diff and write them after confirmation: safe (default: fixes of errors and "
        "warnings that keep the robot the same), all, or codes separated by commas",
    )
    parser.set_defaults(model_after_fix=None)
    parser.add_argument("--yes", action="store_true", help="write the fixes without confirmation")


class _Fix(argparse.Action):
    """Appends WHICH; a path after a bare --fix is the model."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, _: Any = None
    ) -> None:
        """Store the value; if it is a path, the positional MODEL becomes optional."""
        from unibody.cli.fixing import is_path

        values_so_far = list(getattr(namespace, self.dest, None) or ())
        if len(values) == 1 and is_path(values[0]):
            namespace.model_after_fix = values[0]
            # argparse has no public interface for an argument that makes another one optional.
            for action in parser._actions:
                if action.dest == "model":
                    action.required = False
            values = ["safe"]
        setattr(namespace, self.dest, [*values_so_far, values])


def _which(text: str) -> list[str]:
    from unibody.cli.fixing import codes

    return codes(text)


def run(options: argparse.Namespace) -> int:
    """Print the findings; return the exit code."""
    from unibody.checks import examine
    from unibody.checks.suppress import split
    from unibody.formats.loader import read

    _check_codes(options.mute)
    _one_model(options)
    if options.yes and not options.fix:
        raise UsageError("--yes requires --fix")
    as_json = options.json or options.format == "json"
    form = FORMS.get(options.format)
    if form is not None and (as_json or options.fix):
        other = "--json" if as_json else "--fix"
        raise UsageError(f"--format {options.format} cannot be combined with {other}")
    fix = _fix(options, as_json) if options.fix else None
    name, files = open_input(options.model, options)
    reading = read(
        name, options.format_in, files=files, arguments=dict(options.arg), **mesh_reading(options)
    )
    kept, muted = split(examine(reading, files), reading.source, options.mute)
    if form is not None:
        emit(form([Checked(name, [finding.json("command") for finding in kept])], options))
    elif as_json:
        emit_data(_data(reading, options.model, kept, muted) | ({"fix": fix} if fix else {}))
    elif fix is None or fix["written"] or not fix["edits"]:
        _print(kept, muted, options, list(reading.beside))
    if reading.robot is None:
        return 2
    return int(any(f.severity in failing(options.level) for f in kept))


def _one_model(options: argparse.Namespace) -> None:
    """Take the model after a bare --fix; UsageError for two models."""
    if options.model_after_fix is None:
        return
    if options.model is not None:
        raise UsageError(f"two models: {options.model} and {options.model_after_fix}")
    options.model = options.model_after_fix


def _fix(options: argparse.Namespace, as_json: bool) -> dict[str, Any]:
    """Print the fixes, and write them if confirmed; return them as JSON data."""
    from unibody.cli.fixing import apply_fixes, selection
    from unibody.files.access import Files
    from unibody.fixes import Model

    model = Model(
        path=options.model,
        format=options.format_in,
        files=Files(**reach(options)),
        arguments=dict(options.arg),
        mute=options.mute,
        **mesh_reading(options),
    )
    return apply_fixes(model, selection(options.fix), options.yes, as_json)


def _check_codes(codes: list[str]) -> None:
    """UsageError for an unknown code."""
    from unibody.checks.rules import rules
    from unibody.text.near import near

    for code in codes:
        if code not in rules():
            alike = near(code, rules())
            hint = f"did you mean '{alike}'?" if alike else "unibody explain lists all codes"
            raise UsageError(f"--mute: unknown finding code '{code}'; {hint}")


def _data(reading: Reading, path: str, kept: list[Finding], muted: list[Finding]) -> dict[str, Any]:
    return {
        "file": path,
        "format": reading.format.name if reading.format else None,
        "beside": dict(reading.beside),
        "readable": reading.robot is not None,
        "counts": {level: sum(f.severity == level for f in kept) for level in SEVERITIES},
        "findings": [f.json("command") for f in kept],
        "muted": [f.json("command") for f in muted],
    }


def _print(
    kept: list[Finding], muted: list[Finding], options: argparse.Namespace, beside: list[str]
) -> None:
    everything = options.all_findings or options.level == "info"
    shown = kept if everything else worth_showing(kept)
    if shown and wants_color(sys.stdout):
        from unibody.cli.color import show

        sys.stdout.flush()
        show(shown, lambda finding: finding_lines(finding, sys.stdout), stderr=False)
    else:
        emit(line for f in shown for line in finding_lines(f, sys.stdout))
    parts = [summary(kept, shown) if kept else "no findings"]
    parts += [f"{len(muted)} muted"] if muted else []
    parts += [f"read with {path}" for path in beside]
    emit(["; ".join(parts)])

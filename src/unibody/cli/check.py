"""Say what is wrong with a model, or worth a look: its text, numbers, meshes and loops.

The findings are the result, on standard output; unibody explain CODE says more of each. One that
you have looked at and want to keep is muted with --mute, or by a comment in the file itself:
"# unibody: mute CODE" in YAML (behind a line, for that line alone), and in XML
"<!-- unibody: mute CODE -->".

With --fix the findings that have a mechanical remedy are fixed in the model's own files: the diff is
shown first, and written when you say so, or with --yes. Nothing but what the diff shows is touched.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from unibody.cli.options import add_model, reach
from unibody.cli.output import (
    UsageError,
    emit,
    emit_data,
    finding_lines,
    summary,
    wants_colour,
    worth_showing,
)

if TYPE_CHECKING:
    from unibody.formats.loader import Reading
    from unibody.text.finding import Finding

EXAMPLE = "unibody check robot.urdf --level warning --mute mesh-open"
CODES = """\
exit codes: 0 no finding at the failing level (see --level), 1 some, 2 wrong usage, or no model
could be read; with --fix they tell of the files as they are afterwards
"""

_LEVELS = ("error", "warning", "info")


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of this verb."""
    add_model(parser)
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="how to print (json: as --json does)"
    )
    parser.add_argument(
        "--level",
        choices=_LEVELS,
        default="error",
        help="the exit code is 1 from this severity on (default: error)",
    )
    parser.add_argument(
        "--mute",
        metavar="CODE",
        action="append",
        default=[],
        help="leave out the findings of this code; may be given several times",
    )
    parser.add_argument(
        "--fix",
        metavar="WHICH",
        nargs="?",
        const=["safe"],
        action=_Fix,
        type=_which,
        help="show remedies as a diff, and write them when you say so: safe (the default: errors and "
        "warnings, the robot stays the same), all, or the codes of findings",
    )
    parser.set_defaults(behind_fix=None)
    parser.add_argument("--yes", action="store_true", help="write what --fix shows without asking")


class _Fix(argparse.Action):
    """Appends WHICH; a MODEL that stands behind a bare --fix is the model."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, _: Any = None
    ) -> None:
        """Keep the value; where it is a path, the positional MODEL is not asked for any more."""
        from unibody.cli.fixing import is_path

        given = list(getattr(namespace, self.dest, None) or ())
        if len(values) == 1 and is_path(values[0]):
            namespace.behind_fix = values[0]
            # argparse has no public way to say that one argument makes another one optional.
            for action in parser._actions:
                if action.dest == "model":
                    action.required = False
            values = ["safe"]
        setattr(namespace, self.dest, [*given, values])


def _which(text: str) -> list[str]:
    # Imported here: reading alone needs none of it.
    from unibody.cli.fixing import codes

    return codes(text)


def run(options: argparse.Namespace) -> int:
    """Print the findings; the exit code."""
    from unibody.checks import examine
    from unibody.checks.suppress import split
    from unibody.files.access import Files
    from unibody.formats.loader import read

    _known(options.mute)
    _one_model(options)
    if options.yes and not options.fix:
        raise UsageError("--yes goes with --fix")
    as_json = options.json or options.format == "json"
    mended = _mended(options, as_json) if options.fix else None
    files = Files(**reach(options))
    reading = read(options.model, options.format_in, files=files, arguments=dict(options.arg))
    stay, muted = split(examine(reading, files), reading.source, options.mute)
    if as_json:
        emit_data(_data(reading, options.model, stay, muted) | ({"fix": mended} if mended else {}))
    elif mended is None or mended["written"] or not mended["edits"]:
        _print(stay, muted, options)
    if reading.robot is None:
        return 2
    failing = _LEVELS[: _LEVELS.index(options.level) + 1]
    return int(any(f.severity in failing for f in stay))


def _one_model(options: argparse.Namespace) -> None:
    """The model may stand behind a bare --fix; UsageError for two."""
    if options.behind_fix is None:
        return
    if options.model is not None:
        raise UsageError(f"two models: {options.model} and {options.behind_fix}")
    options.model = options.behind_fix


def _mended(options: argparse.Namespace, as_json: bool) -> dict[str, Any]:
    """Show the remedies, and write them when that is wanted; what was done as data."""
    from unibody.cli.fixing import mend, wanted
    from unibody.files.access import Files
    from unibody.fixes import Model

    model = Model(
        path=options.model,
        format=options.format_in,
        files=Files(**reach(options)),
        arguments=dict(options.arg),
        mute=options.mute,
    )
    return mend(model, wanted(options.fix), options.yes, as_json)


def _known(codes: list[str]) -> None:
    """UsageError for a code that no finding has."""
    from unibody.checks.rules import rules
    from unibody.text.near import near

    for code in codes:
        if code not in rules():
            alike = near(code, rules())
            hint = f"did you mean '{alike}'?" if alike else "unibody explain lists all codes"
            raise UsageError(f"--mute: '{code}' is no finding's code; {hint}")


def _data(reading: Reading, path: str, stay: list[Finding], muted: list[Finding]) -> dict[str, Any]:
    return {
        "file": path,
        "format": reading.format.name if reading.format else None,
        "readable": reading.robot is not None,
        "counts": {level: sum(f.severity == level for f in stay) for level in _LEVELS},
        "findings": [f.json() for f in stay],
        "muted": [f.json() for f in muted],
    }


def _print(stay: list[Finding], muted: list[Finding], options: argparse.Namespace) -> None:
    everything = options.all_findings or options.level == "info"
    shown = stay if everything else worth_showing(stay)
    if shown and wants_colour(sys.stdout):
        from unibody.cli.colour import show

        sys.stdout.flush()
        show(shown, lambda finding: finding_lines(finding, sys.stdout), stderr=False)
    else:
        emit(line for f in shown for line in finding_lines(f, sys.stdout))
    parts = [summary(stay, shown) if stay else "no findings"]
    parts += [f"{len(muted)} muted"] if muted else []
    emit(["; ".join(parts)])

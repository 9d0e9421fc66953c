"""Writes results to standard output and findings to standard error, in any encoding."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from unibody.cli.terminal import clean
from unibody.text.counted import counted
from unibody.text.finding import Finding, Severity
from unibody.text.hint import hint_text

if TYPE_CHECKING:
    from unibody.cli.color import Piece

#: Exit codes of a verb that has no others.
CODES = """\
exit codes: 0 no errors, 1 the model has errors but could be read, 2 wrong usage, or the model could
not be read
"""

# Warnings of one code that are shown without --all-findings.
_WARNINGS_PER_CODE = 8
# Control characters, marks that change the text direction, and surrogates.
_UNPRINTABLE = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


class UsageError(Exception):
    """Invalid arguments; the command exits with code 2.

    ``command`` is the name to print before the message, by default that of the verb.
    """

    def __init__(self, message: str, hint: str = "", command: str = "") -> None:
        super().__init__(message)
        self.hint, self.command = hint, command


def check_outputs(paths: Iterable[str | None], overwrite: bool) -> None:
    """UsageError if a file to write exists and must not be replaced; checked before any work is done."""
    from unibody.files.atomic import is_stream

    for path in paths:
        exists = path and os.path.lexists(path) and not os.path.isdir(path) and not is_stream(path)
        if exists and not overwrite:
            raise UsageError(f"{path} already exists; use --overwrite to replace it")


def is_folder(target: str) -> bool:
    """Whether an output is a folder: it is there, or the word ends with a separator."""
    return os.path.isdir(target) or target.endswith(("/", os.sep))


def write_output(path: str, content: bytes | Iterable[bytes], overwrite: bool) -> None:
    """Write a file that a verb was asked for, atomically; UsageError if it exists or cannot be written."""
    from unibody.files.atomic import write_atomic

    try:
        write_atomic(path, content, overwrite)
    except FileExistsError:
        if os.path.isdir(path):
            raise UsageError(f"cannot write {path}: Is a directory") from None
        raise UsageError(f"{path} already exists; use --overwrite to replace it") from None
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from None


@dataclass(frozen=True, slots=True)
class Glyphs:
    """Characters beyond ASCII, or their substitutes if the output's encoding lacks them."""

    branch: str = "├─ "
    last: str = "└─ "
    pipe: str = "│  "
    degree: str = "°"
    to: str = "…"
    times: str = "×"
    dot: str = "·"
    squared: str = "²"
    cubed: str = "³"


_ASCII = Glyphs("|- ", "`- ", "|  ", " deg", "..", "x", ".", "^2", "^3")


@dataclass(frozen=True, slots=True)
class Window:
    """The characters that the output can show, and its width in columns.

    ``width`` is None if the output is a file or a pipe, where it is unlimited.
    """

    glyphs: Glyphs = Glyphs()
    width: int | None = None

    @property
    def text_width(self) -> int:
        """The column at which running text is wrapped."""
        return min(self.width or 100, 120)


def prepare() -> None:
    """Let both streams escape characters that their encoding lacks."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def window() -> Window:
    """The window of standard output."""
    return Window(glyphs(sys.stdout), _columns(sys.stdout))


def glyphs(stream: TextIO | None) -> Glyphs:
    """The glyphs of a stream; tree branches are all ASCII if the encoding lacks one of them."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    tree = ("branch", "last", "pipe")
    has_tree = _encodable("".join(getattr(Glyphs(), name) for name in tree), encoding)
    chosen = {}
    for name in Glyphs.__slots__:
        glyph = getattr(Glyphs(), name)
        supported = has_tree if name in tree else _encodable(glyph, encoding)
        chosen[name] = glyph if supported else getattr(_ASCII, name)
    return Glyphs(**chosen)


def _encodable(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeError, LookupError):
        return False
    return True


def _columns(stream: TextIO | None) -> int | None:
    if not _is_terminal(stream):
        return None
    import shutil

    return shutil.get_terminal_size().columns


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()


def emit(lines: Iterable[str]) -> None:
    """Write lines to standard output."""
    if sys.stdout is not None:
        sys.stdout.write("".join(clean(line).rstrip() + "\n" for line in lines))


def emit_json(text: str) -> None:
    """Write JSON text to standard output, with JSON escapes for characters that the encoding lacks."""
    if sys.stdout is None:
        return
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    escaped = (
        _UNPRINTABLE if _encodable(_UNPRINTABLE.sub("", text), encoding) else re.compile("[^\\x00-\\x7e]")
    )
    sys.stdout.write(escaped.sub(_json_escape, text))


def _json_escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"


def emit_data(data: Any) -> None:
    """Write plain data as JSON, with infinities as strings."""
    from unibody.text.json.parser import dumps

    emit_json(dumps(jsonable(data)))


def emit_failure(findings: Iterable[Finding] = (), message: str = "", hint: str = "") -> None:
    """Write why there is no result as JSON: findings, and the message of a usage error."""
    data: dict[str, Any] = {"findings": [finding.json("command") for finding in findings]}
    said = {"message": message, "hint": hint}
    emit_data(data | {name: text for name, text in said.items() if text})


def jsonable(value: Any) -> Any:
    """Plain data with tuples as lists, and infinities as "inf" and "-inf".

    >>> jsonable({"limits": (float("-inf"), 1.0)})
    {'limits': ['-inf', 1.0]}
    """
    if isinstance(value, Mapping):
        return {key: jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(item) for item in value]
    if isinstance(value, float):
        return value + 0.0 if value - value == 0.0 else f"{value}"
    return value


def complain(command: str, message: str, hint: str = "") -> None:
    """Write a usage error to standard error."""
    emit_errors([f"{command}: error: {message}", *([f"  {hint}"] if hint else [])])


def emit_errors(lines: Iterable[str]) -> None:
    """Write lines to standard error, after all results so far."""
    if sys.stdout is not None:
        sys.stdout.flush()
    if sys.stderr is not None:
        sys.stderr.write("".join(clean(line).rstrip() + "\n" for line in lines))


def report(findings: Sequence[Finding], show_all: bool) -> None:
    """Write findings and their number to standard error, after all results."""
    shown = list(findings) if show_all else worth_showing(findings)
    if shown and wants_color(sys.stderr):
        from unibody.cli.color import show

        show(shown, lambda finding: finding_pieces(finding, sys.stderr))
    else:
        emit_errors(line for f in shown for line in finding_lines(f, sys.stderr))
    if findings:
        emit_errors([summary(findings, shown)])


def worth_showing(findings: Sequence[Finding]) -> list[Finding]:
    """All errors, and the first warnings of each code."""
    count: Counter[str] = Counter()
    shown = []
    for f in findings:
        count[f.code] += 1
        if f.severity == "error" or (f.severity == "warning" and count[f.code] <= _WARNINGS_PER_CODE):
            shown.append(f)
    return shown


def finding_lines(finding: Finding, stream: TextIO | None) -> list[str]:
    """The lines of one finding; the excerpt is cut to the window, so that its caret fits."""
    return ["".join(text for text, _ in line) for line in finding_pieces(finding, stream)]


def finding_pieces(finding: Finding, stream: TextIO | None) -> list[list[Piece]]:
    """The lines of one finding, in pieces that have a style each."""
    place, severity, message, code = finding.parts()
    lines: list[list[Piece]] = [
        [(place, "place"), (severity, finding.severity), (message, "text"), (code, "code")]
    ]
    if finding.at:
        width = min(100, (_columns(stream) or 102) - 3)
        source, _, caret = finding.at.excerpt(width).rpartition("\n")
        lines += [[(source, "text")], [(caret, "caret")]]
    if finding.hint:
        lines.append(
            [("  ", "text"), ("hint:", "label"), (f" {hint_text(finding.hint, 'command')}", "text")]
        )
    return [[(clean(text), role) for text, role in line] for line in lines]


def summary(findings: Sequence[Finding], shown: Sequence[Finding]) -> str:
    """The number of findings of each severity, and how many of them are not shown.

    >>> found = [Finding("mass-zero", "warning", ""), Finding("mass-missing", "info", "")]
    >>> summary(found, found)
    '1 warning, 1 note'
    >>> summary(found, found[:1])
    '1 warning; 1 note hidden (use --all-findings)'
    """
    total, visible = (Counter(f.severity for f in some) for some in (findings, shown))
    listed, hidden = [], []
    words: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}
    for severity, word in words.items():
        count, seen = total[severity], visible[severity]
        noun = counted(count, word)
        if 0 < seen < count:
            listed.append(f"{seen} of {noun} shown")
        elif seen:
            listed.append(noun)
        elif count:
            hidden.append(f"{noun} hidden")
    text = "; ".join([", ".join(group) for group in (listed, hidden) if group])
    return text if visible.total() == total.total() else f"{text} (use --all-findings)"


def wants_color(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal with colors, unless NO_COLOR is set."""
    return _is_terminal(stream) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

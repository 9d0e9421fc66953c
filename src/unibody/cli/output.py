"""Writes results to standard output and findings to standard error, in any encoding."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from unibody.cli.terminal import clean, columns
from unibody.text.counted import counted
from unibody.text.finding import Finding
from unibody.text.grouping import WORDS, Entry, distinct, grouped
from unibody.text.hint import hint_text
from unibody.text.relative import relative

if TYPE_CHECKING:
    from unibody.cli.color import Piece

#: Exit codes of a verb that has no others.
CODES = """\
exit codes: 0 no errors, 1 the model has errors but could be read, 2 wrong usage, or the model could
not be read
"""

# Entries of warnings of one code that are shown without --all-findings.
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
    return columns()


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


def report(findings: Sequence[Finding], show_all: bool, computes: bool = False) -> None:
    """Write findings and their number to standard error, after all results.

    A verb that ``computes`` also shows the notes that change what it computes.
    """
    found = distinct(findings)
    told: Collection[str] = ()
    if computes and any(f.severity == "info" for f in found):
        from unibody.checks.rules import rules

        told = {code for code, rule in rules().items() if rule.computed}
    entries = entries_shown(found, show_all, told)
    write_entries(entries, stderr=True)
    if found:
        emit_errors([summary(found, findings_of(entries))])


def write_entries(entries: Sequence[Entry], stderr: bool) -> None:
    """Write entries of findings to standard error or standard output, in color on a terminal."""
    stream = sys.stderr if stderr else sys.stdout
    if entries and wants_color(stream):
        from unibody.cli.color import show

        if not stderr:
            sys.stdout.flush()
        show(entries, lambda entry: entry_pieces(entry, stream), stderr=stderr)
    else:
        (emit_errors if stderr else emit)(line for entry in entries for line in entry_lines(entry, stream))


def entries_shown(findings: Sequence[Finding], show_all: bool, told: Collection[str] = ()) -> list[Entry]:
    """One entry for each finding if all are asked for; else one for each rule and cause.

    Of the warnings of one code the first entries are shown, and of the notes those with a code of ``told``.
    """
    if show_all:
        return [Entry((f,)) for f in findings]
    count: Counter[str] = Counter()
    shown = []
    for entry in grouped(findings):
        code = entry.first.code
        count[code] += 1
        few = count[code] <= _WARNINGS_PER_CODE
        if entry.severity == "error" or (few and (entry.severity == "warning" or code in told)):
            shown.append(entry)
    return shown


def findings_of(entries: Iterable[Entry]) -> list[Finding]:
    """All findings of entries."""
    return [f for entry in entries for f in entry.findings]


def entry_lines(entry: Entry, stream: TextIO | None) -> list[str]:
    """The lines of one entry; the excerpt is cut to the window, so that its caret fits."""
    return ["".join(text for text, _ in line) for line in entry_pieces(entry, stream)]


def entry_pieces(entry: Entry, stream: TextIO | None) -> list[list[Piece]]:
    """The lines of one entry, in pieces that have a style each."""
    lines = _finding_pieces(entry.first, stream)
    also = entry.also()
    return [*lines, [(f"  {relative(clean(also), _here())}", "text")]] if also else lines


def _finding_pieces(finding: Finding, stream: TextIO | None) -> list[list[Piece]]:
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
    here = _here()
    return [[(relative(clean(text), here), role) for text, role in line] for line in lines]


def _here() -> str:
    """The current directory, to which paths in messages are relative; "" if it is gone."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def relative_lines(text: str) -> list[str]:
    """The lines of a text with paths relative to the current directory."""
    return relative(text, _here()).splitlines()


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
    for severity, word in WORDS.items():
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

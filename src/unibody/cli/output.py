"""Where results and findings go: text that every terminal can show, with colour where one can."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TextIO

from unibody.cli.terminal import clean
from unibody.text.finding import Finding

# So many findings of one code are shown; the hundredth says nothing that the first did not.
_PER_CODE = 8
# Controls, the marks that turn the order of letters about, and what is half a letter.
_NOT_SHOWN = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


class UsageError(Exception):
    """Arguments that cannot be meant; the command ends with code 2."""


@dataclass(frozen=True, slots=True)
class Glyphs:
    """Signs beyond ASCII, or what stands for them where the output's encoding has none."""

    branch: str = "├─ "
    last: str = "└─ "
    pipe: str = "│  "
    degree: str = "°"
    to: str = "…"
    times: str = "×"
    dot: str = "·"
    squared: str = "²"


_ASCII = Glyphs("|- ", "`- ", "|  ", " deg", "..", "x", ".", "^2")


@dataclass(frozen=True, slots=True)
class Window:
    """What results are written for: the signs that can be shown, and the width in columns.

    ``width`` is None when the output goes to a file or another program: nothing has to fit then.
    """

    glyphs: Glyphs = Glyphs()
    width: int | None = None

    @property
    def text_width(self) -> int:
        """Where running text is wrapped."""
        return min(self.width or 100, 120)


def prepare() -> None:
    """Make both streams take every character: what their encoding lacks is written as an escape."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def window() -> Window:
    """The window that standard output is shown in."""
    return Window(glyphs(sys.stdout), _columns(sys.stdout))


def glyphs(stream: TextIO | None) -> Glyphs:
    """The signs that a stream's encoding has; the parts of a tree all in one style."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    signs = {name: getattr(Glyphs(), name) for name in Glyphs.__slots__}
    tree = ("branch", "last", "pipe")
    lines = _can("".join(signs[name] for name in tree), encoding)
    chosen = {
        name: sign if (lines if name in tree else _can(sign, encoding)) else getattr(_ASCII, name)
        for name, sign in signs.items()
    }
    return Glyphs(**chosen)


def _can(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeError, LookupError):
        return False
    return True


def _columns(stream: TextIO | None) -> int | None:
    return shutil.get_terminal_size().columns if _is_terminal(stream) else None


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()


def emit(lines: Iterable[str]) -> None:
    """Write lines to standard output."""
    if sys.stdout is not None:
        sys.stdout.write("".join(clean(line).rstrip() + "\n" for line in lines))


def emit_json(text: str) -> None:
    """Write JSON text to standard output; what the encoding lacks is written as JSON's own escapes."""
    if sys.stdout is None:
        return
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    hard = _NOT_SHOWN if _can(_NOT_SHOWN.sub("", text), encoding) else re.compile("[^\\x00-\\x7e]")
    sys.stdout.write(hard.sub(_json_escape, text))


def _json_escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"


def emit_data(data: Any) -> None:
    """Write plain data, infinities as the strings of the native format, as JSON."""
    from unibody.text.json.parser import dumps

    emit_json(dumps(jsonable(data)))


def jsonable(value: Any) -> Any:
    """Plain data as JSON can say it: tuples as lists, infinities as "inf" and "-inf".

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


def complain(who: str, message: str, hint: str = "") -> None:
    """Write what is wrong with the usage to standard error."""
    _errors([f"{who}: error: {message}", *([f"  {hint}"] if hint else [])])


def _errors(lines: Iterable[str]) -> None:
    if sys.stderr is not None:
        sys.stderr.write("".join(clean(line).rstrip() + "\n" for line in lines))


def report(findings: Sequence[Finding], show_all: bool) -> None:
    """Write findings to standard error, and how many there are, after all results."""
    if sys.stdout is not None:
        sys.stdout.flush()
    shown = list(findings) if show_all else worth_showing(findings)
    if shown and wants_colour(sys.stderr):
        from unibody.cli.colour import show

        show(shown, lambda finding: finding_lines(finding, sys.stderr))
    else:
        _errors(line for f in shown for line in finding_lines(f, sys.stderr))
    if findings:
        _errors([summary(findings, shown)])


def worth_showing(findings: Sequence[Finding]) -> list[Finding]:
    """Errors, and of each code the first few warnings."""
    count: Counter[str] = Counter()
    shown = []
    for f in findings:
        count[f.code] += 1
        if f.severity == "error" or (f.severity == "warning" and count[f.code] <= _PER_CODE):
            shown.append(f)
    return shown


def finding_lines(finding: Finding, stream: TextIO | None) -> list[str]:
    """The lines of one finding, cut to the window: a wrapped excerpt has its caret in the wrong place."""
    lines = [str(finding)]
    if finding.at:
        width = min(100, (_columns(stream) or 102) - 3)
        lines += finding.at.excerpt(width).split("\n")
    if finding.hint:
        lines.append(f"  hint: {finding.hint}")
    return [clean(line) for line in lines]


def summary(findings: Sequence[Finding], shown: Sequence[Finding]) -> str:
    """How many findings are shown, and how many are not."""
    ids = {id(f) for f in shown}
    hidden = [f for f in findings if id(f) not in ids]
    parts = [counts(shown)] if shown else []
    if hidden:
        them = "it" if len(hidden) == 1 else "them"
        parts.append(f"{counts(hidden)} hidden (--all-findings shows {them})")
    return "; ".join(parts)


def counts(findings: Iterable[Finding]) -> str:
    """How many of each severity, in words.

    >>> counts([Finding("a", "warning", ""), Finding("b", "warning", "")])
    '2 warnings'
    """
    count = Counter(f.severity for f in findings)
    words = [
        f"{count[severity]} {severity}{'' if count[severity] == 1 else 's'}"
        for severity in ("error", "warning", "info")
        if count[severity]
    ]
    return ", ".join(words)


def wants_colour(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal that shows colours, and nobody has asked for none."""
    return _is_terminal(stream) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

"""JSON: a canonical, readable printer, and a parser that reports findings instead of exceptions."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from unibody.text.finding import Finding, Findings, TextError
from unibody.text.number import format_float, is_plain, vanishes
from unibody.text.source import Source, Span

# Limit on nesting, for which reading is guaranteed; real robots stay below 30.
MAX_LEVELS = 200
_WIDTH = 100
# Numbers per line: a multiple of 2, 3 and 4, so that a changed point changes one line.
_PER_LINE = 12
_SURROGATE = re.compile("[\ud800-\udfff]")
_NUMBER = re.compile(r'"(?:[^"\\]|\\.)*"|-?[0-9][0-9.]*(?:[eE][-+]?[0-9]+)?', re.DOTALL)
_CONSTANT = re.compile(r'"(?:[^"\\]|\\.)*"|-?Infinity|NaN', re.DOTALL)


class Doubled(dict[str, Any]):
    """A JSON object with the duplicate key ``twice``."""

    twice = ""


class _NotJsonError(Exception):
    """A constant that Python's reader accepts and JSON lacks."""


def levels(data: Any) -> int:
    """The nesting depth of lists and objects.

    >>> levels([1, {"a": []}]), levels("text")
    (3, 0)
    """
    deepest, todo = 0, [(data, 1)]
    while todo:
        value, level = todo.pop()
        if isinstance(value, dict | list | tuple):
            deepest = max(deepest, level)
            todo += [(v, level + 1) for v in (value.values() if isinstance(value, dict) else value)]
    return deepest


def too_deep(what: str) -> TextError:
    """The error for data nested beyond the limit."""
    message = f"{what} nested more than {MAX_LEVELS} levels deep"
    return TextError(Finding("json-depth", "error", message))


def quoted(text: str) -> str:
    """A JSON string; escapes only what JSON or UTF-8 cannot represent."""
    return json.dumps(text, ensure_ascii=bool(_SURROGATE.search(text)))


def scalar(value: Any) -> str:
    """A JSON string, number, true, false or null; numbers in the shortest form that reads back exactly."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, float):
        # "-0" would be read back as the integer 0, without sign.
        return format_float(value) if value or math.copysign(1.0, value) > 0 else "-0.0"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(value)


def _flat(values: list[Any], margin: str) -> str:
    words = [scalar(v) for v in values]
    line = f"[{', '.join(words)}]"
    if len(words) <= _PER_LINE and len(margin) + len(line) <= _WIDTH:
        return line
    step = 1 if any(isinstance(v, str) for v in values) else _PER_LINE
    inner = margin + "  "
    rows = [", ".join(words[i : i + step]) for i in range(0, len(words), step)]
    return f"[\n{inner}" + f",\n{inner}".join(rows) + f"\n{margin}]"


def _one_line(data: dict[str, Any], margin: str) -> str | None:
    """A small object on one line if all its values are short; None otherwise, and for the root."""
    if not margin or any(not _is_flat(v) for v in data.values()):
        return None
    words = [
        f"{quoted(k)}: {_flat(v, margin) if isinstance(v, list) else scalar(v)}" for k, v in data.items()
    ]
    line = f"{{{', '.join(words)}}}"
    return line if len(margin) + len(line) <= _WIDTH else None


def _is_flat(value: Any) -> bool:
    if isinstance(value, list):
        return len(value) <= _PER_LINE and not any(isinstance(v, dict | list) for v in value)
    return not isinstance(value, dict)


def _write(data: Any, margin: str, out: list[str]) -> None:
    if not isinstance(data, dict | list):
        out.append(scalar(data))
        return
    if isinstance(data, list) and not any(isinstance(v, dict | list) for v in data):
        out.append(_flat(data, margin))
        return
    if isinstance(data, dict) and (line := _one_line(data, margin)):
        out.append(line)
        return
    if len(margin) > 2 * MAX_LEVELS:
        raise too_deep("data")
    inner = margin + "  "
    lead, end = "{}" if isinstance(data, dict) else "[]"
    for item in data:
        out.append(f"{lead}\n{inner}")
        if isinstance(data, dict):
            out.append(quoted(item) + ": ")
        _write(data[item] if isinstance(data, dict) else item, inner, out)
        lead = ","
    out.append(f"\n{margin}{end}" if data else lead + end)


def dumps(data: Any) -> str:
    """Print plain data as JSON: indented by two spaces, short lists and objects on one line each.

    The text ends with a line end. TextError if the data are nested deeper than ``MAX_LEVELS``.

    >>> print(dumps({"xyz": [0.0, 0.5, 1.0], "on": True}), end="")
    {
      "xyz": [0, 0.5, 1],
      "on": true
    }
    """
    out: list[str] = []
    _write(data, "", out)
    out.append("\n")
    return "".join(out)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) == len(pairs):
        return out
    doubled = Doubled(out)
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            doubled.twice = key
        seen.add(key)
    return doubled


def _constant(word: str) -> Any:
    raise _NotJsonError(word)


def _tell_vanishing(source: Source, findings: Findings) -> None:
    """Report the first number that underflows to zero."""
    if is_plain(source.text):
        return
    for found in _NUMBER.finditer(source.text):
        if not found[0].startswith('"') and vanishes(found[0]):
            message = f"{found[0][:40]} underflows to 0"
            findings.warning("number-underflow", message, Span(source, *found.span()), "write 0")
            return


def loads(source: Source, findings: Findings) -> tuple[bool, Any]:
    """Parse JSON: whether the text is valid, and its data. An object with a duplicate key is a ``Doubled``.

    >>> loads(Source("a.json", "[1, 2]"), Findings())
    (True, [1, 2])
    """
    text = source.text
    try:
        data = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
        _tell_vanishing(source, findings)
        return True, data
    except json.JSONDecodeError as error:
        start, message = error.pos, error.msg
    except _NotJsonError as error:
        word = str(error)
        start = next((m.start() for m in _CONSTANT.finditer(text) if m[0] == word), 0)
        message = f"{word} is not a JSON number"
    except RecursionError:
        findings.append(too_deep("lists or objects").finding)
        return False, None
    except ValueError:  # Python rejects integers of thousands of digits
        start, message = 0, "a number has too many digits"
    findings.error("json-syntax", f"not JSON: {message}", Span(source, start, min(start + 1, len(text))))
    return False, None

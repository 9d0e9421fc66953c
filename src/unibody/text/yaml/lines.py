"""Reindents YAML scalars and lists that span several lines."""

from __future__ import annotations

import re

from unibody.text.node import Numbers, Word

_PROPERTIES = re.compile(r"(?:[&!]\S*(?:\s+|\Z))*")
_HEADER = re.compile(r"[|>]([-+]?)([0-9]?)([-+]?)[ \t]*(?:(?<=[ \t])#[^\r\n]*)?")
_COMMA = re.compile(r",(?=[^\s,])")


def as_written(word: Word, raw: str, indent: int) -> str | None:
    """The source text of a scalar, reindented to ``indent``; None if it does not read as the word.

    >>> as_written(Word("a b", quote='"'), '"a\\n      b"', 2)
    '"a\\n  b"'
    """
    head = _PROPERTIES.match(raw)
    body = raw[head.end() if head else 0 :]
    tags = [p for p in (head[0] if head else "").split() if p.startswith("!")]
    if not body:
        return None
    if word.quote in ("|", ">"):
        shown = _block(word, body, indent)
    elif "\n" in body:
        first, *rest = body.split("\n")
        lines = [line.lstrip(" \t") for line in rest]
        shown = "\n".join([first, *(" " * indent + line if line else "" for line in lines)])
    else:
        shown = body
    if shown is None or not ((shown == word.text and not word.quote) or _says(shown, word.text, indent)):
        return None
    return " ".join([*tags, shown])


def _says(shown: str, text: str, indent: int) -> bool:
    if "\\" not in shown and "\n" not in shown and shown[0] == shown[-1] and len(shown) > 1:
        if shown[0] == '"':
            return shown[1:-1] == text
        if shown[0] == "'":
            return shown[1:-1].replace("''", "'") == text
    import yaml as pyyaml

    if not shown.isprintable() and "\n" not in shown:
        return False
    loader = getattr(pyyaml, "CBaseLoader", pyyaml.BaseLoader)
    try:
        return bool(pyyaml.load(f"{' ' * (indent - 2)}k: {shown}\n", loader) == {"k": text})
    except pyyaml.YAMLError:
        return False


def _block(word: Word, body: str, indent: int) -> str | None:
    """A literal or folded block, including the comment of its header."""
    header, *lines = body.split("\n")
    found = _HEADER.fullmatch(header.rstrip())
    inner = [line for line in word.text.split("\n") if line.strip(" ")]
    outer = [line for line in lines if line.strip(" ")]
    if found is None or not inner or not outer:
        return None
    old = _blanks(outer[0]) - _blanks(inner[0])
    new = indent - 2 + int(found[2]) if found[2] else indent
    moved = [" " * new + line[old:] if line[old:] else "" for line in lines]
    while moved and not moved[-1].strip(" "):
        moved.pop()
    if "+" in (found[1], found[3]):
        moved += [""] * (len(word.text) - len(word.text.rstrip("\n")) - 1)
    return "\n".join([header.rstrip(), *moved])


def _blanks(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def number_rows(value: Numbers, shift: int | None, indent: int) -> str:
    """A list of numbers with its original lines and alignment.

    Lines after the first move by ``shift`` columns; with None they start at ``indent``.
    """
    first, *rest = value.body.split("\n")
    rows = [(_column(line), _COMMA.sub(", ", line.strip())) for line in rest]
    last = rows.pop()
    base = min((column for column, row in [*rows, last] if row), default=0)
    move = indent - base if shift is None else shift
    out = ["[" + (" " + first.strip() if first[:1].isspace() and first.strip() else first.strip())]
    out[0] = _COMMA.sub(", ", out[0]).rstrip()
    out += [" " * max(column + move, 0) + row for column, row in rows if row]
    if last[1]:
        pad = " " if value.body[-1].isspace() else ""
        out.append(f"{' ' * max(last[0] + move, 0)}{last[1]}{pad}]")
    else:
        out.append(" " * (indent - 2) + "]")
    return "\n".join(out)


def _column(line: str) -> int:
    return len(line[: len(line) - len(line.lstrip())].expandtabs(8))

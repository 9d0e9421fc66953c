"""Prints a layer of USD as text (.usda): one property per line, long lists wrapped."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from unibody.text.usda.layer import Attribute, Layer, Prim, Reference, Relationship, Typed
from unibody.text.usda.singles import shortest

_INDENT = "    "
# A list with a longer text is wrapped.
_WIDTH = 100
_SINGLE = ("half", "float", "color3f", "color4f", "point3f", "normal3f", "vector3f", "quatf", "texCoord2f")
_TEXTS = ("string", "token")
_ESCAPES = {ord("\\"): "\\\\", ord("\r"): "\\r", ord("\t"): "\\t"} | {
    code: f"\\x{code:02x}" for code in (*range(1, 9), 11, 12, *range(14, 32), 127)
}


def print_layer(layer: Layer) -> str:
    """The text of a layer; ValueError for a value that USD cannot represent.

    >>> layer = Layer(metadata={"upAxis": "Z"}, prims=[Prim("arm", "Xform")])
    >>> layer.prims[0].properties.append(Attribute("float", "physics:mass", 0.1))
    >>> print(print_layer(layer))
    #usda 1.0
    (
        upAxis = "Z"
    )
    <BLANKLINE>
    def Xform "arm"
    {
        float physics:mass = 0.1
    }
    <BLANKLINE>
    """
    out = ["#usda 1.0"]
    entries = list(_entries(layer.metadata, _INDENT))
    if layer.sublayers:
        entries.append(f"{_INDENT}subLayers = [")
        entries.append(",\n".join(f"{_INDENT * 2}{_asset(path)}" for path in layer.sublayers))
        entries.append(f"{_INDENT}]")
    if entries:
        out += ["(", *entries, ")"]
    out.append("")
    for prim in layer.prims:
        _print_prim(prim, out)
        out.append("")
    return "\n".join(out)


def _print_prim(top: Prim, out: list[str]) -> None:
    """Append the lines of a prim and of all below it."""
    todo: list[tuple[Prim | str, str]] = [(top, "")]
    while todo:
        item, indent = todo.pop()
        if isinstance(item, str):
            out.append(item)
            continue
        inner = indent + _INDENT
        type_name = f" {item.type}" if item.type else ""
        head = f'{indent}{item.specifier}{type_name} "{item.name}"'
        entries = list(_prim_entries(item, inner))
        out += [f"{head} (", *entries, f"{indent})"] if entries else [head]
        out.append(f"{indent}{{")
        out += [line for each in item.properties for line in _property(each, inner)]
        todo.append((f"{indent}}}", indent))
        for k, child in reversed(list(enumerate(item.children))):
            todo.append((child, inner))
            if k or item.properties:
                todo.append(("", inner))


def _prim_entries(prim: Prim, indent: str) -> Iterable[str]:
    if prim.schemas:
        yield f"{indent}prepend apiSchemas = [{', '.join(map(_quoted, prim.schemas))}]"
    yield from _entries(prim.metadata, indent)
    for word, arcs in (("payload", prim.payloads), ("references", prim.references)):
        if len(arcs) == 1:
            yield f"{indent}prepend {word} = {_arc(arcs[0])}"
        elif arcs:
            yield f"{indent}prepend {word} = [{', '.join(map(_arc, arcs))}]"


def _arc(arc: Reference) -> str:
    return _asset(arc.asset) + (f"<{arc.prim}>" if arc.prim else "")


def _entries(metadata: Mapping[str, Any], indent: str) -> Iterable[str]:
    """The lines of metadata, of which a mapping is a dictionary."""
    for name, given in metadata.items():
        if isinstance(given, Mapping):
            yield f"{indent}{name} = {{"
            yield from _dictionary(given, indent + _INDENT)
            yield f"{indent}}}"
        else:
            yield f"{indent}{name} = {_plain(given)}"


def _dictionary(given: Mapping[str, Any], indent: str) -> Iterable[str]:
    for name, value in given.items():
        key = name if name.isascii() and name.isidentifier() else _quoted(name)
        if isinstance(value, Mapping):
            yield f"{indent}dictionary {key} = {{"
            yield from _dictionary(value, indent + _INDENT)
            yield f"{indent}}}"
        elif value.type == "string[]" and value.value:
            yield f"{indent}{value.type} {key} = ["
            yield ",\n".join(f"{indent}{_INDENT}{_quoted(each)}" for each in value.value)
            yield f"{indent}]"
        else:
            yield f"{indent}{value.type} {key} = {value_text(value.type, value.value)}"


def _plain(given: object) -> str:
    """A value of metadata whose type USD knows."""
    match given:
        case bool():
            return "true" if given else "false"
        case str():
            return _quoted(given)
        case int() | float():
            return _double(given)
        case Typed():
            return value_text(given.type, given.value)
    raise ValueError(f"no metadata of USD: {given!r}")


def _property(given: Attribute | Relationship, indent: str) -> Iterable[str]:
    if isinstance(given, Relationship):
        targets = [f"<{path}>" for path in given.targets]
        if len(targets) == 1:
            yield f"{indent}rel {given.name} = {targets[0]}"
        elif targets:
            yield f"{indent}rel {given.name} = ["
            yield from (f"{indent}{_INDENT}{target}," for target in targets)
            yield f"{indent}]"
        else:
            yield f"{indent}rel {given.name} = None"
        return
    words = (
        "custom " if given.custom else "",
        "uniform " if given.uniform else "",
        f"{given.type} {given.name}",
    )
    head = f"{indent}{''.join(words)}"
    if given.connect:
        yield f"{head}.connect = <{given.connect}>"
        return
    text = head if given.value is None else f"{head} = {_wrapped(given, indent)}"
    entries = list(_entries(given.metadata, indent + _INDENT))
    yield from [f"{text} (", *entries, f"{indent})"] if entries else [text]


def _wrapped(given: Attribute, indent: str) -> str:
    """The value of an attribute; a long list on several lines."""
    if not given.type.endswith("[]"):
        return value_text(given.type, given.value)
    words = _words(given.type[:-2], given.value)
    flat = ", ".join(words)
    if len(flat) <= _WIDTH:
        return f"[{flat}]"
    per_line = max(1, _WIDTH * len(words) // len(flat))
    inner = indent + _INDENT
    lines = (", ".join(words[k : k + per_line]) for k in range(0, len(words), per_line))
    return "[\n" + ",\n".join(f"{inner}{line}" for line in lines) + f"\n{indent}]"


def value_text(type_name: str, value: Any) -> str:
    """The text of a value of a type of USD.

    >>> value_text("float3", (0.1, 0.0, float("inf"))), value_text("token[]", ["a"])
    ('(0.1, 0, inf)', '["a"]')
    """
    if type_name.endswith("[]"):
        return f"[{', '.join(_words(type_name[:-2], value))}]"
    return _words(type_name, [value])[0]


def _words(base: str, values: Any) -> list[str]:
    """The texts of values of a type, one for each."""
    if base in _TEXTS:
        return list(map(_quoted, values))
    if base == "asset":
        return list(map(_asset, values))
    if base in ("bool", "int", "int64", "uint", "uchar", "uint64"):
        return [str(int(value)) for value in values]
    array = np.asarray(values, dtype=np.float64)
    if array.ndim == 3:  # matrices
        rows = ([f"({', '.join(map(_double, row))})" for row in matrix] for matrix in array.tolist())
        return [f"( {', '.join(row)} )" for row in rows]
    flat = array.reshape(-1)
    texts = _singles(flat) if base in _SINGLE or base.rstrip("234") in _SINGLE else _doubles(flat)
    if array.ndim == 1:
        return texts
    width = array.shape[1]
    return [f"({', '.join(texts[k : k + width])})" for k in range(0, len(texts), width)]


def _singles(values: Any) -> list[str]:
    """The shortest texts that read back as the nearest 32-bit numbers."""
    with np.errstate(over="ignore"):
        return _doubles(shortest(np.asarray(values, dtype=np.float32)))


def _doubles(values: Any) -> list[str]:
    """The shortest texts that read back as these numbers."""
    # zeros lose their sign; all texts lose the fraction of whole numbers at once
    if not len(values):
        return []
    lines = "\n".join(map(repr, (values + 0.0).tolist())) + "\n"
    return lines.replace(".0\n", "\n").split("\n")[:-1]


def _double(value: float) -> str:
    """The shortest text that reads back as this number."""
    if math.isnan(value):
        return "nan"
    return _short(repr(float(value)))


def _short(text: str) -> str:
    """A number as USD writes it: no fraction of zero, no plus in the exponent, no minus at zero."""
    if text.endswith(".0"):
        text = text[:-2]
    elif "e" in text:
        text = text.replace("e+", "e").replace(".0e", "e")
    return "0" if text == "-0" else text


def _quoted(text: str) -> str:
    """A text in quotes; one of several lines in three of them.

    >>> _quoted('a "b"'), _quoted("two\\nlines")
    ('\\'a "b"\\'', "'''two\\nlines'''")
    """
    if "\0" in text:
        raise ValueError("a text of USD has no character zero")
    escaped = text.translate(_ESCAPES)
    quotes: Sequence[str] = ("'''", '"""') if "\n" in text else ('"', "'")
    free: Callable[[str], bool] = lambda mark: mark[0] not in escaped  # noqa: E731
    mark = next(filter(free, quotes), quotes[0])
    return mark + escaped.replace(mark[0], f"\\{mark[0]}") + mark


def _asset(path: str) -> str:
    """An asset path in its marks; ValueError for one that has them itself."""
    if "@" not in path:
        return f"@{path}@"
    if "@@@" in path or path.endswith("@"):
        raise ValueError(f"no asset path of USD: {path!r}")
    return f"@@@{path}@@@"

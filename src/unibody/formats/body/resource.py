"""Opens, parses and expands the files that a Body file refers to; reports cycles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from unibody.formats.body.expand import as_elements, expand_elements
from unibody.formats.format import Context
from unibody.text.decode import decode
from unibody.text.finding import TextError
from unibody.text.limits import LimitError
from unibody.text.node import Row, Value
from unibody.text.source import Source, Span
from unibody.text.yaml import parser as yaml


def enter(uri: str, at: Span | None, context: Context, what: str) -> Context | None:
    """The context for reading a referenced file; None after a finding."""
    path = context.files.resolve(uri, context.path, at, context.findings)
    if path is None:
        return None
    name = context.files.canonical(path)
    way = (*context.open, context.files.canonical(context.path))
    if len(way) > context.files.limits.includes and name not in way:
        context.findings.append(context.files.limits.finding("includes", f"{what} '{uri}'", at))
        return None
    if name in way:
        context.findings.error(
            "include-recursion",
            f"{what} recursion: '{uri}' is already being read",
            at,
            "remove the reference",
        )
        return None
    return replace(context, path=path, open=way)


def read_source(context: Context) -> Source | None:
    """Read and decode the file of a context; None after a finding."""
    from unibody.files.access import FileError

    try:
        data = context.files.read(context.path)
    except FileError as e:
        context.findings.append(e.finding)
        return None
    context.budget.spend(1000 + len(data) // 2)
    try:
        return decode(data, context.path, context.findings, context.files.meter)
    except TextError as e:
        context.findings.append(e.finding)
    return None


def load_elements(
    doc: Any, context: Context, anchors: Mapping[str, Value]
) -> tuple[Row, Context, dict[str, Value]] | None:
    """Load the elements of a YAML resource or of one of its anchors (facts A.9); None after a finding."""
    at = doc.at("uri")
    inner = enter(doc.uri, at, context, "Resource")
    if inner is None:
        return None
    source = read_source(inner)
    if source is None:
        return None
    try:
        root = yaml.parse(source, inner.findings, anchors)
    except LimitError:
        raise
    except TextError as e:
        inner.findings.append(e.finding)
        return None
    own = yaml.anchors(root)
    if not doc.fragment:
        return expand_elements(root, inner.findings), inner, {**anchors, **own}
    part = own.get(doc.fragment)
    if part is None:
        context.findings.error(
            "fragment-missing",
            f"'{doc.uri}' has no anchor '{doc.fragment}'",
            doc.at("fragment"),
            f"known anchors: {', '.join(sorted(own)[:8])}" if own else "",
        )
        return None
    return (
        as_elements(expand_elements(part, inner.findings), inner.findings, doc.uri),
        inner,
        {**anchors, **own},
    )

"""Random documents for hypothesis, built from the declarations alone: a new field is tested
the moment it is declared."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from unibody.document.declare import (
    Document,
    Spec,
    Tagged,
    ValueType,
    kind_names,
    plan,
    to_numbers,
)
from unibody.text.node import Item, Node, Row, Word

Strategy = st.SearchStrategy[Any]

FLOATS = st.floats(allow_nan=False, allow_infinity=False)
# Characters that both YAML and XML can hold, the ones with a meaning of their own more often.
TEXTS = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff")
    | st.sampled_from("\t\n\r:#-&*!|>'\"%@`{}[],?<=~ \u0085\u2028\ufeff"),
    max_size=8,
)
KEYS = st.from_regex(r"[a-z_]{1,8}", fullmatch=True).map(lambda word: f"zz_{word}")

_words = TEXTS.map(Word)
VALUES = st.recursive(
    _words,
    lambda inner: (
        st.lists(inner, max_size=3).map(Row)
        | st.lists(st.tuples(KEYS, inner, st.just(-1)), max_size=3).map(lambda items: Node("", items))
    ),
    max_leaves=5,
)
UNDECLARED: st.SearchStrategy[list[Item]] = st.lists(st.tuples(KEYS, VALUES, st.just(-1)), max_size=2)


def _xml_item(pair: tuple[str, str, bool]) -> Item:
    key, text, is_element = pair
    value = Node(key, [("zz_a", Word(text), -1)]) if is_element else Word(text)
    return key, value, -1


# In XML an attribute comes before the elements, and no two have the same name.
UNDECLARED_XML: st.SearchStrategy[list[Item]] = st.lists(
    st.tuples(KEYS, TEXTS, st.booleans()), max_size=2, unique_by=lambda pair: pair[0]
).map(lambda pairs: sorted(map(_xml_item, pairs), key=lambda item: isinstance(item[1], Node)))


@dataclass(frozen=True)
class Syntax:
    """What a syntax adds to the declarations: values by the name of their type, undeclared items,
    elements that are told apart by their tag."""

    undeclared: st.SearchStrategy[list[Item]] = UNDECLARED
    values: Mapping[str, Strategy] = field(default_factory=dict)
    nodes: Mapping[str, type[Tagged]] = field(default_factory=dict)


def value(kind: ValueType, syntax: Syntax) -> Strategy:
    """Values of one type: random ones where the name says what it is, else its samples."""
    sizes = re.fullmatch(r"(\d+)(?: or (\d+))? numbers", kind.name)
    known: dict[str, Strategy] = {
        "text": TEXTS,
        "number": FLOATS,
        "whole number": st.integers(-(2**53), 2**53),
        "true or false": st.booleans(),
        "list of numbers": st.lists(FLOATS, min_size=1, max_size=4).map(to_numbers),
        "anything": VALUES,
        **syntax.values,
    }
    if kind.name in known:
        return known[kind.name]
    if sizes:
        return st.one_of([st.tuples(*[FLOATS] * int(n)) for n in sizes.groups() if n])
    assert kind.samples, f"no samples of '{kind.name}'"
    return st.sampled_from(kind.samples)


def documents(cls: type[Document], syntax: Syntax, depth: int = 3) -> Strategy:
    """Random documents of a class with at most ``depth`` levels that are not required."""
    return _documents(cls, syntax, depth, None)


def _documents(cls: type[Document], syntax: Syntax, depth: int, union: Spec | None) -> Strategy:
    fields: dict[str, Strategy] = {}
    for name, spec in plan(cls).fields.items():
        chosen = _field(cls, spec, syntax, depth)
        if name == "type" and union is not None and union.other is cls:
            # whatever no other member of the union is called
            fields[name] = st.sampled_from(["ZzDevice", "ZzNode"])
        elif spec.required:
            fields[name] = chosen
        else:
            fields[name] = _absent(spec, cls, name) | chosen

    def make(content: dict[str, Any], rest: list[Item]) -> Document:
        doc = cls(**content)
        doc.rest = rest
        return doc

    made = st.builds(make, st.fixed_dictionaries(fields), syntax.undeclared)
    return made.flatmap(lambda doc: _named(doc, syntax)) if issubclass(cls, Tagged) else made


def _named(doc: Any, syntax: Syntax) -> Strategy:
    """A tagged element as one of its tags, with or without a name."""
    tags = [tag for tag, cls in syntax.nodes.items() if cls is type(doc)] or [doc.tag]

    def name(tag: str, def_name: str) -> Document:
        doc.tag, doc.def_name = tag, def_name
        return doc  # type: ignore[no-any-return]

    return st.builds(
        name, st.sampled_from(tags), st.just("") | st.from_regex(r"[A-Z]{1,4}", fullmatch=True)
    )


def _absent(spec: Spec, cls: type[Document], name: str) -> Strategy:
    return st.builds(list) if spec.many else st.just(plan(cls).defaults[name])


def _field(cls: type[Document], spec: Spec, syntax: Syntax, depth: int) -> Strategy:
    if spec.by == "kind":
        return st.sampled_from(kind_names(cls))
    if spec.type is not None:
        return value(spec.type, syntax)
    if (depth <= 0 and not spec.required) or (spec.by in ("tag", "inside") and not syntax.nodes):
        return st.builds(list) if spec.many else st.none()
    members: list[type[Document]]
    if spec.by in ("tag", "inside"):
        found = syntax.nodes.values()
        members = [m for m in dict.fromkeys(found) if not spec.accepts or issubclass(m, spec.accepts)]
    else:
        members = list(dict.fromkeys(spec.members.values()))
    if spec.other is not None:
        members.append(spec.other)
    inner = st.sampled_from(members).flatmap(lambda member: _documents(member, syntax, depth - 1, spec))
    return st.lists(inner, max_size=3) if spec.many else inner

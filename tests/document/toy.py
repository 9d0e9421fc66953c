"""A small declared format with every kind of field, for the tests of the binder."""

from __future__ import annotations

from typing import Any

from unibody.document.bind import Binding, bind
from unibody.document.declare import (
    ANY,
    FLAG,
    INTEGER,
    NUMBER,
    NUMBERS,
    TEXT,
    Document,
    child,
    children,
    choice,
    element,
    key,
    kind,
    vector,
)
from unibody.text.finding import Findings
from unibody.text.node import Node
from unibody.text.source import Source
from unibody.text.yaml import parser as yaml


@element
class Ball(Document):
    """A ball."""

    type: str = kind("Ball", "Sphere")
    radius: float = key(NUMBER, 1.0)


@element
class Bag(Document):
    """Holds things, other bags too."""

    type: str = kind("Bag")
    things: list[Document] = children(of=lambda: ((Ball, Bag), Other), by="type")


@element
class Other(Document):
    """A thing of a type that is declared nowhere."""

    type: str = key(TEXT, "")


@element
class Lid(Document):
    """A lid."""

    color: str = key(TEXT, "white")


@element
class Chest(Document):
    """The root element."""

    KNOWN = frozenset(("smell",))

    name: str = key(TEXT, "")
    size: tuple[float, ...] | None = key(vector(3), old=["dimensions", "extent"], required=True)
    count: int = key(INTEGER, 1, old=["number"], required="warning")
    locked: bool = key(FLAG, False)
    wood: str = key(choice("oak", "pine", fir="pine"), "oak")
    grain: Any = key(NUMBERS)
    note: Any = key(ANY)
    weight: float | None = key(NUMBER, unit="kg")
    lid: Lid | None = child(Lid, old=["cover"])
    ball: Document | None = child(Ball, Bag, by="type")
    hinges: list[Lid] = children(Lid)
    things: list[Document] = children(of=lambda: ((Ball, Bag), Other), by="type")


def read(text: str, **settings: Any) -> tuple[Chest, Findings]:
    """The chest that a YAML text describes, and what was found."""
    findings = Findings()
    node = yaml.parse(Source("toy.yaml", text), findings)
    assert isinstance(node, Node)
    return bind(Chest, node, Binding(findings, **settings)), findings

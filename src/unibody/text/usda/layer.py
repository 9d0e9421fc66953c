"""A layer of USD as it is written: prims with their metadata, attributes and relationships."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from unibody.text.dataclass import dataclass

#: "def" makes a prim, "over" adds to one of another layer, "class" makes one for others to refer to.
Specifier = Literal["def", "over", "class"]


@dataclass(frozen=True, slots=True)
class Reference:
    """An arc to a prim of another layer: its asset path, and the path of the prim, "" for the default."""

    asset: str
    prim: str = ""


@dataclass(frozen=True, slots=True)
class Typed:
    """A value with the name of its type, in a dictionary of metadata."""

    type: str
    value: Any


@dataclass(slots=True)
class Attribute:
    """An attribute: the name of its type ("double3", "token[]"), its name and its value.

    The value is a number, a text, a tuple of numbers, a matrix of rows, or a list or an array of these; it
    is None for an attribute that is only declared. Quaternions are (w, x, y, z). ``connect`` is the path of
    the attribute that gives the value.
    """

    type: str
    name: str
    value: Any = None
    uniform: bool = False
    custom: bool = False
    connect: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Relationship:
    """A relationship: its name, and the paths of its targets."""

    name: str
    targets: tuple[str, ...]


@dataclass(slots=True)
class Prim:
    """A prim with its children.

    ``schemas`` are the API schemas that are applied to it; ``references`` and ``payloads`` its arcs. The
    values of ``metadata`` are texts, flags, numbers, or mappings whose values are ``Typed`` or mappings.
    """

    name: str
    type: str = ""
    specifier: Specifier = "def"
    schemas: list[str] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    payloads: list[Reference] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)
    properties: list[Attribute | Relationship] = field(default_factory=list)
    children: list[Prim] = field(default_factory=list)

    def child(self, name: str) -> Prim | None:
        """The child with this name."""
        return next((each for each in self.children if each.name == name), None)

    def apply(self, *schemas: str) -> None:
        """Apply API schemas, each once."""
        self.schemas += [each for each in schemas if each not in self.schemas]


@dataclass(slots=True)
class Layer:
    """A layer: its metadata, the layers below it by asset path, and its prims."""

    metadata: dict[str, Any] = field(default_factory=dict)
    sublayers: list[str] = field(default_factory=list)
    prims: list[Prim] = field(default_factory=list)

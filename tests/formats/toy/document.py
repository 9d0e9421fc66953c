"""The elements of the toy format."""

from __future__ import annotations

from unibody.document.declare import NUMBER, TEXT, Document, children, element, key, words_vector

VECTOR = words_vector(3)


@element
class Link(Document):
    """A box, or nothing that is seen."""

    name: str | None = key(TEXT, required=True)
    mass: float | None = key(NUMBER, unit="kg")
    size: tuple[float, ...] | None = key(VECTOR, unit="m")


@element
class Hinge(Document):
    """A revolute joint."""

    name: str | None = key(TEXT, required=True)
    parent: str | None = key(TEXT, required=True)
    child: str | None = key(TEXT, required=True)
    xyz: tuple[float, ...] = key(VECTOR, (0.0, 0.0, 0.0), unit="m")
    axis: tuple[float, ...] = key(VECTOR, (0.0, 0.0, 1.0))
    low: float | None = key(NUMBER, old=["lower"], unit="rad")
    high: float | None = key(NUMBER, unit="rad")


@element
class Toy(Document):
    """A whole file."""

    name: str = key(TEXT, "toy")
    links: list[Link] = children(Link, name="link")
    hinges: list[Hinge] = children(Hinge, name="hinge")

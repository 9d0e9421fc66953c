"""What materials of mesh files state beyond the materials of the model: images and numbers, by kind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from unibody.model.shape import Material


class Look(NamedTuple):
    """What ``file`` states in a material: a number, the URI of an image, or its index (int) in the file.

    ``options`` are the words of an MTL file between its statement and the image.
    """

    kind: str
    value: float | str | int
    file: str
    options: str = ""


class Looks:
    """The looks of the materials that were read; a material without any is not among them."""

    def __init__(self) -> None:
        # The materials are kept, so that no other one gets their ids.
        self._known: dict[int, tuple[Material, tuple[Look, ...]]] = {}

    def note(self, material: Material, looks: Iterable[Look]) -> None:
        """Record the looks of a material; exporters repeat its diffuse image as the ambient one."""
        diffuse = None if material.texture is None else material.texture.uri
        if found := tuple(x for x in looks if x.kind != "ambient image" or x.value != diffuse):
            self._known[id(material)] = material, found

    def of(self, material: Material | None) -> tuple[Look, ...]:
        """The looks of a material: of this object, not of an equal one."""
        return self._known.get(id(material), (None, ()))[1]

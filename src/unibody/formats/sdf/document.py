"""Declaration of SDF files: all elements of versions 1.4 to 1.12; their parts are in document_*."""

from __future__ import annotations

from collections.abc import Mapping

from unibody.document.declare import TEXT, Document, children, element, key
from unibody.formats.sdf.document_model import Model
from unibody.formats.sdf.document_parts import Joint, Link
from unibody.formats.sdf.document_sensors import Light, Sensor
from unibody.formats.sdf.document_world import Actor, World


@element
class Sdf(Document):
    """A file of SDFormat: one model, light or actor, or worlds."""

    KEEPS = True
    version: str = key(TEXT, "1.12")
    worlds: list[World] = children(World, name="world")
    models: list[Model] = children(Model, name="model")
    actors: list[Actor] = children(Actor, name="actor")
    lights: list[Light] = children(Light, name="light")


#: The class of the owner of an extra, by the list of the robot that has it.
OWNERS: Mapping[str, type[Document]] = {
    "": Model,
    "links": Link,
    "joints": Joint,
    "loops": Joint,
    "devices": Sensor,
}

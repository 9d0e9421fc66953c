"""Declares deformable objects and their parts."""

from __future__ import annotations

from unibody.document.declare import TEXT, Document, children, choice, element, key
from unibody.formats.mjcf.document_element import Element
from unibody.formats.mjcf.values import FLAG, FOUR, INTEGER, NUMBER, NUMBERS, TRIPLE, up_to


@element
class FlexContact(Element):
    """The contact of a deformable object."""

    KEY = "contact"
    activelayers: int = key(INTEGER, 1)
    conaffinity: int = key(INTEGER, 1)
    condim: int = key(INTEGER, 3)
    contype: int = key(INTEGER, 1)
    friction: tuple[float, ...] = key(up_to(3), (1.0, 0.005, 0.0001))
    gap: float | None = key(NUMBER)
    margin: float | None = key(NUMBER)
    passive: bool = key(FLAG, False)
    priority: int | None = key(INTEGER)
    selfcollide: str = key(choice("none", "narrow", "bvh", "sap", "auto"), "auto")
    solimp: tuple[float, ...] = key(up_to(5), (0.9, 0.95, 0.001, 0.5, 2.0))
    solmix: float = key(NUMBER, 1.0)
    solref: tuple[float, ...] = key(up_to(2), (0.02, 1.0))


@element
class FlexEdge(Element):
    """The edge of a deformable object."""

    KEY = "edge"
    damping: float | None = key(NUMBER, unit="N·m·s/rad or N·s/m")
    stiffness: float | None = key(NUMBER, unit="N·m/rad or N/m")


@element
class FlexElasticity(Element):
    """The elasticity of a deformable object."""

    KEY = "elasticity"
    damping: float | None = key(NUMBER, unit="N·m·s/rad or N·s/m")
    elastic2d: str | None = key(choice("none", "bend", "stretch", "both"))
    poisson: float | None = key(NUMBER)
    section: str | None = key(TEXT, doc="MuJoCo 4.0")
    sectionsize: str | None = key(TEXT, doc="MuJoCo 4.0")
    shear: str | None = key(TEXT, doc="MuJoCo 4.0")
    thickness: float = key(NUMBER, -1.0)
    yield_: str | None = key(TEXT, name="yield", doc="MuJoCo 4.0")
    young: float | None = key(NUMBER)


@element
class Flex(Element):
    """A deformable object; kept as written."""

    KEY = "flex"
    body: str | None = key(TEXT, required=True, refers="links")
    cellcount: tuple[float, ...] = key(TRIPLE, (1.0, 1.0, 1.0))
    dim: int = key(INTEGER, 2)
    dof: str | None = key(choice("full", "radial", "trilinear", "quadratic", "2d"))
    element: tuple[float, ...] | None = key(NUMBERS, required=True)
    elemtexcoord: tuple[float, ...] | None = key(NUMBERS)
    flatskin: bool = key(FLAG, False)
    group: int | None = key(INTEGER)
    material: str | None = key(TEXT, local="material")
    name: str | None = key(TEXT, names="flexes")
    node_: str | None = key(TEXT, name="node")
    nodecoord: tuple[float, ...] | None = key(NUMBERS)
    radius: float = key(NUMBER, 0.005)
    rgba: tuple[float, ...] = key(FOUR, (0.5, 0.5, 0.5, 1.0))
    texcoord: tuple[float, ...] | None = key(NUMBERS)
    vertex: tuple[float, ...] | None = key(NUMBERS)
    parts: list[Document] = children(FlexContact, FlexEdge, FlexElasticity, by="key")

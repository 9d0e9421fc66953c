"""Declares contact pairs, equality constraints and tendons."""

from __future__ import annotations

from unibody.document.declare import TEXT, Document, children, element, key
from unibody.formats.mjcf.document_element import (
    AUTO,
    FLAG,
    FOUR,
    INTEGER,
    NUMBER,
    NUMBERS,
    PAIR,
    SITES,
    TRIPLE,
    Element,
    exactly,
    up_to,
)


@element
class PairValues(Element):
    """The values of a contact pair that a default class may set."""

    adhesion: float | None = key(NUMBER)
    condim: int = key(INTEGER, 3)
    friction: tuple[float, ...] = key(up_to(5), (1.0, 1.0, 0.005, 0.0001, 0.0001))
    gap: float | None = key(NUMBER)
    margin: float | None = key(NUMBER)
    solimp: tuple[float, ...] = key(up_to(5), (0.9, 0.95, 0.001, 0.5, 2.0))
    solref: tuple[float, ...] = key(up_to(2), (0.02, 1.0))
    solreffriction: tuple[float, ...] | None = key(up_to(2))


@element
class Pair(PairValues):
    """Two geoms that are tested for contact, whatever the bits of their contacts are."""

    KEY = "pair"
    class_: str | None = key(TEXT, name="class", local="class")
    geom1: str | None = key(TEXT, refers="geoms")
    geom2: str | None = key(TEXT, refers="geoms")
    name: str | None = key(TEXT, names="contacts")


@element
class Exclude(Element):
    """Two bodies whose geoms are not tested for contact."""

    KEY = "exclude"
    body1: str | None = key(TEXT, required=True, refers="links")
    body2: str | None = key(TEXT, required=True, refers="links")
    name: str | None = key(TEXT, names="contacts")


@element
class Contact(Element):
    """Pairs that are tested for contact, and that are not."""

    KEY = "contact"
    JOINED = True
    items: list[Document] = children(Pair, Exclude, by="key")


@element
class EqualityValues(Element):
    """The values of an equality that a default class may set."""

    DEFAULT = "equality"
    active: bool = key(FLAG, True)
    solimp: tuple[float, ...] = key(up_to(5), (0.9, 0.95, 0.001, 0.5, 2.0))
    solref: tuple[float, ...] = key(up_to(2), (0.02, 1.0))


@element
class Connect(EqualityValues):
    """Two bodies share a point: a ball joint outside the tree."""

    KEY = "connect"
    anchor: tuple[float, ...] | None = key(TRIPLE)
    body1: str | None = key(TEXT, refers="links")
    body2: str | None = key(TEXT, refers="links")
    class_: str | None = key(TEXT, name="class", local="class")
    name: str | None = key(TEXT, refers="loops", names="equalities")
    site1: str | None = key(TEXT, refers=SITES)
    site2: str | None = key(TEXT, refers=SITES)


@element
class Weld(EqualityValues):
    """Two bodies keep their relative pose."""

    KEY = "weld"
    anchor: tuple[float, ...] | None = key(TRIPLE)
    body1: str | None = key(TEXT, refers="links")
    body2: str | None = key(TEXT, refers="links")
    class_: str | None = key(TEXT, name="class", local="class")
    name: str | None = key(TEXT, refers="loops", names="equalities")
    relpose: tuple[float, ...] | None = key(exactly(7))
    site1: str | None = key(TEXT, refers=SITES)
    site2: str | None = key(TEXT, refers=SITES)
    torquescale: float | None = key(NUMBER)


@element
class JointEquality(EqualityValues):
    """The position of a joint is a polynomial of that of another one."""

    KEY = "joint"
    class_: str | None = key(TEXT, name="class", local="class")
    joint1: str | None = key(TEXT, required=True, refers="joints")
    joint2: str | None = key(TEXT, refers="joints")
    name: str | None = key(TEXT, names="equalities")
    polycoef: tuple[float, ...] | None = key(up_to(5))


@element
class TendonEquality(EqualityValues):
    """The length of a tendon is a polynomial of that of another one."""

    KEY = "tendon"
    class_: str | None = key(TEXT, name="class", local="class")
    name: str | None = key(TEXT, names="equalities")
    polycoef: tuple[float, ...] | None = key(up_to(5))
    tendon1: str | None = key(TEXT, required=True, refers="tendons")
    tendon2: str | None = key(TEXT, refers="tendons")


@element
class FlexEquality(EqualityValues):
    """The edges of a deformable object keep their lengths."""

    KEY = "flex"
    class_: str | None = key(TEXT, name="class", local="class")
    flex: str | None = key(TEXT, required=True, refers="flexes")
    name: str | None = key(TEXT, names="equalities")


@element
class FlexStrain(EqualityValues):
    """The strain of a deformable object is zero."""

    KEY = "flexstrain"
    cell: tuple[float, ...] | None = key(TRIPLE)
    class_: str | None = key(TEXT, name="class", local="class")
    flex: str | None = key(TEXT, required=True, refers="flexes")
    name: str | None = key(TEXT, names="equalities")


@element
class Equalities(Element):
    """Equality constraints."""

    KEY = "equality"
    JOINED = True
    KNOWN = frozenset(("distance", "flexvert"))
    items: list[Document] = children(
        Connect,
        Weld,
        JointEquality,
        TendonEquality,
        FlexEquality,
        FlexStrain,
        by="key",
    )


@element
class TendonJoint(Element):
    """A joint of a fixed tendon, and its share of the length."""

    KEY = "joint"
    coef: float | None = key(NUMBER)
    joint: str | None = key(TEXT, required=True, refers="joints")


@element
class TendonBase(Element):
    """Base of tendons: what both kinds have."""

    DEFAULT = "tendon"
    NEEDS = "all"

    actuatorfrclimited: str | None = key(AUTO)
    actuatorfrcrange: tuple[float, ...] | None = key(PAIR)
    armature: float | None = key(NUMBER, unit="kg·m² or kg")
    class_: str | None = key(TEXT, name="class", local="class")
    damping: tuple[float, ...] | None = key(up_to(3), unit="N·m·s/rad or N·s/m")
    frictionloss: float | None = key(NUMBER, unit="N·m or N")
    group: int | None = key(INTEGER)
    limited: str = key(AUTO, "auto")
    margin: float | None = key(NUMBER)
    name: str | None = key(TEXT, names="tendons")
    range: tuple[float, ...] | None = key(PAIR)
    solimpfriction: tuple[float, ...] = key(up_to(5), (0.9, 0.95, 0.001, 0.5, 2.0))
    solimplimit: tuple[float, ...] = key(up_to(5), (0.9, 0.95, 0.001, 0.5, 2.0))
    solreffriction: tuple[float, ...] = key(up_to(2), (0.02, 1.0))
    solreflimit: tuple[float, ...] = key(up_to(2), (0.02, 1.0))
    springlength: tuple[float, ...] = key(up_to(2), (-1.0, -1.0))
    springyield: tuple[float, ...] | None = key(NUMBERS, doc="MuJoCo 4.0")
    stiffness: tuple[float, ...] | None = key(up_to(3), unit="N·m/rad or N/m")
    user: tuple[float, ...] | None = key(NUMBERS)


@element
class FixedTendon(TendonBase):
    """A linear combination of joint positions."""

    KEY = "fixed"
    joints: list[TendonJoint] = children(TendonJoint, by="key")


@element
class TendonSite(Element):
    """A site that a tendon passes."""

    KEY = "site"
    site: str | None = key(TEXT, required=True, refers=SITES)


@element
class TendonGeom(Element):
    """A geom that a tendon wraps around."""

    KEY = "geom"
    geom: str | None = key(TEXT, required=True, refers="geoms")
    sidesite: str | None = key(TEXT, refers=SITES)


@element
class Pulley(Element):
    """A pulley, which divides a tendon."""

    KEY = "pulley"
    divisor: float | None = key(NUMBER)


@element
class SpatialTendon(TendonBase):
    """The shortest path through sites and around geoms."""

    KEY = "spatial"
    material: str | None = key(TEXT, local="material")
    rgba: tuple[float, ...] = key(FOUR, (0.5, 0.5, 0.5, 1.0))
    width: float = key(NUMBER, 0.003)
    path: list[Document] = children(TendonSite, TendonGeom, Pulley, by="key")


@element
class Tendons(Element):
    """Tendons."""

    KEY = "tendon"
    JOINED = True
    items: list[Document] = children(FixedTendon, SpatialTendon, by="key")

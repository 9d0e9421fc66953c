"""The conventions of a file: the settings of `<compiler>`, and the orientations that they apply to.

An element has at most one of five notations; two points, ``fromto``, place and turn geoms and sites.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from unibody.formats.format import Context
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.defaults import ORIENTATIONS
from unibody.formats.mjcf.document_bodies import Posed
from unibody.formats.mjcf.document_element import tag_of
from unibody.model.pose import (
    UNIT_QUATERNION,
    ZERO,
    Pose,
    Quaternion,
    Vector3,
    cross,
    from_axis_angle,
    matrix_quaternion,
    multiply,
    unit,
)
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings
from unibody.text.source import Span

# Quaternions of length 1 up to rounding are kept as they are.
_ROUNDING = 4e-16
_AXES: dict[str, Vector3] = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
# Below it the direction of +Z and an axis are taken for parallel, as in MuJoCo.
_PARALLEL = 1e-10


@dataclass(slots=True)
class Poses:
    """Reads the poses of the elements of one file."""

    settings: Settings
    context: Context

    def of(self, doc: Posed) -> Pose:
        """The pose of an element in the one around it."""
        pos = doc.pos
        return Pose(ZERO if pos is None else (pos[0], pos[1], pos[2]), self.orientation(doc))

    def orientation(self, doc: Posed) -> Quaternion:
        """The orientation of an element; an invalid one is an error, as in MuJoCo."""
        self._check_one(doc)
        made: Quaternion | None
        name = "quat"
        if doc.axisangle is not None:
            name, (x, y, z, angle) = "axisangle", doc.axisangle
            made = from_axis_angle((x, y, z), angle * self.settings.angle)
        elif doc.xyaxes is not None:
            name, made = "xyaxes", _of_axes(doc.xyaxes)
        elif doc.zaxis is not None:
            name, (x, y, z) = "zaxis", doc.zaxis
            made = to_axis((x, y, z))
        elif doc.euler is not None:
            name, made = "euler", self.euler(doc.euler)
        else:
            made = normalized(doc.quat)
        if made is None:
            self._no_direction(doc, name)
        return made or UNIT_QUATERNION

    def check_notation(self, doc: Posed) -> None:
        """Report what MuJoCo rejects of an orientation without effect: two notations, or a zero quat."""
        self._check_one(doc)
        if "quat" in doc.given and normalized(doc.quat) is None:
            self._no_direction(doc, "quat")

    def _check_one(self, doc: Posed) -> None:
        written = [name for name in ORIENTATIONS if name in doc.given] if doc.given else []
        if len(written) > 1:
            self.context.findings.error(
                "pose-invalid",
                f"<{tag_of(doc)}> must have one orientation, got {' and '.join(written)}; "
                "MuJoCo rejects the file",
                doc.at(written[1]),
                "keep one of them",
            )

    def _no_direction(self, doc: Posed, name: str) -> None:
        self.context.findings.error(
            "pose-invalid",
            f"<{tag_of(doc)}>: {name} must have a direction; MuJoCo rejects the file",
            doc.at(name),
            "write a direction that is not zero",
        )

    def euler(self, angles: tuple[float, ...]) -> Quaternion:
        """The rotation by three angles: about rotating axes (small letters) or fixed ones (capitals)."""
        made = UNIT_QUATERNION
        for letter, angle in zip(self.settings.eulerseq, angles, strict=False):
            if angle == 0.0:
                continue
            axis = _AXES.get(letter.lower(), _AXES["x"])
            turn = from_axis_angle(axis, angle * self.settings.angle) or UNIT_QUATERNION
            made = multiply(made, turn) if letter.islower() else multiply(turn, made)
        return made


def normalized(quat: tuple[float, ...]) -> Quaternion | None:
    """A quaternion of length 1; None for one of length 0."""
    w, x, y, z = quat
    if quat == UNIT_QUATERNION:
        return UNIT_QUATERNION
    length = math.hypot(w, x, y, z)
    if length == 0.0 or not math.isfinite(length):
        return None
    if abs(length - 1.0) <= _ROUNDING:
        return (w, x, y, z)
    return (w / length, x / length, y / length, z / length)


def to_axis(axis: Vector3) -> Quaternion | None:
    """The shortest rotation of +Z onto a direction; half a turn about X onto −Z."""
    direction = unit(axis)
    if direction is None:
        return None
    x, y, z = direction
    length = math.hypot(x, y)
    if length < _PARALLEL:
        return UNIT_QUATERNION if z > 0.0 else (0.0, 1.0, 0.0, 0.0)
    half = math.atan2(length, z) / 2.0
    s = math.sin(half) / length
    return (math.cos(half), -y * s, x * s, 0.0)


def _of_axes(numbers: tuple[float, ...]) -> Quaternion | None:
    """The rotation whose X axis is the first vector and whose Y axis is nearest to the second one."""
    a, b, c, d, e, f = numbers
    x = unit((a, b, c))
    if x is None:
        return None
    along = x[0] * d + x[1] * e + x[2] * f
    y = unit((d - along * x[0], e - along * x[1], f - along * x[2]))
    if y is None:
        return None
    z = cross(x, y)
    return matrix_quaternion(((x[0], y[0], z[0]), (x[1], y[1], z[1]), (x[2], y[2], z[2])))


#: The types of geoms and sites that two points may give.
LONG = frozenset(("capsule", "cylinder", "ellipsoid", "box"))


def between(points: tuple[float, ...]) -> Pose | None:
    """The pose of ``fromto``: the middle of two points, +Z to the first one; None if they are equal."""
    a, c = points[:3], points[3:]
    turn = to_axis((a[0] - c[0], a[1] - c[1], a[2] - c[2]))
    middle = ((a[0] + c[0]) / 2.0, (a[1] + c[1]) / 2.0, (a[2] + c[2]) / 2.0)
    return None if turn is None else Pose(middle, turn)


def check_ends(doc: b.Geom | b.Site, findings: Findings) -> None:
    """Report what MuJoCo rejects beside two points.

    A position may stand there if it is zero; an orientation has no effect.
    """
    if doc.fromto is None:
        return
    what = f"{doc.KEY} '{doc.name}'" if doc.name else doc.KEY
    if doc.type not in LONG:
        findings.error(
            "geom-rejected", f"{what}: fromto must not be given for a {doc.type}", doc.at("fromto")
        )
    elif any(doc.pos):
        shown = " ".join(f"{value:g}" for value in doc.pos)
        findings.error(
            "pose-invalid",
            f"{what}: pos must be zero beside fromto, got {shown}; MuJoCo rejects the file",
            doc.at("pos"),
            "remove pos, also from its default class",
        )
    elif between(doc.fromto) is None:
        findings.error("pose-invalid", f"{what}: the two points of fromto must differ", doc.at("fromto"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of one file; of a setting that is given several times the last one holds.

    ``angle`` is radians per unit of the file; ``stated`` are the names of the settings in the file.
    """

    angle: float = math.pi / 180.0
    eulerseq: str = "xyz"
    autolimits: bool = True
    inertiafromgeom: str = "auto"
    inertiagrouprange: tuple[float, ...] = (0.0, 5.0)
    balanceinertia: bool = False
    boundmass: float = 0.0
    boundinertia: float = 0.0
    settotalmass: float = -1.0
    discardvisual: bool = False
    fusestatic: bool = False
    fitaabb: bool = False
    alignfree: bool = False
    strippath: bool = False
    meshdir: str = ""
    texturedir: str = ""
    coordinate: str = "local"
    coordinate_at: Span | None = None
    stated: frozenset[str] = frozenset()


_PLAIN = (
    "eulerseq",
    "autolimits",
    "inertiafromgeom",
    "inertiagrouprange",
    "balanceinertia",
    "boundmass",
    "boundinertia",
    "settotalmass",
    "discardvisual",
    "fusestatic",
    "fitaabb",
    "alignfree",
    "strippath",
    "meshdir",
    "texturedir",
)


def settings_of(compilers: Iterable[d.Compiler]) -> Settings:
    """The settings of the compiler elements of a file, in their order."""
    values: dict[str, object] = {}
    stated: set[str] = set()
    for doc in compilers:
        stated |= doc.given
        if "assetdir" in doc.given:
            values["meshdir"] = values["texturedir"] = doc.assetdir
        for name in _PLAIN:
            if name in doc.given:
                values[name] = getattr(doc, name)
        if "angle" in doc.given:
            values["angle"] = 1.0 if doc.angle == "radian" else math.pi / 180.0
        if "coordinate" in doc.given:
            values["coordinate"], values["coordinate_at"] = doc.coordinate, doc.at("coordinate")
    return Settings(stated=frozenset(stated), **values)  # type: ignore[arg-type]

"""What MuJoCo requires of elements besides known and unique names: two tables with a row for each rule.

MuJoCo rejects a file that breaks one. Other readers ignore most of it, so the value or the element is left
out, and the rest is a model that MuJoCo accepts when it is written. What the robot itself depends on (axes,
limits, sizes, inertias) is an error of the module that reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from functools import cache
from itertools import pairwise
from typing import Any

from unibody.document.declare import Document
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_actuators as a
from unibody.formats.mjcf import document_assets as assets
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf import document_constraints as c
from unibody.formats.mjcf import document_sensors as s
from unibody.formats.mjcf.asset_elements import has_data, name_of
from unibody.formats.mjcf.conventions import Settings
from unibody.formats.mjcf.defaults import remains_of_class
from unibody.formats.mjcf.joints import is_limited
from unibody.text.dataclass import dataclass
from unibody.text.near import did_you_mean, near

#: The assets that others refer to by name.
NAMED = (assets.Material, assets.HeightField, assets.Mesh, assets.Texture)
_UNSET: tuple[Any, ...] = (None, "", "none", 0, (), [])


@dataclass(frozen=True, slots=True)
class Model:
    """What a rule depends on besides its element.

    ``known`` are the elements by kind and name, ``counts`` the lengths of the fields of a keyframe.
    """

    settings: Settings
    known: Mapping[str, Mapping[str, Document | None]]
    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Must:
    """A requirement: its words behind "must", and a test of an element's field.

    The test returns what was found instead, "" if nothing is there, None if the requirement holds.
    """

    words: str
    test: Callable[[Any, str, Model], str | None]
    remedy: str = "correct {0}"
    code: str = "element-rejected"
    refers: str = ""


@dataclass(frozen=True, slots=True)
class Broken:
    """A rule that an element breaks, in words, and the fields that are ignored; none: the element is."""

    text: str
    remedy: str
    code: str
    fields: tuple[str, ...] = ()


def broken(item: Document, model: Model, values: bool) -> Iterator[Broken]:
    """The rules about values, or about elements, that an element breaks; it may be changed in between."""
    for name, must, beside in _rules(type(item), values):  # type: ignore[arg-type]
        if beside and not _is_set(item, beside):
            continue
        found = must.test(item, name, model)
        if found is not None:
            alike = near(getattr(item, name) or "", model.known[must.refers]) if must.refers else ""
            yield Broken(
                _text(name, must, beside, found),
                did_you_mean(alike, must.remedy.format(name)),
                must.code,
                _TOGETHER.get(name, (name,)) if values else (),
            )


def _text(name: str, must: Must, beside: str, found: str) -> str:
    if must.refers:
        return f"{name} refers to unknown {must.refers} {found}"
    text = f"{name} must {must.words.format(name.replace('range', 'limited'))}"
    if beside not in ("", name):
        text += f" beside {beside}"
    return f"{text}, got {found}" if found else text


@cache
def _rules(cls: type, values: bool) -> list[tuple[str, Must, str]]:
    rows = VALUES if values else ELEMENTS
    return [(name, must, (*more, "")[0]) for of, name, must, *more in rows if issubclass(cls, of)]


# --- requirements -------------------------------------------------------------------------


def _is_set(item: Document, name: str) -> bool:
    return getattr(item, name, None) not in _UNSET


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return " ".join(f"{v:g}" for v in value)
    return f"{value:g}" if isinstance(value, int | float) else str(value or "")


def _all(words: str, holds: Callable[[float], bool]) -> Must:
    """All numbers of the field must be so."""

    def test(item: Any, name: str, _: Model) -> str | None:
        value = getattr(item, name)
        numbers = value if isinstance(value, tuple) else (value or 0.0,)
        return None if all(map(holds, numbers)) else _shown(value)

    return Must(words, test)


def _so(words: str, test: Callable[[Any], Any], remedy: str = "correct {0}") -> Must:
    """The element must be so; the test returns what was found instead, something false if nothing was."""
    return Must(words, lambda item, *_: test(item) or None, remedy)


def _if_not(holds: object, found: object = None) -> str | None:
    return None if holds else _shown(found)


_TARGETS = ("joint", "jointinparent", "tendon", "site", "cranksite", "body")


def _given(item: Any, names: str, _: Model) -> str | None:
    return _if_not(any(_is_set(item, name) for name in names.split(" or ")))


def _sensor(camera: b.Camera, name: str, _: Model) -> str | None:
    return _if_not(not _is_set(camera, name) or _is_set(camera, "sensorsize"))


def _without(other: str) -> Must:
    """The field must not be written with another one."""
    return Must(
        f"not be given with {other}",
        lambda item, name, _: _if_not(not {name, other} <= item.given),
        "keep one of them",
    )


def _name_of(kind: str) -> Must:
    """The field must be empty or the name of a known element."""

    def test(item: Any, field: str, model: Model) -> str | None:
        name = getattr(item, field)
        return f"'{name}'" if name and name not in model.known[kind] else None

    return Must("be known", test, "correct the name", "reference-unknown", kind)


def _joint(*kinds: str) -> Must:
    """The joints of the element must be of one of these kinds."""

    def test(item: Any, _: str, model: Model) -> str | None:
        for part in getattr(item, "joints", [item]):
            joint = model.known["joint"].get(part.joint or "")
            kind = "free" if isinstance(joint, b.FreeJoint) else getattr(joint, "type", "")
            if kind not in kinds:
                return f"{kind} joint '{part.joint}'".strip()
        return None

    what = f"a {' or '.join(kinds)} joint"
    return Must(f"be {what}", test, f"use {what}")


def _ranged(item: Any, name: str, model: Model) -> str | None:
    of = model.known[name].get(getattr(item, name) or "")
    if not isinstance(of, b.Joint | c.TendonBase):
        return "" if isinstance(item, s.SensorBase) else None
    return None if is_limited(of.limited, of.range, model.settings) else f"'{of.name}' without one"


def _fits(item: Any, name: str, model: Model) -> str | None:
    """None if the word ``…limited`` fits the range; "auto" with a range needs ``autolimits``."""
    limited = getattr(item, name.replace("range", "limited"), None)
    limits = getattr(item, name, None)
    if limited is None or is_limited(limited, limits, model.settings) is not None:
        return None
    return f"{_shown(limits) or 'none'} and {limited}"


def _from_zero(item: b.Joint, name: str, model: Model) -> str | None:
    is_ball = item.type == "ball" and is_limited(item.limited, item.range, model.settings)
    return _shown(item.range) if is_ball and item.range is not None and item.range[0] != 0.0 else None


def _no_longer(item: Any, name: str, model: Model) -> str | None:
    values, most = getattr(item, name), model.counts.get(name)
    return (
        None
        if values is None or most is None
        else _if_not(len(values) <= most, f"{len(values)} instead of {most}")
    )


def _springs(joint: b.Joint) -> str:
    springs = joint.springdamper or ()
    return _shown(springs) if any(springs) and min(springs) <= 0.0 else ""


def _site_size(site: b.Site) -> str:
    """The sizes, if one is not positive that its type has; two points state those that are not there."""
    counts = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}
    count = 0 if site.fromto is not None else counts.get(site.type, 0)
    return _shown(site.size) if any(not size > 0.0 for size in site.size[:count]) else ""


def _repeated(tendon: c.SpatialTendon) -> str:
    sites = [part.site if isinstance(part, c.TendonSite) else None for part in tendon.path]
    return next((f"'{x}' twice" for x, y in pairwise(sites) if x and x == y), "")


def _lonely(tendon: c.SpatialTendon) -> str:
    path = [None, *tendon.path, None]
    for (before, part), (_, after) in pairwise(pairwise(path)):
        is_alone = all(end is None or isinstance(end, c.Pulley) for end in (before, after))
        if isinstance(part, c.TendonSite) and is_alone:
            return f"'{part.site}' alone"
    return ""


def _numbers(numeric: d.Numeric) -> str:
    count = len((numeric.data or "").split())
    return f"{numeric.size} for {count}" if numeric.size and 0 < numeric.size < count else ""


def _dynamics(item: Any, name: str, _: Model) -> str | None:
    """None unless it is known that the actuator has no dynamics: its class may say more than its values."""
    is_known = "actrange" in item.given and (item.node is None or not remains_of_class(item.node))
    return _if_not(not is_known or getattr(item, name, "") != "none")


def _wraps(tendon: c.SpatialTendon, name: str, model: Model) -> str | None:
    for part in tendon.path:
        geom = model.known["geom"].get(part.geom or "") if isinstance(part, c.TendonGeom) else None
        if isinstance(geom, b.Geom) and geom.type not in ("sphere", "cylinder"):
            return f"{geom.type} '{geom.name}'"
    return None


_GIVEN = Must("be given", _given, "add {0}")
_POSITIVE = _all("be positive", lambda value: value > 0.0)
_NOT_NEGATIVE = _all("not be negative", lambda value: value >= 0.0)
_NOT_ZERO = Must("not be zero", lambda item, name, _: _if_not(any(getattr(item, name)), 0.0))
_SCALAR = _joint("hinge", "slide")
_RANGED = Must("have a range", _ranged, "add range to the {0}")
_FITS = Must("fit {0}", _fits)
_HAS_SENSOR = Must("be given with sensorsize", _sensor, "add sensorsize and resolution")
_HAS_TARGET = Must(
    "be given", lambda item, *_: _if_not(any(_is_set(item, x) for x in _TARGETS)), "add a joint"
)
_HAS_JOINTS = Must("be given", lambda item, *_: _if_not(item.joints), "add a joint")
_NO_LONGER = Must(
    "not have more numbers than the model", _no_longer, "remove the last ones", "keyframe-length"
)
_HAS_NAME = Must(
    "be given", lambda item, *_: _if_not(name_of(item) or getattr(item, "type", "") == "skybox"), "add name"
)
_HAS_DATA = Must("be given", lambda item, *_: _if_not(has_data(item)), "add {0}")

# --- the tables: classes, field, requirement; and a field beside which alone it holds ---------

#: Values that are ignored if they break a rule.
VALUES: tuple[tuple[Any, ...], ...] = (
    (b.Joint, "springdamper", _so("be two positive numbers", _springs)),
    (b.Joint, "range", Must("begin with 0 for a ball", _from_zero, "write 0 and the largest angle")),
    (b.Joint, "actuatorfrcrange", _FITS),
    (b.Geom, "condim", _all("be 1, 3, 4 or 6", lambda value: value in (1, 3, 4, 6))),
    (b.Site, "material", _name_of("material")),
    (b.Site, "size", _so("be positive", _site_size)),
    (b.Camera, "fovy", _without("sensorsize")),
    (b.Camera, "fovy", _all("be below 180°", lambda value: value < 180.0)),
    (b.Camera, "focal", _HAS_SENSOR),
    (b.Camera, "focalpixel", _HAS_SENSOR),
    (b.Camera, "principal", _HAS_SENSOR),
    (b.Camera, "principalpixel", _HAS_SENSOR),
    ((b.Camera, b.Light), "target", _name_of("body")),
    (b.Light, "dir", _NOT_ZERO),
    (a.Position, "dampratio", _without("kv")),
    (assets.Material, "texture", _name_of("texture")),
    (d.Key, "qvel", _NO_LONGER),
    (d.Key, "mpos", _NO_LONGER),
    (d.Key, "mquat", _NO_LONGER),
    (d.Key, "ctrl", _NO_LONGER),
    (d.Key, "act", _NO_LONGER),
)
# Fields that are ignored together.
_TOGETHER = {"actuatorfrcrange": ("actuatorfrclimited", "actuatorfrcrange")}

#: Elements that are left out if they break a rule.
ELEMENTS: tuple[tuple[Any, ...], ...] = (
    (NAMED, "name", _HAS_NAME),
    (assets.Texture, "file or builtin", _HAS_DATA),
    (assets.Texture, "width", _POSITIVE, "builtin"),
    (assets.Texture, "height", _NOT_NEGATIVE, "builtin"),
    (assets.Mesh, "file or vertex", _HAS_DATA),
    (assets.HeightField, "file or nrow", _HAS_DATA),
    (assets.HeightField, "size", _POSITIVE, "size"),
    (d.Text, "data", Must("not be empty", _given, "add data, or remove the element")),
    (d.Numeric, "size", _so("not be less than the count of data", _numbers)),
    (c.Pair, "geom1", _GIVEN),
    (c.Pair, "geom2", _GIVEN),
    (
        c.JointEquality,
        "joint2",
        _so(
            "differ from joint1",
            lambda it: it.joint1 and it.joint1 == it.joint2 and f"'{it.joint1}'",
            "remove joint2, which holds the joint in place",
        ),
    ),
    (
        c.TendonBase,
        "springlength",
        _so(
            "not decrease", lambda it: it.springlength[0] > it.springlength[-1] and _shown(it.springlength)
        ),
    ),
    (c.FixedTendon, "joint", _HAS_JOINTS),
    (c.FixedTendon, "joint", _SCALAR),
    (
        c.SpatialTendon,
        "path",
        _so("have two points", lambda it: len(it.path) < 2 and f"{len(it.path)}", "add sites"),
    ),
    (c.SpatialTendon, "path", _so("not repeat a site", _repeated, "remove one of them")),
    (c.SpatialTendon, "path", _so("have two sites in each branch", _lonely, "add a site")),
    (c.SpatialTendon, "path", Must("wrap around spheres and cylinders", _wraps, "use one of those")),
    (s.SensorRangefinder, "site or camera", _GIVEN),
    (s.PairSensor, "geom1 or body1", _GIVEN),
    (s.PairSensor, "geom2 or body2", _GIVEN),
    (s.SensorUser, "objtype", _GIVEN, "objname"),
    (s.SensorUser, "objname", _GIVEN, "objtype"),
    ((s.SensorJointpos, s.SensorJointvel, s.SensorJointactuatorfrc), "joint", _SCALAR),
    ((s.SensorBallquat, s.SensorBallangvel), "joint", _joint("ball")),
    ((s.SensorJointlimitpos, s.SensorJointlimitvel, s.SensorJointlimitfrc), "joint", _RANGED),
    ((s.SensorTendonlimitpos, s.SensorTendonlimitvel, s.SensorTendonlimitfrc), "tendon", _RANGED),
    (a.Adhesion, "body", _GIVEN),
    (a.ActuatorBase, "joint, tendon, site or body", _HAS_TARGET),
    (a.GearedDrive, "cranksite", _GIVEN, "slidersite"),
    (a.GearedDrive, "slidersite", _GIVEN, "cranksite"),
    (a.GearedDrive, "cranklength", _POSITIVE, "cranksite"),
    (a.Orientation, "refsite", _GIVEN, "site"),
    (a.Damper, "ctrlrange", _NOT_NEGATIVE, "ctrlrange"),
    (a.ActuatorBase, "dyntype", Must("be given", _dynamics, "remove actrange"), "actrange"),
    (a.ActuatorBase, "ctrlrange", _FITS),
    (a.ActuatorBase, "forcerange", _FITS),
    (a.ActuatorBase, "actrange", _FITS),
    (a.ActuatorBase, "joint", _RANGED, "inheritrange"),
)

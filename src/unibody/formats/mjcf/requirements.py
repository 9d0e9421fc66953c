"""What elements must state so that the robot is what they mean: two tables with a row for each rule.

A rule is here if what breaks it would be read as another robot, or would not be in what is written, so that
MuJoCo could not report it. What is kept as it is has no rule: MuJoCo is its judge when it loads the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from functools import cache
from typing import Any

from unibody.document.declare import Document
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_actuators as a
from unibody.formats.mjcf import document_assets as assets
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf import document_constraints as c
from unibody.formats.mjcf.asset_elements import has_data
from unibody.formats.mjcf.conventions import Settings
from unibody.formats.mjcf.joints import is_limited
from unibody.text.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Model:
    """What a rule depends on besides its element; ``counts`` are the lengths of a keyframe's fields."""

    settings: Settings
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


@dataclass(frozen=True, slots=True)
class Broken:
    """A rule that an element breaks, in words, and the fields that are ignored; none: the element is."""

    text: str
    remedy: str
    code: str = "element-rejected"
    fields: tuple[str, ...] = ()


def broken(item: Document, model: Model, values: bool) -> Iterator[Broken]:
    """The rules about values, or about elements, that an element breaks; it may be changed in between."""
    for name, must in _rules(type(item), values):  # type: ignore[arg-type]
        found = must.test(item, name, model)
        if found is not None:
            text = f"{name} must {must.words.format(_limited(name))}"
            yield Broken(
                f"{text}, got {found}" if found else text,
                must.remedy.format(name),
                must.code,
                (() if not values else (_limited(name), name) if must is _FITS else (name,)),
            )


@cache
def _rules(cls: type, values: bool) -> list[tuple[str, Must]]:
    rows = VALUES if values else ELEMENTS
    return [(name, must) for of, names, must in rows if issubclass(cls, of) for name in names.split()]


# --- requirements -------------------------------------------------------------------------


def _shown(value: Any) -> str:
    numbers = value if isinstance(value, tuple) else (value,)
    return " ".join(f"{number:g}" for number in numbers)


def _all(words: str, holds: Callable[[float], bool]) -> Must:
    """All numbers of the field must be so, if there are any."""

    def test(item: Any, name: str, _: Model) -> str | None:
        value = getattr(item, name)
        numbers = value if isinstance(value, tuple) else () if value is None else (value,)
        return None if all(map(holds, numbers)) else _shown(value)

    return Must(words, test)


def _limited(name: str) -> str:
    """The field that says whether a range holds."""
    return name.replace("range", "limited")


def _unfit(item: Any, name: str, model: Model) -> str | None:
    limited, limits = getattr(item, _limited(name), None), getattr(item, name, None)
    if limited is None or is_limited(limited, limits, model.settings) is not None:
        return None
    return f"{'none' if limits is None else _shown(limits)} and {limited}"


def _from_zero(item: b.Joint, _: str, model: Model) -> str | None:
    is_ball = item.type == "ball" and is_limited(item.limited, item.range, model.settings)
    return _shown(item.range) if is_ball and item.range is not None and item.range[0] != 0.0 else None


def _springs(joint: b.Joint, *_: object) -> str | None:
    springs = joint.springdamper or ()
    return _shown(springs) if any(springs) and min(springs) <= 0.0 else None


def _longer(item: Any, name: str, model: Model) -> str | None:
    values, most = getattr(item, name), model.counts.get(name)
    is_longer = values is not None and most is not None and len(values) > most
    return f"{len(values)} instead of {most}" if is_longer else None


def _repeated(item: c.JointEquality, *_: object) -> str | None:
    return f"'{item.joint1}'" if item.joint1 and item.joint1 == item.joint2 else None


_GIVEN = Must("be given", lambda item, name, _: None if getattr(item, name) else "", "add {0}")
_WITH_DATA = Must(
    "be given, or other data",
    lambda item, *_: None if has_data(item) else "",
    "add {0}, or remove the asset",
)
_FITS = Must("fit {0}", _unfit)

# --- the tables: classes, fields, requirement -------------------------------------------------

#: Values that are ignored if they break a rule.
VALUES: tuple[tuple[Any, str, Must], ...] = (
    (b.Joint, "springdamper", Must("be two positive numbers", _springs)),
    (b.Joint, "range", Must("begin with 0 for a ball", _from_zero, "write 0 and the largest angle")),
    (b.Joint, "actuatorfrcrange", _FITS),
    (b.Geom, "condim", _all("be 1, 3, 4 or 6", lambda value: value in (1, 3, 4, 6))),
    (
        b.Camera,
        "fovy",
        Must(
            "not be given with sensorsize",
            lambda item, *_: "" if {"fovy", "sensorsize"} <= item.given else None,
            "keep one of them",
        ),
    ),
    (b.Camera, "fovy", _all("be below 180°", lambda value: value < 180.0)),
    (
        b.Camera,
        "focal focalpixel principal principalpixel",
        Must(
            "be given with sensorsize",
            lambda item, name, _: "" if getattr(item, name) and item.sensorsize is None else None,
            "add sensorsize and resolution",
        ),
    ),
    (b.Light, "dir", Must("not be zero", lambda item, *_: None if any(item.dir) else "0 0 0")),
    (
        d.Key,
        "qvel mpos mquat ctrl act",
        Must(
            "not have more numbers than the model",
            _longer,
            "remove the last ones",
            "keyframe-length",
        ),
    ),
)

#: Elements that are left out if they break a rule.
ELEMENTS: tuple[tuple[Any, str, Must], ...] = (
    ((assets.Mesh, assets.Texture, assets.HeightField), "file", _WITH_DATA),
    (assets.HeightField, "size", _all("be positive", lambda value: value > 0.0)),
    (c.Pair, "geom1 geom2", _GIVEN),
    (
        c.JointEquality,
        "joint2",
        Must("differ from joint1", _repeated, "remove joint2, which holds the joint in place"),
    ),
    (a.ActuatorBase, "ctrlrange forcerange", _FITS),
)

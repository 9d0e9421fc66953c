"""Versions of URDF: what a file states, and content that belongs to a newer version."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from unibody.document.declare import Document
from unibody.formats.format import Context
from unibody.formats.urdf import document as d
from unibody.model.robot import UNBOUNDED, Extra, Robot
from unibody.model.shape import Capsule
from unibody.text.edit import ProposedFix, inserted, replaced
from unibody.text.finding import Finding
from unibody.text.hint import Hint, Setting
from unibody.text.node import Item, Node, Word
from unibody.text.xml.fixes import attribute

Version = tuple[int, int]

#: The versions that urdfdom 6.0 accepts, oldest first.
KNOWN: tuple[Version, ...] = ((1, 0), (1, 1), (1, 2))
OLDEST = KNOWN[0]
#: The version that introduced `quat_xyzw` and `capsule`.
CAPSULES: Version = (1, 1)
#: The version that introduced `acceleration`, `deceleration` and `jerk`, and made limits optional.
RATES: Version = (1, 2)

_FORM = re.compile(r"\s*\+?([0-9]{1,9})\.\s*\+?([0-9]{1,9})")
_START = re.compile(r"\s*\+?([0-9]{1,9})(?:\.([0-9]{1,9}))?")
_ROOT = re.compile(r"<robot(?=[\s/>])")


def text_of(version: Version) -> str:
    """The version as written in a file."""
    return f"{version[0]}.{version[1]}"


def parsed(text: str) -> Version | None:
    """The version that a text states exactly, None if urdfdom rejects it.

    >>> parsed("1.1"), parsed("1"), parsed("1.1.0"), parsed("2.0")
    ((1, 1), None, None, None)
    """
    found = _FORM.fullmatch(text)
    version = (int(found[1]), int(found[2])) if found else None
    return version if version in KNOWN else None


def assumed(text: str) -> Version:
    """The newest known version up to the one that a text begins with, 1.0 without any.

    >>> assumed("1"), assumed("1.1.0"), assumed("3.0"), assumed("new")
    ((1, 0), (1, 1), (1, 2), (1, 0))
    """
    found = _START.match(text)
    given = (int(found[1]), int(found[2] or 0)) if found else OLDEST
    return max((v for v in KNOWN if v <= given), default=OLDEST)


def read_version(doc: d.Robot, context: Context) -> Version:
    """The version that a file states; one that urdfdom rejects is reported."""
    if doc.version is None:
        return OLDEST
    exact = parsed(doc.version)
    if exact is not None:
        return exact
    version = assumed(doc.version)
    known = ", ".join(map(text_of, KNOWN))
    if _FORM.fullmatch(doc.version):
        what = f"unknown URDF version '{doc.version}'"
    else:
        what = f"URDF version '{doc.version}' is not of the form major.minor"
    at = doc.at("version")
    context.findings.warning(
        "urdf-version",
        f"{what}; using {text_of(version)}, but urdfdom rejects the file",
        at,
        f"write one of {known}",
        fix=None
        if at is None
        else ProposedFix(f"change the version to {text_of(version)}", (replaced(at, text_of(version)),)),
    )
    return version


@dataclass(frozen=True, slots=True)
class _Feature:
    """Content of a version; ``effect`` is what urdfdom does with it in an older file.

    A limit of a rate alone is no reason to state a version that older programs reject.
    """

    word: str
    version: Version
    effect: str
    severe: bool = True


_QUATERNION = _Feature("quat_xyzw", CAPSULES, "urdfdom ignores it and leaves the frame unrotated")
_CAPSULE = _Feature("capsule", CAPSULES, "urdfdom leaves the shape out, and yourdfpy rejects the file")
_SPLIT = Hint("convert it with cylinders and spheres: ", Setting("urdf_version", value=text_of(OLDEST)))
_RATES = tuple(
    _Feature(word, RATES, "urdfdom ignores it", severe=False)
    for word in ("acceleration", "deceleration", "jerk")
)


def check_features(doc: d.Robot, version: Version, context: Context) -> None:
    """Report content of a newer version than the file's, each kind at its first place.

    Capsules are reported in a file of any version: some programs reject them in each.
    """
    for feature, found in _uses(doc, version):
        if not found:
            continue
        first = found[0]
        count = f" ({len(found)} times)" if len(found) > 1 else ""
        if version >= feature.version:
            context.findings.info(
                "geometry-extension",
                f"{feature.word}{count}: programs that know only URDF {text_of(OLDEST)}, such as yourdfpy, "
                "reject the file",
                first.at(),
                _SPLIT,
            )
            continue
        stated = f'state version="{text_of(feature.version)}" in <robot>'
        context.findings.append(
            Finding(
                "newer-version",
                "warning" if feature.severe else "info",
                f"{feature.word}{count} requires URDF {text_of(feature.version)}, and the file is of "
                f"version {text_of(version)}; it is read, but {feature.effect}",
                first.at() if feature is _CAPSULE else first.at(feature.word),
                Hint(f"{stated}, or ", *_SPLIT.parts) if feature is _CAPSULE else stated,
                fix=_restated(doc, feature.version) if feature.severe else None,
            )
        )


def _words(doc: d.Robot) -> set[str]:
    """The words of newer versions that the text may have; after xacro, which includes files, all."""
    source = doc.node.source if doc.node is not None else None
    every = (_QUATERNION.word, _CAPSULE.word, *(feature.word for feature in _RATES))
    return {w for w in every if source is None or source.note or w in source.text}


def _uses(doc: d.Robot, version: Version) -> Iterator[tuple[_Feature, list[Document]]]:
    """The newer features and capsules, and the elements that use them."""
    words = _words(doc)
    if version < CAPSULES and _QUATERNION.word in words:
        yield _QUATERNION, [o for o in _origins(doc) if o.quat_xyzw is not None and "rpy" not in o.given]
    if _CAPSULE.word in words:
        yield _CAPSULE, [x for x in _geometries(doc) if isinstance(x, d.Capsule)]
    for feature in _RATES:
        if version < feature.version and feature.word in words:
            limits = (x.limit for x in doc.items if isinstance(x, d.Joint) and x.limit is not None)
            yield feature, [x for x in limits if getattr(x, feature.word) is not None]


def _origins(doc: d.Robot) -> Iterator[d.Origin]:
    for x in doc.items:
        holders: tuple[Any, ...] = (x,)
        if isinstance(x, d.Link):
            holders = (x.inertial, *x.visuals, *x.collisions)
        elif isinstance(x, d.Constraint | d.LoopConstraint):
            holders = (x.predecessor, x.successor)
            if isinstance(x, d.Constraint):
                yield from (o for o in (x.parent_origin, x.child_origin) if o is not None)
        elif isinstance(x, d.LoopJoint):
            holders = (x.link1, x.link2)
        for holder in holders:
            origin = getattr(holder, "origin", None)
            if origin is not None:
                yield origin


def _geometries(doc: d.Robot) -> Iterator[Document]:
    for link in doc.items:
        if isinstance(link, d.Link):
            shapes: list[d.Visual | d.Collision] = [*link.visuals, *link.collisions]
            for shape in shapes:
                if shape.geometry is not None:
                    yield from shape.geometry.shapes


def _restated(doc: d.Robot, version: Version) -> ProposedFix | None:
    """State a version in the start tag of the robot."""
    at = doc.at()
    found = _ROOT.match(at.source.text, at.start) if at is not None else None
    if at is None or found is None:
        return None
    present = attribute(at, "version")
    if present is not None:
        edit = replaced(present.value, text_of(version))
    else:
        edit = inserted(at.source, found.end(), f' version="{text_of(version)}"')
    return ProposedFix(f"state version {text_of(version)}", (edit,), safe=False)


def version_of(robot: Robot) -> Version:
    """The version that a robot read from URDF states, 1.0 without any."""
    for extra in robot.extras:
        if extra.format == "urdf" and not extra.owner:
            return parsed(extra.node.word("version") or "") or OLDEST
    return OLDEST


def with_version(robot: Robot, wanted: str) -> Robot:
    """The robot with another stated version; "auto" is the oldest that can say everything.

    >>> version_of(with_version(Robot(name="box"), "1.1"))
    (1, 1)
    """
    version = oldest(robot) if wanted == "auto" else parsed(wanted)
    stated: list[Item] = [("version", Word(text_of(version)), -1)] if version not in (None, OLDEST) else []
    extras = [e for e in robot.extras if e.format != "urdf" or e.owner]
    own = [e for e in robot.extras if e.format == "urdf" and not e.owner]
    items = [item for e in own for item in e.node.items if item[0] != "version"]
    if stated or items:
        extras.insert(0, Extra(format="urdf", node=Node("", [*stated, *items])))
    return replace(robot, extras=tuple(extras))


def lacks_capsules(robot: Robot) -> bool:
    """Whether a robot has capsules, and states a version that has none."""
    return version_of(robot) < CAPSULES and _has_capsules(robot)


def oldest(robot: Robot) -> Version:
    """The oldest version that can say everything."""
    for joint in robot.joints:
        limits = joint.limits
        if any(bounds != UNBOUNDED for bounds in (limits.acceleration, limits.deceleration, limits.jerk)):
            return RATES
    return CAPSULES if _has_capsules(robot) else OLDEST


def _has_capsules(robot: Robot) -> bool:
    shapes = (shape for link in robot.links for shape in (*link.visuals, *link.collisions))
    return any(isinstance(shape.geometry, Capsule) for shape in shapes)

"""Leaves out values of bodies and their parts that MuJoCo rejects, each with a warning."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import fields

from unibody.document.declare import Document, plan
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_actuators as a
from unibody.formats.mjcf import document_assets as assets
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.document_element import tag_of
from unibody.formats.mjcf.joints import is_limited
from unibody.formats.mjcf.tree import BodyRecord, Placed, Scope
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings
from unibody.text.near import did_you_mean, near
from unibody.text.node import with_items

_CONDIMS = (1, 3, 4, 6)
_LENS = ("focal", "focalpixel", "principal", "principalpixel")
_MOST_FOVY = 180.0
# Sizes of a site that must be positive, by type.
_SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2}
_FREEDOMS = {"hinge": 1, "slide": 1, "ball": 3, "free": 6}
_STATES = {
    "qvel": "velocities",
    "ctrl": "controls",
    "act": "activations",
    "mpos": "positions of mocap bodies",
    "mquat": "orientations of mocap bodies",
}
# Actuators without a state.
_PASSIVE = (a.Motor, a.Velocity, a.Damper, a.Adhesion)


@dataclass(frozen=True, slots=True)
class _Slip:
    """Fields of an element that MuJoCo rejects, why, and what remedies it."""

    fields: tuple[str, ...]
    why: str
    remedy: str
    code: str = "element-rejected"


def leave_values_out(docs: Sequence[d.Mujoco], records: Sequence[BodyRecord], findings: Findings) -> None:
    """Remove the values that MuJoCo rejects from the elements of the tree and from keyframes."""
    names = {record.name for record in records} | {"world"}
    for record in records:
        if isinstance(record.doc, b.Body):
            _drop(record.doc, _of_body(record), findings)
        for placed in (*record.joints, *record.geoms, *record.sites, *record.cameras, *record.lights):
            _drop(placed.doc, _of_part(placed, names), findings)
    _check_world(records[0], findings)
    _check_names(records, findings)
    for doc in docs:
        for section in doc.items:
            if isinstance(section, a.Actuators):
                for item in section.items:
                    _drop_inside(section, item, _of_servo(item), findings)
            elif isinstance(section, assets.Asset) and doc is docs[0]:
                for item in section.items:
                    _drop_inside(section, item, _of_asset(item, records[0].scope), findings)
    _check_states(docs, records, findings)


def _drop(doc: Document, slips: Iterator[_Slip], findings: Findings) -> None:
    for slip in slips:
        name = getattr(doc, "name", None)
        what = f"<{tag_of(doc)}> '{name}'" if name else f"<{tag_of(doc)}>"
        given = slip.fields[0]
        findings.warning(
            slip.code,
            f"{what}: {slip.why}; MuJoCo rejects the file; {given} is left out",
            doc.at(given),
            slip.remedy,
        )
        _remove(doc, slip.fields)


def _remove(doc: Document, names: Collection[str]) -> None:
    """Remove fields from an element, those of its default class, too."""
    if doc.node is not None:
        own = {key for key, entry in plan(type(doc)).keys.items() if entry.name in names}
        doc.node = with_items(doc.node, (item for item in doc.node.items if item[0] not in own))
    doc.given = doc.given - set(names)
    for field in fields(type(doc)):  # type: ignore[arg-type]
        if field.name in names:
            setattr(doc, field.name, field.default)


def _drop_inside(section: Document, item: Document, slips: Iterator[_Slip], findings: Findings) -> None:
    """Remove values of an element of a section, whose tree is kept."""
    before = item.node
    _drop(item, slips, findings)
    if section.node is not None and item.node is not before:
        items = [(k, item.node if v is before else v, at) for k, v, at in section.node.items]
        section.node = with_items(section.node, items)  # type: ignore[arg-type]


def _of_body(record: BodyRecord) -> Iterator[_Slip]:
    doc = record.doc
    if isinstance(doc, b.Body) and doc.mocap and (record.parent != 0 or record.joints):
        yield _Slip(
            ("mocap",), "a mocap body is in the world and has no joint", "remove mocap, or the joint"
        )


def _of_part(placed: Placed, names: Collection[str]) -> Iterator[_Slip]:
    match placed.doc:
        case b.Joint() as joint:
            yield from _of_joint(joint, placed)
        case b.Geom() as geom:
            if geom.condim not in _CONDIMS:
                yield _Slip(("condim",), f"condim is 1, 3, 4 or 6, not {geom.condim}", "correct it")
        case b.Site() as site:
            material = site.material
            if material and placed.scope.asset(assets.Material, material) is None:
                yield _unknown("material", "material", material, [])
            count = 0 if site.fromto is not None else _SIZES.get(site.type, 3)
            if site.type in ("sphere", "capsule", "cylinder", "box", "ellipsoid") and not all(
                size > 0.0 for size in site.size[:count]
            ):
                yield _Slip(("size",), "sizes are positive", "correct the size")
        case b.Camera() as camera:
            yield from _of_camera(camera)
            if camera.target and camera.target not in names:
                yield _unknown("target", "body", camera.target, names)
        case b.Light() as light:
            if light.target and light.target not in names:
                yield _unknown("target", "body", light.target, names)
            if not any(light.dir):
                yield _Slip(("dir",), "its direction is zero", "write a direction")


def _unknown(field: str, kind: str, name: str, names: Collection[str]) -> _Slip:
    alike = near(name, names)
    remedy = did_you_mean(alike, "correct the name")
    return _Slip((field,), f"unknown {kind} '{name}'", remedy, "reference-unknown")


def _of_joint(joint: b.Joint, placed: Placed) -> Iterator[_Slip]:
    springs = joint.springdamper
    if springs is not None and any(springs) and min(springs) <= 0.0:
        yield _Slip(("springdamper",), "both numbers of springdamper are positive", "correct them")
    settings = placed.scope.settings
    is_ball = joint.type == "ball" and is_limited(joint.limited, joint.range, settings)
    if is_ball and joint.range is not None and joint.range[0] != 0.0:
        remedy = "write 0 and the largest angle"
        yield _Slip(("range",), "the range of a ball joint begins with 0", remedy)
    if is_limited(joint.actuatorfrclimited, joint.actuatorfrcrange, settings) is None:
        fields = ("actuatorfrclimited", "actuatorfrcrange")
        yield _Slip(fields, "it has no actuatorfrcrange that is a range", "add actuatorfrcrange")


def _of_camera(camera: b.Camera) -> Iterator[_Slip]:
    if camera.sensorsize is not None and "fovy" in camera.given and "sensorsize" in camera.given:
        yield _Slip(("fovy",), "fovy and sensorsize exclude one another", "keep one of them")
    elif camera.sensorsize is not None:
        _remove(camera, ("fovy",))  # of the default class, or beside its sensorsize: without effect
    elif not camera.fovy < _MOST_FOVY:
        yield _Slip(("fovy",), "fovy is below 180°", "correct it")
    lens = tuple(name for name in _LENS if getattr(camera, name) is not None)
    if camera.sensorsize is None and lens:
        yield _Slip(lens, f"{lens[0]} needs a sensorsize", "add sensorsize and resolution")


def _check_world(world: BodyRecord, findings: Findings) -> None:
    for placed in (*world.joints, *world.inertials):
        findings.warning(
            "element-rejected",
            f"the world has no <{tag_of(placed.doc)}>; MuJoCo rejects the file; it is ignored",
            placed.at,
            "put it into a body",
        )


def _check_names(records: Sequence[BodyRecord], findings: Findings) -> None:
    """Report geoms of one name; each is a shape, and the first one has the name."""
    seen: set[str] = set()
    for record in records:
        for placed in record.geoms:
            name = getattr(placed.doc, "name", None) or ""
            if name and name in seen:
                findings.warning(
                    "name-duplicate",
                    f"duplicate geom name '{name}'; MuJoCo rejects the file; the first geom keeps the name",
                    placed.doc.at("name"),
                    "rename one of them",
                )
            seen.add(name)


def _of_servo(item: Document) -> Iterator[_Slip]:
    if isinstance(item, a.Position) and item.kv is not None and item.dampratio is not None:
        own = {"kv", "dampratio"} & item.given
        if len(own) == 2:
            yield _Slip(("dampratio",), "kv and dampratio exclude one another", "keep one of them")
        else:  # the other one is of its default class, and has no effect
            _remove(item, {"kv", "dampratio"} - own)


def _of_asset(item: Document, scope: Scope) -> Iterator[_Slip]:
    if not isinstance(item, assets.Material) or not item.texture:
        return
    if scope.asset(assets.Texture, item.texture) is None:
        textures = [name for kind, name in scope.assets if kind == "texture"]
        yield _unknown("texture", "texture", item.texture, textures)


def _check_states(docs: Sequence[d.Mujoco], records: Sequence[BodyRecord], findings: Findings) -> None:
    """Check the lengths of what keyframes have beside positions."""
    others = (placed.doc for record in records for placed in record.others)
    if any(isinstance(doc, b.Composite | b.Flexcomp) for doc in others):
        return
    joints = [placed.doc for record in records for placed in record.joints]
    mocap = sum(isinstance(record.doc, b.Body) and bool(record.doc.mocap) for record in records)
    sections = [section for doc in docs for section in doc.items]
    actuators = [x for section in sections if isinstance(section, a.Actuators) for x in section.items]
    counts = {
        "qvel": sum(_FREEDOMS[x.type] if isinstance(x, b.Joint) else 6 for x in joints),
        "mpos": 3 * mocap,
        "mquat": 4 * mocap,
    }
    if not any(isinstance(x, a.Orientation | a.General | a.ActuatorPlugin) for x in actuators):
        counts["ctrl"] = len(actuators)
    if all(isinstance(x, _PASSIVE) for x in actuators):
        counts["act"] = 0
    for section in docs[0].items:
        for key in section.keys if isinstance(section, d.Keyframes) else []:
            _drop_inside(section, key, _of_key(key, counts), findings)


def _of_key(key: d.Key, counts: dict[str, int]) -> Iterator[_Slip]:
    for name, count in counts.items():
        values = getattr(key, name)
        if values is not None and len(values) > count:
            why = f"it has {len(values)} {_STATES[name]}, the model has {count}"
            yield _Slip((name,), why, "remove the last ones", "keyframe-length")

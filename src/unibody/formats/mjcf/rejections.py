"""Why MuJoCo rejects an element outside the tree of bodies, apart from unknown and repeated names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from unibody.document.declare import Document
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_actuators as a
from unibody.formats.mjcf import document_assets as assets
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf import document_constraints as c
from unibody.formats.mjcf import document_sensors as s
from unibody.formats.mjcf.asset_elements import files_of, name_of
from unibody.formats.mjcf.defaults import remains_of_class
from unibody.formats.mjcf.joints import is_limited
from unibody.formats.mjcf.settings import Settings

#: Elements by kind and name.
Known = Mapping[str, Mapping[str, Document | None]]
#: What is wrong with an element, and what remedies it.
Reason = tuple[str, str]

#: The assets that others refer to by name.
NAMED = (assets.Material, assets.HeightField, assets.Mesh, assets.Texture)
_ON_SCALARS = (s.SensorJointpos, s.SensorJointvel, s.SensorJointactuatorfrc)
_ON_BALLS = (s.SensorBallquat, s.SensorBallangvel)
_ON_LIMITS = (s.SensorJointlimitpos, s.SensorJointlimitvel, s.SensorJointlimitfrc)
_ON_TENDON_LIMITS = (s.SensorTendonlimitpos, s.SensorTendonlimitvel, s.SensorTendonlimitfrc)
_SCALARS = ("hinge", "slide")
_DRIVEN = ("joint", "jointinparent", "tendon", "site", "cranksite")
_NO_NAME = ("it has no name", "add name")


def reasons(item: Document, known: Known, settings: Settings) -> Iterator[Reason]:
    """What MuJoCo rejects of an element; the names that it refers to are known."""
    match item:
        case assets.Texture():
            if not name_of(item) and item.type != "skybox":
                yield _NO_NAME
            if item.builtin in (None, "none") and not any(files_of(item)):
                yield "it has neither a file nor a pattern", "add file or builtin"
            if item.builtin not in (None, "none") and not (
                (item.width or 0) > 0 and (item.height or 0) >= 0
            ):
                yield "a texture with builtin needs a positive width", "add width and height"
        case assets.Mesh():
            if not name_of(item):
                yield _NO_NAME
            if not (item.file or item.vertex or item.plugins) and item.builtin in (None, "none"):
                yield "it has neither a file nor vertices", "add file or vertex"
        case assets.HeightField():
            if not name_of(item):
                yield _NO_NAME
            if not item.file and item.nrow is None:
                yield "it has neither a file nor rows", "add file, or nrow and ncol"
            if item.size is not None and not min(item.size) > 0.0:
                yield "all sizes are positive", "correct size"
        case assets.Material():
            if not name_of(item):
                yield _NO_NAME
        case d.Text():
            if not item.data:
                yield "its data are empty", "add data, or remove the element"
        case d.Numeric():
            if item.size is not None and 0 < item.size < len((item.data or "").split()):
                yield f"it has more numbers than its size, {item.size}", "correct size"
        case c.Pair():
            if not (item.geom1 and item.geom2):
                yield "it needs two geoms", "add geom1 and geom2"
        case c.JointEquality():
            if item.joint1 and item.joint1 == item.joint2:
                yield "joint1 and joint2 are the same", "remove joint2, which holds the joint in place"
        case c.TendonBase():
            yield from _tendon(item, known)
        case s.SensorBase():
            yield from _sensor(item, known, settings)
        case a.ActuatorBase():
            yield from _actuator(item, known, settings)


def _tendon(item: c.TendonBase, known: Known) -> Iterator[Reason]:
    first, last = (*item.springlength, *item.springlength)[:2]
    if len(item.springlength) == 2 and first > last:
        yield "the first springlength is the larger one", "exchange them"
    if isinstance(item, c.FixedTendon):
        if not item.joints:
            yield "it has no joint", "add a joint"
        for part in item.joints:
            if _kind(known["joint"].get(part.joint or "")) not in _SCALARS:
                yield f"joint '{part.joint}' is neither a hinge nor a slide", "remove it"
    elif isinstance(item, c.SpatialTendon):
        yield from _path(item, known)


def _path(item: c.SpatialTendon, known: Known) -> Iterator[Reason]:
    if len(item.path) < 2:
        yield "its path has fewer than two points", "add sites"
    before: Document | None = None
    for k, part in enumerate(item.path):
        if isinstance(part, c.TendonSite):
            if isinstance(before, c.TendonSite) and before.site == part.site:
                yield f"it passes site '{part.site}' twice in a row", "remove one of them"
            ends = (item.path[k - 1] if k else None, item.path[k + 1] if k + 1 < len(item.path) else None)
            if all(end is None or isinstance(end, c.Pulley) for end in ends):
                yield f"site '{part.site}' is alone in its branch", "add a site"
        elif isinstance(part, c.TendonGeom):
            geom = known["geom"].get(part.geom or "")
            if isinstance(geom, b.Geom) and geom.type not in ("sphere", "cylinder"):
                yield f"geom '{part.geom}' is neither a sphere nor a cylinder", "wrap around one of those"
        before = part


def _kind(joint: Document | None) -> str:
    """The type of a joint, "" if it is unknown."""
    if isinstance(joint, b.FreeJoint):
        return "free"
    return joint.type if isinstance(joint, b.Joint) else ""


def _sensor(item: s.SensorBase, known: Known, settings: Settings) -> Iterator[Reason]:
    match item:
        case s.SensorRangefinder():
            if not (item.site or item.camera):
                yield "it needs a site or a camera", "add site"
        case s.PairSensor():
            if not ((item.geom1 or item.body1) and (item.geom2 or item.body2)):
                yield "it needs two geoms or bodies", "add geom1 and geom2, or body1 and body2"
        case s.SensorUser():
            if bool(item.objtype) != bool(item.objname):
                yield "objtype and objname belong together", "add the other one"
        case s.JointSensor():
            joint = known["joint"].get(item.joint or "")
            kind = _kind(joint)
            if isinstance(item, _ON_SCALARS) and kind not in _SCALARS:
                yield f"joint '{item.joint}' is neither a hinge nor a slide", "use a sensor of the body"
            elif isinstance(item, _ON_BALLS) and kind != "ball":
                yield f"joint '{item.joint}' is no ball joint", "use jointpos or jointvel"
            elif isinstance(item, _ON_LIMITS) and not _has_range(joint, settings):
                yield f"joint '{item.joint}' has no range", "add range to the joint"
        case s.TendonSensor():
            tendon = known["tendon"].get(item.tendon or "")
            if isinstance(item, _ON_TENDON_LIMITS) and not _has_range(tendon, settings):
                yield f"tendon '{item.tendon}' has no range", "add range to the tendon"


def _has_range(item: Document | None, settings: Settings) -> bool:
    """Whether a joint or tendon has a range that holds."""
    known = isinstance(item, b.Joint | c.TendonBase)
    return known and bool(is_limited(item.limited, item.range, settings))  # type: ignore[union-attr]


def _actuator(item: a.ActuatorBase, known: Known, settings: Settings) -> Iterator[Reason]:
    driven = ("body",) if isinstance(item, a.Adhesion) else (*_DRIVEN, "body")
    if not any(getattr(item, word, None) for word in driven):
        yield "it drives nothing", f"add {' or '.join(driven[:3])}"
    if isinstance(item, a.GearedDrive) and (item.cranksite or item.slidersite):
        if not (item.cranksite and item.slidersite):
            yield "a slider-crank needs cranksite and slidersite", "add the other one"
        elif not (item.cranklength or 0.0) > 0.0:
            yield "the cranklength of a slider-crank is positive", "add cranklength"
    if isinstance(item, a.Orientation) and item.site and not item.refsite:
        yield "an orientation of a site needs a refsite", "add refsite"
    if isinstance(item, a.Damper) and item.ctrlrange is not None and min(item.ctrlrange) < 0.0:
        yield "the control of a damper is not negative", "correct ctrlrange"
    is_known = item.node is None or not remains_of_class(item.node)
    if is_known and "actrange" in item.given and getattr(item, "dyntype", "") == "none":
        yield "actrange has no meaning without dyntype", "remove it"
    for word in ("ctrl", "force", "act"):
        limited, limits = (getattr(item, f"{word}{end}", None) for end in ("limited", "range"))
        if limited is not None and is_limited(limited, limits, settings) is None:
            yield (
                f"{word}limited and {word}range do not belong together",
                "correct the range, or remove both",
            )
    if getattr(item, "inheritrange", None):
        target = known["joint"].get(item.joint or "") if isinstance(item, a.Drive) else None
        if isinstance(target, b.Joint) and not _has_range(target, settings):
            yield f"joint '{target.name}' has no range to inherit", "add range to the joint"

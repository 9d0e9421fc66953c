"""Declarations of Open Inventor 2.1 and Coin: the nodes that are kept but not drawn.

The model has no cameras, lights, texts, curved surfaces and user interaction. Their nodes are declared to
check their fields, to read binary files that contain them, and to not report them as unknown.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from unibody.document.declare import Tagged, element, key
from unibody.formats.inventor import values as v
from unibody.formats.inventor.document import NO_TURN, ZERO, Base, Transform

_LEFT = v.enum("LEFT", "RIGHT", "CENTER")
_WHITE = (1.0, 1.0, 1.0)


@element
class Kept(Base):
    """Base of the nodes that are kept but not drawn."""


@element
class Camera(Kept):
    """Base of the cameras."""


@element
class Light(Kept):
    """Base of the lights."""


@element
class Effect(Kept):
    """Base of the nodes that change only how Inventor draws."""


@element
class Drawing(Kept):
    """Base of the nodes that Inventor draws and the model does not support."""


def declared(tag: str, doc: str, base: type[Tagged], **fields: Any) -> type[Tagged]:
    """Create the document class of a node; fields are named as in files."""
    return dataclasses.make_dataclass(
        tag,
        [(name, Any, spec) for name, spec in fields.items()],
        bases=(base,),
        namespace={"__doc__": doc, "__module__": __name__},
        slots=True,
        eq=False,
        kw_only=True,
    )


_made: list[type[Tagged]] = []


def _kept(tag: str, doc: str, base: type[Tagged] = Kept, **fields: Any) -> None:
    _made.append(declared(tag, doc, base, **fields))


def _viewed(**more: Any) -> dict[str, Any]:
    """The fields of all cameras."""
    mapping = v.enum(
        "CROP_VIEWPORT_FILL_FRAME",
        "CROP_VIEWPORT_LINE_FRAME",
        "CROP_VIEWPORT_NO_FRAME",
        "ADJUST_CAMERA",
        "LEAVE_ALONE",
    )
    return {
        "viewportMapping": key(mapping, "ADJUST_CAMERA"),
        "position": key(v.SF_VEC3F, (0.0, 0.0, 1.0), unit="m"),
        "orientation": key(v.SF_ROTATION, NO_TURN, unit="rad"),
        "aspectRatio": key(v.SF_FLOAT, 1.0),
        "nearDistance": key(v.SF_FLOAT, 1.0, unit="m"),
        "farDistance": key(v.SF_FLOAT, 10.0, unit="m"),
        "focalDistance": key(v.SF_FLOAT, 5.0, unit="m"),
        **more,
    }


def _lit(**more: Any) -> dict[str, Any]:
    """The fields of all lights."""
    return {
        "on": key(v.SF_BOOL, True),
        "intensity": key(v.SF_FLOAT, 1.0),
        "color": key(v.SF_COLOR, _WHITE),
        **more,
    }


def _text(**more: Any) -> dict[str, Any]:
    """The fields of all texts."""
    return {
        "string": key(v.MF_STRING, ("",)),
        "spacing": key(v.SF_FLOAT, 1.0),
        "justification": key(_LEFT, "LEFT"),
        **more,
    }


def _curve(*names: str, **more: Any) -> dict[str, Any]:
    """The fields of control points and knots of a curve or surface; ``names`` are its directions."""
    counts = {f"num{n}ControlPoints": key(v.SF_INT32, 0) for n in names}
    knots = {
        f"{n.lower()}KnotVector" if n else "knotVector": key(v.MF_FLOAT, v.numbers("0")) for n in names
    }
    return {**more, **counts, **knots}


# --- cameras and lights ---------------------------------------------------------------

_HEIGHT_ANGLE = {"heightAngle": key(v.SF_FLOAT, math.pi / 4.0, unit="rad")}
_kept("PerspectiveCamera", "A camera.", Camera, **_viewed(**_HEIGHT_ANGLE))
_kept("ReversePerspectiveCamera", "A camera (Coin).", Camera, **_viewed(**_HEIGHT_ANGLE))
_kept("OrthographicCamera", "A camera.", Camera, **_viewed(height=key(v.SF_FLOAT, 2.0, unit="m")))
_kept(
    "FrustumCamera",
    "A camera (Coin).",
    Camera,
    **_viewed(
        left=key(v.SF_FLOAT, -0.5),
        right=key(v.SF_FLOAT, 0.5),
        top=key(v.SF_FLOAT, 0.5),
        bottom=key(v.SF_FLOAT, -0.5),
    ),
)

_DIRECTION = {"direction": key(v.SF_VEC3F, (0.0, 0.0, -1.0))}
_LOCATION = {"location": key(v.SF_VEC3F, (0.0, 0.0, 1.0), unit="m")}
_CONE = {
    "dropOffRate": key(v.SF_FLOAT, 0.0),
    "cutOffAngle": key(v.SF_FLOAT, math.pi / 4.0, unit="rad"),
}
for _tag in ("DirectionalLight", "DirectionalLightManip"):
    _kept(_tag, "A directional light.", Light, **_lit(**_DIRECTION))
for _tag in ("PointLight", "PointLightManip"):
    _kept(_tag, "A point light.", Light, **_lit(**_LOCATION))
for _tag in ("SpotLight", "SpotLightManip"):
    _kept(_tag, "A spot light.", Light, **_lit(**_LOCATION, **_DIRECTION, **_CONE))
_kept(
    "Environment",
    "Ambient light and fog.",
    Light,
    ambientIntensity=key(v.SF_FLOAT, 0.2),
    ambientColor=key(v.SF_COLOR, _WHITE),
    attenuation=key(v.SF_VEC3F, (0.0, 0.0, 1.0)),
    fogType=key(v.enum("NONE", "HAZE", "FOG", "SMOKE"), "NONE"),
    fogColor=key(v.SF_COLOR, _WHITE),
    fogVisibility=key(v.SF_FLOAT, 0.0, unit="m"),
)

# --- manipulators ---------------------------------------------------------------------

for _tag in (
    "CenterballManip",
    "HandleBoxManip",
    "JackManip",
    "TabBoxManip",
    "TrackballManip",
    "TransformBoxManip",
    "TransformerManip",
    "TransformManip",
):
    _kept(_tag, "A Transform with a manipulator.", Transform)

# --- text -----------------------------------------------------------------------------

_kept("Info", "A comment.", string=key(v.SF_STRING, "<Undefined info>"))
_kept("Label", "A label.", label=key(v.SF_NAME, "<Undefined label>"))
_FONT = {"name": key(v.SF_NAME, "defaultFont"), "size": key(v.SF_FLOAT, 10.0)}
_kept("Font", "The font of the following texts.", **_FONT)
_kept(
    "FontStyle",
    "The font of the following texts.",
    **_FONT,
    family=key(v.enum("SERIF", "SANS", "TYPEWRITER"), "SERIF"),
    style=key(v.bits("NONE", "BOLD", "ITALIC"), ("NONE",)),
)
_kept("Text2", "A text that faces the viewer.", Drawing, **_text())
_kept(
    "Text3",
    "An extruded text.",
    Drawing,
    **_text(parts=key(v.bits("FRONT", "SIDES", "BACK", "ALL"), ("FRONT",))),
)
_kept("AsciiText", "A flat text.", Drawing, **_text(width=key(v.MF_FLOAT, v.numbers("0"))))
_kept(
    "Image",
    "An image that faces the viewer.",
    Drawing,
    width=key(v.SF_INT32, -1),
    height=key(v.SF_INT32, -1),
    vertAlignment=key(v.enum("BOTTOM", "HALF", "TOP"), "BOTTOM"),
    horAlignment=key(_LEFT, "LEFT"),
    image=key(v.SF_IMAGE, v.numbers("0 0 0")),
    filename=key(v.SF_STRING, ""),
)

# --- curves ---------------------------------------------------------------------------

_INDICES = {"coordIndex": key(v.MF_INT32, v.numbers("0"))}
_TEXTURE_INDICES = {"textureCoordIndex": key(v.MF_INT32, v.numbers("-1"))}
_kept("NurbsCurve", "A curve.", Drawing, **_curve(""))
_kept("IndexedNurbsCurve", "A curve.", Drawing, **_curve("", **_INDICES))
_kept("NurbsSurface", "A curved surface.", Drawing, **_curve("U", "V", "S", "T"))
_kept(
    "IndexedNurbsSurface",
    "A curved surface.",
    Drawing,
    **_curve("U", "V", "S", "T", **_INDICES, **_TEXTURE_INDICES),
)
_PROFILE = {
    "index": key(v.MF_INT32, v.numbers("0")),
    "linkage": key(v.enum("START_FIRST", "START_NEW", "ADD_TO_CURRENT"), "START_FIRST"),
}
_kept("LinearProfile", "A trimming line of surfaces or profile of texts.", **_PROFILE)
_kept(
    "NurbsProfile",
    "A trimming curve of surfaces or profile of texts.",
    **_PROFILE,
    knotVector=key(v.MF_FLOAT, v.numbers("0")),
)
_kept("ProfileCoordinate2", "Points of profiles.", point=key(v.MF_VEC2F, v.numbers("0 0")))
_kept("ProfileCoordinate3", "Points of profiles.", point=key(v.MF_VEC3F, v.numbers("0 0 1")))

# --- programs -------------------------------------------------------------------------

for _tag in ("Callback", "EventCallback"):
    _kept(_tag, "A callback of a program.")
_kept(
    "Listener",
    "The listener of sounds (Coin).",
    position=key(v.SF_VEC3F, ZERO, unit="m"),
    orientation=key(v.SF_ROTATION, NO_TURN, unit="rad"),
    velocity=key(v.SF_VEC3F, ZERO, unit="m/s"),
    dopplerVelocity=key(v.SF_VEC3F, ZERO, unit="m/s"),
    dopplerFactor=key(v.SF_FLOAT, 0.0),
    gain=key(v.SF_FLOAT, 1.0),
)

#: The nodes of this module by tag.
KEPT: Mapping[str, type[Tagged]] = MappingProxyType({cls.__name__: cls for cls in _made})

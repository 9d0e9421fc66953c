"""Declarations of Open Inventor 2.1 and Coin: rendering nodes that have no effect on the model."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from unibody.document.declare import Tagged, key, node
from unibody.formats.inventor import values as v
from unibody.formats.inventor.document import NO_TURN, ONE, ZERO
from unibody.formats.inventor.kept import Effect, Kept, declared

_WRAP = v.enum("REPEAT", "CLAMP", "CLAMP_TO_BORDER")
_MODEL = v.enum("MODULATE", "DECAL", "BLEND", "REPLACE")
_BLACK = (0.0, 0.0, 0.0)

_made: list[type[Tagged]] = []


def _kept(tag: str, doc: str, **fields: Any) -> None:
    """Declare a node that affects only the screen, so that it is not reported."""
    _made.append(declared(tag, doc, Kept, **fields))


def _effect(tag: str, doc: str, **fields: Any) -> None:
    _made.append(declared(tag, doc, Effect, **fields))


# --- how things are drawn -------------------------------------------------------------

_effect("ColorIndex", "Colors by index.", index=key(v.MF_INT32, v.numbers("1")))
_kept(
    "PickStyle",
    "Picking with the mouse.",
    style=key(
        v.enum(
            "SHAPE",
            "BOUNDING_BOX",
            "UNPICKABLE",
            "SHAPE_ON_TOP",
            "BOUNDING_BOX_ON_TOP",
            "SHAPE_FRONTFACES",
        ),
        "SHAPE",
    ),
)
_kept(
    "TransparencyType",
    "Rendering of transparency (Coin).",
    value=key(
        v.enum(
            "SCREEN_DOOR",
            "ADD",
            "DELAYED_ADD",
            "SORTED_OBJECT_ADD",
            "BLEND",
            "DELAYED_BLEND",
            "SORTED_OBJECT_BLEND",
            "SORTED_OBJECT_SORTED_TRIANGLE_ADD",
            "SORTED_OBJECT_SORTED_TRIANGLE_BLEND",
            "NONE",
            "SORTED_LAYERS_BLEND",
        ),
        "SCREEN_DOOR",
    ),
)
_kept(
    "PolygonOffset",
    "Depth offset of surfaces.",
    factor=key(v.SF_FLOAT, 1.0),
    units=key(v.SF_FLOAT, 1.0),
    styles=key(v.bits("FILLED", "LINES", "POINTS"), ("FILLED",)),
    on=key(v.SF_BOOL, True),
)
_CLIP = {"plane": key(v.SF_PLANE, (1.0, 0.0, 0.0, 0.0)), "on": key(v.SF_BOOL, True)}
_effect("ClipPlane", "Clipping plane.", **_CLIP)
_effect("ClipPlaneManip", "Clipping plane.", **_CLIP, draggerPosition=key(v.SF_VEC3F, ZERO))
_effect(
    "AntiSquish",
    "Replaces the current scale by a uniform one.",
    sizing=key(
        v.enum(
            "X",
            "Y",
            "Z",
            "AVERAGE_DIMENSION",
            "BIGGEST_DIMENSION",
            "SMALLEST_DIMENSION",
            "LONGEST_DIAGONAL",
        ),
        "AVERAGE_DIMENSION",
    ),
    recalcAlways=key(v.SF_BOOL, True),
)
_effect(
    "SurroundScale",
    "Scales the following nodes to the size of their container.",
    numNodesUpToContainer=key(v.SF_INT32, 0),
    numNodesUpToReset=key(v.SF_INT32, 0),
)

# --- further images -------------------------------------------------------------------

_WRAPPED = {"wrapS": key(_WRAP, "REPEAT"), "wrapT": key(_WRAP, "REPEAT")}
_BLENDED = {"model": key(_MODEL, "MODULATE"), "blendColor": key(v.SF_COLOR, _BLACK)}
_FLAT = {
    "translation": key(v.SF_VEC2F, (0.0, 0.0)),
    "rotation": key(v.SF_FLOAT, 0.0, unit="rad"),
    "scaleFactor": key(v.SF_VEC2F, (1.0, 1.0)),
    "center": key(v.SF_VEC2F, (0.0, 0.0)),
}
_effect(
    "Texture3",
    "3D texture (Coin).",
    filenames=key(v.MF_STRING, ("",)),
    images=key(v.SF_IMAGE3, v.numbers("0 0 0 0")),
    wrapR=key(_WRAP, "REPEAT"),
    **_WRAPPED,
    **_BLENDED,
    enableCompressedTexture=key(v.SF_BOOL, False),
)
_effect(
    "Texture3Transform",
    "Transform of 3D texture coordinates (Coin).",
    translation=key(v.SF_VEC3F, ZERO),
    rotation=key(v.SF_ROTATION, NO_TURN, unit="rad"),
    scaleFactor=key(v.SF_VEC3F, ONE),
    scaleOrientation=key(v.SF_ROTATION, NO_TURN),
    center=key(v.SF_VEC3F, ZERO),
)
_effect("TextureCoordinate3", "3D texture coordinates (Coin).", point=key(v.MF_VEC3F, v.numbers("0 0 0")))
_effect(
    "SceneTexture2",
    "Texture from a rendered scene (Coin).",
    size=key(v.SF_VEC2S, (256.0, 256.0)),
    scene=node(),
    sceneTransparencyType=node(),
    type=key(v.SF_NAME, "RGBA_UNSIGNED_BYTE"),
    backgroundColor=key(v.SF_VEC4F, (0.0, 0.0, 0.0, 0.0)),
    transparencyFunction=key(v.enum("NONE", "ALPHA_BLEND", "ALPHA_TEST"), "NONE"),
    **_WRAPPED,
    **_BLENDED,
)
_effect(
    "TextureUnit",
    "Texture unit of the following textures (Coin).",
    unit=key(v.SF_INT32, 0),
    mappingMethod=key(v.enum("IMAGE_MAPPING", "BUMP_MAPPING"), "IMAGE_MAPPING"),
)
_effect(
    "TextureCombine",
    "Combination of several textures (Coin).",
    rgbSource=key(v.MF_ENUM, ()),
    alphaSource=key(v.MF_ENUM, ()),
    rgbOperand=key(v.MF_ENUM, ()),
    alphaOperand=key(v.MF_ENUM, ()),
    rgbOperation=key(v.SF_NAME, "MODULATE"),
    alphaOperation=key(v.SF_NAME, "MODULATE"),
    rgbScale=key(v.SF_FLOAT, 1.0),
    alphaScale=key(v.SF_FLOAT, 1.0),
    constantColor=key(v.SF_VEC4F, (1.0, 1.0, 1.0, 1.0)),
)
_kept(
    "TextureScalePolicy",
    "Scaling of textures whose size is not a power of two (Coin).",
    policy=key(v.enum("USE_TEXTURE_QUALITY", "SCALE_DOWN", "SCALE_UP", "FRACTURE"), "USE_TEXTURE_QUALITY"),
    quality=key(v.SF_FLOAT, 0.5),
)
_effect(
    "BumpMap",
    "Bump map (Coin).",
    filename=key(v.SF_STRING, ""),
    image=key(v.SF_IMAGE, v.numbers("0 0 0")),
    **_WRAPPED,
)
_kept("BumpMapCoordinate", "Bump map coordinates.", point=key(v.MF_VEC2F, v.numbers("0 0")))
_kept("BumpMapTransform", "Transform of bump map coordinates.", **_FLAT)
_effect(
    "TextureCoordinatePlane",
    "Texture coordinates by planar projection.",
    directionS=key(v.SF_VEC3F, (1.0, 0.0, 0.0)),
    directionT=key(v.SF_VEC3F, (0.0, 1.0, 0.0)),
    directionR=key(v.SF_VEC3F, (0.0, 0.0, 1.0)),
)
for _name in ("Cube", "Cylinder", "Sphere", "Environment"):
    _effect(f"TextureCoordinate{_name}", f"Texture coordinates by {_name.lower()} projection.")

#: The nodes of this module by tag.
EFFECTS: Mapping[str, type[Tagged]] = MappingProxyType({cls.__name__: cls for cls in _made})

"""Open Inventor 2.1 and Coin, declared: the nodes that change how Inventor draws, and nothing here."""

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
    """A node that speaks of the screen alone: nobody misses it."""
    _made.append(declared(tag, doc, Kept, **fields))


def _effect(tag: str, doc: str, **fields: Any) -> None:
    _made.append(declared(tag, doc, Effect, **fields))


# --- how things are drawn -------------------------------------------------------------

_effect("ColorIndex", "Colours by their numbers.", index=key(v.MF_INT32, v.numbers("1")))
_kept(
    "PickStyle",
    "What the mouse finds.",
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
    "How transparency is drawn (Coin).",
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
    "Moves surfaces towards the viewer.",
    factor=key(v.SF_FLOAT, 1.0),
    units=key(v.SF_FLOAT, 1.0),
    styles=key(v.bits("FILLED", "LINES", "POINTS"), ("FILLED",)),
    on=key(v.SF_BOOL, True),
)
_CLIP = {"plane": key(v.SF_PLANE, (1.0, 0.0, 0.0, 0.0)), "on": key(v.SF_BOOL, True)}
_effect("ClipPlane", "Nothing behind it is drawn.", **_CLIP)
_effect("ClipPlaneManip", "Nothing behind it is drawn.", **_CLIP, draggerPosition=key(v.SF_VEC3F, ZERO))
_effect(
    "AntiSquish",
    "Makes the scale before it even.",
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
    "Makes what follows as large as what stands around.",
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
    "An image with depth (Coin).",
    filenames=key(v.MF_STRING, ("",)),
    images=key(v.SF_IMAGE3, v.numbers("0 0 0 0")),
    wrapR=key(_WRAP, "REPEAT"),
    **_WRAPPED,
    **_BLENDED,
    enableCompressedTexture=key(v.SF_BOOL, False),
)
_effect(
    "Texture3Transform",
    "Moves texture coordinates with depth (Coin).",
    translation=key(v.SF_VEC3F, ZERO),
    rotation=key(v.SF_ROTATION, NO_TURN, unit="rad"),
    scaleFactor=key(v.SF_VEC3F, ONE),
    scaleOrientation=key(v.SF_ROTATION, NO_TURN),
    center=key(v.SF_VEC3F, ZERO),
)
_effect("TextureCoordinate3", "Texture coordinates (Coin).", point=key(v.MF_VEC3F, v.numbers("0 0 0")))
_effect(
    "SceneTexture2",
    "A scene as an image (Coin).",
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
    "Which of several images on one surface the next ones are (Coin).",
    unit=key(v.SF_INT32, 0),
    mappingMethod=key(v.enum("IMAGE_MAPPING", "BUMP_MAPPING"), "IMAGE_MAPPING"),
)
_effect(
    "TextureCombine",
    "How several images are combined (Coin).",
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
    "How images of odd sizes are drawn (Coin).",
    policy=key(v.enum("USE_TEXTURE_QUALITY", "SCALE_DOWN", "SCALE_UP", "FRACTURE"), "USE_TEXTURE_QUALITY"),
    quality=key(v.SF_FLOAT, 0.5),
)
_effect(
    "BumpMap",
    "An image of heights (Coin).",
    filename=key(v.SF_STRING, ""),
    image=key(v.SF_IMAGE, v.numbers("0 0 0")),
    **_WRAPPED,
)
_kept("BumpMapCoordinate", "Coordinates in images of heights.", point=key(v.MF_VEC2F, v.numbers("0 0")))
_kept("BumpMapTransform", "Moves coordinates in images of heights.", **_FLAT)
_effect(
    "TextureCoordinatePlane",
    "Texture coordinates by the distance from planes.",
    directionS=key(v.SF_VEC3F, (1.0, 0.0, 0.0)),
    directionT=key(v.SF_VEC3F, (0.0, 1.0, 0.0)),
    directionR=key(v.SF_VEC3F, (0.0, 0.0, 1.0)),
)
for _name in ("Cube", "Cylinder", "Sphere", "Environment"):
    _effect(f"TextureCoordinate{_name}", f"Texture coordinates of a {_name.lower()} around.")

#: Every node of this module by its tag.
EFFECTS: Mapping[str, type[Tagged]] = MappingProxyType({cls.__name__: cls for cls in _made})

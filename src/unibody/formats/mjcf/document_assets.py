"""Declares meshes, materials, textures and other assets."""

from __future__ import annotations

from unibody.document.declare import TEXT, Document, children, choice, element, key
from unibody.formats.mjcf.document_bodies import Plugin
from unibody.formats.mjcf.document_element import (
    FLAG,
    FOUR,
    INTEGER,
    NUMBER,
    NUMBERS,
    PAIR,
    TRIPLE,
    Element,
)


@element
class MeshValues(Element):
    """The values of a mesh that a default class may set."""

    inertia: str = key(choice("convex", "legacy", "exact", "shell"), "legacy")
    maxhullvert: int = key(INTEGER, -1)
    scale: tuple[float, ...] = key(TRIPLE, (1.0, 1.0, 1.0))


@element
class Mesh(MeshValues):
    """A mesh: a file, or vertices in place."""

    KEY = "mesh"
    builtin: str | None = key(
        choice(
            "none",
            "sphere",
            "hemisphere",
            "cone",
            "supertorus",
            "supersphere",
            "wedge",
            "plate",
        )
    )
    class_: str | None = key(TEXT, name="class", local="class")
    content_type: str | None = key(TEXT)
    face: tuple[float, ...] | None = key(NUMBERS)
    file: str | None = key(TEXT)
    material: str | None = key(TEXT, local="material")
    name: str | None = key(TEXT)
    normal: tuple[float, ...] | None = key(NUMBERS)
    params: tuple[float, ...] | None = key(NUMBERS)
    refpos: tuple[float, ...] | None = key(TRIPLE, unit="m", doc="in the coordinates of the file")
    refquat: tuple[float, ...] = key(FOUR, (1.0, 0.0, 0.0, 0.0))
    smoothnormal: bool = key(FLAG, False)
    texcoord: tuple[float, ...] | None = key(NUMBERS)
    vertex: tuple[float, ...] | None = key(NUMBERS)
    plugins: list[Plugin] = children(Plugin, by="key")


@element
class HeightField(Element):
    """A height field: heights over a grid."""

    KEY = "hfield"
    content_type: str | None = key(TEXT)
    elevation: tuple[float, ...] | None = key(NUMBERS)
    file: str | None = key(TEXT)
    name: str | None = key(TEXT)
    ncol: int | None = key(INTEGER)
    nrow: int | None = key(INTEGER)
    size: tuple[float, ...] | None = key(FOUR, required=True)


@element
class Layer(Element):
    """A texture of a material, and what it is used for."""

    KEY = "layer"
    role: str | None = key(TEXT, required=True)
    texture: str | None = key(TEXT, local="texture")


@element
class MaterialValues(Element):
    """The values of a material that a default class may set."""

    emission: float | None = key(NUMBER)
    metallic: float = key(NUMBER, -1.0)
    reflectance: float | None = key(NUMBER)
    rgba: tuple[float, ...] = key(FOUR, (1.0, 1.0, 1.0, 1.0))
    roughness: float = key(NUMBER, -1.0)
    shininess: float = key(NUMBER, 0.5)
    specular: float = key(NUMBER, 0.5)
    texrepeat: tuple[float, ...] = key(PAIR, (1.0, 1.0))
    texture: str | None = key(TEXT, local="texture")
    texuniform: bool = key(FLAG, False)
    layers: list[Layer] = children(Layer, by="key")


@element
class Material(MaterialValues):
    """The appearance of geoms."""

    KEY = "material"
    class_: str | None = key(TEXT, name="class", local="class")
    name: str | None = key(TEXT)


@element
class TextureValues(Element):
    """The values of a texture that a default class may set."""

    builtin: str | None = key(choice("none", "gradient", "checker", "flat"))
    colorspace: str = key(choice("auto", "linear", "sRGB"), "auto")
    embed: str | None = key(TEXT)
    gridlayout: str | None = key(TEXT)
    gridsize: tuple[float, ...] = key(PAIR, (1.0, 1.0))
    height: int | None = key(INTEGER)
    hflip: bool = key(FLAG, False)
    mark: str | None = key(choice("none", "edge", "cross", "random"))
    markrgb: tuple[float, ...] | None = key(TRIPLE)
    nchannel: int = key(INTEGER, 3)
    random: float = key(NUMBER, 0.01)
    rgb1: tuple[float, ...] = key(TRIPLE, (0.8, 0.8, 0.8))
    rgb2: tuple[float, ...] = key(TRIPLE, (0.5, 0.5, 0.5))
    type: str = key(choice("2d", "cube", "skybox"), "cube")
    vflip: bool = key(FLAG, False)
    width: int | None = key(INTEGER)


@element
class Texture(TextureValues):
    """An image: a file, files for the sides of a cube, or a pattern."""

    KEY = "texture"
    class_: str | None = key(TEXT, name="class", doc="MuJoCo 4.0", local="class")
    content_type: str | None = key(TEXT)
    file: str | None = key(TEXT)
    fileback: str | None = key(TEXT)
    filedown: str | None = key(TEXT)
    filefront: str | None = key(TEXT)
    fileleft: str | None = key(TEXT)
    fileright: str | None = key(TEXT)
    fileup: str | None = key(TEXT)
    name: str | None = key(TEXT)


@element
class Bone(Element):
    """A body that moves vertices of a skin."""

    KEY = "bone"
    bindpos: tuple[float, ...] | None = key(TRIPLE)
    bindquat: tuple[float, ...] | None = key(FOUR)
    body: str | None = key(TEXT, required=True, refers="links")
    vertid: tuple[float, ...] | None = key(NUMBERS)
    vertweight: tuple[float, ...] | None = key(NUMBERS)


@element
class Skin(Element):
    """A mesh whose vertices follow several bodies, for drawing."""

    KEY = "skin"
    face: tuple[float, ...] | None = key(NUMBERS)
    file: str | None = key(TEXT)
    group: int | None = key(INTEGER)
    inflate: float | None = key(NUMBER)
    material: str | None = key(TEXT, local="material")
    name: str | None = key(TEXT)
    rgba: tuple[float, ...] = key(FOUR, (0.5, 0.5, 0.5, 1.0))
    texcoord: tuple[float, ...] | None = key(NUMBERS)
    vertex: tuple[float, ...] | None = key(NUMBERS)
    bones: list[Bone] = children(Bone, by="key")


@element
class Model(Element):
    """Another model file, parts of which are attached."""

    KEY = "model"
    content_type: str | None = key(TEXT)
    file: str | None = key(TEXT)
    name: str | None = key(TEXT)


@element
class Asset(Element):
    """Meshes, textures and other data that elements refer to by name."""

    KEY = "asset"
    JOINED = True
    items: list[Document] = children(Mesh, HeightField, Material, Texture, Skin, Model, by="key")

"""The layers of a written stage: one file each beside the model, or all in one text."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from pathlib import PurePath

from unibody.document.declare import Document
from unibody.formats.format import AssetStore
from unibody.formats.usd.composition.compose import crate
from unibody.formats.usd.composition.package import packed
from unibody.formats.usd.reader import SIDECAR
from unibody.formats.usd.write_shapes import LIBRARY, Shapes
from unibody.formats.usd.write_stage import Sheet, Stage
from unibody.model.shape import Texture
from unibody.text.usda.layer import Attribute, Layer, Prim, Reference, Typed
from unibody.text.usda.printer import print_layer

_CREATOR = "unibody"
_Units = dict[str, object]


class Layers(Document):
    """A stage that is written: its prims by layer, the meshes, and the lines of the side-car."""

    __slots__ = ("shapes", "sidecar", "stage")
    stage: Stage
    shapes: Shapes
    sidecar: list[str]


def made(stage: Stage, shapes: Shapes) -> Layers:
    """The document of a stage."""
    out = Layers()
    out.stage, out.shapes, out.sidecar = stage, shapes, []
    return out


def pack(document: Document, store: AssetStore, path: str) -> bytes:
    """The bytes of the model file at ``path``, whose other layers are added to the store.

    A text without a place of its own, such as one in memory, has all in one layer.
    """
    assert isinstance(document, Layers)
    kind = PurePath(path).suffix.lower()
    if kind in (".usda", ".usd"):
        return _files(document, store).encode()
    if kind not in (".usdc", ".usdz"):
        return single(document, lambda texture: store.texture(texture).uri).encode()
    images: dict[str, bytes] = {}

    def image(texture: Texture) -> str:
        found = store.texture(texture)
        if kind == ".usdc" or not found.path:
            return found.uri
        name = f"images/{store.beside(found.path).rpartition('/')[2]}"
        images[name] = store.content(found.path)
        return f"./{name}"

    root = crate(single(document, image), path)
    return root if kind == ".usdc" else packed({f"{PurePath(path).stem}.usdc": root, **images})


def single(document: Layers, image: Callable[[Texture], str]) -> str:
    """The text of a stage as one layer; ``image`` is the asset path of a texture."""
    stage = document.stage
    library = {prim.name: prim for prim in document.shapes.library}
    # the strongest first, as the sublayers of the files
    root = _joined([_root(stage.physics), _root(stage.geometry), _root(stage.materials)])
    _annotate(root, document)
    for prim in _all(root):
        for reference in prim.references:
            prim.properties = [*library[reference.prim.rpartition("/")[2]].properties, *prim.properties]
        prim.references = []
    _with_images(root, image)
    return print_layer(Layer(_head(stage), prims=[root]))


def _files(document: Layers, store: AssetStore) -> str:
    """The text of the model file; its other layers are added as files."""
    stage = document.stage
    name = stage.root[1:]
    asset = ""
    if document.shapes.library:
        library = Prim(LIBRARY, "Scope", "class", children=document.shapes.library)
        asset = _near(store, _add(store, "GeometryLibrary", Layer(_head(stage, LIBRARY), prims=[library])))
    geometry = _root(stage.geometry)
    for prim in _all(geometry):
        prim.references = [Reference(asset, x.prim) for x in prim.references]
    looks = _root(stage.materials)
    _with_images(looks, lambda texture: f"./{store.image(texture)}")
    # the weakest one comes last: it has the order of the prims
    parts = {"Physics": _root(stage.physics), "Materials": looks, "Geometry": geometry}
    below = [
        _near(store, _add(store, word, Layer(_head(stage), prims=[prim])))
        for word, prim in parts.items()
        if any(child.children for child in prim.children)
    ]
    contents = _add(store, "Contents", Layer(_head(stage), below, [Prim(name, "Xform")]))
    root = Prim(name, "Xform")
    _annotate(root, document)
    root.payloads.append(Reference(f"./{store.uri(contents)}"))
    return print_layer(Layer(_head(stage), prims=[root]))


def _add(store: AssetStore, name: str, layer: Layer) -> str:
    """Add a layer to the files, and return its path."""
    return store.add(print_layer(layer).encode(), name, ".usda")


def _near(store: AssetStore, path: str) -> str:
    """The asset path of a layer as seen from the others."""
    return f"./{store.beside(path)}"


def _head(stage: Stage, default: str = "") -> _Units:
    return {
        "customLayerData": {"creator": Typed("string", _CREATOR)},
        "defaultPrim": default or stage.root[1:],
        "kilogramsPerUnit": 1,
        "metersPerUnit": 1,
        "upAxis": "Z",
    }


def _annotate(root: Prim, document: Layers) -> None:
    """Say of the robot's prim what it is, and what the schemas of USD lack."""
    title = document.stage.title
    root.apply("GeomModelAPI")
    root.metadata["assetInfo"] = {"name": Typed("string", title or root.name)}
    if document.sidecar:
        kind, _, key = SIDECAR.partition(" ")
        root.metadata["customData"] = {key: Typed(kind, document.sidecar)}
    if title and title != root.name:
        root.metadata["displayName"] = title
    root.metadata["kind"] = "component"


def _root(sheet: Sheet) -> Prim:
    """A copy of the prims of a layer, which may be changed."""
    return _copied(sheet.root)


def _copied(prim: Prim) -> Prim:
    out = copy(prim)
    out.properties, out.references, out.schemas = (
        list(prim.properties),
        list(prim.references),
        list(prim.schemas),
    )
    out.metadata = dict(prim.metadata)
    out.children = [_copied(child) for child in prim.children]
    return out


def _all(root: Prim) -> list[Prim]:
    out = [root]
    for prim in out:
        out += prim.children
    return out


def _joined(prims: list[Prim]) -> Prim:
    """One prim that says what several say."""
    first = prims[0]
    out = Prim(first.name, next((p.type for p in prims if p.type), ""))
    out.specifier = next((p.specifier for p in prims if p.specifier != "over"), "over")
    children: dict[str, list[Prim]] = {}
    for prim in prims:
        out.apply(*prim.schemas)
        out.references += prim.references
        out.metadata |= prim.metadata
        out.properties += prim.properties
        for child in prim.children:
            children.setdefault(child.name, []).append(child)
    out.children = [_joined(each) for each in children.values()]
    return out


def _with_images(root: Prim, uri: Callable[[Texture], str]) -> None:
    """Name the image files of textures."""
    for prim in _all(root):
        prim.properties = [
            Attribute(x.type, x.name, uri(x.value))
            if isinstance(x, Attribute) and isinstance(x.value, Texture)
            else x
            for x in prim.properties
        ]

"""What assets of MJCF say by themselves: names, files, data, and their order."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from unibody.document.declare import Document
from unibody.formats.mjcf import document_assets as assets
from unibody.formats.mjcf.meshes import mesh_name

#: The attributes that name files.
FILES = ("file", "fileback", "filedown", "filefront", "fileleft", "fileright", "fileup")


def in_order(docs: Sequence[Document]) -> list[Document]:
    """Assets in the order in which they are written: textures, materials, others."""
    order = {"texture": 0, "material": 1}
    return sorted(docs, key=lambda doc: order.get(getattr(doc, "KEY", ""), 2))


def files_of(doc: Document) -> Iterator[tuple[str, str]]:
    """The attributes of an element that name files, and what they say."""
    for attribute in FILES:
        file = getattr(doc, attribute, None)
        if file:
            yield attribute, file


def has_data(doc: Document) -> bool:
    """Whether an asset says what it is; for those of shapes the model does."""
    if any(files_of(doc)):
        return True
    match doc:
        case assets.Mesh():
            return bool(doc.vertex) or (doc.builtin or "none") != "none" or bool(doc.plugins)
        case assets.Texture():
            return (doc.builtin or "none") != "none"
        case assets.HeightField():
            return doc.nrow is not None
    return True


def name_of(doc: Document) -> str:
    """The name of an asset, which may be that of its file."""
    if isinstance(doc, assets.Mesh):
        return mesh_name(doc)
    stem = os.path.splitext(os.path.basename((getattr(doc, "file", None) or "").replace("\\", "/")))[0]
    return getattr(doc, "name", None) or stem


def color_layer(doc: assets.Material) -> str | None:
    """The texture of the colors of a material that has layers."""
    return next((layer.texture for layer in doc.layers if layer.role == "rgb"), None)

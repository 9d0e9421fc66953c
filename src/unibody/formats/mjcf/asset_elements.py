"""Assets of MJCF and other elements with files: names, data, and the files of those that are kept.

What is kept names such a file by a word, and ``Extra.files`` says which file that is, so that files can be
copied, and equal files are equal extras wherever they are.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from unibody.document.declare import Document
from unibody.formats.format import Context
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_assets as assets
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.document_element import nested
from unibody.formats.mjcf.tree import Scope
from unibody.model.changes.joints import free_name
from unibody.model.robot import Extra, ExtraFile
from unibody.text.finding import Findings
from unibody.text.node import Item, Node, elements, placed_copy, words
from unibody.text.source import Span

#: The elements whose name is that of their file if they state none.
NAMED_BY_FILE = (assets.Mesh.KEY, assets.HeightField.KEY, assets.Texture.KEY)
#: The attributes that name files.
FILES = ("file", "fileback", "filedown", "filefront", "fileleft", "fileright", "fileup")
#: The URI and the path of each file of an element, by attribute; elements by tag and name.
References = Mapping[tuple[str, str], Mapping[str, tuple[str, str]]]

#: Elements with files: those of meshes, then those of images.
MESHES, IMAGES = (assets.Mesh, assets.HeightField, assets.Skin, b.Flexcomp), assets.Texture
#: A name of a file begins with this, so that no other word is the same.
_MARK = "file:"


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
    return getattr(doc, "name", None) or stem(getattr(doc, "file", None))


def stem(file: str | None) -> str:
    """The name of a file without folder and suffix."""
    return os.path.splitext(os.path.basename((file or "").replace("\\", "/")))[0]


def color_layer(doc: assets.Material) -> str | None:
    """The texture of the colors of a material that has layers."""
    return next((layer.texture for layer in doc.layers if layer.role == "rgb"), None)


# --- files that are kept ----------------------------------------------------------------


def file_references(
    scopes: Sequence[Scope],
    soft: Sequence[tuple[Document, Scope]],
    used: Collection[tuple[str, str]],
    context: Context,
) -> References:
    """The files of the elements of models that no shape has.

    ``soft`` are elements of bodies that may have files; ``used`` are the tags and names of the assets
    that shapes have.
    """
    out: dict[tuple[str, str], dict[str, tuple[str, str]]] = {}
    in_sections = [
        (item, scope)
        for scope in scopes
        for section in scope.doc.items
        if isinstance(section, d.Asset | d.Deformable)
        for item in section.items
    ]
    for doc, scope in [*in_sections, *soft]:
        key = (getattr(doc, "KEY", ""), name_of(doc))
        if not isinstance(doc, (*MESHES, IMAGES)) or key in used or key in out:
            continue
        folder = scope.settings.texturedir if isinstance(doc, IMAGES) else scope.settings.meshdir
        found = {}
        for attribute, file in files_of(doc):
            at = doc.at(attribute)
            found[attribute] = asset_file(file, folder, scope, context, at, context.findings)
        out[key] = found
    return out


def take_files(doc: Document, references: References) -> tuple[ExtraFile, ...]:
    """Put names instead of the files of an element and of those inside; the files by these names."""
    out: dict[str, ExtraFile] = {}
    for one in nested([doc]):
        found = references.get((getattr(one, "KEY", ""), name_of(one)), {})
        for attribute, (uri, path) in found.items():
            stem, suffix = name_of(one), os.path.splitext(uri)[1]
            side = attribute.removeprefix("file")
            name = free_name(f"{_MARK}{stem}{f'-{side}' if side else ''}{suffix}", out)
            out[name] = ExtraFile(name=name, uri=uri, path=path)
            setattr(one, attribute, name)
            if getattr(one, "KEY", "") in NAMED_BY_FILE:
                # where none is stated it is that of the file, and a copy may be called otherwise
                one.name = stem  # type: ignore[attr-defined]
    return tuple(out.values())


def without_missing(extras: Sequence[Extra]) -> tuple[Extra, ...]:
    """Extras of MJCF without elements whose files are missing, and without what shows them."""
    missing = {name for extra in extras for name in _named(extra.node) - {x.name for x in extra.files}}
    if not missing:
        return tuple(extras)
    gone = _Gone([extra.node for extra in extras], missing)
    out = []
    for extra in extras:
        top = placed_copy(extra.node)
        for node in elements(top):
            node.items = [item for item in node.items if not gone.holds(node, item)]
        top.items = [item for item in top.items if not isinstance(item[1], Node) or item[1].items]
        out.append(replace(extra, node=top))
    return tuple(out)


class _Gone:
    """The elements of some trees whose files are missing, by tag and name."""

    def __init__(self, tops: Sequence[Node], missing: Collection[str]) -> None:
        self._missing = missing
        self._names = {
            (node.tag, node.word("name")) for top in tops for node in elements(top) if self._has_file(node)
        }

    def holds(self, node: Node, item: Item) -> bool:
        """Whether an item of an element is, or shows, something whose file is missing."""
        key, value, _ = item
        if not isinstance(value, Node):
            return node.tag == "material" and key == "texture" and (key, node.word(key)) in self._names
        keys = ("texture",) if value.tag == "layer" else ("mesh", "hfield")
        return self._has_file(value) or any((x, value.word(x) or "") in self._names for x in keys)

    def _has_file(self, node: Node) -> bool:
        return any(node.word(attribute) in self._missing for attribute in FILES)


def lost_files(before: object, after: object) -> bool:
    """Whether an extra, or the node or a file of one, has lost names of files, or geoms that show files."""
    return bool(_named(before) - _named(after) or _shown(before) - _shown(after))


def _shown(value: object) -> set[str]:
    """The meshes and height fields of the geoms in an extra or a part of one."""
    top = value.node if isinstance(value, Extra) else value
    if not isinstance(top, Node):
        return set()
    geoms = [node for node in elements(top) if node.tag == "geom"]
    return {name for node in geoms for key in ("mesh", "hfield") if (name := node.word(key))}


def _named(value: object) -> set[str]:
    """The names of files in an extra or a part of one."""
    match value:
        case ExtraFile():
            return {value.name}
        case Extra():
            return _named(value.node)
        case Node():
            return {word for word in words(value) if word.startswith(_MARK)}
    return set()


# --- where files are ----------------------------------------------------------------------


def asset_file(
    file: str | None, folder: str, scope: Scope, context: Context, at: Span | None, findings: Findings
) -> tuple[str, str]:
    """The path of the file of an asset from the main file, and where it is, "" if not found."""
    path = asset_path(file, folder, scope, context, at, findings)
    if path and scope.path != context.path:
        return os.path.relpath(path, os.path.dirname(context.path) or "."), path
    return asset_uri(file, folder, scope), path


def asset_path(
    file: str | None, folder: str, scope: Scope, context: Context, at: Span | None, findings: Findings
) -> str:
    """The path of the file of an asset, "" if not found: below ``folder``, from the main file.

    If it is not there, it may be beside the included file that names it, without ``folder``, as in MuJoCo.
    """
    noted = Findings()
    if path := context.files.resolve(asset_uri(file, folder, scope), scope.path, at, noted):
        return path
    included = at.source.name if at is not None else scope.path
    if included != scope.path and not scope.settings.strippath:
        beside = asset_uri(file, "", scope)
        if path := context.files.find(beside, included):
            return path
    for finding in noted[:1]:
        findings.append(finding)
    return ""


def asset_uri(file: str | None, folder: str, scope: Scope) -> str:
    """The path of the file of an asset from the main file, as the settings of the compiler say."""
    name = (file or "").replace("\\", "/")
    if scope.settings.strippath:
        name = name.rpartition("/")[2]
    if not folder or os.path.isabs(name):
        return name
    return f"{folder.replace(chr(92), '/').rstrip('/')}/{name}"

"""Resolves includes, default classes, replicates and the kinds of actuators before binding."""

from __future__ import annotations

from unibody.document.bind import Binding, bind
from unibody.formats.format import Context
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf.attached_classes import AttachedClasses
from unibody.formats.mjcf.conventions import settings_of
from unibody.formats.mjcf.defaults import GENERAL, resolve_defaults
from unibody.formats.mjcf.drives import name_kinds
from unibody.formats.mjcf.includes import include
from unibody.formats.mjcf.replicate import replicate
from unibody.text.finding import Finding, Findings, TextError
from unibody.text.node import Node, elements, placed_copy

ROOT = "mujoco"
# Elements and attributes that are resolved here; a tree without them is left as it is.
_SUGAR = frozenset(("include", "default", "replicate", "class", "childclass", "discardvisual", GENERAL))
#: What a model without looks has not: the elements of assets, and the attribute that refers to a material.
_LOOKS = frozenset(("material", "texture"))
# Elements beside <worldbody> that MuJoCo accepts and ignores.
_IGNORED = frozenset(("body", "frame", "replicate"))


def expand(root: Node, context: Context, looks: bool | None = None) -> Node:
    """The tree with its includes, default classes and replicates resolved; the given tree is unchanged.

    ``looks`` tells whether it has materials and textures, by default as its ``discardvisual`` says.
    """
    if root.tag != ROOT:
        message = f"the root element is <{root.tag}>, not <{ROOT}>"
        hint = "include this file in a model" if root.tag == "mujocoinclude" else ""
        raise TextError(Finding("not-a-robot", "error", message, root.span, hint))
    words = _words(root)
    if not words & _SUGAR and not any(key in _IGNORED for key, _, _ in root.items):
        return root
    root = placed_copy(root)
    if "include" in words:
        include(root, context)
        words = _words(root)
    _drop_ignored(root, context.findings)
    resolve_defaults(root, context.findings, AttachedClasses(root, context))
    name_kinds(root)
    compilers = [value for key, value, _ in root.items if key == "compiler" and isinstance(value, Node)]
    noted = Findings()  # reported when the whole file is bound
    settings = settings_of([bind(d.Compiler, node, Binding(noted, xml=True)) for node in compilers])
    if settings.discardvisual if looks is None else not looks:
        _drop_looks(root)
    if "replicate" in words:
        replicate(root, settings, context)
    return root


def _drop_looks(root: Node) -> None:
    """Remove materials and textures, and what refers to them, in place, as MuJoCo does."""
    for node in elements(root):
        is_asset = node.tag == d.Asset.KEY
        node.items = [x for x in node.items if x[0] not in _LOOKS or (x[0] == "texture" and not is_asset)]


def _drop_ignored(root: Node, findings: Findings) -> None:
    """Remove the bodies beside the world, in place, as MuJoCo does."""
    for key, value, _ in root.items:
        if key in _IGNORED and isinstance(value, Node):
            findings.warning(
                "body-ignored",
                f"<{key}> stands in <{ROOT}>, outside <worldbody>; MuJoCo ignores it",
                value.span,
                "put it into <worldbody>, or remove it",
            )
    root.items = [item for item in root.items if item[0] not in _IGNORED or not isinstance(item[1], Node)]


def _words(root: Node) -> set[str]:
    """The tags and attributes of a tree."""
    found: set[str] = set()
    todo = [root]  # by hand: every load goes through all items
    while todo:
        for key, value, _ in todo.pop().items:
            found.add(key)
            if isinstance(value, Node):
                todo.append(value)
    return found

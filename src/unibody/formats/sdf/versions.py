"""Versions of SDF: which one a file states, and what the text of older ones means today."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from unibody.document.declare import FILLED
from unibody.formats.names import Names
from unibody.formats.sdf.frames import MODEL, WORLD
from unibody.text.finding import Findings
from unibody.text.fixes import respelled
from unibody.text.node import Item, Node, Word, elements
from unibody.text.source import Span

Version = tuple[int, int]
#: The versions that are read exactly.
FIRST: Version = (1, 4)
NEWEST: Version = (1, 12)
# Before these, axes are in the frame of the model, names of siblings may be equal, and names may have "::".
_JOINT_AXES: Version = (1, 5)
_UNIQUE: Version = (1, 7)
# Before this, the gravity of a world is that of its physics.
_GRAVITY: Version = (1, 6)
_PLAIN: Version = (1, 8)
_NUMBER = re.compile(r"\s*(\d{1,9})\.(\d{1,9})(?:\.\d+)?\s*\Z")
_MODEL_AXIS = "use_parent_model_frame"
_POSED = ("link", "joint", "inertial", "visual", "collision", "sensor")
_HOLDERS = ("sdf", "world", "population", "model", "actor", "link", "joint")
_SIBLINGS = ("link", "joint", "frame", "model")


def version_of(root: Node, findings: Findings) -> Version:
    """The version that a file states; the newest one, with an error, if it states none that exists."""
    written = root.word("version")
    at = root.item_span(next((i for i in root.items if i[0] == "version"), ("", root, -1)))
    shown = f"{NEWEST[0]}.{NEWEST[1]}"
    if written is None:
        findings.error(
            "sdf-version",
            f"<sdf> without version; read as {shown}, but libsdformat rejects the file",
            root.span,
            f'add version="{shown}"',
        )
        return NEWEST
    found = _NUMBER.match(written)
    version = (int(found[1]), int(found[2])) if found else (0, 0)
    if not (1, 0) <= version <= NEWEST:
        findings.error(
            "sdf-version",
            f"unknown version '{written}'; read as {shown}",
            at,
            f"versions {FIRST[0]}.{FIRST[1]} to {shown} are read",
        )
        return NEWEST
    if version < FIRST:
        findings.warning(
            "sdf-version",
            f"version {written} is read as {FIRST[0]}.{FIRST[1]}, which differs in details",
            at,
            f"convert the file with: gz sdf -p; versions {FIRST[0]}.{FIRST[1]} to {shown} are read exactly",
        )
    return version


def convert(root: Node, version: Version, included: Container[int], findings: Findings) -> None:
    """Bring the text of a file to today's meaning, in place, and report names that are not allowed.

    ``included`` are the ids of the elements of other files, whose text is converted already.
    """
    own = _of_file(root, included)
    if version < _JOINT_AXES:
        _model_axes(own, version, findings)
    for node in own:
        if node.tag == "world" and version < _GRAVITY:
            _move_gravity(node)
        if node.tag == "world" and version < _PLAIN:
            for key, value, _ in node.items:
                if key == "model" and isinstance(value, Node):
                    _unflatten(value)
        if node.tag in ("model", "world"):
            _check_names(node, version, findings)
        if node.tag in _POSED:
            _check_pose(node, findings)


def _check_pose(node: Node, findings: Findings) -> None:
    """Report an origin as in URDF, which no program reads."""
    origin = node.get("origin")
    if isinstance(origin, Node):
        name = _name(node)
        what = f"{node.tag} '{name}'" if name else node.tag
        numbers = f"{origin.word('xyz') or '0 0 0'} {origin.word('rpy') or '0 0 0'}"
        findings.warning(
            "urdf-element",
            f"{what}: <origin> is of URDF, and is not read: SDF says <pose>",
            origin.span,
            f"write <pose>{numbers}</pose>"
            if node.tag != "joint"
            else "give the child link its <pose> in the model; the pose of a joint is in its child link",
        )


def _of_file(root: Node, included: Container[int]) -> list[Node]:
    """The elements of a file down to what is on its links and joints, in the order of the file."""
    out: list[Node] = []
    todo = [root]
    while todo:
        node = todo.pop()
        out.append(node)
        if node.tag in _HOLDERS:
            inner = [v for _, v, _ in node.items if isinstance(v, Node) and id(v) not in included]
            todo += inner[::-1]
    return out


def _model_axes(own: Sequence[Node], version: Version, findings: Findings) -> None:
    """Axes without a word about it are in the frame of the model."""
    first: Node | None = None
    for node in own:
        if node.tag in ("axis", "axis2") and node.get(_MODEL_AXIS) is None:
            node.items.append(
                (
                    "use_parent_model_frame",
                    Node("use_parent_model_frame", [("", Word("true"), FILLED)]),
                    FILLED,
                )
            )
            first = first or node
    if first is not None:
        findings.info(
            "reference-differs",
            f"version {version[0]}.{version[1]}: axes are in the frame of the model; since "
            f"{_JOINT_AXES[0]}.{_JOINT_AXES[1]} they are in that of the joint",
            first.span,
        )


def _move_gravity(world: Node) -> None:
    """Move the gravity out of the first physics of a world, into the world."""
    physics = world.get("physics")
    if not isinstance(physics, Node):
        return
    moved = [item for item in physics.items if item[0] == "gravity"]
    if moved:
        physics.items = [item for item in physics.items if item[0] != "gravity"]
        world.items += moved


def _name(node: Node) -> str:
    return node.word("name") or ""


def _named(node: Node) -> list[Node]:
    return [value for key, value, _ in node.items if key in _SIBLINGS and isinstance(value, Node)]


def _check_names(node: Node, version: Version, findings: Findings) -> None:
    """Report names that siblings share, that are reserved, or have ``::``; rename those of old files."""
    seen: dict[str, Node] = {}
    taken = Names(map(_name, _named(node)))
    what = f"{node.tag} '{_name(node)}'"
    for inner in _named(node):
        name = _name(inner)
        if not name:
            continue
        at = _name_place(inner)
        if name == WORLD and inner.tag == "link":
            findings.warning(
                "name-reserved",
                f"{what}: '{WORLD}' is a reserved name: in a joint it means the world, not this link",
                at,
                "rename the link",
            )
        elif name == WORLD or (name.startswith("__") and name.endswith("__")):
            findings.error(
                "name-reserved", f"{what}: the name '{name}' is reserved", at, "choose another name"
            )
        if "::" in name and version >= _PLAIN:
            findings.error(
                "name-reserved",
                f"{what}: '::' in the name '{name}' of a {inner.tag}; it separates names of nested models",
                at,
                "write a nested <model>, or another name",
            )
        first = seen.setdefault(name, inner)
        if first is inner:
            continue
        if version >= _UNIQUE:
            both = f"two {inner.tag}s" if first.tag == inner.tag else f"a {first.tag} and a {inner.tag}"
            findings.error(
                "name-duplicate",
                f"{what}: '{name}' names {both}: siblings must differ since 1.7",
                at,
                "rename one of them",
                fix=respelled(at, name, f"{name}_{inner.tag}"),
            )
        elif inner.tag in ("frame", "joint") or first.tag != inner.tag:
            made = taken.take(f"{name}_{inner.tag}")
            seen[made] = inner
            rename(inner, made)
        else:
            findings.error("name-duplicate", f"{what}: two {inner.tag}s '{name}'", at, "rename one of them")


def _name_place(node: Node) -> Span | None:
    return node.item_span(next(i for i in node.items if i[0] == "name"))


def rename(node: Node, name: str) -> None:
    """Give an element another name, in place."""
    node.items = [(k, Word(name), at) if k == "name" else (k, v, at) for k, v, at in node.items]


# --- flattened includes -----------------------------------------------------------------


def _unflatten(model: Node) -> None:
    """Turn items with names such as ``a::b`` back into nested models, in place."""
    todo = [model]
    while todo:
        outer = todo.pop()
        made: dict[str, Node] = {}
        items: list[Item] = []
        for key, value, start in outer.items:
            first, colons, rest = _name(value).partition("::") if isinstance(value, Node) else ("", "", "")
            if not colons or key not in ("link", "joint", "frame", "model", "gripper"):
                items.append((key, value, start))
                continue
            assert isinstance(value, Node)
            inner = made.get(first)
            if inner is None:
                inner = made[first] = Node("model", [("name", Word(first), -1)], value.source, value.start)
                inner.end = value.end
                items.append(("model", inner, start))
                todo.append(inner)
            if key == "frame" and rest == MODEL:
                inner.items += _placed(value, first)
                continue
            _shorten(value, first)
            inner.items.append((key, value, start))
        outer.items = items


def _placed(frame: Node, prefix: str) -> list[Item]:
    """The pose of a nested model, and its canonical link, of the frame that stands for it."""
    out: list[Item] = [item for item in frame.items if item[0] == "pose"]
    attached = frame.word("attached_to") or ""
    if attached.startswith(f"{prefix}::"):
        out.append(("canonical_link", Word(attached[len(prefix) + 2 :]), FILLED))
    return out


_REFERRING = ("name", "relative_to", "frame", "attached_to", "expressed_in", "canonical_link")


def _shorten(top: Node, prefix: str) -> None:
    """Remove the name of the model from names in an element, in place."""
    start = f"{prefix}::"

    def short(text: str) -> str:
        return text[len(start) :] if text.startswith(start) else text

    for node in elements(top):
        is_reference = node.tag in ("parent", "child")
        node.items = [
            (k, Word(short(v.text.strip()), v.start, v.end), at)
            if isinstance(v, Word) and (k in _REFERRING or (is_reference and not k))
            else (k, v, at)
            for k, v, at in node.items
        ]

"""The file of a robot as an importer misreads it: without an attribute, or with classes by wrong rules.

Each misreading is a file that the reader of its format reads again. What an engine has that agrees with one
is explained exactly, by what the file states.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from unibody.formats.loader import LoadError, Reading, loads
from unibody.formats.mjcf.engine import class_misreadings
from unibody.model.robot import Robot
from unibody.text.node import Item, Node, Word, with_items
from unibody.text.xml.printer import print_xml

# Attributes that name things or say which they are.
_NAMES = frozenset(
    "name class childclass link joint body geom site mesh file filename material texture group rgba "
    "model type body1 body2 joint1 joint2 tendon version target xmlns meshdir texturedir assetdir "
    "contype conaffinity condim solref solimp margin key ctrl user priority solmix "
    "vertex face normal texcoord elevation nrow ncol maxhullvert smoothnormal builtin params".split()
)
# Elements of which the attributes concern no motion.
_OTHERS = frozenset(
    "visual_options statistic texture material light camera sensor key custom numeric text size flag "
    "robot mujoco transmission gazebo".split()
)
#: What elements have that do not state it: of defaults that importers take for others. A name is needed
#: where elements of the tag are also found elsewhere.
_DEFAULTS: Mapping[str, tuple[tuple[str, str, str, str], ...]] = {
    "mjcf": (
        ("joint", "axis", "1 0 0", "default axis x instead of z, where a joint states none"),
        ("compiler", "angle", "radian", "default unit of angles: radians instead of degrees"),
        ("compiler", "inertiafromgeom", "true", "stated <inertial> ignored: masses are those of the geoms"),
        ("compiler", "autolimits", "false", "ranges without limited='true' ignored (autolimits)"),
        ("compiler", "balanceinertia", "true", "inertias balanced (balanceinertia)"),
        ("compiler", "eulerseq", "XYZ", "default order of Euler angles: XYZ about fixed axes, not xyz"),
        ("compiler", "eulerseq", "zyx", "default order of Euler angles: zyx, not xyz"),
    ),
}
# The most misreadings of a file.
_MOST = 120


#: What an element becomes, given what it is of.
Change = Callable[[Node, str], Node]


@dataclass(frozen=True, slots=True)
class Misread:
    """A misreading of a file: its words, what the file then says, and the place that is not read."""

    words: str
    node: Node
    ignored: str = ""


def misreadings(reading: Reading) -> Iterator[tuple[str, str, Robot]]:
    """What an importer has of a file after each of the usual misreadings: words, and the robot.

    Between them is which of several places of an attribute is not read, "" where it is no such place.
    """
    node, format = reading.node, reading.format
    if not isinstance(node, Node) or format is None or format.name not in ("urdf", "mjcf"):
        return
    folder = os.path.dirname(os.path.abspath(reading.source.name)) if reading.source is not None else ""
    for count, misread in enumerate(_misread(node, format.name)):
        if count >= _MOST:
            return
        try:
            text = print_xml(misread.node)
            robot = loads(text, format=format.name, directory=folder, files=reading.files)
        except (LoadError, ValueError, OSError):
            continue
        yield misread.words, misread.ignored, robot


def _misread(node: Node, format: str) -> Iterator[Misread]:
    if format == "mjcf":
        for words, changed in class_misreadings(node):
            yield Misread(words, changed)
    whole = node
    if format == "mjcf" and node.get("compiler") is None:
        whole = with_items(node, [*node.items, ("compiler", Node("compiler"), -1)])
    for words, place, change in _changes(node, format):
        made = _mapped(whole, change)
        if made is not None:
            yield Misread(words, made, place)


def _changes(node: Node, format: str) -> Iterator[tuple[str, str, Change]]:
    """What importers leave out of a file, or take for the default: words, and a change of elements.

    Between them is the place of an attribute that is at several, "" elsewhere.
    """
    if format == "urdf":
        yield "default axis z instead of x, where a joint states none", "", _with_axis
    for tag, attribute, value, words in _DEFAULTS.get(format, ()):
        yield words, "", _giving(tag, attribute, value)
    if format == "mjcf":
        yield "'mass' of <geom> of meshes ignored: their densities count", "", _reweighing(None)
        yield "<geom> of a mesh with 'mass' gives no mass", "", _reweighing("0")
        for words, is_light in _LIGHT:
            yield f"{words} gives no mass", "", _lightening(is_light)
        yield from _angles_misread(node)
    found = _attributes(node)
    for tag in sorted({tag for tag, _ in found}):
        if len({attribute for each, attribute in found if each == tag} & _POSE) > 1:
            yield f"pose of <{tag}> ignored", "", _dropping(tag, _POSE)
    for (tag, attribute), around in found.items():
        own = frozenset((attribute,))
        yield f"'{attribute}' of <{tag}> ignored", "", _dropping(tag, own)
        for each in around if len(around) > 1 else ():
            place = f"'{attribute}' of <{tag}>{_in(each)}"
            yield f"{place} ignored", place, _dropping(tag, own, each)


def _giving(tag: str, attribute: str, value: str) -> Change:
    """Elements of a tag with an attribute where they do not state it."""

    def change(node: Node, around: str) -> Node:
        is_other = tag == "joint" and node.word("name") is None
        if node.tag != tag or node.word(attribute) is not None or is_other:
            return node
        return with_items(node, [(attribute, Word(value), -1), *node.items])

    return change


def _dropping(tag: str, attributes: Collection[str], where: str | None = None) -> Change:
    """Elements of a tag without attributes, everywhere or in those of one kind."""

    def change(node: Node, around: str) -> Node:
        if node.tag != tag or (where is not None and around != where):
            return node
        kept = [item for item in node.items if item[0] not in attributes]
        return with_items(node, kept) if len(kept) < len(node.items) else node

    return change


def _reweighing(mass: str | None) -> Change:
    """Geoms of meshes that state a mass with another one, or with none."""

    def change(node: Node, around: str) -> Node:
        if node.tag != "geom" or node.word("mesh") is None or node.word("mass") is None:
            return node
        kept = [item for item in node.items if item[0] != "mass"]
        return with_items(node, kept if mass is None else [*kept, ("mass", Word(mass), -1)])

    return change


def _lightening(is_light: Callable[[Node, Sequence[Node]], bool]) -> Change:
    """Bodies whose geoms of one kind, given those before them, have no mass."""

    def change(node: Node, around: str) -> Node:
        if node.tag not in ("body", "frame"):
            return node
        items: list[Item] = []
        before: list[Node] = []
        for key, value, at in node.items:
            if isinstance(value, Node) and value.tag == "geom":
                made = _massless(value) if is_light(value, before) else value
                before.append(value)
                items.append((key, made, at))
            else:
                items.append((key, value, at))
        return (
            with_items(node, items)
            if any(a is not b for a, b in zip(node.items, items, strict=True))
            else node
        )

    return change


def _massless(geom: Node) -> Node:
    kept = [item for item in geom.items if item[0] not in ("mass", "density")]
    return with_items(geom, [*kept, ("mass", Word("0"), -1)])


def _is_ghost(geom: Node, before: Sequence[Node]) -> bool:
    return all((word := geom.word(name)) is not None and word == "0" for name in ("contype", "conaffinity"))


# Geoms that importers may give no mass, by words.
_LIGHT: tuple[tuple[str, Callable[[Node, Sequence[Node]], bool]], ...] = (
    ("<geom> of a mesh", lambda geom, before: geom.word("mesh") is not None),
    ("<geom> that does not collide", _is_ghost),
    ("each <geom> of a body but the first", lambda geom, before: bool(before)),
    ("<geom> with 'density'", lambda geom, before: geom.word("density") is not None),
)

# Attributes of angles, by element, and those of which only the last number is one.
_ANGLES = (("joint", "range"), ("joint", "ref"), ("joint", "springref"))
_OF_POSES = (("euler", slice(None)), ("axisangle", slice(3, None)))


def _angles_misread(node: Node) -> Iterator[tuple[str, str, Change]]:
    """Angles of one attribute, everywhere or in one place, that are read in the other unit."""
    compiler = node.get("compiler")
    unit = compiler.word("angle") if isinstance(compiler, Node) else None
    factor, words = (math.pi / 180.0, "degrees") if unit == "radian" else (180.0 / math.pi, "radians")
    found = _attributes(node)
    yield (
        f"angles of the file in {words}",
        "",
        _compiling("angle", "degree" if unit == "radian" else "radian"),
    )
    for (tag, attribute), around in found.items():
        part = dict(_OF_POSES).get(attribute)
        if (tag, attribute) not in _ANGLES and part is None:
            continue
        for where in (None, *(around if len(around) > 1 else ())):
            place = f"'{attribute}' of <{tag}>" + ("" if where is None else _in(where))
            change = _multiplying(tag, attribute, part or slice(None), factor, where)
            yield f"{place} read in {words}", place if where is not None else "", change


def _compiling(attribute: str, value: str) -> Change:
    """The element of the compiler with another value of an attribute."""

    def change(node: Node, around: str) -> Node:
        if node.tag != "compiler":
            return node
        kept = [item for item in node.items if item[0] != attribute]
        return with_items(node, [*kept, (attribute, Word(value), -1)])

    return change


def _multiplying(tag: str, attribute: str, part: slice, factor: float, where: str | None) -> Change:
    """Elements of a tag with some numbers of an attribute multiplied, but not those of slides."""

    def change(node: Node, around: str) -> Node:
        stated = node.word(attribute)
        is_other = (
            node.tag != tag or (where is not None and around != where) or node.word("type") == "slide"
        )
        if stated is None or is_other:
            return node
        try:
            numbers = [float(x) for x in stated.split()]
        except ValueError:
            return node
        numbers[part] = [factor * x for x in numbers[part]]
        made = Word(" ".join(map(repr, numbers)))
        return with_items(node, [(k, made if k == attribute else v, at) for k, v, at in node.items])

    return change


def _in(around: str) -> str:
    return f" in {around}" if around else " itself"


def _with_axis(node: Node, around: str) -> Node:
    """A joint of URDF that moves, with an axis along z if it has none."""
    moves = node.word("type") in ("revolute", "continuous", "prismatic")
    if node.tag != "joint" or not moves or node.get("axis") is not None:
        return node
    return with_items(node, [*node.items, ("axis", Node("axis", [("xyz", Word("0 0 1"), -1)]), -1)])


# Elements that concern the whole file.
_WHOLE = ("compiler", "option")
# The attributes of a pose.
_POSE = frozenset("pos quat euler axisangle xyaxes zaxis xyz rpy quat_xyzw".split())


# Elements that say of inner ones what they are.
_AROUND = frozenset("inertial joint visual collision equality default".split())


def _inside(node: Node, around: str) -> str:
    """What the elements in a node are of, in words: the nearest element around that says it, or "".

    A class of defaults in others is not the same as these.
    """
    if node.tag == "default" and around:
        return "the <default> of a class"
    return f"<{node.tag}>" if node.tag in _AROUND else around


def _attributes(node: Node) -> dict[tuple[str, str], list[str]]:
    """The attributes of a file that state numbers, by element and attribute, with what they are of."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    todo = [(node, "")]
    while todo:
        each, around = todo.pop()
        if each.tag in _OTHERS and each is not node:
            continue
        for key, value, _ in each.items:
            if isinstance(value, Node):
                todo.append((value, _inside(each, around)))
            elif isinstance(value, Word) and key and key not in _NAMES and each is not node:
                found.setdefault((each.tag, key), {})[around] = None
    # what concerns the whole file first
    return {
        key: sorted(found[key]) for key in sorted(found, key=lambda each: (each[0] not in _WHOLE, each))
    }


def _mapped(node: Node, change: Change, around: str = "") -> Node | None:
    """A tree with changed elements, given what they are of; None if none changes."""
    items: list[Item] = []
    changed = False
    for key, value, at in node.items:
        if isinstance(value, Node):
            made = _mapped(value, change, _inside(node, around))
            changed |= made is not None
            items.append((key, made or value, at))
        else:
            items.append((key, value, at))
    own = with_items(node, items) if changed else node
    made = change(own, around)
    return made if changed or made is not own else None

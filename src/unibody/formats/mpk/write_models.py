"""Writes the shapes of links as Open Inventor files; the inverse of ``formats/inventor``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from unibody.formats.format import AssetStore
from unibody.formats.inventor.shapes import ALONG_Y
from unibody.formats.mpk.write_nodes import coloured, hints, listed, look, mesh_nodes, node, word
from unibody.formats.tidy import tidy
from unibody.model import shape as s
from unibody.model.decomposition import diagonal, product, transposed
from unibody.model.pose import IDENTITY, UNIT_MATRIX, UNIT_QUATERNION, ZERO, Pose
from unibody.model.robot import Link, Robot
from unibody.text.inventor import parser as inventor
from unibody.text.node import Node, Row

_ONE = (1.0, 1.0, 1.0)
_MOST_SIDES = 40
_BACK = ALONG_Y.inverse()


def holds(shape: s.Shape) -> bool:
    """Whether a shape is an Inventor file as it is, wherever it stands."""
    mesh = shape.geometry
    if not isinstance(mesh, s.MeshFile) or shape.material is not None:
        return False
    parts = mesh.fragment or mesh.without or mesh.unit or mesh.up_axis
    return not parts and mesh.uri.lower().endswith(".iv")


def with_models(robot: Robot, store: AssetStore) -> Robot:
    """The robot with one file for all that a link shows, and one for what else is checked.

    A second model is only there for collisions (formats/mpk.md, models and collision): it takes the
    collision shapes where these are not those that are drawn.
    """
    return replace(robot, links=tuple(_link(link, store) for link in robot.links))


def _link(link: Link, store: AssetStore) -> Link:
    drawn, solid, second = link.visuals, link.collisions, link.collisions_alt
    if drawn and solid and not second and _forms(drawn) != _forms(solid):
        second = solid
    first = _model(drawn, link.name, store) or _model(solid, link.name, store)
    checked = bool(solid) or not first
    return replace(
        link,
        visuals=first,
        collisions=first if checked else (),
        collisions_alt=_model(second, f"{link.name}_collision", store) if checked else (),
    )


def _forms(shapes: Iterable[s.Shape]) -> list[tuple[object, ...]]:
    """What collisions go by: looks do not count."""
    return [(x.geometry, x.pose, x.linear) for x in shapes]


def _model(shapes: tuple[s.Shape, ...], name: str, store: AssetStore) -> tuple[s.Shape, ...]:
    """A reference to the file that holds some shapes; nothing where there is nothing to hold."""
    if len(shapes) == 1 and _is_whole(shapes[0]):
        return (s.Shape(geometry=shapes[0].geometry),)
    parts = [part for shape in shapes for part in _separators(shape, store)]
    if not parts:
        return ()
    root = node("Separator", *(("", part) for part in parts))
    text = inventor.print(Node("", [("", root, -1)]))
    path = store.add(text.encode(), name, ".iv")
    return (s.Shape(geometry=s.MeshFile(uri=store.uri(path), path=path)),)


def _is_whole(shape: s.Shape) -> bool:
    """Whether a shape is a file that a joint may name itself."""
    mesh = shape.geometry
    plain = shape.pose == IDENTITY and shape.linear is None and holds(shape)
    return plain and isinstance(mesh, s.MeshFile) and mesh.scale == _ONE


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A shape node with what stands before it: its frame turned and scaled, and its properties."""

    shape: Node
    before: tuple[Node, ...] = ()
    turn: Pose = IDENTITY
    scale: tuple[float, float, float] = _ONE


def _separators(shape: s.Shape, store: AssetStore) -> list[Node]:
    """A Separator for each part of a shape."""
    match shape.geometry:
        case s.MeshFile(path=path) if not path:
            return []
        case s.MeshFile() if not holds(shape):
            return [x for part in store.meshes(shape) for x in _separators(part, store)]
        case s.Extrusion() | s.ElevationGrid():
            return [x for part in store.meshes(shape) for x in _separators(part, store)]
    drawn = _drawn(shape, store)
    if drawn is None:
        return []
    place = _place(shape, drawn)
    if isinstance(shape.geometry, s.MeshFile):
        looks: list[Node] = []
    else:
        material = s.Material() if shape.material is None else shape.material
        looks = look(material, coloured(shape.geometry), store)
    children = (*place, *looks, *drawn.before, drawn.shape)
    return [node("Separator", *(("", child) for child in children))]


def _drawn(shape: s.Shape, store: AssetStore) -> _Drawn | None:
    """The node of a shape; None for one without extent."""
    image = shape.material is not None and shape.material.texture is not None
    match shape.geometry:
        case s.MeshFile() as mesh:
            name = word(store.beside(mesh.path), '"')
            return _Drawn(node("File", ("name", name)), scale=mesh.scale)
        case s.Box(size=(x, y, z)) if sum(v > 0.0 for v in (x, y, z)) > 1:
            # so that the image stands on it as it does in the model
            x, y, z, turn = (x, z, y, _BACK) if image else (x, y, z, IDENTITY)
            sizes = (("width", word(x)), ("height", word(y)), ("depth", word(z)))
            return _Drawn(node("Cube", *sizes), turn=turn)
        case s.Sphere(radius=radius) if radius > 0.0:
            return _Drawn(_sphere(radius), _sides(shape), _BACK if image else IDENTITY)
        case s.Ellipsoid(radii=radii) if min(radii) > 0.0:
            return _Drawn(_sphere(1.0), _sides(shape), scale=radii)
        case (s.Cylinder() | s.Cone()) as round_one if round_one.radius > 0.0 and round_one.height > 0.0:
            made = _round(round_one)
            return None if made is None else _Drawn(made, _sides(shape), _BACK)
        case s.Mesh() as mesh:
            nodes = mesh_nodes(mesh)
            return None if not nodes else _Drawn(nodes[-1], (*hints(mesh), *nodes[:-1]))
        case s.LineSet() as lines if len(lines.lines):
            width = () if lines.width is None else (node("DrawStyle", ("lineWidth", word(lines.width))),)
            points = node("Coordinate3", ("point", listed(lines.vertices, 3)))
            items = [("coordIndex", listed(lines.lines))]
            if len(lines.color_indices):
                items.append(("materialIndex", listed(lines.color_indices)))
            return _Drawn(node("IndexedLineSet", *items), (*width, points))
        case s.PointSet(vertices=vertices) if len(vertices):
            return _Drawn(node("PointSet"), (node("Coordinate3", ("point", listed(vertices, 3))),))
    return None


def _sphere(radius: float) -> Node:
    return node("Sphere", ("radius", word(radius)))


def _round(shape: s.Cylinder | s.Cone) -> Node | None:
    """A cylinder or cone, with only those of its surfaces that are there."""
    there = {"SIDES": shape.side, "BOTTOM": shape.bottom}
    if isinstance(shape, s.Cylinder):
        there["TOP"] = shape.top
    parts = [name for name, is_there in there.items() if is_there]
    if not parts:
        return None
    radius = "radius" if isinstance(shape, s.Cylinder) else "bottomRadius"
    items = [(radius, word(shape.radius)), ("height", word(shape.height))]
    if len(parts) < len(there):
        items.append(("parts", Row([word(p) for p in parts], flow=True)))  # type: ignore[arg-type]
    return node("Cylinder" if isinstance(shape, s.Cylinder) else "Cone", *items)


def _sides(shape: s.Shape) -> tuple[Node, ...]:
    """The Complexity that asks for a number of sides."""
    if shape.divisions is None:
        return ()
    value = min(max(shape.divisions, 0) / _MOST_SIDES, 1.0)
    return (node("Complexity", ("value", word(value))),)


def _place(shape: s.Shape, drawn: _Drawn) -> tuple[Node, ...]:
    """The transformation that a shape stands under."""
    if shape.linear is not None and shape.linear != UNIT_MATRIX:
        linear = product(shape.pose.rotation(), shape.linear)
        linear = product(product(linear, drawn.turn.rotation()), diagonal(drawn.scale))
        # row vectors: the translation is in the last row
        rows = [*(f for row in transposed(linear) for f in (*map(tidy, row), 0.0)), *shape.pose.xyz, 1.0]
        return (node("MatrixTransform", ("matrix", listed(rows, 4, bare=True))),)
    pose = shape.pose @ drawn.turn
    items = []
    if pose.xyz != ZERO:
        items.append(("translation", listed(pose.xyz, bare=True)))
    if pose.quat != UNIT_QUATERNION:
        turn = tuple(map(tidy, pose.axis_angle()))
        items.append(("rotation", listed(turn, bare=True)))
    if drawn.scale != _ONE:
        items.append(("scaleFactor", listed(drawn.scale, bare=True)))
    return (node("Transform", *items),) if items else ()

"""Robots as Pinocchio models with their geometry, without a file: ``ub.to_pinocchio``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from unibody.bridges.mimics import with_mimics
from unibody.bridges.state import Follower, Scalars, StateMap
from unibody.formats.loader import model_of
from unibody.mechanism import Mechanism, assemble
from unibody.mechanism.pinocchio import PinocchioModel
from unibody.mechanism.pinocchio import to_pinocchio as converted
from unibody.meshes.cache import MeshCache, placed_surfaces
from unibody.meshes.surface import Surface, joined
from unibody.model import shape as s
from unibody.model.arrays import Floats
from unibody.model.base import WORLD
from unibody.model.collision import links_tested_with_world, tested_pairs
from unibody.model.pose import IDENTITY, Pose
from unibody.model.robot import Robot
from unibody.model.scene import Scene, as_robot
from unibody.model.validation.inertia import unknown_mass
from unibody.text.finding import Finding
from unibody.text.installation import install_command
from unibody.text.missing import missing

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from unibody.formats.format import Format, ModelObject
    from unibody.formats.read_options import ReadKeywords

Which = Literal["visual", "collision"]
# The thickness in m of a plane with bounds, which Coal does not have.
_THIN = 1e-3
# Files that every program reads alike: without a unit, an up axis or parts.
_PLAIN = (".stl", ".obj")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PinocchioRobot(PinocchioModel):
    """A robot as a Pinocchio model, with its geometry.

    ``mechanism`` is the one whose q and v are converted; ``model`` has its joints, frames and inertias, and
    ``data`` is a ``pinocchio.Data`` of it. Pinocchio's q is ``q[..., q_order]`` and its v is
    ``v[..., v_order]``; the other way, ``q_pin[..., q_back]`` and ``v_pin[..., v_back]``, of a joint that
    mimics another one that of the other: ``followers`` are these. ``findings`` are those of mesh files
    and of masses that are unknown.
    """

    mechanism: Mechanism
    followers: tuple[Follower, ...] = ()
    findings: list[Finding] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"PinocchioRobot({self.mechanism.robot.name!r}: nq={self.model.nq}, nv={self.model.nv})"

    # --- coordinates --------------------------------------------------------------------

    def q_to(self, q: ArrayLike) -> Floats:
        """Pinocchio's q, (..., nq), for q of the mechanism (..., nq); quaternions are x, y, z, w there."""
        return self.state_map.q_to(q)

    def q_from(self, q: ArrayLike) -> Floats:
        """q of the mechanism, (..., nq), for Pinocchio's q (..., nq)."""
        return self.state_map.q_from(q)

    def v_to(self, q: ArrayLike, v: ArrayLike) -> Floats:
        """Pinocchio's v, (..., nv), for q and v (..., nv) of the mechanism; only the order differs."""
        return self.state_map.v_to(q, v)

    def v_from(self, q: ArrayLike, v: ArrayLike) -> Floats:
        """v of the mechanism, (..., nv), for Pinocchio's q (..., nq) and v (..., nv)."""
        return self.state_map.v_from(q, v)

    @cached_property
    def state_map(self) -> StateMap:
        """How the coordinates of the mechanism and of Pinocchio correspond."""
        nq, nv = self.mechanism.nq, self.mechanism.nv
        return StateMap(
            nq=nq,
            nv=nv,
            engine_nq=len(self.q_order),
            engine_nv=len(self.v_order),
            start=np.zeros(len(self.q_order)),
            scalars=Scalars(
                here_q=tuple(self.q_order.tolist()),
                there_q=tuple(range(len(self.q_order))),
                offset=(0.0,) * len(self.q_order),
                here_v=tuple(self.v_order.tolist()),
                there_v=tuple(range(len(self.v_order))),
            ),
            followers=self.followers,
        )

    # --- geometry -----------------------------------------------------------------------

    @cached_property
    def collision_model(self) -> Any:
        """The collision shapes as a ``pinocchio.GeometryModel``, with the pairs that are tested."""
        made = self._geometry("collision")
        by_link: dict[str, list[int]] = {}
        for i, link in enumerate(made.links):
            by_link.setdefault(link, []).append(i)
        robot = self.mechanism.robot
        around = [(link, WORLD) for link in links_tested_with_world(robot)]
        for a, b in (*tested_pairs(robot), *around):
            for i in by_link.get(a, ()):
                for j in by_link.get(b, ()):
                    made.model.addCollisionPair(made.pin.CollisionPair(i, j))
        return made.model

    @cached_property
    def visual_model(self) -> Any:
        """The visual shapes as a ``pinocchio.GeometryModel``."""
        return self._geometry("visual").model

    def _geometry(self, which: Which) -> _Geometry:
        made = _Geometry(self, which)
        for link in self.mechanism.robot.solids:
            shapes = link.visuals if which == "visual" else link.collisions
            made.add(link.name, shapes)
        self.findings.extend(made.cache.findings)
        return made


class _Geometry:
    """A geometry model while it grows; ``links`` are those of its objects."""

    def __init__(self, made: PinocchioRobot, which: Which) -> None:
        import pinocchio

        try:
            import coal
        except ImportError:
            raise missing("geometry", "coal", install_command("collision")) from None
        self.pin, self.coal = pinocchio, coal
        self.made, self.which = made, which
        self.model = pinocchio.GeometryModel()
        self.cache = MeshCache()
        self.links: list[str] = []
        self.meshes: dict[s.MeshFile, Any] = {}

    def add(self, link: str, shapes: Sequence[s.Shape]) -> None:
        """Add the shapes of a link, named LINK_0, LINK_1 and so on, as Pinocchio does."""
        model = self.made.model
        is_link = link in self.made.mechanism.link_names
        number = int(model.getFrameId(link, self.pin.FrameType.BODY)) if is_link else 0  # 0: the universe
        frame = model.frames[number]
        count = 0
        for shape in shapes:
            found = self._primitive(shape) or self._mesh(shape)
            if found is None:
                continue
            geometry, pose = found
            color = _color(shape)
            path, scale = _file(shape)
            placement = frame.placement * self.pin.SE3(np.array(pose.matrix()))
            self.model.addGeometryObject(
                self.pin.GeometryObject(
                    f"{link}_{count}",
                    int(frame.parentJoint),
                    number,
                    placement,
                    geometry,
                    path,
                    np.array(scale),
                    color is not None,
                    np.array(color or (0.5, 0.5, 0.5, 1.0)),
                    "",
                )
            )
            self.links.append(link)
            count += 1

    def _primitive(self, shape: s.Shape) -> tuple[Any, Pose] | None:
        """A shape that Coal has, and its pose in the link."""
        if shape.linear is not None:
            return None
        coal, pose = self.coal, shape.pose
        match shape.geometry:
            case s.Box(size=(x, y, z)):
                return coal.Box(x, y, z), pose
            case s.Sphere(radius=radius):
                return coal.Sphere(radius), pose
            case s.Cylinder(radius=radius, height=height, top=True, bottom=True, side=True):
                return coal.Cylinder(radius, height), pose
            case s.Capsule(radius=radius, height=height):
                return coal.Capsule(radius, height), pose
            case s.Cone(radius=radius, height=height, bottom=True, side=True):
                return coal.Cone(radius, height), pose
            case s.Ellipsoid(radii=(x, y, z)):
                return coal.Ellipsoid(x, y, z), pose
            case s.Plane(half_size=None):
                return coal.Halfspace(np.array([0.0, 0.0, 1.0]), 0.0), pose
            case s.Plane(half_size=(x, y)):
                below = Pose((0.0, 0.0, -_THIN / 2.0))
                return coal.Box(2.0 * x, 2.0 * y, _THIN), pose @ below
        return None

    def _mesh(self, shape: s.Shape) -> tuple[Any, Pose] | None:
        """The triangles of a shape and their pose in the link; None without any."""
        if isinstance(shape.geometry, s.MeshFile) and shape.linear is None:
            mesh = shape.geometry
            if mesh not in self.meshes:
                self.meshes[mesh] = self._triangles(self.cache.surfaces(mesh, shape.at))
            made, pose = self.meshes[mesh], shape.pose
        else:
            made, pose = self._triangles(placed_surfaces(shape, self.cache)), IDENTITY
        return None if made is None else (made, pose)

    def _triangles(self, surfaces: Sequence[Surface]) -> Any:
        vertices, faces = joined(list(surfaces))
        if not len(faces):
            return None
        made = self.coal.BVHModelOBBRSS()
        made.beginModel(len(faces), len(vertices))
        made.addVertices(np.asarray(vertices, np.float64))
        made.addTriangles(np.asarray(faces, np.int64))
        made.endModel()
        return made


def _file(shape: s.Shape) -> tuple[str, tuple[float, float, float]]:
    """The mesh file of a shape and its scale, for viewers; "" if another program may read it otherwise."""
    mesh = shape.geometry
    if not isinstance(mesh, s.MeshFile) or shape.linear is not None:
        return "", (1.0, 1.0, 1.0)
    is_plain = mesh.path.lower().endswith(_PLAIN) and not (mesh.fragment or mesh.without or mesh.up_axis)
    return (mesh.path, mesh.scale) if is_plain and mesh.unit is None else ("", (1.0, 1.0, 1.0))


def _color(shape: s.Shape) -> tuple[float, float, float, float] | None:
    material = shape.material
    if material is None:
        return None
    red, green, blue = material.diffuse
    return red, green, blue, 1.0 - material.transparency


def to_pinocchio(
    robot: Robot | Scene | Mechanism | str | os.PathLike[str] | ModelObject,
    *,
    format: str | Format | None = None,
    **reading: Unpack[ReadKeywords],
) -> PinocchioRobot:
    """The robot as a Pinocchio model with the same joints, frames and inertias.

    The robots of a scene are in one model; names that several have become "robot:name". ``robot`` may
    be the path of a model file, which is read with the keywords of :func:`unibody.read`. ``base`` is
    "fixed" or "free", whatever the robots say; an unspecified base is fixed, as for
    ``unibody.assemble``. A link that is fixed to another adds its inertia there, and like every link
    and every frame of the robot it is a frame. A joint that is coupled to another one mimics it, so
    that Pinocchio's q and v lack its numbers; of several coupled joints, the first that Pinocchio
    numbers has one. Loops are open. The result has the ``model`` with its ``data``, ``collision_model``
    and ``visual_model`` with primitives and triangles, and ``q_to``, ``q_from``, ``v_to``, ``v_from``
    between the mechanism's and Pinocchio's coordinates. MissingExtra says what to install;
    UnsupportedCoupling names a coupled joint that is neither revolute nor prismatic.

    >>> import pytest
    >>> pinocchio = pytest.importorskip("pinocchio", reason="needs the extra 'dynamics' (pin)")
    >>> from unibody.formats.loader import load
    >>> made = to_pinocchio(load("src/unibody/models/biped.body"))
    >>> made.model.nq, made.model.nv, made.collision_model.ngeoms > 0
    (30, 29, True)
    >>> made.q_to(made.mechanism.initial)[:7]
    array([0.  , 0.  , 0.66, 0.  , 0.  , 0.  , 1.  ])
    """
    base = reading.pop("base", None)
    found = model_of(robot.robot if isinstance(robot, Mechanism) else robot, format, **reading)
    mechanism = robot if isinstance(robot, Mechanism) and base is None else assemble(as_robot(found, base))
    made, followers = with_mimics(converted(mechanism), mechanism)
    unknown = unknown_mass(mechanism.robot, mechanism.base)
    noted = [] if unknown is None else [replace(unknown, severity="warning")]
    return PinocchioRobot(mechanism=mechanism, followers=followers, findings=noted, **vars(made))

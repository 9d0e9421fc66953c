"""From robots and scenes to the engine's model: gravity, floor, contacts, drives, limits."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from unibody.bridges.mujoco import MujocoError, MujocoModel, import_mujoco, to_mujoco
from unibody.conversion.output import SaveError
from unibody.formats.mjcf.acceptance import NEAREST
from unibody.formats.mjcf.scans import is_scan
from unibody.mechanism import AssembleError, Mechanism, assemble
from unibody.mechanism.mechanism import GRAVITY
from unibody.model.arrays import Floats
from unibody.model.base import Base, with_base
from unibody.model.collision import PAIR_RULES, PairRule
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Robot, SelfCollision, check_is_robot
from unibody.model.scene import Scene, as_robot, scene_with_base
from unibody.model.traverse import path_of
from unibody.simplification.decomposition import check_installed, is_installed
from unibody.simulation import actuation, attachments, overlaps
from unibody.simulation.checks import check_joints, check_loops, check_masses, check_shapes, check_stiffness
from unibody.simulation.contacts import (
    Surfaces,
    add_pairs,
    body_pairs,
    find_surfaces,
    set_all,
    with_surfaces,
)
from unibody.simulation.densities import with_masses
from unibody.simulation.free_bodies import check_free_joints, on_world
from unibody.simulation.hulls import check_hulls
from unibody.simulation.layout import Layout, body_names, find_layout
from unibody.simulation.materials import DEFAULT, FRICTION, MaterialTable, PairValues, link_materials
from unibody.simulation.parts import Divided, PartsProgress, report_parts, with_parts
from unibody.simulation.sensors import check_signs
from unibody.text.finding import Finding, Findings

#: The name of the plane that ``floor`` adds, and the material that it has in a table.
FLOOR, FLOOR_MATERIAL = "floor", "Ground"

# Bits of contacts: one for each robot of several links, and one for everything else.
_OTHERS, _MOST_ROBOTS = 1 << 30, 30
_ALL = (1 << 31) - 1
# The tolerance of the engine's solver: its own leaves forces of some N unbalanced beside prescribed joints,
# whose added inertia is large. A smaller one takes hardly more iterations.
_ENGINE_TOLERANCE, _TOLERANCE = 1e-8, 1e-14


class SimulationError(ValueError):
    """Raised if a robot cannot be simulated; ``findings`` say why."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__("\n".join(str(finding) for finding in findings))


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The settings of a simulation; ``simulate`` describes them."""

    base: Base | None = None
    gravity: Sequence[float] | None = None
    step: float = 1e-3
    integrator: str = "auto"
    position_limits: bool = True
    effort_limits: bool = True
    pairs: PairRule = "file"
    contacts: bool = True
    loop_solver: str = "engine"
    floor: float | None = None
    materials: MaterialTable | None = None
    friction: float | None = None
    solref: tuple[float, float] | None = None
    seed: int = 0
    convex: str = "auto"
    density: float | None = None
    progress: PartsProgress | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Built:
    """A robot in the engine: its ``model``, the place of its drives, and what may touch.

    ``hollow`` are the links whose meshes collide as hulls that differ from them.
    """

    robot: Robot
    robots: Robot | tuple[Robot, ...]
    mechanism: Mechanism
    layout: Layout
    lowered: MujocoModel
    model: Any
    first_drive: int
    can_touch: bool
    effort_limits: Floats
    options: Options
    hollow: frozenset[str] = frozenset()
    findings: tuple[Finding, ...] = field(default=())


def with_bases(given: Robot | Scene | Sequence[Robot], base: Base | None) -> Robot | Scene:
    """A robot, or a scene of robots, each with this base, unless that is None."""
    if isinstance(given, Robot):
        return with_base(given, base)
    if not isinstance(given, Scene):
        robots = tuple(given)
        for robot in robots:
            check_is_robot(robot)
        if len(robots) == 1:
            return with_base(robots[0], base)
        given = Scene(name="scene", robots=robots)
    return scene_with_base(given, base)


def build(given: Robot | Scene | Sequence[Robot], options: Options) -> Built:
    """Compile the engine's model of robots; SimulationError with findings if they cannot be simulated."""
    import_mujoco("simulate")
    _check(options)
    noted = Findings()
    robots = _with_pairs(with_bases(given, options.base), options.pairs)
    if options.density is not None:
        robots = with_masses(robots, options.density, noted)
    built = _built_with_parts(robots, as_robot(robots), options)
    return replace(built, findings=(*noted, *built.findings))


def _open_links(given: Robot | Scene) -> dict[str, str]:
    """The links of robots of other formats than MJCF, with their materials.

    Their files do not state all contact values of shapes; in MJCF all have those of MuJoCo.
    """
    robots = given.robots if isinstance(given, Scene) else (given,)
    names = iter([link.name for link in as_robot(given).links[isinstance(given, Scene) :]])
    out = {}
    for robot in robots:
        named, is_open = link_materials(robot), not _has_mjcf(robot)
        for link in robot.links:
            name = next(names)
            if is_open:
                out[name] = named.get(link.name, DEFAULT)
    return out


def _has_mjcf(robot: Robot) -> bool:
    """Whether a robot is of an MJCF file."""
    return any(extra.format == "mjcf" for extra in robot.extras)


def _with_pairs(given: Robot | Scene, rule: PairRule) -> Robot | Scene:
    """The robots with rules that test all pairs of their links, or those that may collide."""
    if rule in ("file", "none"):
        return given
    if isinstance(given, Scene):
        return replace(given, robots=tuple(_with_rules(robot, rule) for robot in given.robots))
    return _with_rules(given, rule)


def _with_rules(robot: Robot, rule: PairRule) -> Robot:
    if rule == "all":
        return replace(robot, self_collision=SelfCollision(default="all"))
    from unibody.collision.matrix import self_collision

    return replace(robot, self_collision=self_collision(robot, missing="skip").rules())


def _built_with_parts(robots: Robot | Scene, robot: Robot, options: Options) -> Built:
    """The engine's model of robots, with convex parts of the meshes that need them."""
    built = _built(robots, robot, options)
    links = _divided_links(built)
    if not links:
        return built
    divided = with_parts(robot, links, options.progress)
    among = built.hollow - (links - divided.left)
    return _built(robots, robot, options, divided, among)


def _divided_links(built: Built) -> set[str]:
    """The links whose meshes are to collide as convex parts; MissingExtra if there must be CoACD."""
    robot, convex = built.robot, built.options.convex
    if convex == "hull" or not built.hollow:
        return set()
    if convex == "parts":
        check_installed()
    elif not is_installed():
        return set()
    # the speed of a belt is that of a shape as a whole
    out = set(built.hollow) - {joint.child for joint in robot.joints if joint.kind == "track"}
    if convex == "auto":
        # in MJCF a mesh means its hull, and each geom may have settings of its own
        out -= {name for name in out if _is_of_mjcf(robot, name)}
    return out


def _is_of_mjcf(robot: Robot, link: str) -> bool:
    owner = path_of("links", link)
    return any(extra.format == "mjcf" and extra.owner == owner for extra in robot.extras)


def _hull_hint(robot: Robot, options: Options, divided: bool) -> str:
    """What to do about meshes that collide as hulls."""
    shapes = "give the links convex shapes"
    if options.convex == "auto" and not is_installed():
        return f"let them collide as convex parts (pip install 'unibody[parts]'), or {shapes}"
    if divided or options.convex == "parts":
        return shapes
    return f"let them collide as convex parts (--convex parts, convex='parts'), or {shapes}"


def _built(
    robots: Robot | Scene,
    robot: Robot,
    options: Options,
    divided: Divided | None = None,
    among: Collection[str] | None = None,
) -> Built:
    """The engine's model of robots that are ``robot`` in one world.

    ``divided`` is the robot with convex parts of its meshes; the links ``among`` which meshes may collide
    as hulls that differ from them are all by default.
    """
    import mujoco

    mechanism = assembled(robot)
    findings = Findings()
    check_masses(mechanism, findings)
    check_loops(mechanism, findings)
    check_free_joints(robot, findings)
    check_stiffness(robot, findings)
    check_signs(robot, findings)
    if options.contacts:
        check_shapes(robot, findings)
    if any(finding.severity == "error" for finding in findings):
        raise SimulationError(findings)
    exact = options.loop_solver == "exact"
    materials = _open_links(robots)
    table = options.materials or _plain_table(FRICTION if options.friction is None else options.friction)
    surfaces = find_surfaces(materials.values(), FLOOR_MATERIAL, table, options.step)
    shaped = with_surfaces(robot if divided is None else divided.robot, materials, surfaces)
    made, model = _lowered(on_world(replace(shaped, loops=(), couplings=()) if exact else shaped))
    spec = made.spec
    _set_options(spec, robot, options)
    layout = find_layout(mechanism, made, model, mujoco.MjData(model))
    groups = _robots_of_links(robots, robot)
    if options.pairs == "none":
        _separate(spec, layout, mechanism, groups)
    if options.floor is not None:
        _add_floor(spec, options.floor, surfaces)
    _enable_surface_speeds(spec, mechanism)
    if not exact:
        attachments.reserve(spec, options.step)
    first = len(spec.actuators)
    model = spec.compile()  # a geom added above may have moved the ids of the spec
    actuation.add_actuators(spec, layout, model)
    model = spec.compile()
    add_pairs(spec, model, _materials(materials, mechanism, layout), surfaces, options.step)
    set_all(spec, None if options.materials else options.friction, options.solref)
    changed = _changed_inertias(model, made, robot)
    for body in spec.bodies:
        if body.id in changed:
            body.simple = 0  # a body whose inertia has the axes of its frame is computed in a shorter way
    excluded = np.array(model.exclude_signature, np.intp)
    overlaps.reserve(spec)
    model = spec.compile()
    overlaps.release(model, excluded)
    _set_inertias(model, changed)
    if not options.position_limits:
        model.jnt_limited[:] = 0
        _release(model)
    if not options.effort_limits:
        model.jnt_actfrclimited[:] = 0
    hint = _hull_hint(robot, options, divided is not None)
    names = body_names(model, mechanism, layout)
    hollow = check_hulls(model, names, among, hint, findings)
    if divided is not None and divided.numbers:
        report_parts(divided.numbers, findings)
    of_links = zip(mechanism.link_names, layout.bodies.tolist(), strict=True)
    return Built(
        robot=robot,
        robots=tuple(robots.robots) if isinstance(robots, Scene) else robots,
        mechanism=mechanism,
        layout=layout,
        lowered=made,
        model=model,
        first_drive=first,
        can_touch=bool(body_pairs(model).any()),
        effort_limits=_effort_limits(mechanism, layout) if options.effort_limits else _unlimited(layout),
        options=options,
        hollow=frozenset(name for name, body in of_links if body in hollow),
        findings=(*(options.materials.findings if options.materials else ()), *findings),
    )


def assembled(robot: Robot) -> Mechanism:
    """The mechanism of a robot; SimulationError if its joints, or their tree, cannot be computed."""
    findings = Findings()
    check_joints(robot, findings)
    if not findings:
        try:
            return assemble(robot)
        except AssembleError as error:
            findings.error("cannot-assemble", f"the model cannot be simulated: {error}")
    raise SimulationError(findings)


def _lowered(robot: Robot) -> tuple[MujocoModel, Any]:
    """The robot in the engine's words, and compiled; SimulationError if that is impossible.

    It has no rangefinders for scans, whose rays ``rays`` casts.
    """
    robot = replace(robot, devices=tuple(device for device in robot.devices if not is_scan(device)))
    try:
        made = to_mujoco(robot, inertias=NEAREST)
        return made, made.model
    except SaveError as rejected:
        raise SimulationError(rejected.findings) from None
    except MujocoError as rejected:
        hint = "save the robot as MJCF, and correct what MuJoCo names"
        raise SimulationError([Finding("simulation-rejected", "error", str(rejected), hint=hint)]) from None


def _changed_inertias(model: Any, made: MujocoModel, robot: Robot) -> dict[int, tuple[float, Floats]]:
    """Mass and inertia (3, 3) in body axes of the bodies to which the compiler gave other ones."""
    compiled = {link.name: link.inertial for link in made.lowered.links}
    out: dict[int, tuple[float, Floats]] = {}
    for link in robot.links:
        pose = made.pose_in_body(link.name) if link.name in compiled else None
        if pose is None:
            continue
        body, own, nearest = made.body_ids[link.name], link.inertial, compiled[link.name]
        mass = own.mass if own is not None else 0.0
        lifted = mass == 0.0 and model.body_mass[body] > 0.0
        if not lifted and (own is None or nearest is None or own.inertia == nearest.inertia):
            continue
        turn = np.array(pose.rotation())
        inertia = np.zeros((3, 3)) if own is None else turn @ np.array(own.inertia) @ turn.T
        out[body] = mass, (inertia + inertia.T) / 2.0
    return out


def _set_inertias(model: Any, changed: dict[int, tuple[float, Floats]]) -> None:
    """Set the inertias that MuJoCo's compiler rejects; its engine computes with them, as Choreonoid."""
    import mujoco

    for body, (mass, inertia) in changed.items():
        moments, axes = np.linalg.eigh(inertia)
        axes[:, 0] *= np.linalg.det(axes)
        model.body_mass[body], model.body_inertia[body] = mass, moments
        mujoco.mju_mat2Quat(model.body_iquat[body], axes.reshape(-1))
    if changed:
        mujoco.mj_setConst(model, mujoco.MjData(model))


def _check(options: Options) -> None:
    if not (math.isfinite(options.step) and options.step > 0.0):
        raise ValueError(f"the step must be a positive number of seconds, not {options.step!r}")
    if options.integrator not in INTEGRATORS:
        known = ", ".join(INTEGRATORS)
        raise ValueError(f"unknown integrator {options.integrator!r}; expected one of {known}")
    if options.loop_solver not in ("engine", "exact"):
        raise ValueError(f"loop_solver must be 'engine' or 'exact', got {options.loop_solver!r}")
    if options.pairs not in PAIR_RULES:
        raise ValueError(f"pairs must be one of {', '.join(PAIR_RULES)}, got {options.pairs!r}")
    if options.convex not in CONVEX:
        known = ", ".join(map(repr, CONVEX))
        raise ValueError(f"convex must be one of {known}, not {options.convex!r}")
    if options.gravity is not None and not _are_numbers(options.gravity, 3):
        raise ValueError(f"gravity is three numbers in m/s², not {options.gravity!r}")
    if options.floor is not None and not _are_numbers([options.floor], 1):
        raise ValueError(f"the floor is at a finite height in m, not {options.floor!r}")
    if options.friction is not None and not (
        _are_numbers([options.friction], 1) and options.friction >= 0.0
    ):
        raise ValueError(f"friction is a finite number from 0 on, not {options.friction!r}")
    if options.density is not None and not (_are_numbers([options.density], 1) and options.density > 0.0):
        raise ValueError(f"density is a finite number of kg/m³ above 0, not {options.density!r}")
    solref = options.solref
    if solref is not None and not (_are_numbers(solref, 2) and all(solref)):
        raise ValueError(
            f"solref is two numbers, the time constant (s) and the damping ratio, not {solref!r}"
        )


def _are_numbers(values: Any, count: int) -> bool:
    """Whether values are so many finite numbers."""
    try:
        array = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        return False
    return array.shape == (count,) and bool(np.isfinite(array).all())


#: Words for integrators; "auto" is RK4 while nothing touches, else implicitfast.
INTEGRATORS = ("auto", "rk4", "implicitfast", "implicit", "euler")


#: How meshes that are not convex collide: as parts if CoACD is installed, as hulls, as parts.
CONVEX = ("auto", "hull", "parts")


def _set_options(spec: Any, robot: Robot, options: Options) -> None:
    import mujoco

    of_mujoco = _has_mjcf(robot)
    if options.gravity is not None:
        spec.option.gravity = list(options.gravity)
    elif not of_mujoco:
        spec.option.gravity = list(GRAVITY)
    spec.option.timestep = options.step
    if not of_mujoco:
        spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
        spec.option.impratio = 10.0
    if spec.option.tolerance == _ENGINE_TOLERANCE:
        spec.option.tolerance = _TOLERANCE
    disabled = mujoco.mjtDisableBit
    spec.option.disableflags |= disabled.mjDSBL_AUTORESET
    if not options.contacts:
        spec.option.disableflags |= disabled.mjDSBL_CONTACT
    if options.loop_solver == "exact":
        spec.option.disableflags |= disabled.mjDSBL_CONSTRAINT


def _release(model: Any) -> None:
    """Switch off what holds joints with equal limits: the equalities of one joint."""
    import mujoco

    of_joint = model.eq_type == int(mujoco.mjtEq.mjEQ_JOINT)
    model.eq_active0[of_joint & (model.eq_obj2id < 0)] = 0


def _plain_table(friction: float) -> MaterialTable:
    values = PairValues(static=friction, sliding=friction)
    return MaterialTable(pairs={frozenset(("Default",)): values})


def _materials(named: Mapping[str, str], mechanism: Mechanism, layout: Layout) -> dict[int, str]:
    """The materials of the engine's bodies of links whose file states no friction; the world is a floor."""
    out = {0: FLOOR_MATERIAL}
    for link, body in zip(mechanism.robot.links, layout.bodies.tolist(), strict=True):
        stated = any(x.contact is not None and x.contact.sliding is not None for x in link.collisions)
        if body >= 0 and link.name in named and not stated:
            out[body] = named[link.name]
    return out


def _effort_limits(mechanism: Mechanism, layout: Layout) -> Floats:
    bounds = np.stack([np.full(mechanism.nv, -np.inf), np.full(mechanism.nv, np.inf)])
    for joint, start in zip(mechanism.robot.joints, mechanism.idx_v.tolist(), strict=True):
        record, (low, high) = KINDS[joint.kind], joint.limits.effort
        if record.bounded and low <= high:
            bounds[:, start : start + record.nv] = [[low], [high]]
    return bounds[:, layout.entries]


def _unlimited(layout: Layout) -> Floats:
    count = len(layout.entries)
    return np.stack([np.full(count, -np.inf), np.full(count, np.inf)])


def _add_floor(spec: Any, height: float, surfaces: Surfaces) -> None:
    import mujoco

    spec.worldbody.add_geom(
        name=FLOOR if spec.geom(FLOOR) is None else f"unibody {FLOOR}",
        type=mujoco.mjtGeom.mjGEOM_PLANE,
        size=[0.0, 0.0, 1.0],
        pos=[0.0, 0.0, height],
        contype=_ALL,
        conaffinity=_ALL,
        friction=[surfaces.least[FLOOR_MATERIAL], 0.005, 0.0001],
        solref=list(surfaces.solref),
        rgba=[0.8, 0.8, 0.8, 1.0],
    )


def _enable_surface_speeds(spec: Any, mechanism: Mechanism) -> None:
    """The engine looks at surface velocities only if some geom has one when the model is compiled."""
    for joint in mechanism.robot.joints:
        body = spec.body(joint.child) if joint.kind == "track" else None
        for geom in body.geoms if body is not None else ():
            geom.surfacevel = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]


def _robots_of_links(given: Robot | Scene, robot: Robot) -> dict[str, int]:
    """The number of the robot of each link, 0 for robots of one link."""
    if isinstance(given, Robot):
        return {link.name: 1 for link in robot.links}
    names = iter([link.name for link in robot.links[1:]])  # the first is the world
    out, number = {}, 0
    for one in given.robots:
        number += len(one.links) > 1
        for _ in one.links:
            out[next(names)] = number if len(one.links) > 1 else 0
    return out


def _separate(spec: Any, layout: Layout, mechanism: Mechanism, groups: dict[str, int]) -> None:
    """Let the links of one robot pass through one another."""
    most = max(groups.values(), default=0)
    if most > _MOST_ROBOTS:
        raise ValueError(
            f"pairs='none' works with up to {_MOST_ROBOTS} robots of several links, not {most}"
        )
    by_body = {
        body: groups.get(name, 0)
        for name, body in zip(mechanism.link_names, layout.bodies.tolist(), strict=True)
        if body > 0
    }
    for body in spec.bodies:
        for geom in body.geoms:
            if not (geom.contype or geom.conaffinity):
                continue
            group = by_body.get(body.id, 0)
            bit = 1 << (group - 1) if group else _OTHERS
            geom.contype, geom.conaffinity = bit, _ALL & ~bit if group else _ALL
    robots = {body.name: by_body.get(body.id, 0) for body in spec.bodies}
    owners = {geom.name: robots[body.name] for body in spec.bodies for geom in body.geoms if geom.name}
    for pair in list(spec.pairs):
        one, two = owners.get(pair.geomname1, 0), owners.get(pair.geomname2, 0)
        if one and one == two:
            spec.delete(pair)

"""From robots and scenes to the engine: convex parts, the specification, its compiled model, the handle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from unibody.bridges.mujoco import MujocoError, MujocoModel, import_mujoco, to_mujoco
from unibody.conversion.output import SaveError
from unibody.formats.mjcf.engine import NEAREST, is_scan
from unibody.mechanism import AssembleError, Mechanism, assemble
from unibody.model.arrays import Floats
from unibody.model.base import WORLD, Base, with_base
from unibody.model.collision import PairRule
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Robot, SelfCollision, check_is_robot
from unibody.model.scene import Scene, as_robot, scene_with_base
from unibody.simplification.decomposition import is_installed
from unibody.simulation import attachments, overlaps
from unibody.simulation.actuation import add_actuators
from unibody.simulation.checks import (
    SimulationError,
    check_gravity,
    check_joints,
    check_loops,
    check_masses,
    check_shapes,
    check_stiffness,
    has_mjcf,
)
from unibody.simulation.contacts import (
    Surfaces,
    add_pairs,
    body_pairs,
    find_surfaces,
    set_all,
    with_surfaces,
)
from unibody.simulation.densities import with_masses
from unibody.simulation.engine import Engine, new_data
from unibody.simulation.free_bodies import check_free_joints, check_mocap, on_world
from unibody.simulation.hulls import Hulls, find_hulls
from unibody.simulation.layout import body_names, drive_joints, find_layout
from unibody.simulation.materials import DEFAULT, FRICTION, MaterialTable, PairValues, link_materials
from unibody.simulation.options import Options, check_options
from unibody.simulation.parts import Divided, divide
from unibody.simulation.sensors import check_signs
from unibody.simulation.spec import (
    FLOOR_MATERIAL,
    add_floor,
    enable_surface_speeds,
    separate,
    set_options,
)
from unibody.simulation.touching import robots_of_links
from unibody.text.finding import Finding, Findings
from unibody.text.installation import install_command


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Built:
    """An engine, and what a simulation of it needs to know besides.

    ``robots`` are those of a scene. ``first_drive`` is the place of the first drive among the actuators,
    ``effort_limits`` (2, drives) the limits of their efforts. ``noted`` are the findings of the robots,
    ``hulls`` and ``divided`` their meshes that are not convex.
    """

    engine: Engine
    robots: Robot | tuple[Robot, ...]
    options: Options
    first_drive: int
    effort_limits: Floats
    can_touch: bool
    hulls: Hulls
    divided: Divided
    noted: tuple[Finding, ...] = ()


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
    """The engine's model of robots; SimulationError with findings if they cannot be simulated."""
    import_mujoco("simulate")
    check_options(options)
    noted = Findings()
    robots = _with_pairs(with_bases(given, options.base), options.pairs)
    if options.density is not None:
        robots = with_masses(robots, options.density, noted)
    if options.materials is not None:
        noted += options.materials.findings
    robot = as_robot(robots)
    mechanism = assembled(robot)
    noted += _checked(robot, mechanism, options)
    if options.gravity is None and isinstance(robots, Scene):
        check_gravity(robots.robots, noted)
    divided = divide(robots, robot, options)
    materials = _open_links(robots)
    table = options.materials or _plain_table(FRICTION if options.friction is None else options.friction)
    surfaces = find_surfaces(materials.values(), FLOOR_MATERIAL, table, options.step)
    with _rejections():
        made = _in_words(with_surfaces(divided.robot, materials, surfaces), options)
        check_mocap(made.lowered, noted)
        _furnish(made, robots, robot, mechanism, surfaces, options)
        first = len(made.spec.actuators)
        add_actuators(made.spec, drive_joints(mechanism, made))
        if surfaces.special:
            # A first compile, for materials whose contacts geoms cannot have: it tells which shapes may
            # meet, and those of such materials get contact pairs in the specification.
            model = made.compile()
            add_pairs(made.spec, model, _materials(materials, made, robot), surfaces, options.step)
        set_all(made.spec, None if options.materials else options.friction, options.solref)
        changed = _changed_inertias(made, robot)
        reserved = overlaps.reserve(made.spec)
        # The compile of the model that is simulated; all that was added above is in it.
        model = made.model
    overlaps.release(model, overlaps.own_pairs(model, reserved))
    _set_inertias(model, changed)
    _unlimit(model, options)
    layout = find_layout(mechanism, made)
    engine = Engine(
        robot=robot,
        mechanism=mechanism,
        made=made,
        layout=layout,
        model=model,
        data=new_data(model),
        names=body_names(model, mechanism, layout),
        has_floor=options.floor is not None,
    )
    return Built(
        engine=engine,
        robots=tuple(robots.robots) if isinstance(robots, Scene) else robots,
        options=options,
        first_drive=first,
        effort_limits=_effort_limits(mechanism, options.effort_limits)[:, layout.entries],
        can_touch=bool(body_pairs(model).any()),
        hulls=find_hulls(model, engine.names, divided.hollow - divided.left, _hull_hint(options, divided)),
        divided=divided,
        noted=tuple(noted),
    )


def _checked(robot: Robot, mechanism: Mechanism, options: Options) -> Findings:
    """What is noted of a robot; SimulationError if the engine cannot move it."""
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
    return findings


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


@contextmanager
def _rejections() -> Iterator[None]:
    """SimulationError for a robot that cannot be written as MJCF, or that MuJoCo rejects."""
    try:
        yield
    except SaveError as rejected:
        raise SimulationError(rejected.findings) from None
    except MujocoError as rejected:
        hint = "correct what MuJoCo names"
        if rejected.at is None:
            hint = f"save the robot as MJCF, and {hint}"
        found = Finding("simulation-rejected", "error", str(rejected), rejected.at, hint)
        raise SimulationError([found]) from None


def _in_words(robot: Robot, options: Options) -> MujocoModel:
    """The robot in the engine's words.

    It has no loops and couplings where these are held by ``loops``, and no rangefinders for scans, whose
    rays ``rays`` casts.
    """
    if options.loop_solver == "exact":
        robot = replace(robot, loops=(), couplings=())
    robot = replace(on_world(robot), devices=tuple(d for d in robot.devices if not is_scan(d)))
    return to_mujoco(robot, inertias=NEAREST)


def _furnish(
    made: MujocoModel,
    robots: Robot | Scene,
    robot: Robot,
    mechanism: Mechanism,
    surfaces: Surfaces,
    options: Options,
) -> None:
    """Add what is not of the robots to the engine's specification of them."""
    set_options(made.spec, options, robot)
    if options.pairs == "none":
        separate(made, robots_of_links(robots, robot))
    if options.floor is not None:
        add_floor(made.spec, options.floor, surfaces)
    enable_surface_speeds(made, mechanism)
    if options.loop_solver != "exact":
        attachments.reserve(made.spec, options.step)


def _open_links(given: Robot | Scene) -> dict[str, str]:
    """The links of robots of other formats than MJCF, with their materials.

    Their files do not state all contact values of shapes; in MJCF all have those of MuJoCo.
    """
    robots = given.robots if isinstance(given, Scene) else (given,)
    names = iter([link.name for link in as_robot(given).links[isinstance(given, Scene) :]])
    out = {}
    for robot in robots:
        named, is_open = link_materials(robot), not has_mjcf(robot)
        for link in robot.links:
            name = next(names)
            if is_open:
                out[name] = named.get(link.name, DEFAULT)
    return out


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


def _changed_inertias(made: MujocoModel, robot: Robot) -> dict[str, tuple[float, Floats]]:
    """Mass and inertia (3, 3) in body axes of the bodies to which the bridge gave other ones.

    The engine computes with them; only its compiler rejects them.
    """
    written = {link.name: link.inertial for link in made.lowered.links}
    out: dict[str, tuple[float, Floats]] = {}
    for link in robot.links:
        pose = made.pose_in_body(link.name) if link.name in written else None
        if pose is None:
            continue
        body, own, nearest = made.spec.body(made.body_names[link.name]), link.inertial, written[link.name]
        mass = own.mass if own is not None else 0.0
        lifted = mass == 0.0 and body.mass > 0.0
        if not lifted and (own is None or nearest is None or own.inertia == nearest.inertia):
            continue
        turn = np.array(pose.rotation())
        inertia = np.zeros((3, 3)) if own is None else turn @ np.array(own.inertia) @ turn.T
        out[body.name] = mass, (inertia + inertia.T) / 2.0
        body.simple = 0  # the engine computes bodies whose inertia has the axes of their frame otherwise
    return out


def _set_inertias(model: Any, changed: Mapping[str, tuple[float, Floats]]) -> None:
    """Set the inertias that MuJoCo's compiler rejects; its engine computes with them, as Choreonoid."""
    import mujoco

    for name, (mass, inertia) in changed.items():
        moments, axes = np.linalg.eigh(inertia)
        axes[:, 0] *= np.linalg.det(axes)
        body = model.body(name).id
        model.body_mass[body], model.body_inertia[body] = mass, moments
        mujoco.mju_mat2Quat(model.body_iquat[body], axes.reshape(-1))
    if changed:
        mujoco.mj_setConst(model, mujoco.MjData(model))


def _unlimit(model: Any, options: Options) -> None:
    """Switch off the limits of the file that are not enforced."""
    import mujoco

    if not options.position_limits:
        model.jnt_limited[:] = 0
        # what holds joints with equal limits: the equalities of one joint
        of_joint = model.eq_type == int(mujoco.mjtEq.mjEQ_JOINT)
        model.eq_active0[of_joint & (model.eq_obj2id < 0)] = 0
    if not options.effort_limits:
        model.jnt_actfrclimited[:] = 0


def _plain_table(friction: float) -> MaterialTable:
    values = PairValues(static=friction, sliding=friction)
    return MaterialTable(pairs={frozenset(("Default",)): values})


def _materials(named: Mapping[str, str], made: MujocoModel, robot: Robot) -> dict[str, str]:
    """The materials of the bodies of links whose file states no friction; the world is a floor."""
    out = {WORLD: FLOOR_MATERIAL}
    for link in robot.links:
        stated = any(x.contact is not None and x.contact.sliding is not None for x in link.collisions)
        if link.name in named and not stated and made.pose_in_body(link.name) is not None:
            out[made.body_names[link.name]] = named[link.name]
    return out


def _effort_limits(mechanism: Mechanism, enforced: bool) -> Floats:
    """The least and the largest effort of each place in v, (2, nv)."""
    bounds = np.stack([np.full(mechanism.nv, -np.inf), np.full(mechanism.nv, np.inf)])
    for joint, start in zip(mechanism.robot.joints, mechanism.idx_v.tolist(), strict=True):
        record, (low, high) = KINDS[joint.kind], joint.limits.effort
        if enforced and record.bounded and low <= high:
            bounds[:, start : start + record.nv] = [[low], [high]]
    return bounds


def _hull_hint(options: Options, divided: Divided) -> str:
    """What to do about meshes that collide as hulls."""
    shapes = "give the links convex shapes"
    if options.convex == "auto" and not is_installed():
        return f"let them collide as convex parts ({install_command('parts')}), or {shapes}"
    if divided.hollow or options.convex == "parts":
        return shapes
    return f"let them collide as convex parts (--convex parts, convex='parts'), or {shapes}"

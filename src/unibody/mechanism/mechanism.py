"""Mechanism: the algorithms on a robot's tree, with names, batches and arrays of any library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from unibody.mechanism import (
    closure,
    dynamics,
    integration,
    inverse_kinematics,
    kinematics,
    loops,
    trace_curves,
    workspace,
)
from unibody.mechanism import forward_kinematics as forward
from unibody.mechanism import normalized_space as space
from unibody.mechanism.arguments import (
    FrameLike,
    Names,
    Positions,
    as_array,
    as_positions,
    find_frame,
    joint_masks,
)
from unibody.mechanism.arrays import Array, floats
from unibody.mechanism.closure import Closure, Mobility
from unibody.mechanism.compilation import DirectCall, direct_calls
from unibody.mechanism.frame import Frame, Reference
from unibody.mechanism.inverse_kinematics import Settings, Solution, Target
from unibody.mechanism.loops import LoopClosure, axis_basis
from unibody.mechanism.normalized_space import NormalizedSpace
from unibody.mechanism.sampling import Method
from unibody.mechanism.tree import LinearCoupling, Tree
from unibody.model.arrays import Floats, Indices
from unibody.model.gravity import gravity_of
from unibody.model.pose import Pose
from unibody.model.robot import Robot

if TYPE_CHECKING:
    from concurrent.futures import Executor

Gravity = Sequence[float]

ALIGNED: Literal["local_world_aligned"] = "local_world_aligned"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Mechanism:
    """Kinematics and dynamics of a robot: its ``tree`` as arrays, its ``names``, and methods over both.

    q has ``nq`` numbers: xyz and quaternion (w, x, y, z) of the root link in the world if and only if
    ``base`` is "free", then the joints in order; joint j starts at ``idx_q[j]`` (rad or m). v has ``nv``:
    of a free base its linear and angular velocity in its own axes, then the joints at ``idx_v``; free and
    ball joints as the base, all others have the rate of their q.

    Methods take one configuration or any batch of them, (..., nq), as arrays of numpy, PyTorch, JAX or
    another library of the array API standard, and return arrays of the same library; the batches of
    several arguments are broadcast. q may also be a mapping of joint names to positions. Frames are named
    links, named frames of the robot, or (name, Pose). Units are SI; joint forces are N·m or N.

    A wrong shape is a ValueError, an unknown name a KeyError.
    """

    robot: Robot
    names: Names
    tree: Tree

    def __getstate__(self) -> dict[str, Any]:
        # of what is cached, machine code belongs to this process
        return {"robot": self.robot, "names": self.names, "tree": self.tree}

    def __repr__(self) -> str:
        return (
            f"Mechanism({self.robot.name!r}: {len(self.link_names)} links, {len(self.joint_names)} joints, "
            f"nq={self.nq}, nv={self.nv}, base={self.base!r})"
        )

    @property
    def link_names(self) -> tuple[str, ...]:
        """Names of the links, in order."""
        return self.names.links

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the joints, in order."""
        return self.names.joints

    @property
    def base(self) -> Literal["fixed", "free"] | None:
        """Base type of the robot; None, unspecified, is computed as fixed."""
        return self.robot.base

    @property
    def gravity(self) -> Gravity:
        """Gravity in m/s² in the world's axes, which the dynamics have unless they are given another one.

        It is that of the robot's file, or 9.80665 along -Z where this states none.
        """
        return gravity_of(self.robot)

    @property
    def nq(self) -> int:
        """Size of q."""
        return self.tree.nq

    @property
    def nv(self) -> int:
        """Size of v: the number of degrees of freedom."""
        return self.tree.nv

    @property
    def parents(self) -> Indices:
        """Parent of each link, -1 at the root, (n_links,)."""
        return self.tree.parents

    @property
    def link_joints(self) -> Indices:
        """Joint that moves each link, -1 at the root, (n_links,)."""
        return self.tree.link_joints

    @property
    def order(self) -> Indices:
        """Links, parents before children, (n_links,)."""
        return self.tree.order

    @property
    def idx_q(self) -> Indices:
        """Start of each joint in q, (n_joints,)."""
        return self.tree.idx_q

    @property
    def idx_v(self) -> Indices:
        """Start of each joint in v, (n_joints,)."""
        return self.tree.idx_v

    @property
    def lower(self) -> Floats:
        """Lower position limits, -inf where there are none, (nq,)."""
        return self.tree.lower

    @property
    def upper(self) -> Floats:
        """Upper position limits, inf where there are none, (nq,)."""
        return self.tree.upper

    @property
    def initial(self) -> Floats:
        """Initial configuration, (nq,)."""
        return self.tree.initial

    @property
    def couplings(self) -> tuple[LinearCoupling, ...]:
        """Joint couplings in terms of q, leaders first."""
        return self.tree.couplings

    # Kinematics.

    def forward_kinematics(self, q: Positions) -> Array:
        """Poses of all links in the world, (..., n_links, 4, 4), for q (..., nq).

        Joints left out of a mapping are at their initial position; the root link's name sets the seven
        numbers of a free base. Coupled joints are where q puts them: see ``apply_couplings``.

        >>> from unibody.mechanism import assemble
        >>> from unibody.model.robot import Joint, Link, Robot
        >>> lift = Joint(name="lift", kind="prismatic", parent="base", child="car")
        >>> robot = Robot(name="elevator", links=(Link(name="base"), Link(name="car")), joints=(lift,))
        >>> assemble(robot).forward_kinematics({"lift": 2.0})[1, :3, 3]
        array([0., 0., 2.])
        """
        call = self._calls.get(forward.FORWARD_KINEMATICS)
        if call is not None and (out := call(q)) is not None:
            return out
        return forward.forward_kinematics(self.tree, as_positions(self.tree, self.names, q))

    def apply_couplings(self, q: Positions) -> Array:
        """A copy of q, (..., nq), with every coupled joint where its leader puts it.

        >>> from unibody.mechanism import assemble
        >>> from unibody.model.robot import Coupling, Joint, Link, Robot
        >>> links = (Link(name="palm"), Link(name="left"), Link(name="right"))
        >>> fingers = [Joint(name=n, kind="prismatic", parent="palm", child=n) for n in ("left", "right")]
        >>> mimic = Coupling(joint="right", leader="left", ratio=-1.0)
        >>> hand = Robot(name="hand", links=links, joints=tuple(fingers), couplings=(mimic,))
        >>> assemble(hand).apply_couplings([0.02, 0.0])
        array([ 0.02, -0.02])
        """
        return forward.apply_couplings(self.tree, self.positions(q))

    def pose(self, q: Positions, frame: FrameLike) -> Array:
        """Pose of a frame in the world, (..., 4, 4).

        >>> import unibody as ub
        >>> m = ub.assemble("src/unibody/models/biped.body")
        >>> m.pose(m.initial, "LLEG_ANKLE_R")[:3, 3].round(3)
        array([0.  , 0.08, 0.08])
        """
        return kinematics.pose(self.tree, self.positions(q), self._frame(frame, ALIGNED))

    def velocity(self, q: Positions, v: Array, frame: FrameLike, reference: Reference = ALIGNED) -> Array:
        """Velocity of a frame's origin, then its angular velocity, (..., 6), in m/s and rad/s.

        ``reference`` is "local_world_aligned", in the world's axes; "local", in the frame's own; or
        "world", of the point of the link that passes the world's origin.

        >>> import unibody as ub
        >>> m = ub.assemble("tests/commands/models/pendulum.body")
        >>> m.velocity([0.0], [2.0], ("ARM", ub.Pose((0.0, 0.0, -0.5)))).round(3)
        array([-1.,  0.,  0.,  0.,  2.,  0.])
        """
        found = self._frame(frame, reference)
        return kinematics.velocity(self.tree, self.positions(q), self.velocities(v), found)

    def acceleration(
        self, q: Positions, v: Array, a: Array, frame: FrameLike, reference: Reference = ALIGNED
    ) -> Array:
        """Rate of ``velocity`` in the same reference, (..., 6), for a, the rate of v (..., nv).

        >>> import unibody as ub
        >>> m = ub.assemble("tests/commands/models/pendulum.body")
        >>> m.acceleration([0.0], [2.0], [0.0], ("ARM", ub.Pose((0.0, 0.0, -0.5)))).round(3)
        array([0., 0., 2., 0., 0., 0.])
        """
        found = self._frame(frame, reference)
        v, a = self.velocities(v), self.velocities(a, "a")
        return kinematics.acceleration(self.tree, self.positions(q), v, a, found)

    def jacobian(
        self,
        q: Positions,
        frame: FrameLike,
        point: Sequence[float] | None = None,
        reference: Reference = ALIGNED,
    ) -> Array:
        """Matrix J, (..., 6, nv), with J v the ``velocity`` of a frame, or of a point given in it.

        >>> from unibody.mechanism import assemble
        >>> from unibody.model.robot import Joint, Link, Robot
        >>> crank = Joint(name="crank", kind="revolute", parent="base", child="arm")
        >>> robot = Robot(name="mill", links=(Link(name="base"), Link(name="arm")), joints=(crank,))
        >>> assemble(robot).jacobian([0.0], "arm", (0.5, 0.0, 0.0))[:, 0]
        array([0. , 0.5, 0. , 0. , 0. , 1. ])
        """
        if point is None:
            named = isinstance(frame, str)
            call = self._jacobians.get((frame, reference)) if named else None
            if call is not None and (out := call(q)) is not None:
                return out
            found = self._frame(frame, reference)
            if named and found.is_link and (call := self._calls.get(kinematics.jacobian_key(found))):
                self._jacobians[frame, reference] = call
        else:
            found = find_frame(self.names, frame, point, reference)
        return kinematics.jacobian(self.tree, self.positions(q), found)

    def center_of_mass(self, q: Positions) -> Array:
        """Center of mass in the world, (..., 3), in m; NaN for a robot without mass.

        >>> import unibody as ub
        >>> m = ub.assemble("src/unibody/models/biped.body")
        >>> m.center_of_mass(m.initial).shape
        (3,)
        """
        return kinematics.center_of_mass(self.tree, self.positions(q))

    def center_of_mass_jacobian(self, q: Positions) -> Array:
        """Matrix J, (..., 3, nv), with J v the velocity of the center of mass in world axes (m/s).

        >>> import unibody as ub
        >>> m = ub.assemble("src/unibody/models/biped.body")
        >>> m.center_of_mass_jacobian(m.initial).shape  # (3, nv)
        (3, 29)
        """
        return kinematics.center_of_mass_jacobian(self.tree, self.positions(q))

    def momentum(self, q: Positions, v: Array) -> Array:
        """Momentum (N·s), then angular momentum about the center of mass (N·m·s), world axes, (..., 6).

        >>> import unibody as ub
        >>> m = ub.assemble("src/unibody/models/biped.body")
        >>> import numpy as np
        >>> v = np.zeros(m.nv)
        >>> v[0] = 1.0  # the base moves along X at 1 m/s
        >>> m.momentum(m.initial, v)[:3].round(3)  # the mass is 40 kg
        array([40.,  0.,  0.])
        """
        return kinematics.momentum(self.tree, self.positions(q), self.velocities(v))

    def energy(self, q: Positions, v: Array, gravity: Gravity | None = None) -> Array:
        """Kinetic energy, rotors included, and potential energy, springs excluded, in J, (..., 2).

        >>> import unibody as ub
        >>> m = ub.assemble("tests/commands/models/pendulum.body")
        >>> m.energy([0.0], [2.0]).round(3)  # J
        array([0.054, 3.923])
        """
        return kinematics.energy(self.tree, self.positions(q), self.velocities(v), self._gravity(gravity))

    def integrate(self, q: Positions, v: Array) -> Array:
        """Configuration (..., nq) after one second of motion from q (..., nq) at constant v (..., nv).

        Free joints follow the screw of v; quaternions are normalized.

        >>> import unibody as ub
        >>> m = ub.assemble("tests/commands/models/pendulum.body")
        >>> m.integrate([0.1], [0.5])
        array([0.6])
        """
        return integration.integrate(self.tree, self.positions(q), self.velocities(v))

    def difference(self, start: Positions, end: Positions) -> Array:
        """The v (..., nv) with integrate(start, v) = end; quaternions take the shorter way.

        >>> import unibody as ub
        >>> m = ub.assemble("tests/commands/models/pendulum.body")
        >>> m.difference([0.1], [0.6])
        array([0.5])
        """
        return integration.difference(self.tree, self.positions(start), self.positions(end))

    def q_dot(self, q: Positions, v: Array) -> Array:
        """Time derivative of q, (..., nq), at v (..., nv), for solvers of differential equations.

        >>> import unibody as ub
        >>> m = ub.assemble("tests/commands/models/pendulum.body")
        >>> m.q_dot([0.1], [0.5])
        array([0.5])
        """
        return integration.q_dot(self.tree, self.positions(q), self.velocities(v))

    # Dynamics.

    def mass_matrix(self, q: Positions) -> Array:
        """Joint-space inertia M, (..., nv, nv), symmetric, with rotor inertia on its diagonal.

        >>> import unibody as ub
        >>> m = ub.assemble("src/unibody/models/biped.body")
        >>> m.mass_matrix([m.initial, m.initial]).shape  # a batch of two
        (2, 29, 29)
        """
        call = self._calls.get(dynamics.MASS_MATRIX)
        if call is not None and (out := call(q)) is not None:
            return out
        return dynamics.mass_matrix(self.tree, self.positions(q))

    def inverse_dynamics(
        self,
        q: Positions,
        v: Array,
        a: Array,
        external: Array | None = None,
        gravity: Gravity | None = None,
    ) -> Array:
        """Joint forces, (..., nv), in N or N·m, for the rate a of v: M a + Coriolis + gravity.

        ``external`` (..., n_links, 6) is the force and moment on each link, at its origin, in world axes.
        ``gravity`` (m/s²) defaults to that of the robot. Passive forces are not included.

        >>> import unibody as ub
        >>> m = ub.assemble("tests/commands/models/pendulum.body")
        >>> m.inverse_dynamics([0.5], [0.0], [0.0]).round(3)  # holds the pendulum, N·m
        array([0.47])
        """
        call = self._calls.get(dynamics.INVERSE_DYNAMICS) if external is None and gravity is None else None
        if call is not None and (out := call(q, v, a, self._weight)) is not None:
            return out
        v, a, external = self.velocities(v), self.velocities(a, "a"), self._external(external)
        return dynamics.inverse_dynamics(
            self.tree, self.positions(q), v, a, external, gravity=self._gravity(gravity)
        )

    def forward_dynamics(
        self,
        q: Positions,
        v: Array,
        effort: Array,
        external: Array | None = None,
        gravity: Gravity | None = None,
    ) -> Array:
        """Rate of v, (..., nv), under joint forces (..., nv): the inverse of ``inverse_dynamics``.

        ValueError for a robot with a joint that moves neither a mass nor a rotor.

        >>> import unibody as ub
        >>> m = ub.assemble("tests/commands/models/pendulum.body")
        >>> m.forward_dynamics([0.5], [0.0], [0.0]).round(3)  # it falls, rad/s²
        array([-17.413])
        """
        link = dynamics.massless_link(self.tree)
        if link is not None:
            joint = int(self.link_joints[link])
            what = f"joint {self.joint_names[joint]!r}" if joint >= 0 else "the free base"
            raise ValueError(
                f"{what} moves nothing that has mass: it needs some, or a rotor, for forward dynamics"
            )
        call = self._calls.get(dynamics.FORWARD_DYNAMICS) if external is None and gravity is None else None
        if call is not None and (out := call(q, v, effort, self._weight)) is not None:
            return out
        v, effort = self.velocities(v), self.velocities(effort, "effort")
        external = self._external(external)
        return dynamics.forward_dynamics(
            self.tree, self.positions(q), v, effort, external, gravity=self._gravity(gravity)
        )

    def generalized_gravity(self, q: Positions, gravity: Gravity | None = None) -> Array:
        """Joint forces, (..., nv), that hold the robot at rest, in N or N·m.

        >>> import unibody as ub
        >>> m = ub.assemble("tests/commands/models/pendulum.body")
        >>> m.generalized_gravity([0.5]).round(3), m.generalized_gravity([0.5], gravity=(0, 0, 0))
        (array([0.47]), array([0.]))
        """
        call = self._calls.get(dynamics.GENERALIZED_GRAVITY) if gravity is None else None
        if call is not None and (out := call(q, self._weight)) is not None:
            return out
        return dynamics.generalized_gravity(self.tree, self.positions(q), self._gravity(gravity))

    def coriolis_bias(self, q: Positions, v: Array) -> Array:
        """Coriolis and centrifugal forces, (..., nv): the joint forces for a constant v without gravity.

        >>> import unibody as ub
        >>> m = ub.assemble("tests/commands/models/pendulum.body")
        >>> m.coriolis_bias([0.5], [2.0]).round(9) + 0.0  # a single joint has none
        array([0.])
        """
        call = self._calls.get(dynamics.CORIOLIS_BIAS)
        if call is not None and (out := call(q, v)) is not None:
            return out
        return dynamics.coriolis_bias(self.tree, self.positions(q), self.velocities(v))

    def passive_forces(self, q: Positions, v: Array) -> Array:
        """Joint forces of damping, dry friction and springs, (..., nv); add them to the effort.

        >>> import unibody as ub
        >>> m = ub.assemble("tests/commands/models/pendulum.body")
        >>> m.passive_forces([0.5], [2.0]) + 0.0  # no damping
        array([0.])
        """
        return dynamics.passive_forces(self.tree, self.positions(q), self.velocities(v))

    # Loops.

    @cached_property
    def loops(self) -> tuple[LoopClosure, ...]:
        """The robot's loops as equations over the tree; KeyError for an unknown link."""
        return tuple(
            LoopClosure(
                a=find_frame(self.names, (loop.link_a, loop.pose_a)),
                b=find_frame(self.names, (loop.link_b, loop.pose_b)),
                basis=axis_basis(np.array(loop.pose_a.matrix()), loop.axis),
                axial=loop.holds.axial,
                radial=loop.holds.radial,
                twist=loop.holds.twist,
                swing=loop.holds.swing,
            )
            for loop in self.robot.loops
        )

    def loop_residual(self, q: Positions) -> Floats:
        """Residual of the loops (m, then sines of angles), then of the couplings (rad or m), (..., m).

        >>> import unibody as ub
        >>> m = ub.assemble("tests/planning/models/five-bar.urdf")
        >>> m.loop_residual(m.close_loops(m.initial).q).shape
        (5,)
        """
        return loops.over_batch(lambda rows: loops.residual(self.tree, self.loops, rows), self._floats(q))

    def loop_jacobian(self, q: Positions) -> Floats:
        """Matrix J, (..., m, nv), with J v the rate of ``loop_residual``.

        >>> import unibody as ub
        >>> m = ub.assemble("tests/planning/models/five-bar.urdf")
        >>> m.loop_jacobian(m.initial).shape  # (m, nv)
        (5, 4)
        """
        return loops.over_batch(lambda rows: loops.jacobian(self.tree, self.loops, rows), self._floats(q))

    def close_loops(
        self, q: Positions, locked: Sequence[str] = (), tolerance: float = 1e-9, limits: bool = True
    ) -> Closure:
        """The closest configuration (..., nq) that satisfies loops and couplings.

        Joints in ``locked``, or a free base by its link's name, keep their position; with ``limits``
        joints stay within theirs.

        >>> import unibody as ub
        >>> m = ub.assemble("tests/planning/models/five-bar.urdf")
        >>> bool(m.close_loops([2.15, -1.43, 1.51, 1.11]).closed)
        True
        """
        masks = joint_masks(self.tree, self.names, locked)
        return closure.close_loops(
            self.tree, self.loops, self._floats(q), masks, tolerance=tolerance, limits=limits
        )

    def mobility(self, q: Positions, prefer: Sequence[str] = ()) -> Mobility:
        """Degrees of freedom at a closed configuration (nq,); joints in ``prefer`` become independent.

        >>> import unibody as ub
        >>> m = ub.assemble("tests/planning/models/five-bar.urdf")
        >>> m.mobility(m.close_loops([2.15, -1.43, 1.51, 1.11]).q).degrees
        2
        """
        _, preferred = joint_masks(self.tree, self.names, prefer)
        return closure.mobility(self.tree, self.loops, self._floats(q), preferred)

    def constrained_dynamics(
        self,
        q: Positions,
        v: Array,
        effort: Array,
        gravity: Gravity | None = None,
        stabilization: float = 0.0,
    ) -> tuple[Floats, Floats]:
        """Rate of v (..., nv) with loops and couplings enforced, and their forces (..., m).

        ``stabilization`` (1/s) is the frequency at which drift is corrected; 0 disables it.

        >>> import unibody as ub
        >>> m = ub.assemble("tests/commands/models/crane.body")
        >>> q = m.close_loops(m.initial).q
        >>> rate, forces = m.constrained_dynamics(q, [0.0] * m.nv, [0.0] * m.nv)
        >>> rate.shape, forces.shape
        ((3,), (5,))
        """
        state = (self._floats(q), floats(v, "v"), floats(effort, "effort"))
        return closure.constrained_dynamics(
            self.tree, self.loops, state, gravity=self._gravity(gravity), stabilization=stabilization
        )

    # Searching and sampling.

    def inverse_kinematics(
        self,
        frame: FrameLike | Sequence[Target],
        pose: Pose | ArrayLike | None = None,
        start: Positions | None = None,
        position: bool = True,
        orientation: bool = True,
        *,
        distance: float = 1e-6,
        angle: float = 1e-6,
        iterations: int = 60,
        restarts: int = 20,
        limits: bool = True,
        posture: Mapping[str, float] | None = None,
        locked: Sequence[str] = (),
        seed: int = 0,
    ) -> Solution:
        """Configurations (..., nq) that put a frame at a pose, (..., 4, 4): damped least squares.

        A list of ``Target`` instead of a frame and a pose sets several targets. The search starts at
        ``start`` (None: the initial positions), takes ``iterations`` steps, and restarts from up to
        ``restarts`` random configurations. It has converged within ``distance`` (m) and ``angle`` (rad).
        ``limits`` keeps joints within their limits. Joints in ``locked``, or a free base by its link's
        name, keep their position, and so do passive joints outside of closed loops. ``posture`` is
        approached where the targets leave freedom. Only joints that move a target change, and joints tied
        to them by loops and couplings.

        >>> import unibody as ub
        >>> m = ub.assemble("tests/commands/models/pendulum.body")
        >>> found = m.inverse_kinematics("ARM", m.pose([0.7], "ARM"))
        >>> bool(found.converged), found.q.round(4)
        (True, array([0.7]))
        """
        if pose is not None:
            frame = [Target(frame=frame, pose=pose, position=position, orientation=orientation)]  # type: ignore[arg-type]
        targets: Sequence[Target] = frame  # type: ignore[assignment]
        passive = {k: joint.name for k, joint in enumerate(self.robot.joints) if joint.passive}
        if passive:
            for k in loops.joints_around(self.tree, self.loops):
                passive.pop(k, None)
        settings = Settings(
            distance=distance,
            angle=angle,
            iterations=iterations,
            restarts=restarts,
            limits=limits,
            posture=None if posture is None else self.positions(posture),
            locked=joint_masks(self.tree, self.names, (*locked, *passive.values())),
            seed=seed,
        )
        first = self.initial if start is None else floats(self.positions(start), "start")
        found = [(find_frame(self.names, target.frame), target) for target in targets]
        return inverse_kinematics.inverse_kinematics(self.tree, self.loops, found, first, settings)

    @property
    def normalized_space(self) -> NormalizedSpace:
        """MPK's normalized configuration space; built at each access."""
        return space.normalized_space(self.robot, self.tree, self.names)

    def trace(self, plan: ArrayLike, step: float = 0.01) -> dict[str, Floats]:
        """Path (m, 3) in the world, in m, of each trace frame by its name, along a plan.

        ``plan`` holds normalized configurations (k, n), joined by straight segments; each is bisected
        until no coordinate changes by ``step`` or more between two points, as in MPK. ValueError for a
        plan of another width, NormalizedSpaceError for a step that is not positive or too small.

        >>> from unibody.mechanism import assemble
        >>> from unibody.model.robot import Frame, Joint, Limits, Link, Robot
        >>> lift = Joint(name="lift", kind="prismatic", parent="base", child="car",
        ...              limits=Limits(position=(0.0, 4.0)))
        >>> links = (Link(name="base"), Link(name="car"))
        >>> lamp = Frame(name="lamp", link="car", trace=True)
        >>> robot = Robot(name="elevator", links=links, joints=(lift,), frames=(lamp,))
        >>> assemble(robot).trace([[0.0], [1.0]], step=0.6)["lamp"][:, 2]
        array([0., 2., 4.])
        """
        frames = {f.name: find_frame(self.names, (f.link, f.pose)) for f in self.names.frames if f.trace}
        return trace_curves.trace_curves(self.tree, self.normalized_space, frames, plan, step)

    def workspace(
        self,
        frame: FrameLike,
        count: int = 10_000,
        method: Method = "uniform",
        seed: int = 0,
        executor: Executor | None = None,
    ) -> Floats:
        """Points (n, 3) in the world, in m, that a frame reaches, from ``count`` samples.

        ``method`` is "uniform" or "halton"; ``executor`` is any of ``concurrent.futures``, and the points
        do not depend on it. A sample whose loops do not close gives no point.

        >>> import unibody as ub
        >>> m = ub.assemble("tests/commands/models/pendulum.body")
        >>> m.workspace("ARM", 5).shape
        (5, 3)
        """
        found, normalized = find_frame(self.names, frame), self.normalized_space
        return workspace.workspace(
            self.tree,
            self.loops,
            normalized,
            found,
            count=count,
            method=method,
            seed=seed,
            executor=executor,
        )

    # Machine code.

    @cached_property
    def _calls(self) -> dict[tuple[Any, ...], DirectCall]:
        return direct_calls(self.tree)

    @cached_property
    def _jacobians(self) -> dict[tuple[FrameLike, Reference], DirectCall]:
        return {}

    @cached_property
    def _weight(self) -> Floats:
        return np.array(self.gravity, np.float64)

    # Arguments.

    def positions(self, q: Positions) -> Array:
        """q as an array (..., nq), from an array or a mapping of joint names to positions (rad or m).

        >>> import unibody as ub
        >>> m = ub.assemble("tests/commands/models/pendulum.body")
        >>> m.positions({m.joint_names[0]: 0.3})
        array([0.3])
        """
        return as_positions(self.tree, self.names, q)

    def velocities(self, v: Array, what: str = "v") -> Array:
        """v, or anything else with an entry for each degree of freedom, as an array (..., nv).

        >>> import unibody as ub
        >>> m = ub.assemble("tests/commands/models/pendulum.body")
        >>> m.velocities([0.5])
        array([0.5])
        """
        return as_array(v, what, (self.nv,))

    def _frame(self, frame: FrameLike, reference: Reference) -> Frame:
        if not isinstance(frame, str):
            return find_frame(self.names, frame, None, reference)
        found = self._named.get((frame, reference))
        if found is None:
            found = self._named[frame, reference] = find_frame(self.names, frame, None, reference)
        return found

    @cached_property
    def _named(self) -> dict[tuple[str, Reference], Frame]:
        return {}

    def _floats(self, q: Positions) -> Floats:
        return floats(self.positions(q), "q")

    def _external(self, external: Array | None) -> Array | None:
        return None if external is None else as_array(external, "external", (len(self.link_names), 6))

    def _gravity(self, given: Gravity | None) -> Gravity:
        return self.gravity if given is None else given

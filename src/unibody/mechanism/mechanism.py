"""A robot's tree as arrays, and all that is computed from it: thin methods over the modules beside."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from unibody.mechanism.arguments import Positions, near, positions, shaped
from unibody.mechanism.arrays import Array, Floats, Indices, floats
from unibody.mechanism.forward_kinematics import Plan, forward_kinematics
from unibody.model.robot import Coupling, Robot

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from unibody.mechanism.closure import Closure, Mobility
    from unibody.mechanism.inverse_kinematics import Solution, Target
    from unibody.mechanism.kinematics import FrameLike, Reference
    from unibody.mechanism.normalized_space import NormalizedSpace
    from unibody.mechanism.sampling import Method
    from unibody.mechanism.tree import Tree
    from unibody.model.pose import Pose

Gravity = Sequence[float]

__all__ = ["ALIGNED", "GRAVITY", "Follower", "Gravity", "Mechanism", "Positions", "near"]

#: Standard gravity in m/s², along the world's -Z.
GRAVITY = (0.0, 0.0, -9.80665)
ALIGNED: Literal["local_world_aligned"] = "local_world_aligned"


@dataclass(frozen=True, slots=True)
class Follower:
    """A coupling in terms of q: q[entry] = ratio · q[leader] + offset; leader None counts as 0."""

    entry: int
    leader: int | None
    ratio: float
    offset: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mechanism:
    """A robot's tree as read-only arrays; indices are places in ``link_names`` and ``joint_names``.

    q has ``nq`` numbers: xyz and quaternion (w, x, y, z) of the root link in the world
    exactly if ``base`` is "free", then the joints in order; joint j starts at
    ``idx_q[j]`` (rad or m). v has ``nv``: of a free base its velocity and angular
    velocity in its own axes, then the joints at ``idx_v``; free and ball joints
    as the base, all others have the rate of their q. ``parents`` and ``link_joints`` hold,
    per link, its parent link and the joint that moves it, -1 at the root; ``order`` has
    parents before children. ``lower``, ``upper`` and ``initial`` are (nq,).

    Methods take one configuration or any batch of them, (..., nq), as arrays of numpy,
    PyTorch, JAX or another library of the array API standard, and give arrays of the same;
    the batches of several arguments are broadcast. Dynamics: forces are N·m or N.
    """

    robot: Robot = field(repr=False)
    link_names: tuple[str, ...]
    joint_names: tuple[str, ...]
    nq: int
    nv: int
    base: Literal["fixed", "free"] | None
    parents: Indices = field(repr=False)
    link_joints: Indices = field(repr=False)
    order: Indices = field(repr=False)
    idx_q: Indices = field(repr=False)
    idx_v: Indices = field(repr=False)
    lower: Floats = field(repr=False)
    upper: Floats = field(repr=False)
    initial: Floats = field(repr=False)
    couplings: tuple[Coupling, ...] = field(repr=False)
    followers: tuple[Follower, ...] = field(repr=False)
    plan: Plan = field(repr=False)
    _kept: dict[str, Any] = field(default_factory=dict, repr=False, init=False)

    def forward_kinematics(self, q: Positions) -> Array:
        """Poses of all links in the world, (..., n_links, 4, 4), for q (..., nq).

        q may be a dict {joint name: position}; joints left out stay at their initial
        position, and the root link's name sets the seven numbers of a free base. A wrong
        length is a ValueError, an unknown name a KeyError. Coupled joints are where q
        puts them: see ``apply_couplings``.

        >>> from unibody.mechanism import assemble
        >>> from unibody.model.robot import Joint, Link, Robot
        >>> lift = Joint(name="lift", kind="prismatic", parent="base", child="car")
        >>> robot = Robot(name="elevator", links=(Link(name="base"), Link(name="car")), joints=(lift,))
        >>> assemble(robot).forward_kinematics({"lift": 2.0})[1, :3, 3]
        array([0., 0., 2.])
        """
        values = self.positions(q)
        if isinstance(values, np.ndarray):
            poses = forward_kinematics(self.plan, values.reshape(math.prod(values.shape[:-1]), self.nq))
            return poses.reshape(*values.shape[:-1], *poses.shape[1:])
        from unibody.mechanism import portable

        return portable.poses(self.plan, values)

    def apply_couplings(self, q: Positions) -> Array:
        """A copy of q, (..., nq), in which every coupled joint is where its leader puts it.

        >>> from unibody.mechanism import assemble
        >>> from unibody.model.robot import Coupling, Joint, Link, Robot
        >>> links = (Link(name="palm"), Link(name="left"), Link(name="right"))
        >>> fingers = [Joint(name=n, kind="prismatic", parent="palm", child=n) for n in ("left", "right")]
        >>> mimic = Coupling(joint="right", leader="left", ratio=-1.0)
        >>> hand = Robot(name="hand", links=links, joints=tuple(fingers), couplings=(mimic,))
        >>> assemble(hand).apply_couplings([0.02, 0.0])
        array([ 0.02, -0.02])
        """
        values = self.positions(q)
        if not isinstance(values, np.ndarray):
            from unibody.mechanism import portable

            return portable.followed(self.followers, values)
        values = values.copy()
        with np.errstate(all="ignore"):
            for follower in self.followers:
                lead = 0.0 if follower.leader is None else values[..., follower.leader]
                values[..., follower.entry] = follower.ratio * lead + follower.offset
        return values

    def pose(self, q: Positions, frame: FrameLike) -> Array:
        """The pose in the world, (..., 4, 4), of a link, a frame of the robot, or (link, Pose)."""
        from unibody.mechanism import kinematics

        return self._run(partial(kinematics.pose, frame=kinematics.find_frame(self, frame)), q)

    def velocity(self, q: Positions, v: Array, frame: FrameLike, reference: Reference = ALIGNED) -> Array:
        """Velocity of a frame's origin and its angular velocity, (..., 6), m/s and rad/s.

        ``reference`` is "local_world_aligned", in the world's axes; "local", in the frame's
        own; or "world", of the point of the link that passes the world's origin.
        """
        from unibody.mechanism import kinematics

        found = kinematics.find_frame(self, frame, None, reference)
        return self._run(partial(kinematics.velocity, frame=found), q, v)

    def acceleration(
        self, q: Positions, v: Array, a: Array, frame: FrameLike, reference: Reference = ALIGNED
    ) -> Array:
        """The rate of ``velocity`` in the same reference, (..., 6), for a, the rate of v."""
        from unibody.mechanism import kinematics

        found = kinematics.find_frame(self, frame, None, reference)
        return self._run(partial(kinematics.acceleration, frame=found), q, v, a)

    def jacobian(
        self,
        q: Positions,
        frame: FrameLike,
        point: Sequence[float] | None = None,
        reference: Reference = ALIGNED,
    ) -> Array:
        """The matrix J, (..., 6, nv), with J v the ``velocity`` of a frame, or of a point given in it.

        >>> from unibody.mechanism import assemble
        >>> from unibody.model.robot import Joint, Link, Robot
        >>> crank = Joint(name="crank", kind="revolute", parent="base", child="arm")
        >>> robot = Robot(name="mill", links=(Link(name="base"), Link(name="arm")), joints=(crank,))
        >>> assemble(robot).jacobian([0.0], "arm", (0.5, 0.0, 0.0))[:, 0]
        array([0. , 0.5, 0. , 0. , 0. , 1. ])
        """
        from unibody.mechanism import kinematics

        found = kinematics.find_frame(self, frame, point, reference)
        return self._run(partial(kinematics.jacobian, frame=found), q)

    def center_of_mass(self, q: Positions) -> Array:
        """The robot's centre of mass in the world, (..., 3), in m; NaN for a robot without mass."""
        from unibody.mechanism import kinematics

        return self._run(kinematics.center_of_mass, q)

    def center_of_mass_jacobian(self, q: Positions) -> Array:
        """The matrix J, (..., 3, nv), with J v the velocity of the centre of mass in the world."""
        from unibody.mechanism import kinematics

        return self._run(kinematics.center_of_mass_jacobian, q)

    def momentum(self, q: Positions, v: Array) -> Array:
        """Momentum (N·s) and angular momentum about the centre of mass (N·m·s), world axes, (..., 6)."""
        from unibody.mechanism import kinematics

        return self._run(kinematics.momentum, q, v)

    def energy(self, q: Positions, v: Array, gravity: Gravity = GRAVITY) -> Array:
        """Kinetic and potential energy in J, (..., 2); rotors count, springs do not."""
        from unibody.mechanism import kinematics

        return self._run(partial(kinematics.energy, gravity=gravity), q, v)

    def mass_matrix(self, q: Positions) -> Array:
        """Joint-space inertia M, (..., nv, nv), symmetric; the rotors' inertia is on its diagonal."""
        from unibody.mechanism import dynamics

        return self._run(partial(dynamics.mass_matrix, pairs=dynamics.pairs_of(self.tree)), q)

    def inverse_dynamics(
        self, q: Positions, v: Array, a: Array, external: Array | None = None, gravity: Gravity = GRAVITY
    ) -> Array:
        """Forces in the joints, (..., nv), that bring about the rate a of v: M a + Coriolis + gravity.

        ``external`` (..., n_links, 6) holds force and moment on each link, at its origin, in
        world axes. Passive forces are not in it.
        """
        from unibody.mechanism import dynamics

        return self._run(partial(dynamics.inverse_dynamics, gravity=gravity), q, v, a, external=external)

    def forward_dynamics(
        self,
        q: Positions,
        v: Array,
        effort: Array,
        external: Array | None = None,
        gravity: Gravity = GRAVITY,
    ) -> Array:
        """The rate of v, (..., nv), under forces in the joints (..., nv): ``inverse_dynamics`` undone.

        ValueError when the model has a joint that moves nothing with inertia.
        """
        from unibody.mechanism import dynamics

        dynamics.check_inertia(self)
        return self._run(
            partial(dynamics.forward_dynamics, gravity=gravity), q, v, effort, external=external
        )

    def generalized_gravity(self, q: Positions, gravity: Gravity = GRAVITY) -> Array:
        """Forces in the joints, (..., nv), that hold the robot at rest."""
        from unibody.mechanism import dynamics

        return self._run(partial(dynamics.generalized_gravity, gravity=gravity), q)

    def coriolis_bias(self, q: Positions, v: Array) -> Array:
        """Coriolis and centrifugal forces, (..., nv): what the joints need for a constant v."""
        from unibody.mechanism import dynamics

        return self._run(dynamics.coriolis_bias, q, v)

    def passive_forces(self, q: Positions, v: Array) -> Array:
        """What damping, dry friction and springs do in the joints, (..., nv); a part of the effort."""
        from unibody.mechanism import dynamics

        return dynamics.passive_forces(self, self.positions(q), self.velocities(v))

    def integrate(self, q: Positions, v: Array) -> Array:
        """The configuration (..., nq) that q gets to by moving at v for one second.

        Free joints follow the screw of v, quaternions get the length 1.
        """
        from unibody.mechanism import integration

        return integration.integrate(self, self.positions(q), self.velocities(v))

    def difference(self, start: Positions, end: Positions) -> Array:
        """The v (..., nv) with integrate(start, v) = end; quaternions take the shorter way round."""
        from unibody.mechanism import integration

        return integration.difference(self, self.positions(start), self.positions(end))

    def q_dot(self, q: Positions, v: Array) -> Array:
        """Time derivative of q, (..., nq), at v: what a solver of differential equations asks for."""
        from unibody.mechanism import integration

        return integration.q_dot(self, self.positions(q), self.velocities(v))

    def loop_residual(self, q: Positions) -> Floats:
        """How far loops and couplings are from holding, (..., m): m, sines of angles; see ``loops``."""
        from unibody.mechanism import loops

        return loops.over(self, loops.residual, floats(self.positions(q), "q"))

    def loop_jacobian(self, q: Positions) -> Floats:
        """The matrix J, (..., m, nv), with J v the rate of ``loop_residual``."""
        from unibody.mechanism import loops

        return loops.over(self, loops.jacobian, floats(self.positions(q), "q"))

    def close_loops(
        self, q: Positions, locked: Sequence[str] = (), tolerance: float = 1e-9, limits: bool = True
    ) -> Closure:
        """The nearest configuration (..., nq) that closes loops and couplings; those in ``locked`` stay."""
        from unibody.mechanism.closure import close_loops

        return close_loops(self, floats(self.positions(q), "q"), locked, tolerance, limits)

    def mobility(self, q: Positions, prefer: Sequence[str] = ()) -> Mobility:
        """Degrees of freedom about a closed configuration (nq,); ``prefer`` names independent joints."""
        from unibody.mechanism.closure import mobility

        return mobility(self, floats(self.positions(q), "q"), prefer)

    def constrained_dynamics(
        self,
        q: Positions,
        v: Array,
        effort: Array,
        gravity: Gravity = GRAVITY,
        stabilization: float = 0.0,
    ) -> tuple[Floats, Floats]:
        """The rate of v (..., nv) with loops and couplings held, and their forces (..., m).

        ``stabilization`` (1/s) is how fast drift is pulled back; 0 lets it be.
        """
        from unibody.mechanism.closure import constrained_dynamics

        state = (floats(self.positions(q), "q"), floats(v, "v"), floats(effort, "effort"))
        return constrained_dynamics(self, state, gravity, stabilization)

    def inverse_kinematics(
        self,
        frame: FrameLike | Sequence[Target],
        pose: Pose | ArrayLike | None = None,
        start: Positions | None = None,
        position: bool = True,
        orientation: bool = True,
        **settings: Any,
    ) -> Solution:
        """Configurations (..., nq) that put a frame at a pose, (..., 4, 4): damped least squares.

        Several targets at once are a list of ``inverse_kinematics.Target``. ``settings`` are the fields of
        ``inverse_kinematics.Settings``. The search begins at ``start`` (None: the initial positions).
        """
        from unibody.mechanism.inverse_kinematics import Settings, Target, solve

        if pose is not None:
            frame = [Target(frame=frame, pose=pose, position=position, orientation=orientation)]  # type: ignore[arg-type]
        first = self.initial if start is None else self.positions(start)
        return solve(self, frame, floats(first, "start"), Settings(**settings))  # type: ignore[arg-type]

    def workspace(
        self,
        frame: FrameLike,
        count: int = 10_000,
        method: Method = "uniform",
        seed: int = 0,
        executor: Executor | None = None,
    ) -> Floats:
        """Points (n, 3) that a frame gets to, from ``count`` samples; any executor gives the same."""
        from unibody.mechanism.workspace import workspace

        return workspace(self, frame, count, (method, seed), executor)

    def trace(self, plan: ArrayLike, step: float = 0.01) -> dict[str, Floats]:
        """The path (m, 3) in the world, in m, of each trace frame by its name, along a plan."""
        from unibody.mechanism.trace_curves import trace

        return trace(self, plan, step)

    @property
    def tree(self) -> Tree:
        """The bodies and degrees of freedom with their constants, made when first asked for."""
        if "tree" not in self._kept:
            from unibody.mechanism.tree import make_tree

            self._kept["tree"] = make_tree(self)
        tree: Tree = self._kept["tree"]
        return tree

    @property
    def normalized_space(self) -> NormalizedSpace:
        """MPK's normalized configuration space; made anew at each call, so keep it where speed counts."""
        from unibody.mechanism.normalized_space import normalized_space

        return normalized_space(self)

    def positions(self, q: Positions) -> Array:
        """q as an array (..., nq), from an array or a dict {joint name: position}."""
        return positions(self, q)

    def velocities(self, v: Array, what: str = "v") -> Array:
        """v, or anything else with an entry for each degree of freedom, as an array (..., nv)."""
        return shaped(v, what, (self.nv,))

    def _run(
        self, kernel: Callable[..., Array], q: Positions, *others: Array, external: Array = None
    ) -> Array:
        from unibody.mechanism.state import compute

        given = [(self.velocities(values), 1) for values in others]
        if external is not None:
            forces = shaped(external, "external", (len(self.link_names), 6))
            given.append((forces, 2))
        return compute(self, kernel, self.positions(q), *given)

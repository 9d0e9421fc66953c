"""Robots as MuJoCo models, without a file: ``ub.to_mujoco``."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from unibody.bridges.carriers import Carrier, carriers_of
from unibody.bridges.state import FreeBody, Scalars, ScrewSlide, StateMap, TurnedBody
from unibody.conversion.destination import choose_destination, target_format
from unibody.conversion.lowering import check_writable, lower
from unibody.conversion.output import SaveError
from unibody.conversion.pipeline import split_options
from unibody.conversion.writing import write
from unibody.formats.loader import model_of
from unibody.formats.mjcf.engine import BodyTree, body_tree, place_of, rays_of, words_of
from unibody.mechanism import Mechanism, assemble
from unibody.model.arrays import Floats
from unibody.model.base import with_base
from unibody.model.joint_kind import KINDS
from unibody.model.pose import IDENTITY, Pose
from unibody.model.robot import Joint, Robot
from unibody.model.scene import Scene, as_robot
from unibody.model.validation.inertia import unknown_mass
from unibody.text.installation import install_command
from unibody.text.missing import MissingExtra, missing
from unibody.text.source import Span

if TYPE_CHECKING:
    from unibody.formats.format import Format, ModelObject

# The name of the model file, which exists in memory only.
_FILE = "model.xml"
# Behind the words of an error of MuJoCo: the element and its line.
_ELEMENT = re.compile(r" Element (?:name )?'[^']*'(?:, id \d+)?, line (\d+)(?: \|)?$")


class MujocoError(ValueError):
    """MuJoCo rejects the model; ``at`` is the place of the element that it names, if that is of a file."""

    at: Span | None = None


def import_mujoco(what: str) -> Any:
    """The package ``mujoco``; MissingExtra says what to install for ``what``."""
    try:
        import mujoco
    except ImportError:
        raise missing(what, "MuJoCo", install_command("simulate")) from None
    except (RuntimeError, AttributeError) as error:  # of its loader of OpenGL
        chosen = os.environ.get("MUJOCO_GL", "")
        raise MissingExtra(
            f"MuJoCo cannot be loaded with MUJOCO_GL={chosen} ({error}): unset it, or set it to disable"
        ) from None
    return mujoco


#: What cures the fault of ``constraints_fault``.
UPGRADE = "pip install --upgrade mujoco-core"


def constraints_fault(version: str, is_sparse: bool) -> str:
    """What is wrong with constraints in a version of MuJoCo, "" if nothing is known.

    ``is_sparse`` tells that the model is solved with a sparse Jacobian (the changelog of MuJoCo 4.0.1).

    >>> constraints_fault("4.0.1", True), constraints_fault("4.0.0", False)
    ('', '')
    """
    if version != "4.0.0" or not is_sparse:
        return ""
    return f"MuJoCo {version} computes accelerations under constraints wrongly where the Jacobian is sparse"


@dataclass(kw_only=True, eq=False, repr=False)
class MujocoModel:
    """A robot as a MuJoCo model.

    ``text`` is the model as MJCF and ``assets`` are its files by name, all in memory; ``scene`` is the text
    of the scene that includes it as ``name``, "" for none. ``robot`` is the robot as it was given,
    ``lowered`` what of it MuJoCo has: joints of four kinds, shapes as geoms.
    ``spec`` may be changed before ``model`` is first used.
    """

    robot: Robot
    lowered: Robot
    text: str
    assets: Mapping[str, bytes] = field(default_factory=dict)
    scene: str = ""
    name: str = ""
    _tree: BodyTree
    _folder: str = ""

    def __repr__(self) -> str:
        return f"MujocoModel({self.robot.name!r}: {len(self.text)} characters, {len(self.assets)} assets)"

    @cached_property
    def spec(self) -> Any:
        """The model as a ``mujoco.MjSpec``; MujocoError if MuJoCo cannot read it."""
        mujoco = import_mujoco("to_mujoco")
        try:
            if not self.scene:
                spec = mujoco.MjSpec.from_string(self.text, assets=dict(self.assets))
            else:
                included = {self.name: self.text.encode("utf-8")}
                spec = mujoco.MjSpec.from_string(self.scene, include=included, assets=dict(self.assets))
        except ValueError as refused:
            raise self._rejection(refused) from None
        # positions of bodies are those of their frames
        spec.compiler.alignfree = 0
        for joint in spec.joints:
            joint.align = 0
        # MuJoCo keeps mesh files in memory by their names: those of another folder may be the same
        spec.modelfiledir = self._folder
        return spec

    def compile(self) -> Any:
        """A new ``mujoco.MjModel`` of ``spec``; MujocoError with MuJoCo's words if it rejects the robot."""
        spec = self.spec
        try:
            return spec.compile()
        except ValueError as refused:
            raise self._rejection(refused) from None

    def _rejection(self, refused: Exception) -> MujocoError:
        """MuJoCo's words in one line; the line of ``text`` that it names as the element there."""
        words = " ".join(str(refused).split())
        named, at = _ELEMENT.search(words), None
        if named is not None and not self.scene:
            what, at = place_of(self.lowered, self.text.splitlines()[int(named[1]) - 1])
            words = f"{words[: named.start()]} ({what})"
        out = MujocoError(f"MuJoCo rejects the model: {words}")
        out.at = at
        return out

    @cached_property
    def model(self) -> Any:
        """The compiled ``mujoco.MjModel``; MujocoError with MuJoCo's words if it rejects the robot."""
        return self.compile()

    @cached_property
    def data(self) -> Any:
        """A ``mujoco.MjData`` in the initial configuration of the robot."""
        mujoco = import_mujoco("to_mujoco")
        data = mujoco.MjData(self.model)
        data.qpos[:] = self.q_to(self.mechanism.initial)
        mujoco.mj_forward(self.model, data)
        return data

    @cached_property
    def mechanism(self) -> Mechanism:
        """The mechanism whose q and v are converted; that of ``unibody.assemble(robot)``."""
        return assemble(self.robot)

    # --- coordinates --------------------------------------------------------------------

    def q_to(self, q: ArrayLike) -> Floats:
        """MuJoCo's qpos, (..., model.nq), for q of the mechanism (..., nq).

        The carriers of loops are where q puts their ends.
        """
        out = self.state_map.q_to(q)
        for carrier, places, _ in self._carriers:
            out[..., places] += carrier.positions(self.mechanism, np.asarray(q, np.float64))
        return out

    def q_from(self, qpos: ArrayLike) -> Floats:
        """q of the mechanism, (..., nq), for MuJoCo's qpos (..., model.nq)."""
        return self.state_map.q_from(qpos)

    def v_to(self, q: ArrayLike, v: ArrayLike) -> Floats:
        """MuJoCo's qvel, (..., model.nv), for q (..., nq) and v (..., nv) of the mechanism.

        The linear velocity of a free body is in world axes there, in its own axes here.
        """
        out = self.state_map.v_to(q, v)
        for carrier, _, places in self._carriers:
            at, rates = np.asarray(q, np.float64), np.asarray(v, np.float64)
            out[..., places] = carrier.rates(self.mechanism, at, rates)
        return out

    def v_from(self, qpos: ArrayLike, qvel: ArrayLike) -> Floats:
        """v of the mechanism, (..., nv), for MuJoCo's qpos (..., model.nq) and qvel (..., model.nv)."""
        return self.state_map.v_from(qpos, qvel)

    def a_from(self, qpos: ArrayLike, qvel: ArrayLike, qacc: ArrayLike) -> Floats:
        """The rate of the mechanism's v, (..., nv), for MuJoCo's qpos, qvel and qacc (..., model.nv)."""
        return self.state_map.a_from(qpos, qvel, qacc)

    @cached_property
    def state_map(self) -> StateMap:
        """How the coordinates of the mechanism and of MuJoCo correspond."""
        return _Places(self).map()

    @cached_property
    def _carriers(self) -> tuple[tuple[Carrier, list[int], list[int]], ...]:
        """The carriers of loops, with the places of their joints in qpos and in qvel."""
        out = []
        for carrier in carriers_of(self.robot, self.lowered):
            ids = [self.model.joint(name).id for name in carrier.joints]
            in_q, in_v = (list(self._addresses(ids, which, (1,) * 4)) for which in ("qposadr", "dofadr"))
            out.append((carrier, in_q, in_v))
        return tuple(out)

    # --- places in the model ------------------------------------------------------------

    @cached_property
    def body_names(self) -> dict[str, str]:
        """The name of the body of each link; a link within a chain of joints is in that of the chain."""
        return {link.name: self._tree.name_of(link.name) for link in self.lowered.links}

    @cached_property
    def body_ids(self) -> dict[str, int]:
        """The id of the body of each link; a link within a chain of joints is that of the whole chain."""
        ids = {name: self.model.body(name).id for name in set(self.body_names.values())}
        return {link: ids[name] for link, name in self.body_names.items()}

    def pose_in_body(self, link: str) -> Pose | None:
        """The pose of a link in its body; None for one within a chain of joints that is one body."""
        body = self._tree.by_link[link]
        return body.link_pose if body.link is not None and body.link.name == link else None

    @cached_property
    def joint_ids(self) -> dict[str, tuple[int, ...]]:
        """The ids of the joints of each joint of the robot: one, several in order, none if it is fixed."""
        return {
            name: tuple(self.model.joint(each).id for each in names)
            for name, names in self.joint_names.items()
        }

    @cached_property
    def dofs(self) -> dict[str, tuple[int, ...]]:
        """The places in qvel of each joint of the robot."""
        return {name: self._addresses(ids, "dofadr", _DOFS) for name, ids in self.joint_ids.items()}

    @cached_property
    def coordinates(self) -> dict[str, tuple[int, ...]]:
        """The places in qpos of each joint of the robot."""
        return {name: self._addresses(ids, "qposadr", _SIZES) for name, ids in self.joint_ids.items()}

    @cached_property
    def sensor_ids(self) -> dict[str, tuple[int, ...]]:
        """The ids of the sensors that make up each device of the robot, () for a camera or a light.

        Those of a scan are its rays: pitch outer, yaw inner, both ascending.
        """
        named = {self.model.sensor(i).name: i for i in range(self.model.nsensor)}
        out: dict[str, tuple[int, ...]] = {}
        rays = rays_of(self.lowered)
        for device in self.lowered.devices:
            if device.name in rays:
                out[device.name] = tuple(named[name] for name in rays[device.name])
                continue
            words = words_of(device)
            names = (device.name, *(f"{device.name}_{word}" for word in words))
            found = {named[name] for name in names if name in named} if words else set()
            for i in tuple(found) if len(words) > 1 else ():
                found |= self._companions(i, words)
            out[device.name] = tuple(sorted(found))
        return out

    def _companions(self, sensor: int, words: Sequence[str]) -> set[int]:
        """The sensors of these kinds at the site of another one."""
        mujoco, model = import_mujoco("to_mujoco"), self.model
        kinds = {int(getattr(mujoco.mjtSensor, f"mjSENS_{word.upper()}")) for word in words}
        place = (int(model.sensor_objtype[sensor]), int(model.sensor_objid[sensor]))
        return {
            i
            for i in range(model.nsensor)
            if (int(model.sensor_objtype[i]), int(model.sensor_objid[i])) == place
            and int(model.sensor_type[i]) in kinds
        }

    @cached_property
    def camera_ids(self) -> dict[str, int]:
        """The id of the camera of each camera of the robot."""
        named = {self.model.camera(i).name: i for i in range(self.model.ncam)}
        return {d.name: named[d.name] for d in self.lowered.devices if d.name in named}

    def _addresses(self, ids: Sequence[int], which: str, sizes: Sequence[int]) -> tuple[int, ...]:
        starts = getattr(self.model, f"jnt_{which}")
        return tuple(int(starts[i]) + k for i in ids for k in range(sizes[int(self.model.jnt_type[i])]))

    @cached_property
    def joint_names(self) -> dict[str, tuple[str, ...]]:
        """The names of the joints of each joint of the robot: one, several in order, or none."""
        above = {joint.child: joint for joint in self.lowered.joints}
        out: dict[str, tuple[str, ...]] = {}
        for joint in self.robot.joints:
            chain: list[str] = []
            link = joint.child
            while link != joint.parent:
                if above[link].kind != "fixed":
                    chain.append(above[link].name)
                link = above[link].parent
            out[joint.name] = tuple(reversed(chain))
        return out


# Numbers of the joint types of MuJoCo (free, ball, slide, hinge) in qpos and in qvel.
_SIZES, _DOFS = (7, 4, 1, 1), (6, 3, 1, 1)


def to_mujoco(
    robot: Robot | Scene | Mechanism | str | os.PathLike[str] | ModelObject,
    *,
    format: str | Format | None = None,
    **options: Any,
) -> MujocoModel:
    """The robot as a MuJoCo model, as ``unibody convert`` writes it, without a file.

    The robots of a scene are in one model; names that several have become "robot:name". ``robot`` may be
    the path of a model file, which is read with the keywords of :func:`unibody.read`.
    ``base`` is "fixed" or "free", whatever the robots say; an unspecified base is fixed, as for
    ``unibody.assemble``. The other ``options`` are those of MJCF files, as in :func:`unibody.save`. The
    result has the ``spec``, the compiled ``model`` with its ``data``, and ``q_to``, ``q_from``, ``v_to``,
    ``v_from`` between the mechanism's and MuJoCo's coordinates. MissingExtra says what to install,
    SaveError why the robot cannot be written, MujocoError why MuJoCo rejects it.

    >>> import pytest
    >>> mujoco = pytest.importorskip("mujoco", reason="needs the extra 'simulate' (mujoco)")
    >>> from unibody.formats.loader import load
    >>> made = to_mujoco(load("src/unibody/models/biped.body"))
    >>> made.model.nq, made.model.nv
    (30, 29)
    >>> made.q_to(made.mechanism.initial)[:7]
    array([0.  , 0.  , 0.66, 1.  , 0.  , 0.  , 0.  ])
    """
    import_mujoco("to_mujoco")
    keywords, given = split_options(options, target_format(_FILE, "mjcf"), format, ("format",))
    base = keywords.pop("base", None)
    reading: Any = {name: value for name, value in keywords.items() if name not in given}
    found = model_of(robot.robot if isinstance(robot, Mechanism) else robot, format, **reading)
    robot = as_robot(found, base)
    robot = with_base(robot, robot.base or "fixed")
    path = os.path.abspath(_FILE)
    chosen = choose_destination(path, "mjcf", keep=False, package="", allow=(), options=given)
    # MuJoCo finds files in memory by their names without folders
    destination = replace(chosen, in_memory=True)
    check_writable(robot)
    if (unknown := unknown_mass(robot, robot.base or "fixed")) is not None:
        raise SaveError([unknown])
    lowered = lower(destination.writer.requested(robot), destination, plain=True)
    output = write(lowered, destination, [])
    name = os.path.basename(path)
    beside = destination.writer.beside(name, robot, None)
    folder = os.path.dirname(path)
    assets = {
        os.path.relpath(name, folder).replace(os.sep, "/"): output.assets.bytes_of(name)
        for name in output.assets.paths
    }
    return MujocoModel(
        robot=robot,
        lowered=lowered.robot,
        text=output.data.decode("utf-8"),
        scene=next(iter(beside.values()), ""),
        name=name,
        assets=assets,
        _tree=body_tree(lowered.robot),
        _folder=folder,
    )


class _Places:
    """Where the coordinates of a mechanism are in the compiled model."""

    def __init__(self, made: MujocoModel) -> None:
        self.made, self.model = made, made.model
        self.here_q: list[int] = []
        self.there_q: list[int] = []
        self.here_v: list[int] = []
        self.there_v: list[int] = []
        self.free: list[FreeBody] = []
        self.turned: list[TurnedBody] = []
        self.screws: list[ScrewSlide] = []

    def made_of(self, joint: Joint, q: int, v: int) -> None:
        """Add the coordinates of one joint, which start here at q and v."""
        ids = self.made.joint_ids[joint.name]
        there_q, there_v = self.made.coordinates[joint.name], self.made.dofs[joint.name]
        if joint.kind == "free" and len(ids) == 1:
            frame = self.made.robot.pose
            frame = joint.origin if frame == IDENTITY else frame @ joint.origin
            self.free.append(
                FreeBody(here_q=q, here_v=v, there_q=there_q[0], there_v=there_v[0], frame=frame)
            )
        elif joint.kind in ("free", "ball") and len(ids) > 1:
            self.turned.append(
                TurnedBody(
                    here_q=q,
                    here_v=v,
                    slides_q=there_q[:-3],
                    slides_v=there_v[:-3],
                    turns_q=there_q[-3:],
                    turns_v=there_v[-3:],
                )
            )
        else:
            if joint.kind == "screw" and len(ids) > 1:
                zero = float(self.model.qpos0[there_q[0]])
                self.screws.append(
                    ScrewSlide(
                        here_q=q,
                        here_v=v,
                        there_q=there_q[0],
                        there_v=there_v[0],
                        lead=joint.lead,
                        offset=zero,
                    )
                )
                there_q, there_v = there_q[1:], there_v[1:]
            self.here_q += range(q, q + len(there_q))
            self.there_q += there_q
            self.here_v += range(v, v + len(there_v))
            self.there_v += there_v

    def map(self) -> StateMap:
        """The map."""
        mechanism, model = self.made.mechanism, self.model
        root = self.made.body_ids[self.made.robot.root]
        if mechanism.base == "free":
            at = int(model.body_jntadr[root])
            start_q, start_v = int(model.jnt_qposadr[at]), int(model.jnt_dofadr[at])
            self.free.append(FreeBody(here_q=0, here_v=0, there_q=start_q, there_v=start_v))
        for number, joint in enumerate(mechanism.robot.joints):
            if KINDS[joint.kind].nq:
                self.made_of(joint, int(mechanism.idx_q[number]), int(mechanism.idx_v[number]))
        zero = np.array(model.qpos0)
        # qpos0 of a hinge or slide is its ``ref``: its coordinate at our zero; quaternions have none
        scalar = set(range(model.nq))
        for i in range(model.njnt):
            if int(model.jnt_type[i]) < 2:
                first = int(model.jnt_qposadr[i])
                scalar -= set(range(first, first + _SIZES[int(model.jnt_type[i])]))
        offset = tuple(float(zero[i]) if i in scalar else 0.0 for i in self.there_q)
        return StateMap(
            nq=mechanism.nq,
            nv=mechanism.nv,
            engine_nq=int(model.nq),
            engine_nv=int(model.nv),
            start=zero,
            scalars=Scalars(
                here_q=tuple(self.here_q),
                there_q=tuple(self.there_q),
                offset=offset,
                here_v=tuple(self.here_v),
                there_v=tuple(self.there_v),
            ),
            free=tuple(self.free),
            turned=tuple(self.turned),
            screws=tuple(self.screws),
        )

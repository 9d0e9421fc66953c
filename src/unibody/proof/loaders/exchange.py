"""What the loaders of all engines share: limits of their process, the request and the answer.

A loader is a script that the interpreter of an engine runs in a process of its own, and imports nothing of
unibody. ``python load_NAME.py FOLDER`` reads ``request.json`` and ``states.npz`` in a folder, loads the
model with the engine, and writes ``answer.json`` and ``answer.npz`` there.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Collection, Sequence
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np
from integration import integrate
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: Exit code of a loader whose engine is not installed for its interpreter.
NOT_HERE = 3
#: Exit code of a loader whose engine rejects the model; its reason is in the answer.
REJECTED = 4


class NotLoaded(Exception):
    """The engine does not load the model, and says why only in what it prints."""


class Request:
    """What is asked: the model, how to load it, and the states, in the coordinates of the request.

    ``joints`` have a name, a kind, their places in ``q`` (B, nq) and ``v`` (B, nv), and a ``zero``: their
    position in the file at 0 in ``q``. If the base is free,
    the pose of the root link (xyz, then quaternion w, x, y, z) and its velocities in its own axes come
    first. ``effort`` (B, nv) are forces in the joints. ``order`` are the names of all
    joints that move and ``bodies`` those of all bodies, in the order of the file; ``free_joints`` are the
    free joints by the body that they move.
    """

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)
        data = json.loads((self.folder / "request.json").read_text("utf-8"))
        self.model: str = data["model"]
        self.format: str = data["format"]
        self.base: str = data["base"]
        self.root: str = data["root"]
        self.gravity: list[float] = data["gravity"]
        self.packages: dict[str, str] = data["packages"]
        self.joints: list[dict[str, Any]] = data["joints"]
        self.order: list[str] = data["order"]
        self.bodies: list[str] = data["bodies"]
        self.free_joints: dict[str, str] = data["free_joints"]
        self.loads_only: bool = data["loads_only"]
        self.trajectory: dict[str, Any] | None = data["trajectory"]
        self.memory: int = data["memory"]
        self.seconds: int = data["seconds"]
        if self.loads_only:
            return
        with np.load(self.folder / "states.npz", allow_pickle=False) as states:
            self.q: Floats = states["q"]
            self.v: Floats = states["v"]
            self.effort: Floats = states["effort"]

    def integrated(self, rate: Callable[[Request, int], Any], places: Places) -> list[Floats]:
        """The positions of the motion that is asked for, [] without one, or if other joints move as well.

        ``rate`` returns the engine's acceleration at a state of a request, of the entries in ``places``.
        """
        asked = self.trajectory
        free = [{"kind": "free", "q": 0, "v": 0}] if self.is_free else []
        if asked is None or sorted(places.here) != list(range(self.v.shape[1])):
            return []
        single = copy(self)

        def accelerate(q: Floats, v: Floats, effort: Floats) -> Floats:
            single.q, single.v, single.effort = q[None], v[None], effort[None]
            out = np.zeros(len(v))
            out[places.here] = rate(single, 0)
            return out

        start, damping = int(asked["state"]), np.array(asked["damping"])
        rows = integrate(
            self.q[start],
            self.v[start],
            damping,
            asked["step"],
            asked["count"],
            [*free, *self.joints],
            accelerate,
        )
        return list(rows)

    def named(self, names: Sequence[str]) -> list[str]:
        """The names of joints in the order of the file; one without a name has that of the request."""
        given = set(names)
        left = iter(name for name in self.order if name not in given)
        return [name or next(left, "") for name in names]

    def named_bodies(self, names: Sequence[str]) -> list[str]:
        """The names of bodies in the order of the file: one without a name has that of the request.

        Engines have none or one of their own for them. If their number is another one, names stay.
        """
        known = {*self.bodies, "world"}
        left = [name for name in self.bodies if name not in {*names, "world"}]
        if len(left) != sum(name not in known for name in names):
            return list(names)
        rest = iter(left)
        return [name if name in known else next(rest) for name in names]

    def scoped(self, names: Sequence[tuple[str, str]], known: Collection[str]) -> list[str]:
        """The names in the request of items of models of SDF, which have the names of models and items.

        A name begins below the outermost model, or with it where another one has the same item, too.
        """
        return [_known(f"{model}::{name}" if model else name, known) for model, name in names]

    def suspect(self, words: str) -> None:
        """Say what ends the process, if it does: the words stand for what the engine prints last."""
        (self.folder / "suspect.txt").write_text(words, "utf-8")

    @property
    def is_free(self) -> bool:
        """Whether the base is free."""
        return self.base == "free"


class Base:
    """The velocity of a free base in an engine: its axes and the order of its six numbers.

    ``linear`` and ``angular`` say whether the linear and the angular velocity are in the axes of the world;
    ``angular_first`` whether the angular velocity comes first.
    """

    def __init__(self, *, linear: bool, angular: bool, angular_first: bool = False) -> None:
        self.linear, self.angular = linear, angular
        first, last = slice(0, 3), slice(3, 6)
        self.of_linear, self.of_angular = (last, first) if angular_first else (first, last)

    def turn(self, quaternion: Floats) -> Floats:
        """The matrix T (6, 6) with v_engine = T v for a pose of the base."""
        rotation = rotation_of(quaternion)
        out = np.zeros((6, 6))
        out[self.of_linear, 0:3] = rotation if self.linear else np.eye(3)
        out[self.of_angular, 3:6] = rotation if self.angular else np.eye(3)
        return out

    def drift(self, quaternion: Floats, velocity: Floats) -> Floats:
        """The rate of T times v, (6,): what the axes that turn add to the acceleration."""
        out = np.zeros(6)
        if self.linear:
            out[self.of_linear] = rotation_of(quaternion) @ np.cross(velocity[3:], velocity[:3])
        return out


class Places:
    """Where the numbers of the request are in an engine: entries of v, and of the engine's v."""

    def __init__(self, base: Base | None = None) -> None:
        self.base = base
        self.here: list[int] = []
        self.there: list[int] = []

    def add(self, here: Sequence[int], there: Sequence[int]) -> None:
        """Add entries of v and the same ones of the engine."""
        self.here += here
        self.there += there

    def add_base(self, there: Sequence[int]) -> None:
        """Add the six numbers of a free base, which come first in the coordinates of the request."""
        self.here[:0], self.there[:0] = range(6), there

    @property
    def has_base(self) -> bool:
        """Whether the numbers of a free base are here."""
        return self.base is not None and self.here[:6] == [*range(6)]

    def velocity(self, request: Request, state: int, size: int) -> Floats:
        """The engine's v, (size,), of a state of the request."""
        out, values = np.zeros(size), request.v[state].copy()
        if self.base is not None and self.has_base:
            values[:6] = self.base.turn(request.q[state, 3:7]) @ values[:6]
        out[self.there] = values[self.here]
        return out

    def effort(self, request: Request, state: int, size: int) -> Floats:
        """The engine's forces, (size,), of a state of the request."""
        out, values = np.zeros(size), request.effort[state].copy()
        if self.base is not None and self.has_base:
            # the power of forces does not depend on coordinates
            values[:6] = np.linalg.solve(self.base.turn(request.q[state, 3:7]).T, values[:6])
        out[self.there] = values[self.here]
        return out

    def matrix(self, request: Request, state: int, matrix: Floats) -> Floats:
        """The engine's mass matrix in the coordinates of the request, of the entries that both have."""
        out = matrix[np.ix_(self.there, self.there)]
        if self.base is not None and self.has_base:
            turn = np.eye(len(out))
            turn[:6, :6] = self.base.turn(request.q[state, 3:7])
            out = turn.T @ out @ turn
        return out

    def bias(self, request: Request, state: int, matrix: Floats, bias: Floats) -> Floats:
        """The engine's bias forces in the coordinates of the request."""
        out = bias[self.there]
        if self.base is not None and self.has_base:
            quaternion = request.q[state, 3:7]
            drift = np.zeros(len(out))
            drift[:6] = self.base.drift(quaternion, request.v[state, :6])
            out = out + matrix[np.ix_(self.there, self.there)] @ drift
            out[:6] = self.base.turn(quaternion).T @ out[:6]
        return out

    def acceleration(self, request: Request, state: int, rate: Floats) -> Floats:
        """The engine's rate of v in the coordinates of the request."""
        out = rate[self.there]
        if self.base is not None and self.has_base:
            quaternion = request.q[state, 3:7]
            drift = self.base.drift(quaternion, request.v[state, :6])
            out[:6] = np.linalg.solve(self.base.turn(quaternion), out[:6] - drift)
        return out


class Answer:
    """What the engine has: facts as JSON, and arrays."""

    def __init__(self, engine: str, version: str, **facts: Any) -> None:
        self.facts: dict[str, Any] = {
            "engine": engine,
            "version": version,
            "precision": "double",
            "joints": [],
            "links": [],
            "passive": [],
            "notes": [],
            "dynamics_notes": [],
            **facts,
        }
        self.arrays: dict[str, Any] = {}

    def joint(self, name: str, **facts: Any) -> None:
        """Add a joint in the order of the engine: its kind, places, zero, limits, passive forces.

        Limits are pairs: ``position``, None without one, ``velocity`` and ``effort``, infinite without one.
        """
        self.facts["joints"].append({"name": name, **facts})

    def couplings(self) -> None:
        """Tell that the engine reads couplings of joints, also if it then has none."""
        self.facts.setdefault("couplings", [])

    def couple(
        self,
        joint: str,
        leader: str = "",
        ratio: float | None = None,
        offset: float | None = None,
        *,
        option: str = "",
        terms: Sequence[float] | None = None,
    ) -> None:
        """Add a coupling, q_joint = ratio q_leader + offset, without numbers that are not told.

        ``option`` is what its reader must be asked for; ``terms`` are the coefficients of a polynomial, the
        constant first, of an engine that has higher ones.
        """
        self.couplings()
        self.facts["couplings"].append(
            {
                "joint": joint,
                "leader": leader,
                "ratio": ratio,
                "offset": offset,
                "option": option,
                "terms": terms,
            }
        )

    def loops(self) -> None:
        """Tell that the engine may close loops, also if it then has none."""
        self.facts.setdefault("loops", [])

    def close(self, name: str, a: str, b: str, point: Sequence[float] | None = None) -> None:
        """Add a constraint that holds two bodies together, at a point in the axes of the first of them.

        One with a point has a column of ``loop_gaps`` (B, n), the distance in m, and of ``loop_turns``, the
        angle in rad, NaN if it holds points only.
        """
        self.loops()
        told = None if point is None else [float(x) for x in point]
        self.facts["loops"].append({"name": name, "a": a, "b": b, "point": told})

    def texture(self, path: str, *, found: bool) -> None:
        """Add a file of a texture that the engine reads, and whether it found it."""
        self.facts.setdefault("textures", []).append({"file": path, "found": found})

    def masses(self, bodies: Sequence[str], mass: Any, com: Any, inertia: Any) -> None:
        """Masses (n), centers of mass (n, 3) and inertias about them (n, 3, 3), in the axes of the bodies.

        A link that is no body of its own is a part of the one that it is fixed to.
        """
        self.facts["bodies"] = list(bodies)
        self.arrays |= {"mass": mass, "com": com, "inertia": inertia}

    def note(self, text: str, *, dynamics: bool = False) -> None:
        """Add what the engine has that the request did not ask for, or only of ``dynamics``."""
        self.facts["dynamics_notes" if dynamics else "notes"].append(text)

    def states(self, **arrays: Any) -> None:
        """Add arrays with one row for each state."""
        self.arrays |= {name: np.array(rows) for name, rows in arrays.items() if len(rows)}

    def places(self, places: Places) -> None:
        """Add the entries of v that the arrays have, and where they are in the engine's v."""
        self.facts |= {"dofs": places.here, "dofs_there": places.there}

    def dynamics(self, places: Places, size: int, rates: Sequence[Any], **arrays: Any) -> None:
        """Add what was computed of the joints in ``places``, of ``size`` entries of the engine's v.

        Accelerations are left out if joints that are not compared, such as free ones inside of the tree,
        move as well.
        """
        self.places(places)
        if len(places.there) < size and rates:
            self.note("accelerations are not compared, since other joints move as well", dynamics=True)
            rates = ()
        self.states(acceleration=rates, **arrays)

    def write(self, folder: Path, *, loads_only: bool = False) -> None:
        """Write both files of the answer; that of arrays not for a model that was only loaded."""
        if not loads_only:
            arrays: Any = {name: np.asarray(values, np.float64) for name, values in self.arrays.items()}
            np.savez(folder / "answer.npz", **arrays)
        (folder / "answer.json").write_text(json.dumps(self.facts, default=_plain), "utf-8")


def _known(name: str, known: Collection[str]) -> str:
    """The one of the names of an item of SDF that is known; without one, that below the outermost model.

    Engines have a joint as one of the innermost model whose link it moves, wherever the file has it.
    """
    *models, item = name.split("::")
    for k in range(len(models), 0, -1):
        inner = "::".join([*models[1:k], item])
        for each in (f"{models[0]}::{inner}", f"{models[0]}:{inner}", inner):
            if each in known:
                return each
    return "::".join([*models[1:], item])


def _plain(value: Any) -> Any:
    """Numbers of numpy as those of Python."""
    return value.tolist() if hasattr(value, "tolist") else str(value)


def rotation_of(quaternion: Sequence[float] | Floats) -> Floats:
    """The rotation matrix of a unit quaternion w, x, y, z."""
    w, x, y, z = (float(value) for value in quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def pose_of(rotation: Any, place: Any) -> Floats:
    """A pose as a matrix (4, 4)."""
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = rotation, place
    return out


def main(load: Callable[[Request], Answer]) -> None:
    """Answer the request in the folder that the command names."""
    request = Request(sys.argv[1])
    _limit(request)
    try:
        answer = load(request)
    except ImportError as error:
        _fail(request, NOT_HERE, str(error))
    except NotLoaded:
        _fail(request, REJECTED, "")
    except Exception as error:  # whatever an engine raises for a file is its answer
        _fail(request, REJECTED, f"{type(error).__name__}: {error}")
    answer.write(request.folder, loads_only=request.loads_only)
    # what engines do when they end is not asked for
    sys.stdout.flush()
    os._exit(0)


def _fail(request: Request, code: int, reason: str) -> None:
    sys.stdout.flush()
    (request.folder / "answer.json").write_text(json.dumps({"reason": reason[:2000]}), "utf-8")
    os._exit(code)


def _limit(request: Request) -> None:
    """Limit memory, processor time and the size of files of this process, where the system can."""
    try:
        import resource
    except ImportError:
        return
    for what, most in (
        (resource.RLIMIT_AS, request.memory),
        (resource.RLIMIT_CPU, request.seconds),
        (resource.RLIMIT_FSIZE, request.memory),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(what)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (least, hard))

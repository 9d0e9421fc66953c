"""Links that are fixed to one another during a run, as a gripper holds what it carries.

The engine's model has a few weld constraints in reserve, switched off, whose bodies and pose are set when
two links are attached.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from unibody.model.arrays import Floats, Indices
from unibody.simulation.engine import Engine

#: How many pairs of links can be attached at a time.
MOST = 16
_NAME = "unibody attachment "
# Stiffer than the engine's own: what is carried sags by some micrometers.
_SOLIMP = [0.99, 0.999, 1e-3, 0.5, 2.0]


def reserve(spec: Any, step: float) -> None:
    """Add welds that are switched off to a spec that has a body to weld."""
    import mujoco

    body = next(iter(spec.worldbody.bodies), None)
    if body is None:
        return
    if not body.name:
        body.name = "unibody body"
    for number in range(MOST):
        spec.add_equality(
            name=f"{_NAME}{number}",
            type=mujoco.mjtEq.mjEQ_WELD,
            objtype=mujoco.mjtObj.mjOBJ_BODY,
            name1=body.name,
            name2="world",
            active=False,
            solref=[max(0.004, 2.0 * step), 1.0],
            solimp=_SOLIMP,
        )


class Attachments:
    """The pairs of links that are attached; ``poses`` are those of the second link in the first."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.model = engine, engine.model
        model = engine.model
        self._ids = [i for i in range(model.neq) if model.equality(i).name.startswith(_NAME)]
        self.pairs: list[tuple[str, str] | None] = [None] * len(self._ids)

    def attach(self, link: str, other: str, pose: ArrayLike | None) -> None:
        """Weld two links at a pose (4, 4) of the second in the first, by default the present one.

        ValueError if they are one body, or if no weld is left.
        """
        engine = self.engine
        a, b = engine.link(link), engine.link(other)
        bodies, in_body = engine.layout.bodies[[a, b]], engine.layout.in_body
        if bodies[0] == bodies[1]:
            raise ValueError(f"{link!r} and {other!r} are one rigid body")
        if pose is None:
            poses = np.asarray(engine.mechanism.forward_kinematics(engine.q), np.float64)
            pose = np.linalg.inv(poses[a]) @ poses[b]
        target = np.asarray(pose, np.float64)
        if target.shape != (4, 4) or not np.isfinite(target).all():
            raise ValueError(f"a pose is a finite matrix (4, 4), not one of shape {target.shape}")
        if not np.allclose(target[:3, :3] @ target[:3, :3].T, np.eye(3), atol=1e-6):
            raise ValueError("the first three rows and columns of a pose are a rotation")
        self._weld((link, other), bodies, in_body[a] @ target @ np.linalg.inv(in_body[b]))

    def _weld(self, pair: tuple[str, str], bodies: Indices, pose: Floats) -> None:
        """Weld two bodies of the engine at the pose (4, 4) of the second in the first."""
        import mujoco

        place = self._place(pair)
        if place is None:
            if None not in self.pairs:
                raise ValueError(f"at most {len(self._ids)} pairs of links can be attached at a time")
            place = self.pairs.index(None)
        row = self._ids[place]
        self.model.eq_obj1id[row], self.model.eq_obj2id[row] = bodies
        turn = np.zeros(4)
        mujoco.mju_mat2Quat(turn, np.ascontiguousarray(pose[:3, :3]).reshape(-1))
        self.model.eq_data[row, :3] = 0.0
        self.model.eq_data[row, 3:6] = pose[:3, 3]
        self.model.eq_data[row, 6:10] = turn
        self.model.eq_data[row, 10] = 1.0
        self.engine.data.eq_active[row] = 1
        self.pairs[place] = pair

    def detach(self, pair: tuple[str, str]) -> None:
        """Switch a weld off; KeyError if the links are not attached."""
        place = self._place(pair)
        if place is None:
            raise KeyError(f"{pair[0]!r} and {pair[1]!r} are not attached")
        self.engine.data.eq_active[self._ids[place]] = 0
        self.pairs[place] = None

    def clear(self) -> None:
        """Switch all welds off."""
        self.engine.data.eq_active[self._ids] = 0
        self.pairs = [None] * len(self._ids)

    def saved(self) -> tuple[Any, ...]:
        """What the engine's own state does not hold."""
        model, ids = self.model, self._ids
        return (
            list(self.pairs),
            model.eq_obj1id[ids].copy(),
            model.eq_obj2id[ids].copy(),
            model.eq_data[ids].copy(),
        )

    def restore(self, saved: tuple[Any, ...]) -> None:
        """Go back to what ``saved`` returned."""
        pairs, first, second, numbers = saved
        self.pairs = list(pairs)
        self.model.eq_obj1id[self._ids], self.model.eq_obj2id[self._ids] = first, second
        self.model.eq_data[self._ids] = numbers

    def _place(self, pair: tuple[str, str]) -> int | None:
        either = (pair, pair[::-1])
        return next((place for place, known in enumerate(self.pairs) if known in either), None)

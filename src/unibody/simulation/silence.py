"""The engine's own messages, which it would print and append to a file ``MUJOCO_LOG.TXT`` in the folder."""

from __future__ import annotations

import threading
from typing import Any

from unibody.bridges.mujoco import UPGRADE, constraints_fault
from unibody.text.finding import Finding, Findings

#: What the engine warns of, by the name of its kind: the fact and the remedy.
_WARNINGS = {
    "INERTIA": ("its inertia matrix is nearly singular", "give light links more mass and inertia"),
    "CONTACTFULL": ("there were more contacts than it has memory for", "use simpler collision shapes"),
    "CNSTRFULL": ("there were more constraints than it has memory for", "use simpler collision shapes"),
}


class _Silence:
    """While a block of it runs in any thread, the engine's warnings go nowhere.

    ``data.warning`` counts them. A handler of the user's own is kept.
    """

    def __init__(self) -> None:
        self._lock, self._depth, self._mine = threading.Lock(), 0, False

    def __enter__(self) -> None:
        import mujoco

        with self._lock:
            self._depth += 1
            if self._depth == 1:
                self._mine = mujoco.get_mju_user_warning() is None
                if self._mine:
                    mujoco.set_mju_user_warning(_ignore)

    def __exit__(self, *_: object) -> None:
        import mujoco

        with self._lock:
            self._depth -= 1
            if self._depth == 0 and self._mine:
                mujoco.set_mju_user_warning(None)


def _ignore(_: str) -> None:
    """A warning that nobody reads."""


#: ``with silent:`` around calls of the engine that may warn.
silent = _Silence()


def engine_warnings(data: Any, findings: Findings) -> None:
    """Report what the engine warned of, by the counts in its data."""
    import mujoco

    for name, (fact, remedy) in _WARNINGS.items():
        kind = getattr(mujoco.mjtWarning, f"mjWARN_{name}")
        if data.warning[kind].number:
            findings.warning("simulation-engine", f"MuJoCo warns of the model: {fact}", None, remedy)
    model = data.model
    is_sparse = bool(mujoco.mj_isSparse(model)) and int(model.opt.solver) == int(
        mujoco.mjtSolver.mjSOL_NEWTON
    )
    if fault := constraints_fault(mujoco.__version__, is_sparse):
        findings.warning("simulation-engine", fault, None, UPGRADE)


def divergence(robot: str, time: float) -> Finding:
    """The finding of a motion that became infinite."""
    return Finding(
        "simulation-diverged",
        "error",
        f"the motion of {robot!r} became infinite before t = {time:.6g} s",
        hint="use a shorter step, smaller gains or efforts, or correct the masses",
    )

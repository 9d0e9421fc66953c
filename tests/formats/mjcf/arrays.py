"""Compares two models that MuJoCo compiled, array by array."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mujoco
import numpy as np

#: Tolerances of numbers in double and in single precision.
DOUBLE, SINGLE = 1e-9, 1e-6
#: How exactly MuJoCo makes an inertia diagonal.
DIAGONAL = 2e-11
#: What MuJoCo derives from other arrays, or what is no part of a model: names, files, memory, custom data.
_DERIVED = tuple(
    """
    names names_map name_ paths bvh_ oct_ text_ body_bvh mesh_bvh flex_bvh ten_J body_invweight0
    dof_invweight0 tendon_invweight0 dof_M0 actuator_acc0 signature body_sameframe
    geom_sameframe
    site_sameframe body_simple dof_simplenum mesh_pathadr mesh_graph hfield_pathadr tex_pathadr skin_pathadr
    mesh_octadr mesh_octnum geom_aabb geom_rbound body_margin mapM mapD M_ D_ B_
    """.split()
)
# The number of derived things.
_SIZES = tuple("nnames npaths ntext nbvh nbuffer narena noct nmeshgraph nC nM nD nJ nout".split())
_MESH = 7
#: The bit of a gravity that is switched off.
_NO_GRAVITY = int(mujoco.mjtDisableBit.mjDSBL_GRAVITY)


def differences(first: Any, second: Any) -> list[str]:
    """What differs between the models of a file and of what was written of it."""
    return list(_differences(first, second))


def _differences(a: Any, b: Any) -> Iterator[str]:
    names = [n for n in dir(a) if not n.startswith("_")]
    for name in names:
        x, y = getattr(a, name), getattr(b, name)
        if isinstance(x, int) and name.startswith("n") and not name.startswith(_SIZES) and x != y:
            yield f"{name}: {y}, not {x}"
    if any(getattr(a, n) != getattr(b, n) for n in ("nbody", "njnt", "ngeom", "nmesh")):
        return
    yield from _names(a, b)
    for name in names:
        x, y = getattr(a, name), getattr(b, name)
        if not isinstance(x, np.ndarray) or name.startswith(_DERIVED):
            continue
        if name in ("body_inertia", "body_iquat", "geom_pos", "geom_quat", "mesh_pos", "mesh_quat"):
            continue
        if x.shape != y.shape:
            yield f"{name}: shape {y.shape}, not {x.shape}"
            continue
        if name.endswith("quat") or name in ("qpos0", "qpos_spring"):
            x, y = _signed(x, y)
        yield from _array(name, x, y)
    for model in (a, b):
        _weightless(model)
    for part in ("opt", "stat"):
        yield from _fields(part, getattr(a, part), getattr(b, part))
    for part in ("global_", "quality", "headlight", "map", "scale", "rgba"):
        yield from _fields(f"vis.{part}", getattr(a.vis, part), getattr(b.vis, part))
    yield from _array("body_inertia", _inertias(a), _inertias(b), DIAGONAL)
    yield from _array("geom_pos", *(_authored(m)[0] for m in (a, b)))
    yield from _array("geom_mat", *(_authored(m)[1] for m in (a, b)))


def _weightless(model: Any) -> None:
    """Make a gravity that is switched off zero: a robot holds the gravity that acts."""
    if not model.opt.disableflags & _NO_GRAVITY and model.opt.gravity.any():
        return
    model.opt.disableflags |= _NO_GRAVITY
    model.opt.gravity[:] = 0.0


def _fields(part: str, a: Any, b: Any) -> Iterator[str]:
    """What differs between the settings of two models."""
    for name in dir(a):
        x, y = getattr(a, name), getattr(b, name)
        if name.startswith("_") or callable(x):
            continue
        x, y = np.atleast_1d(np.asarray(x)), np.atleast_1d(np.asarray(y))
        # what is stored in single precision comes as a double
        is_single = part.startswith("vis.") and x.dtype.kind == "f"
        yield from _array(
            f"{part}.{name}", *((x.astype(np.float32), y.astype(np.float32)) if is_single else (x, y))
        )


def _names(a: Any, b: Any) -> Iterator[str]:
    """Names of the first model that the second has not; unnamed things may have got names."""
    kinds = "body jnt geom site cam light mesh mat tex hfield actuator sensor tendon eq key"
    for kind in kinds.split():
        if len(getattr(a, f"name_{kind}adr")) != len(getattr(b, f"name_{kind}adr")):
            continue
        for i in range(len(getattr(a, f"name_{kind}adr"))):
            x, y = (_text(m, getattr(m, f"name_{kind}adr")[i]) for m in (a, b))
            if x and x != y:
                yield f"{kind} {i}: named '{y}', not '{x}'"


def _text(model: Any, start: int) -> str:
    return bytes(model.names[start:]).partition(b"\0")[0].decode()


def _array(name: str, x: Any, y: Any, least: float | None = None) -> Iterator[str]:
    """The first different number; differences below ``least``, or the tolerance itself, do not count."""
    if x.dtype.kind == "f":
        tolerance = SINGLE if x.dtype == np.float32 else DOUBLE
        x, y = x.astype(np.float64), y.astype(np.float64)
        with np.errstate(invalid="ignore"):
            room = (tolerance if least is None else least) + tolerance * np.abs(
                np.where(np.isfinite(x), x, 0.0)
            )
            wrong = ~((x == y) | (np.isnan(x) & np.isnan(y)) | (np.abs(x - y) <= room))
    else:
        wrong = x != y
    if np.any(wrong):
        at = np.argwhere(wrong)[0]
        which = f"{name}{at.tolist()}"
        yield f"{which}: {y[tuple(at)]}, not {x[tuple(at)]} ({int(wrong.sum())} of {wrong.size})"


def _signed(x: Any, y: Any) -> tuple[Any, Any]:
    """Quaternions with the same signs."""
    if x.ndim == 2 and x.shape[1] == 4 and len(x):
        sign = np.sign(np.einsum("ij,ij->i", x, y))
        return x, y * np.where(sign == 0.0, 1.0, sign)[:, None]
    return x, y


def _matrices(quats: Any) -> Any:
    w, x, y, z = np.asarray(quats, np.float64).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


def _inertias(model: Any) -> Any:
    turn = _matrices(model.body_iquat)
    return turn @ (model.body_inertia[:, :, None] * np.swapaxes(turn, 1, 2))


def _authored(model: Any) -> tuple[Any, Any]:
    """Positions (n, 3) and rotations (n, 3, 3) of the geoms in their bodies; of meshes as in the file."""
    points, turns = model.geom_pos.copy(), _matrices(model.geom_quat)
    mesh = (model.geom_type == _MESH) & (model.geom_dataid >= 0)
    if mesh.any():
        of = model.geom_dataid[mesh]
        own = np.swapaxes(_matrices(model.mesh_quat[of]), 1, 2)
        turns[mesh] = turns[mesh] @ own
        points[mesh] -= np.einsum("nij,nj->ni", turns[mesh], model.mesh_pos[of])
    return points, turns

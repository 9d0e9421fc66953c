"""Loads a model with MuJoCo."""

from __future__ import annotations

from typing import Any

import numpy as np

from exchange import Answer, Base, Places, Request, main, pose_of, rotation_of

_KINDS = ("free", "ball", "prismatic", "revolute")


def load(request: Request) -> Answer:
    """The model in MuJoCo, without constraints and actuators."""
    import mujoco

    model = mujoco.MjModel.from_xml_path(request.model)
    answer = Answer("MuJoCo", mujoco.__version__, passive=["damping", "stiffness"])
    newton = int(mujoco.mjtSolver.mjSOL_NEWTON)
    answer.facts["sparse"] = bool(mujoco.mj_isSparse(model)) and int(model.opt.solver) == newton
    if request.loads_only:
        return answer
    names = request.named_bodies([model.body(i).name for i in range(model.nbody)])
    root = names.index(request.root) if request.root in names else -1
    is_free = root >= 0 and model.body_jntnum[root] and model.jnt_type[model.body_jntadr[root]] == 0
    answer.facts["base"] = "free" if is_free else "fixed"
    answer.facts["gravity"] = list(model.opt.gravity)
    joint_kind = int(mujoco.mjtEq.mjEQ_JOINT)
    answer.facts["couplings"] = int((model.eq_type == joint_kind).sum())
    _leave_out_forces(mujoco, model, answer)
    model.opt.gravity[:] = request.gravity
    _set_flags(mujoco, model, answer)
    bodies = [i for i, name in enumerate(names) if name]
    masses, coms, inertias = [], [], []
    for i in bodies:
        turn = rotation_of(model.body_iquat[i])
        masses.append(model.body_mass[i])
        coms.append(model.body_ipos[i])
        inertias.append(turn @ np.diag(model.body_inertia[i]) @ turn.T)
    links = [names[i] for i in bodies]
    answer.facts["links"] = links
    answer.masses(links, masses, coms, inertias)
    places = _joints(mujoco, model, request, answer, root)
    _run(mujoco, model, request, answer, places, bodies)
    _shapes(mujoco, model, answer)
    return answer


def _set_flags(mujoco: Any, model: Any, answer: Answer) -> None:
    """Turn constraints and actuators off, all other forces on, and let no body sleep."""
    off, enabled = mujoco.mjtDisableBit, mujoco.mjtEnableBit
    forces = {"gravity": off.mjDSBL_GRAVITY, "springs": off.mjDSBL_SPRING, "dampers": off.mjDSBL_DAMPER}
    found = [words for words, bit in forces.items() if model.opt.disableflags & int(bit)]
    if found:
        answer.note(f"turned on, although the file turns it off: {', '.join(found)}", dynamics=True)
    model.opt.disableflags &= ~sum(int(bit) for bit in forces.values())
    model.opt.disableflags |= int(off.mjDSBL_CONSTRAINT) | int(off.mjDSBL_ACTUATION)
    model.opt.enableflags &= ~int(getattr(enabled, "mjENBL_SLEEP", 0))


def _leave_out_forces(mujoco: Any, model: Any, answer: Answer) -> None:
    """Set forces and inertias to zero that robots do not have, and note them."""
    found = []
    if np.any(model.body_gravcomp):
        found.append("gravity compensation")
        model.body_gravcomp[:] = 0.0
    if model.opt.density or model.opt.viscosity:
        found.append("a fluid")
        model.opt.density = model.opt.viscosity = 0.0
    for name in ("armature", "stiffness", "damping") if model.ntendon else ():
        values = getattr(model, f"tendon_{name}", np.zeros(1))
        if np.any(values):
            found.append(f"{name} of tendons")
            values[:] = 0.0
    balls = model.jnt_type < int(mujoco.mjtJoint.mjJNT_SLIDE)
    if np.any(model.jnt_stiffness[balls]):
        found.append("springs of ball joints")
        model.jnt_stiffness[balls] = 0.0
    if found:
        answer.note(f"left out, since the model has none: {', '.join(found)}", dynamics=True)
    if model.nflex:
        answer.note("flexible bodies are not compared")


def _joints(mujoco: Any, model: Any, request: Request, answer: Answer, root: int) -> Places:
    places = Places(Base(linear=True, angular=False) if request.is_free else None)
    asked = {joint["name"]: joint for joint in request.joints}
    base = [i for i in range(model.njnt) if _is_base(model, i, request, root)]
    others = [i for i in range(model.njnt) if i not in base]
    names = dict(zip(others, request.named([model.joint(i).name for i in others]), strict=True))
    for i in range(model.njnt):
        kind, name = _KINDS[int(model.jnt_type[i])], names.get(i, "")
        q, v = int(model.jnt_qposadr[i]), int(model.jnt_dofadr[i])
        if i in base:
            places.add_base(range(v, v + 6))
            answer.facts["base_q"] = q
            continue
        limited = bool(model.jnt_limited[i])
        effort = model.jnt_actfrcrange[i] if model.jnt_actfrclimited[i] else (-np.inf, np.inf)
        answer.joint(
            name,
            kind=kind,
            q=q,
            v=v,
            zero=float(model.qpos0[q]) if kind in ("prismatic", "revolute") else 0.0,
            # the limit of a ball joint is that of its angle
            position=list(model.jnt_range[i]) if limited and kind in ("prismatic", "revolute") else None,
            effort=list(effort),
            armature=float(model.dof_armature[v]),
            damping=float(np.ravel(model.dof_damping[v])[0]),
            friction=float(model.dof_frictionloss[v]),
        )
        wanted = asked.get(name)
        size = {"free": 6, "ball": 3}.get(kind, 1)
        if wanted is not None and wanted["kind"] == kind and kind != "free":
            places.add(range(wanted["v"], wanted["v"] + size), range(v, v + size))
    return places


def _is_base(model: Any, joint: int, request: Request, root: int) -> bool:
    """Whether a joint is that of a free base."""
    return bool(request.is_free and not model.jnt_type[joint] and int(model.jnt_bodyid[joint]) == root)


def _run(
    mujoco: Any, model: Any, request: Request, answer: Answer, places: Places, bodies: list[int]
) -> None:
    data = mujoco.MjData(model)
    asked = {joint["name"]: joint for joint in request.joints}
    poses, rows, matrices, biases, rates = [], [], [], [], []
    full = np.zeros((model.nv, model.nv))
    for state in range(len(request.q)):
        data.qpos[:] = model.qpos0
        if "base_q" in answer.facts:
            at = answer.facts["base_q"]
            data.qpos[at : at + 7] = request.q[state, :7]
        for joint in answer.facts["joints"]:
            wanted = asked.get(joint["name"])
            if wanted is None or wanted["kind"] != joint["kind"] or joint["kind"] == "free":
                continue
            here, there = wanted["q"], joint["q"]
            if joint["kind"] == "ball":
                data.qpos[there : there + 4] = request.q[state, here : here + 4]
            else:
                data.qpos[there] = joint["zero"] + request.q[state, here]
        data.qvel[:] = places.velocity(request, state, model.nv)
        data.qfrc_applied[:] = places.effort(request, state, model.nv)
        mujoco.mj_forward(model, data)
        rows.append(np.array(data.qpos))
        poses.append([pose_of(data.xmat[i].reshape(3, 3), data.xpos[i]) for i in bodies])
        _full(mujoco, model, data, full)
        matrices.append(places.matrix(request, state, full))
        biases.append(places.bias(request, state, full, np.array(data.qfrc_bias)))
        rates.append(places.acceleration(request, state, np.array(data.qacc)))
    answer.dynamics(places, model.nv, rates, poses=poses, q=rows, mass_matrix=matrices, bias=biases)


def _full(mujoco: Any, model: Any, data: Any, out: Any) -> None:
    """The mass matrix; the arguments of this function changed between versions."""
    try:
        mujoco.mj_fullM(model, data, out)
    except TypeError:
        mujoco.mj_fullM(model, out, data.qM)


def _shapes(mujoco: Any, model: Any, answer: Answer) -> None:
    """Count the meshes and textures that were found."""
    answer.facts["meshes"] = int(model.nmesh)
    kept = [i for i in range(model.ntex) if int(model.tex_type[i]) == 0]
    answer.facts["textures"] = len(kept)


if __name__ == "__main__":
    main(load)

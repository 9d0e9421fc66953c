"""Loads a model with MuJoCo."""

from __future__ import annotations

from typing import Any

import numpy as np
from boxes import Boxes

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
    answer.facts["has_zeros"] = True
    answer.facts["gravity_compensation"] = {
        name: float(share) for name, share in zip(names, model.body_gravcomp, strict=True) if name and share
    }
    _leave_out_forces(mujoco, model, answer)
    model.opt.gravity[:] = request.gravity
    model.jnt_actgravcomp[:] = 0
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
    _couplings(mujoco, model, answer)
    _run(mujoco, model, request, answer, places, bodies)
    _loops(mujoco, model, answer, names)
    _shapes(mujoco, model, request, answer, names)
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


def _effort(mujoco: Any, model: Any, joint: int) -> list[float]:
    """The limits of the force of a joint: its own, within what its actuators can do together."""
    own = model.jnt_actfrcrange[joint] if model.jnt_actfrclimited[joint] else (-np.inf, np.inf)
    of_joint = {int(mujoco.mjtTrn.mjTRN_JOINT), int(mujoco.mjtTrn.mjTRN_JOINTINPARENT)}
    sums = np.zeros((0, 2))
    for k in range(model.nu):
        if int(model.actuator_trntype[k]) in of_joint and int(model.actuator_trnid[k, 0]) == joint:
            sums = np.vstack([sums, _force(mujoco, model, k)])
    low, high = sums.sum(axis=0) if len(sums) else (-np.inf, np.inf)
    return [max(float(own[0]), float(low)), min(float(own[1]), float(high))]


def _reflected(mujoco: Any, model: Any, joint: int) -> float:
    """The inertia of the actuators of a joint, times the squares of their gears."""
    if not hasattr(model, "actuator_armature"):
        return 0.0
    of_joint = {int(mujoco.mjtTrn.mjTRN_JOINT), int(mujoco.mjtTrn.mjTRN_JOINTINPARENT)}
    return sum(
        float(model.actuator_armature[k]) * float(model.actuator_gear[k, 0]) ** 2
        for k in range(model.nu)
        if int(model.actuator_trntype[k]) in of_joint and int(model.actuator_trnid[k, 0]) == joint
    )


def _force(mujoco: Any, model: Any, k: int) -> tuple[float, float]:
    """The least and the largest force of an actuator on its joint."""
    gear, ranges = float(model.actuator_gear[k, 0]), []
    if model.actuator_forcelimited[k]:
        ranges.append(gear * model.actuator_forcerange[k])
    is_force = (
        int(model.actuator_dyntype[k]) == int(mujoco.mjtDyn.mjDYN_NONE)
        and int(model.actuator_gaintype[k]) == int(mujoco.mjtGain.mjGAIN_FIXED)
        and int(model.actuator_biastype[k]) == int(mujoco.mjtBias.mjBIAS_NONE)
    )
    if is_force and model.actuator_ctrllimited[k]:
        ranges.append(gear * float(model.actuator_gainprm[k, 0]) * model.actuator_ctrlrange[k])
    low = max((float(min(each)) for each in ranges), default=-np.inf)
    return low, min((float(max(each)) for each in ranges), default=np.inf)


def _joints(mujoco: Any, model: Any, request: Request, answer: Answer, root: int) -> Places:
    places = Places(Base(linear=True, angular=False) if request.is_free else None)
    asked = {joint["name"]: joint for joint in request.joints}
    base = [i for i in range(model.njnt) if _is_base(model, i, request, root)]
    others = [i for i in range(model.njnt) if i not in base]
    names = dict(zip(others, request.named([model.joint(i).name for i in others]), strict=True))
    # the limits of effort are those of joints and actuators
    answer.facts["actuators"] = int(model.nu)
    for i in range(model.njnt):
        kind, name = _KINDS[int(model.jnt_type[i])], names.get(i, "")
        q, v = int(model.jnt_qposadr[i]), int(model.jnt_dofadr[i])
        if i in base:
            places.add_base(range(v, v + 6))
            answer.facts["base_q"] = q
            continue
        limited = bool(model.jnt_limited[i])
        answer.joint(
            name,
            kind=kind,
            q=q,
            v=v,
            zero=float(model.qpos0[q]) if kind in ("prismatic", "revolute") else 0.0,
            # the limit of a ball joint is that of its angle
            position=list(model.jnt_range[i]) if limited and kind in ("prismatic", "revolute") else None,
            effort=_effort(mujoco, model, i),
            armature=float(model.dof_armature[v]) + _reflected(mujoco, model, i),
            damping=float(np.ravel(model.dof_damping[v])[0]),
            friction=float(model.dof_frictionloss[v]),
            solvers={
                "solreflimit": list(model.jnt_solref[i]),
                "solimplimit": list(model.jnt_solimp[i]),
                "solreffriction": list(model.dof_solref[v]),
                "solimpfriction": list(model.dof_solimp[v]),
            },
            resistance=float(model.dof_invweight0[v]),
        )
        wanted = asked.get(name)
        size = {"free": 6, "ball": 3}.get(kind, 1)
        if wanted is not None and wanted["kind"] == kind and kind != "free":
            places.add(range(wanted["v"], wanted["v"] + size), range(v, v + size))
    return places


def _couplings(mujoco: Any, model: Any, answer: Answer) -> None:
    """Equalities of joints: how far one is from its qpos0 is a polynomial of that of another one."""
    answer.couplings()
    names = {joint["q"]: joint["name"] for joint in answer.facts["joints"]}
    for i in np.flatnonzero(model.eq_type == int(mujoco.mjtEq.mjEQ_JOINT)):
        follower, leader = int(model.eq_obj1id[i]), int(model.eq_obj2id[i])
        if not model.eq_active0[i]:
            continue
        if leader < 0:
            answer.couple(names[int(model.jnt_qposadr[follower])])
            continue
        terms = [float(x) for x in model.eq_data[i, :5]]
        ratio, offset = (None, None) if any(terms[2:]) else (terms[1], terms[0])
        ends = (names[int(model.jnt_qposadr[k])] for k in (follower, leader))
        answer.couple(*ends, ratio, offset, terms=terms)


def _loops(mujoco: Any, model: Any, answer: Answer, names: list[str]) -> None:
    """Connects and welds, and their residuals at the states that were set."""
    answer.loops()
    # a loop of the file that is none here is lost
    answer.facts["has_loops"] = True
    kinds = (int(mujoco.mjtEq.mjEQ_CONNECT), int(mujoco.mjtEq.mjEQ_WELD))
    chosen = [i for i in range(model.neq) if model.eq_type[i] in kinds and model.eq_active0[i]]
    for i in chosen:
        of_sites = int(model.eq_objtype[i]) == int(mujoco.mjtObj.mjOBJ_SITE)
        ends = [int(model.eq_obj1id[i]), int(model.eq_obj2id[i])]
        bodies = [int(model.site_bodyid[k]) for k in ends] if of_sites else ends
        # the point in the first body; data of a weld begin with that in the second one
        at = 3 if model.eq_type[i] == kinds[1] else 0
        point = model.site_pos[ends[0]] if of_sites else model.eq_data[i, at : at + 3]
        answer.close(model.eq(i).name, *(names[k] for k in bodies), point)
    if not chosen:
        return
    off = mujoco.mjtDisableBit
    model.opt.disableflags &= ~int(off.mjDSBL_CONSTRAINT)
    model.opt.disableflags |= int(off.mjDSBL_CONTACT)
    data = mujoco.MjData(model)
    gaps, turns = [], []
    for q in answer.arrays["q"]:
        data.qpos[:] = q
        mujoco.mj_fwdPosition(model, data)
        is_equality = data.efc_type == int(mujoco.mjtConstraint.mjCNSTR_EQUALITY)
        rows = [np.array(data.efc_pos[is_equality & (data.efc_id == i)]) for i in chosen]
        gaps.append([np.linalg.norm(row[:3]) for row in rows])
        turns.append([_angle(row[3:], model.eq_data[i, 10]) for i, row in zip(chosen, rows, strict=True)])
    answer.states(loop_gaps=gaps, loop_turns=turns)


def _angle(rotation: Any, scale: float) -> float:
    """The angle of a weld whose residual is the vector of a quaternion, scaled."""
    if not len(rotation) or not scale:
        return float("nan")
    return float(2.0 * np.arcsin(min(1.0, float(np.linalg.norm(rotation)) / abs(scale))))


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

    def rate(request: Request, state: int) -> Any:
        """Compute everything at a state; the acceleration."""
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
        return places.acceleration(request, state, np.array(data.qacc))

    for state in range(len(request.q)):
        rates.append(rate(request, state))
        rows.append(np.array(data.qpos))
        poses.append([pose_of(data.xmat[i].reshape(3, 3), data.xpos[i]) for i in bodies])
        _full(mujoco, model, data, full)
        matrices.append(places.matrix(request, state, full))
        # what bears weights is a passive force of MuJoCo
        bias = np.array(data.qfrc_bias) - np.array(data.qfrc_gravcomp)
        biases.append(places.bias(request, state, full, bias))
    answer.dynamics(places, model.nv, rates, poses=poses, q=rows, mass_matrix=matrices, bias=biases)
    answer.states(trajectory=request.integrated(rate, places))


def _full(mujoco: Any, model: Any, data: Any, out: Any) -> None:
    """The mass matrix; the arguments of this function changed between versions."""
    try:
        mujoco.mj_fullM(model, data, out)
    except TypeError:
        mujoco.mj_fullM(model, out, data.qM)


# Geoms of these groups are drawn by MuJoCo's viewer, and all that collide with nothing.
_DRAWN_GROUPS = 3
_GEOMS = {2: "sphere", 3: "capsule", 4: "ellipsoid", 5: "cylinder", 6: "box"}
_PLANE, _MESH, _SDF = 0, 7, 8


def _shapes(mujoco: Any, model: Any, request: Request, answer: Answer, names: list[str]) -> None:
    """The boxes of geoms, and the files of textures; planes are infinite."""
    is_urdf = request.format == "urdf"
    boxes = Boxes("collision") if is_urdf else Boxes("collision", "visual")
    paired = {*model.pair_geom1.tolist(), *model.pair_geom2.tolist()}
    for i in range(model.ngeom):
        link, kind = names[int(model.geom_bodyid[i])], int(model.geom_type[i])
        bits = bool(model.geom_contype[i] or model.geom_conaffinity[i])
        roles = ["collision"] if bits or i in paired else []
        if not is_urdf and (not bits or model.geom_group[i] < _DRAWN_GROUPS):
            roles.append("visual")
        turn, place = rotation_of(model.geom_quat[i]), np.array(model.geom_pos[i])
        for role in roles if link and kind != _PLANE else ():
            if kind in (_MESH, _SDF):
                points = _vertices(model, int(model.geom_dataid[i]))
                boxes.add_points(link, role, points, turn, place, hull=role == "collision")
            else:
                sizes = [float(x) for x in model.geom_size[i]]
                boxes.add(link, role, _GEOMS.get(kind, ""), turn, place, sizes[: _SIZES.get(kind, 3)])
    boxes.tell(answer)
    if is_urdf:
        return
    paths = bytes(model.paths)
    answer.facts["textures"] = []
    for i in range(model.ntex):
        at = int(model.tex_pathadr[i])
        if at >= 0:
            # MuJoCo rejects a model whose textures it does not find
            answer.texture(paths[at : paths.index(b"\0", at)].decode("utf-8", "replace"), found=True)


_SIZES = {2: 1, 3: 2, 5: 2}


def _vertices(model: Any, mesh: int) -> Any:
    """The vertices of the triangles of a mesh."""
    first, faces = int(model.mesh_vertadr[mesh]), int(model.mesh_faceadr[mesh])
    used = np.unique(model.mesh_face[faces : faces + int(model.mesh_facenum[mesh])])
    return model.mesh_vert[first + used]


if __name__ == "__main__":
    main(load)

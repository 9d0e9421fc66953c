"""Asks MuJoCo's importer of USD for accelerations, in the interpreter that has it.

``accelerations.py REQUEST``: JSON with ``file`` and ``states``, a list of positions by joint. Prints the
accelerations by joint of each state, at rest, without contacts, limits and motors. It imports nothing of
unibody.
"""

from __future__ import annotations

import json
import sys


def main(request: str) -> None:
    """Print the accelerations."""
    import mujoco

    with open(request, encoding="utf-8") as file:
        asked = json.load(file)
    spec = mujoco.MjSpec.from_file(asked["file"])
    model = spec.compile()
    off = mujoco.mjtDisableBit
    model.opt.disableflags |= off.mjDSBL_CONTACT | off.mjDSBL_LIMIT | off.mjDSBL_FRICTIONLOSS
    data = mujoco.MjData(model)
    names = [model.joint(k).name for k in range(model.njnt)]
    out = []
    for state in asked["states"]:
        mujoco.mj_resetData(model, data)
        found = {}
        for name, value in state.items():
            joint = next((k for k in range(model.njnt) if names[k].rpartition("/")[2] == name), None)
            if joint is not None:
                data.qpos[model.jnt_qposadr[joint]] = value
        mujoco.mj_forward(model, data)
        for name in state:
            joint = next((k for k in range(model.njnt) if names[k].rpartition("/")[2] == name), None)
            if joint is not None:
                found[name] = float(data.qacc[model.jnt_dofadr[joint]])
        out.append(found)
    print(json.dumps({"accelerations": out, "joints": names, "mass": float(model.body_mass.sum())}))


if __name__ == "__main__":
    main(sys.argv[1])

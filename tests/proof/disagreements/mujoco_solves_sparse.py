"""MuJoCo 4.0.0 accelerates otherwise with a sparse Jacobian than with a dense one (cured in 4.0.1).

expected: equal
seen: differ
"""

# https://github.com/google-deepmind/mujoco/issues/3767

from pathlib import Path

import mujoco
import numpy as np

model = mujoco.MjModel.from_xml_path(str(Path(__file__).with_name("sparse.xml")))
data, found = mujoco.MjData(model), []
for kind in (mujoco.mjtJacobian.mjJAC_DENSE, mujoco.mjtJacobian.mjJAC_SPARSE):
    model.opt.jacobian = kind
    mujoco.mj_resetData(model, data)
    mujoco.mj_forward(model, data)
    found.append(data.qacc.copy())
dense, sparse = found
print("equal" if np.allclose(dense, sparse, rtol=1e-6) else "differ", mujoco.__version__, *found)

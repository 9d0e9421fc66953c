"""The reference's kinematics, evaluated on the text itself, and nothing else: no code of unibody is used.

T = T_parent · T0 · Tq; ConstTransl and ConstRot make T0 in the order written, Rot1, Transl1 and
ConstTransl_Rot1 are Tq at t (Robot definition files, "joint").
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
ARITY = {"parent": 1, "ConstTransl": 3, "ConstRot": 4, "Transl1": 5, "Rot1": 5, "ConstTransl_Rot1": 8}
ARITY |= {"param": 1, "model0": 1, "model1": 1, "coll": 1, "tracePoint": 0}


def transl(x: float, y: float, z: float) -> Matrix:
    out = np.eye(4)
    out[:3, 3] = x, y, z
    return out


def rot(x: float, y: float, z: float, angle: float) -> Matrix:
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]]) / np.linalg.norm([x, y, z])
    out = np.eye(4)
    out[:3, :3] += np.sin(angle) * k + (1 - np.cos(angle)) * k @ k
    return out


def poses(text: str, t: list[float]) -> dict[str, Matrix]:
    """World pose of every joint of a .rob text at the normalized configuration ``t``."""
    bare = "\n".join(line.partition("#")[0] for line in text.split("\n"))
    words = bare.replace("{", " { ").replace("}", " } ").split()
    done: dict[str, Matrix] = {}
    while "joint" in words:
        words = words[words.index("joint") + 1 :]
        name, words = words[0], words[2:]
        parent, t0, tq, index = np.eye(4), np.eye(4), None, 0
        while words[0] != "}":
            field, n = words[0], ARITY[words[0]]
            given, words = words[1 : n + 1], words[n + 1 :]
            if field == "parent":
                parent = done[given[0]]
            elif field == "param":
                index = int(given[0])
            elif field == "ConstTransl":
                t0 = t0 @ transl(*map(float, given))
            elif field == "ConstRot":
                t0 = t0 @ rot(*map(float, given))
            elif field in ("Transl1", "Rot1", "ConstTransl_Rot1"):
                tq = (field, [float(v) for v in given])
        done[name] = parent @ t0 @ (np.eye(4) if tq is None else moved(*tq, t[index]))
    return done


def moved(field: str, v: list[float], t: float) -> Matrix:
    at = t * (v[-1] - v[-2]) + v[-2]
    if field == "Transl1":
        return transl(at * v[0], at * v[1], at * v[2])
    if field == "Rot1":
        return rot(v[0], v[1], v[2], at)
    return transl(*v[:3]) @ rot(v[3], v[4], v[5], at)

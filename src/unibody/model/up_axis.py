"""The axis of a mesh file that points up, and the rotation that takes it to +Z."""

from __future__ import annotations

from typing import Literal

from unibody.model.pose import UNIT_MATRIX, Matrix3

#: An axis of a mesh file; those of Choreonoid are Body's ``upper_axis``.
UpAxis = Literal["X", "Y", "Z", "choreonoid-X", "choreonoid-Y"]

_TURNS: dict[str, Matrix3] = {
    # by -90° about Y
    "X": ((0.0, 0.0, -1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)),
    # by +90° about X
    "Y": ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0)),
    # cyclic exchange of the axes (facts E)
    "choreonoid-X": ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)),
    "choreonoid-Y": ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
}
# glTF 2.0, 3.4: +Y is up.
_Y_UP_SUFFIXES = (".gltf", ".glb")


def upright_turn(axis: UpAxis | None) -> Matrix3:
    """The rotation (3×3) that takes the up axis of a mesh file to +Z.

    >>> upright_turn("Y")[2], upright_turn("Z") == upright_turn(None) == UNIT_MATRIX
    ((0.0, 1.0, 0.0), True)
    """
    return _TURNS.get(axis or "Z", UNIT_MATRIX)


def own_up_axis(suffix: str) -> UpAxis:
    """The up axis that the format of a mesh file prescribes and programs apply, by the format's suffix.

    COLLADA files state one, which RViz, Gazebo and Choreonoid ignore.

    >>> own_up_axis(".glb"), own_up_axis(".dae")
    ('Y', 'Z')
    """
    return "Y" if suffix.lower() in _Y_UP_SUFFIXES else "Z"

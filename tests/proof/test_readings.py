"""Engines read the smallest files that show it otherwise than one another, as docs/prove.md says."""

from __future__ import annotations

from pathlib import Path

import pytest

import unibody as ub
from unibody.proof.engines import ENGINES

FOLDER = Path(__file__).with_name("readings")
_MOVES = "joint moves in the engine, and is fixed in the model: revolute between -1 and 1 (hinge)"
#: What an engine makes of a file: words of causes and notes, or of its reason if it rejects the file.
SHOWN = {
    "hinge": {"sapien": "friction 0.05 of the load of joints and damping 0.05/s of links"},
    "massless_tip": {
        "dart": "a link without mass has 1 kg and 1 kg m² about each axis (tip)",
        "sapien": "a link without mass has 1e-6 kg and 1e-6 kg m² about each axis (tip)",
    },
    "inertia_without_mass": {
        "mujoco": "inertia of links without mass dropped",
        "drake": "a link without mass is a ball of 1 kg of water (tip)",
        "idyntree": "inertia of links without mass dropped",
        "sapien": "a link without mass has 1e-6 kg and 1e-6 kg m² about each axis (tip)",
    },
    "mass_of_shapes": {
        "mujoco": "those of its collision shapes at 1000 kg/m³ (arm)",
        "drake": "is not positive-definite",
        "dart": "a link without mass has 1 kg and 1 kg m² about each axis (arm)",
        "sapien": "those of its collision shapes at 1000 kg/m³ (arm)",
    },
    "no_inertia": {
        "mujoco": "missing element: 'inertia'",
        "drake": "is not positive-definite",
        "sapien": "SAPIEN rejects the file: <inertial> has no <inertia> (line 4)",
    },
    "odd_inertia": {
        "mujoco": "MuJoCo rejects the file: no body has the inertia of link 'arm'",
        "drake": "inertia of a ball of water, since no body has the one stated (arm)",
    },
    "no_range": {
        "mujoco": "limits of 0 taken as none (hinge)",
        "drake": "limits of 0 taken as none (hinge)",
        "sapien": "limits that are no numbers (NaN) (hinge)",
    },
    "no_effort": {
        "pinocchio": "limit has no effort; Could not parse limit element for joint [hinge]",
        "dart": "joint limit: no effort; Could not parse limit element for joint [hinge]",
    },
    "effort_zero": {
        "mujoco": "effort limits of 0 taken as none (hinge)",
        "idyntree": "effort limits of 0 taken as none (hinge)",
    },
    "reversed_range": {
        "mujoco": "limits that are reversed taken as none (hinge)",
        "drake": "Drake rejects the file, and ends the process: the lower limit of joint 'hinge'",
    },
    "continuous_range": {
        "drake": "limits of a continuous joint that are not to be read (hinge)",
        "idyntree": "limits of a continuous joint that are not to be read (hinge)",
    },
    "continuous_effort": {"idyntree": "limits of 0 (hinge)"},
    "floating": {
        "drake": "origin of a free joint ignored: its link is at the origin of the world (root)",
        "idyntree": "Joint root has type floating that is not currently supported",
        "sapien": "it makes 0 robots and 2 single bodies of the file",
    },
    "zero_axis": {
        "mujoco": "axis too small",
        "pinocchio": _MOVES,
        "drake": "axis is zero",
        "idyntree": _MOVES,
        "dart": _MOVES,
        "sapien": _MOVES,
    },
    "capsule": {
        "pinocchio": "shapes not read (arm/collision)",
        "idyntree": "<geometry> has no box, cylinder, sphere or mesh (line 6)",
        "dart": "shapes not read (arm/collision)",
    },
    "no_geometry": {
        "idyntree": "iDynTree rejects the file, and ends the process: <visual> has no <geometry>",
        "sapien": "SAPIEN rejects the file: <visual> has no <geometry>",
    },
    "texture": {
        "drake": "wood.png",
        "idyntree": "where a shape has this <material> with a texture and no <color>",
    },
    "xml_version": {"idyntree": "Unsupported version '0.0'", "sapien": "Unsupported version '0.0'"},
    "transmission": {
        "drake": "Transmission element is missing a type",
        "sapien": "SAPIEN rejects the file: <transmission> has no <type>",
    },
    "no_color": {"idyntree": "some of the shapes not read (arm/visual)"},
    "objects": {"mujoco": "only the first object of the mesh file read (arm/collision)"},
    "radius_zero": {
        "mujoco": "size 0 must be positive in geom",
        "dart": "radius of 0 taken as 1 m (arm/collision)",
    },
    "mimic_of_one_parent": {
        "pinocchio": "coupling dropped unless mimic=True is given: the joint moves freely (tail)",
        "idyntree": "coupling dropped: the joint moves freely (tail)",
        "sapien": "leader and follower of the coupling exchanged (tail)",
    },
    "mimic_before_leader": {
        "pinocchio": "rejects the model with mimic=True: The parent joint of the mimic joint is not in the",
        "idyntree": "coupling dropped: the joint moves freely (follow)",
    },
    "mimic_of_mimic": {
        "pinocchio": "rejects the model with mimic=True",
        "idyntree": "coupling dropped: the joint moves freely (b, c)",
    },
    "no_k_velocity": {
        "pinocchio": "joint safety: no k_velocity",
        "dart": "joint safety: no k_velocity",
        "sapien": "k_velocity",
    },
}
#: SAPIEN resists every joint; what iDynTree has of an inertia that it does not set changes from run to run.
ALWAYS = ("sapien",)
UNSET = ("no_inertia", "idyntree")


def test_every_file_shows_something() -> None:
    assert {path.stem for path in FOLDER.glob("*.urdf")} == {*SHOWN}


@pytest.mark.slow
@pytest.mark.parametrize("engine", [engine.name for engine in ENGINES])
@pytest.mark.parametrize("name", SHOWN)
def test_the_engine_does_so(name: str, engine: str) -> None:
    result = ub.prove(FOLDER / f"{name}.urdf", engines=engine, states=8)[engine]
    if result.verdict == "not here":
        pytest.skip(f"{engine} is not installed")
    words = SHOWN[name].get(engine)
    assert result.unexplained == ()
    assert (words or "") in "; ".join([result.reason, *map(str, result.causes), *result.notes])
    if words is None and engine not in ALWAYS and (name, engine) != UNSET:
        assert result.verdict == "equal", result

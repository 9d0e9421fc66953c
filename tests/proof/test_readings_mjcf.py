"""Engines read the smallest MJCF files that show it otherwise than MuJoCo, as docs/prove.md says."""

from __future__ import annotations

from pathlib import Path

import pytest

import unibody as ub

FOLDER = Path(__file__).with_name("readings")
DART = "unit inertia"
#: What an engine makes of a file: words of the causes and notes, or of its reason if it rejects the file.
SHOWN = {
    "joint_pos_of_class": {
        "pinocchio": "anchor of the joint ignored: it is at the origin of its body (knee)"
    },
    "two_hinges": {"drake": "pose of the body before the last of its joints, not the first (roll)"},
    "two_refs": {
        "pinocchio": "ref of the first of several joints of a body ignored",
        "dart": "ref of the joint ignored",
    },
    "two_bodies": {"pinocchio": "joint dropped: the engine does not have the body that it moves (b)"},
    # free joints without a name are found by their bodies, in the file itself
    "free_bodies": {
        "pinocchio": "joint dropped: the engine does not have the body that it moves (joint_1)"
    },
    "loop_of_lost_site": {"pinocchio": "its reader of constraints lacks site there"},
    "turned_free_body": {"pinocchio": "free body that is turned in the file displaced by p - R p (ball)"},
    "freejoint": {"dart": "base: the root link is fixed to the world in the engine (ball)"},
    "mass_of_class": {"pinocchio": "stated masses and densities ignored: shapes at 1000 kg/m³ (ball)"},
    "total_mass": {
        "pinocchio": "stated masses and densities ignored: shapes at 1000 kg/m³ (ball)",
        "drake": "stated masses and densities ignored: shapes at 1000 kg/m³ (ball)",
        "dart": "stated masses and densities ignored: shapes at 1000 kg/m³, and unit inertia (ball)",
    },
    # their density is 1000 kg/m³, so that a default of the engine may be what it has
    "two_geoms": {"dart": "only the first shape counts for the mass, and unit inertia"},
    "body_without_pos": {"dart": "body without pos has the pose of its first shape (hinge)"},
    "sites": {"dart": "sites drawn as shapes (arm/site)"},
    "body_in_frame": {
        "pinocchio": "its reader needs a <body> directly in <worldbody>",
        "drake": "joint dropped: the engine does not have the body that it moves (hinge)",
        "dart": "its reader finds no body in <worldbody>",
    },
    "site_of_world": {"dart": "its reader crashes on a <site> of the <worldbody>"},
    "weld_to_world": {"dart": "its reader crashes on a <weld> to the world"},
    "no_name": {"drake": "its reader rejects a model without a name; it was given one"},
}


def test_every_file_shows_something() -> None:
    assert {path.stem for path in FOLDER.glob("*.xml")} == {*SHOWN}


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["mujoco", "pinocchio", "drake", "dart"])
@pytest.mark.parametrize("name", SHOWN)
def test_the_engine_does_so(name: str, engine: str) -> None:
    result = ub.prove(FOLDER / f"{name}.xml", engines=engine, states=8)[engine]
    if result.verdict == "not here":
        pytest.skip(f"{engine} is not installed")
    words = SHOWN[name].get(engine, DART if engine == "dart" else "")
    assert result.unexplained == ()
    assert words in "; ".join([result.reason, *map(str, result.causes), *result.notes])
    if not words:
        assert result.verdict == "equal", result

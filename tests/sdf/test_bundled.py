"""The bundled robot in SDF is that of the Body file."""

from __future__ import annotations

from pathlib import Path

import unibody as ub

MODELS = Path(ub.__file__).parent / "models"


def test_the_bundled_models_are_one_robot() -> None:
    body, sdf = (ub.load(MODELS / f"biped.{suffix}") for suffix in ("body", "sdf"))
    links = {f"links/{link.name}": f"{link.name}_link" for link in body.links if link.name != body.root}
    found = {x.path.split("/", 1)[0] for x in ub.diff(ub.rename(body, links), sdf)}
    assert found <= {"links", "joints", "devices", "groups", "configurations", "self_collision", "extras"}
    words = {x.path.rsplit("/", 1)[-1] for x in ub.diff(ub.rename(body, links), sdf)}
    assert (
        words & {"xyz", "quat", "mass", "com", "inertia", "axis", "position", "velocity", "effort"} == set()
    )
    assert [joint.name for joint in body.joints] == [joint.name for joint in sdf.joints]
    assert [f.code for f in ub.check(MODELS / "biped.sdf") if f.severity != "info"] == []

"""The bundled robot in USD is that of the Body file."""

from __future__ import annotations

from pathlib import Path

import unibody as ub

MODELS = Path(ub.__file__).parent / "models"


def test_the_bundled_models_are_one_robot() -> None:
    body, usd = (ub.load(MODELS / f"biped.{suffix}") for suffix in ("body", "usda"))
    words = {x.path.rsplit("/", 1)[-1] for x in ub.diff(body, usd)}
    assert words & {"xyz", "quat", "mass", "com", "axis", "position", "velocity", "effort"} == set()
    assert [joint.name for joint in body.joints] == [joint.name for joint in usd.joints]
    assert [link.name for link in body.links] == [link.name for link in usd.links]
    assert [f.code for f in ub.check(MODELS / "biped.usda") if f.severity != "info"] == []

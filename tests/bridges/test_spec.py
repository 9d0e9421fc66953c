"""A ``mujoco.MjSpec`` is read like the file that it was made of, with all digits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import mujoco
import pytest
from tests.formats.mjcf.test_oracle import compiled
from tests.formats.mjcf.test_saved import CONTACT
from tests.shared import CORPUS

import unibody as ub
from unibody.formats.mjcf.samples import SAMPLES
from unibody.model.shape import Contact

#: Files whose keyframes are those of attached models, which a specification has only when it is compiled.
ATTACHED_KEYS = ("humanoid100.xml", "2humanoid100.xml")


def differences(path: Path) -> list[str]:
    """What a specification says otherwise than its file, besides what is only kept."""
    spec = mujoco.MjSpec.from_file(str(path))
    file, given = (replace(r, name="", extras=()) for r in (ub.load(path), ub.load(spec)))
    return [d.path for d in ub.diff(_all_stated(file), _all_stated(given))]


def _all_stated(robot: ub.Robot) -> ub.Robot:
    """The robot with MuJoCo's values for what is not stated, which a specification does not tell apart."""
    around = robot.surroundings
    return replace(
        robot,
        gravity=(0.0, 0.0, -9.81) if robot.gravity is None else robot.gravity,
        links=tuple(map(_touching, robot.links)),
        surroundings=None if around is None else _touching(around),
    )


def _touching(link: ub.Link) -> ub.Link:
    shapes = []
    for shape in link.collisions:
        given = {name: getattr(shape.contact, name, None) for name in CONTACT}
        stated = {name: CONTACT[name] if value is None else value for name, value in given.items()}
        shapes.append(replace(shape, contact=Contact(**stated)))
    return replace(link, collisions=tuple(shapes))


@pytest.mark.parametrize("name", ["pendulum.xml", "arm.xml"])
def test_samples(name: str, tmp_path: Path) -> None:
    for file, text in SAMPLES.items():
        (tmp_path / file).write_text(text)
    assert differences(tmp_path / name) == []


def test_all_digits_and_edits() -> None:
    spec = mujoco.MjSpec()
    spec.modelname = "made"
    body = spec.worldbody.add_body(name="a", pos=[0.1 + 0.2, 1.0 / 3.0, 0.0])
    body.add_joint(name="j", axis=[0, 1, 0], range=[-10.0 / 3.0, 20.0])
    body.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.1, 0.2, 1.0 / 7.0], rgba=[0.1, 0.2, 0.3, 1])
    robot = ub.load(spec)
    assert robot.name == "made"
    assert robot.joint("j").origin.xyz == (0.1 + 0.2, 1.0 / 3.0, 0.0)
    (shape,) = robot.link("a").visuals
    assert shape.geometry == ub.Box(size=(0.2, 0.4, 2.0 / 7.0))
    assert shape.material is not None
    assert shape.material.diffuse == (0.1, 0.2, 0.3)
    reading = ub.read(spec)
    assert reading.ok
    assert reading.format is not None
    assert reading.format.name == "mjcf"


def test_assets_in_memory() -> None:
    corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    text = '<mujoco><asset><mesh name="m" file="m.obj"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>'  # noqa: E501
    spec = mujoco.MjSpec.from_string(text, assets={"m.obj": corners.encode()})
    assert ub.read(spec).ok


def test_what_is_no_model() -> None:
    with pytest.raises(TypeError, match=r"^expected the path of a model file, got int$"):
        ub.read(3)  # type: ignore[arg-type]


@pytest.mark.usefixtures("shared")
@pytest.mark.slow
def test_the_corpus() -> None:
    wrong = {}
    for path, _ in compiled():
        found = differences(CORPUS / path)
        if path.endswith(ATTACHED_KEYS):
            found = [x for x in found if not x.startswith("configurations/")]
        if found:
            wrong[path] = found[:3]
    assert not wrong


def test_flags_and_groups_of_actuators_that_are_switched_off() -> None:
    text = """
    <mujoco>
      <option actuatorgroupdisable="2"><flag contact="disable" gravity="disable" energy="enable"/></option>
      <worldbody>
        <body><joint name="a"/><geom size="0.1"/></body>
      </worldbody>
      <actuator><motor joint="a" group="2"/></actuator>
    </mujoco>"""
    read = ub.to_mujoco(ub.load(mujoco.MjSpec.from_string(text))).model.opt
    wanted = mujoco.MjModel.from_xml_string(text).opt
    for name in ("enableflags", "disableactuator"):
        assert getattr(read, name) == getattr(wanted, name) != 0
    # a robot has one gravity: that which is switched off is 0
    off = int(mujoco.mjtDisableBit.mjDSBL_GRAVITY)
    assert read.disableflags == wanted.disableflags & ~off != 0
    assert list(read.gravity) == [0.0, 0.0, 0.0]

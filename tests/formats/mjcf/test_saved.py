"""MuJoCo's own save of a file is read as the same robot as the file: it prints six digits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mujoco
import pytest
from tests.formats.mjcf.arrays import differences
from tests.formats.mjcf.test_oracle import MICRO, TENDON_ARMATURE, compiled
from tests.shared import CORPUS

import unibody as ub

BODIES = """<worldbody><body name="b"><joint name="j" range="-30 30"/><geom size=".1"/><site name="s"/>
<body><joint name="k" type="ball"/><geom size=".1"/></body></body></worldbody>"""
#: What contacts of MuJoCo have by default.
CONTACT: dict[str, Any] = {
    "sliding": 1.0,
    "torsional": 0.005,
    "rolling": 0.0001,
    "solref": (0.02, 1.0),
    "solimp": (0.9, 0.95, 0.001, 0.5, 2.0),
    "margin": 0.0,
    "condim": 3,
}
#: The gravity of a file that states none, which MuJoCo does not save.
GRAVITY = (0.0, 0.0, -9.81)
#: Six digits, of numbers and of the lists that they are in.
TOLERANCE = 3e-5


def saved(path: Path, out: Path) -> Path:
    """What MuJoCo saves of a file."""
    mujoco.mj_saveLastXML(str(out), mujoco.MjModel.from_xml_path(str(path)))
    return out


@pytest.mark.parametrize(
    "actuator",
    [
        '<motor joint="j"/>',
        '<motor joint="j" gear="50" ctrlrange="-1 1"/>',
        '<motor site="s" gear="0 0 1"/>',
        '<position joint="j"/>',
        '<position joint="j" kp="40" kv="3" ctrlrange="-1 1" forcerange="-5 5"/>',
        '<position joint="j" kp="40" timeconst="0.1"/>',
        '<position joint="j" timeconst="0"/>',
        '<position joint="j" ctrlrange="-1 1" ctrllimited="false"/>',
        '<velocity joint="j"/>',
        '<velocity joint="j" kv="0"/>',
        '<velocity joint="j" kv="7" gear="2"/>',
        '<intvelocity joint="j" kp="5" kv="1" actrange="-1 1"/>',
        '<damper joint="j" kv="2" ctrlrange="0 1"/>',
        '<damper joint="j" ctrlrange="0 1"/>',
        '<cylinder joint="j" area="0.5" timeconst="0.25" bias="1 2 3"/>',
        '<muscle joint="j" lengthrange="0 1"/>',
        '<muscle joint="j" lengthrange="0 1" timeconst="0.5 0.25" range="0.5 1" tausmooth="0.5"/>',
        '<adhesion body="b" ctrlrange="0 1" gain="3"/>',
        '<orientation joint="k" kp="3" kv="2" input="quat"/>',
        '<general joint="j" dyntype="integrator" gainprm="2"/>',
        '<general joint="j" gainprm="2" biastype="affine" biasprm="0 -2 -1"/>',
        '<general joint="j" gainprm="2" biastype="affine" biasprm="1 -2 -1" input="pos"/>',
    ],
)
def test_an_actuator_is_the_same_after_a_save(actuator: str, tmp_path: Path) -> None:
    path = tmp_path / "m.xml"
    path.write_text(f'<mujoco model="m">{BODIES}<actuator>{actuator}</actuator></mujoco>')
    out = saved(path, tmp_path / "saved.xml")
    robot, again = ub.load(path), ub.load(out)
    assert [str(x) for x in ub.diff(robot, again) if not _is_rounding(x)] == []
    text = ub.dumps(again, format="mjcf", plain=True)
    assert differences(mujoco.MjModel.from_xml_path(str(out)), mujoco.MjModel.from_xml_string(text)) == []


def test_a_general_actuator_that_is_a_motor_has_gear_and_limits_of_one() -> None:
    general = '<general joint="j" gear="50" gaintype="fixed" ctrlrange="-1 1"/>'
    joint = ub.loads(f"<mujoco>{BODIES}<actuator>{general}</actuator></mujoco>", format="mjcf").joint("j")
    assert joint.actuator.gear_ratio == 50.0
    assert joint.limits.effort == (-50.0, 50.0)


@pytest.mark.parametrize("word", ["position", "pos speed", "vel pos", "pos pos"])
def test_an_unknown_input_of_an_actuator_is_an_error(word: str) -> None:
    actuator = f'<general joint="j" input="{word}"/>'
    with pytest.raises(ub.LoadError) as caught:
        ub.loads(f"<mujoco>{BODIES}<actuator>{actuator}</actuator></mujoco>", format="mjcf")
    found = [finding for finding in caught.value.findings if finding.severity == "error"]
    assert [(finding.at.text if finding.at is not None else "") for finding in found] == [word]


@pytest.mark.usefixtures("shared")
@pytest.mark.slow
def test_mujocos_save_of_the_corpus_is_read_as_the_same_robots(tmp_path: Path) -> None:
    files = [CORPUS / path for path, _ in compiled()]
    files += [d.with_name(d.name.removesuffix(".mujoco.json")) for d in sorted(MICRO.rglob("*.json"))]
    files = [path for path in files if path.suffix == ".xml"]
    wrong = {}
    for path in files:
        text = saved(path, tmp_path / "saved.xml").read_text()
        again = ub.loads(text, format="mjcf", directory=path.parent)
        found = [x for x in ub.diff(ub.load(path), again) if not _is_explained(x, path)]
        if found:
            wrong[path.name] = [str(x) for x in found[:3]]
    print(f"{len(files) - len(wrong)} of {len(files)} files are the same after a save")
    assert wrong == {}


def _is_explained(difference: Any, path: Path) -> bool:
    """Whether a difference is of digits, of words that are not compared here, or MuJoCo's own.

    MuJoCo names a model without a name; it saves defaults that the file states and leaves others out,
    which :mod:`test_arrays` compares; principal axes may have either direction.
    """
    head, _, tail = str(difference.path).partition("/")
    if "/contact" in tail:
        return _is_default(tail.rpartition("/contact")[2].strip("/"), difference)
    if head in ("name", "extras") or _is_rounding(difference):
        return True
    if head == "gravity":
        return (difference.before, difference.after) == (GRAVITY, None)
    if str(path).endswith(TENDON_ARMATURE):
        return tail.endswith(("/damping", "/stiffness"))
    return "fit" in path.name and tail.endswith("/pose/quat")


def _is_default(field: str, difference: Any) -> bool:
    """Whether a value of contacts that MuJoCo does not save is its default; lists may be shorter."""
    before, after = difference.before, difference.after
    if not field:
        names = CONTACT
        values = [(getattr(before, name, None), getattr(after, name, None)) for name in names]
        return all(_is_same_contact(name, *pair) for name, pair in zip(names, values, strict=True))
    return _is_same_contact(field, before, after)


def _is_same_contact(field: str, before: Any, after: Any) -> bool:
    default = CONTACT[field]
    return _is_close(_filled(before, default), _filled(after, default))


def _filled(value: Any, default: Any) -> Any:
    if value is None:
        return default
    if isinstance(default, tuple):
        return (*map(float, value), *default[len(value) :])
    return float(value)


def _is_rounding(difference: Any) -> bool:
    """Whether two values differ by the digits that MuJoCo prints."""
    return difference.kind == "changed" and _is_close(difference.before, difference.after)


def _is_close(a: Any, b: Any) -> bool:
    if isinstance(a, float) and isinstance(b, float):
        return a == b or abs(a - b) <= TOLERANCE * (1.0 + abs(a))
    if not isinstance(a, tuple) or not isinstance(b, tuple) or len(a) != len(b):
        return bool(a == b)
    # a quaternion and its opposite are one
    opposite = tuple(-x if isinstance(x, float) else x for x in b)
    return all(map(_is_close, a, b)) or (len(a) == 4 and all(map(_is_close, a, opposite)))

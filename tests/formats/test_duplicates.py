"""Duplicate names: the finding names both places, and the joints that the duplicate is the child of."""

from __future__ import annotations

import pytest

from unibody import read
from unibody.files.access import MemoryFiles

HEAD = '<robot name="r">\n<link name="a"/>\n<link name="leg"/>\n<link name="leg"/>\n'
LEFT = '<joint name="left" type="fixed"><parent link="a"/><child link="leg"/></joint>\n'
RIGHT = LEFT.replace("left", "right")
THIRD = LEFT.replace("left", "third")
BODY = "format: ChoreonoidBody\nformat_version: 2.0\nlinks:\n  - name: R\n"
ARM = "  - { name: A, parent: R, joint_type: fixed }\n"
DEVICE = "      - { type: ForceSensor, id: 0, name: S }\n"


def said(name: str, text: str) -> tuple[str, str, bool]:
    """The message, the hint, and whether the first such finding has edits."""
    found = read(name, files=MemoryFiles({name: text.encode()})).findings
    one = next(f for f in found if f.code == "name-duplicate")
    return one.message, one.hint or "", bool(one.edits)


@pytest.mark.parametrize(
    ("joints", "rest"),
    [
        ("", ""),
        (LEFT, "; joint 'left' has it as child"),
        (LEFT + RIGHT, "; joints 'left' and 'right' have it as child"),
        (
            LEFT + RIGHT + LEFT.replace("left", "third"),
            "; joints 'left', 'right' and 'third' have it as child",
        ),
        (
            "".join(LEFT.replace("left", f"j{i}") for i in range(6)),
            "; joints 'j0', 'j1', 'j2' and 3 more have it as child",
        ),
    ],
)
def test_a_link_of_urdf_names_the_first_and_the_joints(joints: str, rest: str) -> None:
    message, hint, is_fixed = said("a.urdf", f"{HEAD}{joints}</robot>\n")
    assert message == f"duplicate link name 'leg'; the first is in line 3{rest}"
    assert hint.startswith("give the second link its own name")
    # a joint may mean either link: no edit is sure
    assert not is_fixed
    assert ("joint 'right'" in hint) == (joints == LEFT + RIGHT)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "a.xml",
            '<mujoco><worldbody>\n<body name="b"><geom size="1"/></body>\n'
            '<body name="b"><geom size="1"/></body></worldbody></mujoco>',
            "duplicate link name 'b'; the first is in line 2; MuJoCo rejects the file",
        ),
        ("a.body", f"{BODY}{ARM}{ARM}", "duplicate link name 'A'; the first is in line 5"),
        (
            "a.body",
            f"{BODY}    elements:\n{DEVICE}{DEVICE}",
            "duplicate device name 'S'; renamed to 'S_2'; the first is in line 6",
        ),
        (
            "a.urdf",
            f"{HEAD}{LEFT}{LEFT}</robot>".replace('\n<link name="leg"/>', "", 1),
            "duplicate joint name 'left'; renamed to 'left_2'; the first is in line 4",
        ),
        (
            "a.urdf",
            f"{HEAD}{LEFT}</robot>".replace("\n", ""),
            "duplicate link name 'leg'; the first is in line 1; joint 'left' has it as child",
        ),
    ],
)
def test_a_duplicate_names_the_first_in_every_format(name: str, text: str, message: str) -> None:
    assert said(name, text)[0] == message

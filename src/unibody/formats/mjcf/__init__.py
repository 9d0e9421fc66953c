"""MJCF, the model format of MuJoCo."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from unibody.formats.format import Declarations, EditorSchema, Format, Objects, Reader, WriteOption, Writer
from unibody.formats.scenery import SCENE

if TYPE_CHECKING:
    from unibody.model.facts import Difference
    from unibody.model.left_out import LeftOut
    from unibody.model.pose import Pose
    from unibody.model.robot import Robot

_COMMENT = re.compile("(?s)<!--.*?-->")
_BODIES = re.compile("<(?:worldbody|include)[\\s/>]")


def _declarations() -> Declarations:
    from unibody.formats.mjcf.document import OWNERS, Mujoco

    return Declarations(root=Mujoco, title="MJCF: all elements and attributes", owners=OWNERS)


def _reader() -> Reader:
    from unibody.formats.mjcf.read import READER

    return READER


def _writer() -> Writer:
    from unibody.formats.mjcf.write import WRITER

    return WRITER


def _is_spec(given: object) -> bool:
    cls = type(given)
    return cls.__name__ == "MjSpec" and cls.__module__.partition(".")[0] == "mujoco"


def _spec_files() -> Callable[[Any], tuple[str, dict[str, bytes]]]:
    from unibody.formats.mjcf.spec import spec_files

    return spec_files


def _samples() -> Mapping[str, str]:
    from unibody.formats.mjcf.samples import SAMPLES

    return SAMPLES


def _is_part(path: str, text: str) -> bool:
    """A file that others include: it has no bodies, and includes none."""
    return bool(text) and ("<mujocoinclude" in text or _BODIES.search(_COMMENT.sub("", text)) is None)


def _left_out() -> Callable[[Robot], list[LeftOut]]:
    from unibody.formats.mjcf.left_out import left_out

    return left_out


def _placed() -> Callable[[Robot, Pose], Robot]:
    from unibody.formats.mjcf.kept_elements import placed

    return placed


def _attached() -> Callable[[Robot, Robot, Robot], tuple[Robot, list[Difference]]]:
    from unibody.formats.mjcf.write_keyframes import attached

    return attached


def _untested() -> Callable[[Robot, str, str], str]:
    from unibody.formats.mjcf.write_constraints import untested

    return untested


FORMAT = Format(
    name="mjcf",
    title="MJCF",
    suffixes=(".xml",),
    magic=("<mujoco",),
    syntax="xml",
    is_part=_is_part,
    declarations=_declarations,
    reader=_reader,
    writer=_writer,
    schema=EditorSchema(file="mjcf.xsd", closed="mjcf.xsd", tag="mujoco", include="include", strict=True),
    options=(
        WriteOption(
            name="actuators",
            choices=("motor", "position", "velocity"),
            help="add an actuator of this kind to an MJCF output for each joint that is driven "
            "(default: only those of the source)",
        ),
        WriteOption(
            name="inertias",
            choices=("exact", "nearest"),
            help="inertias that MuJoCo rejects are errors of an MJCF output (exact, default), or replaced "
            "by the nearest ones that it accepts",
        ),
        SCENE,
    ),
    docs="formats/mjcf.md",
    rules="MJCF",
    samples=_samples,
    descriptions=("MJCF_PATH",),
    pairs="disabled",
    untested=_untested,
    objects=Objects(is_model=_is_spec, files=_spec_files),
    acting={
        "actuator": ("actuation", "actuator"),
        "tendon": ("motion", "tendon"),
        "deformable": ("shape", "soft body"),
    },
    left_out=_left_out,
    placed=_placed,
    attached=_attached,
)

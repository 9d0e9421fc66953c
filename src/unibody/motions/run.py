"""Recorded runs (.npz): arrays by name, and a JSON header with the robot."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from unibody.mechanism import Mechanism, assemble
from unibody.mechanism.assembly import AssembleError
from unibody.model import json as model_json
from unibody.model.pose import IDENTITY
from unibody.model.robot import Robot
from unibody.model.shape import MeshFile, Shape
from unibody.motions.columns import Column, columns_of, root_link
from unibody.motions.motion import Motion, MotionError
from unibody.motions.notation import MotionFile, Written
from unibody.motions.representable import refuse_others
from unibody.text.counted import counted
from unibody.text.finding import Findings

_VERSION = 1
_HEADER = "header"
_MAGIC = b"PK\x03\x04"
_SUFFIX = ".npz"
# A run that unpacks to more bytes than this is not read.
_MOST_BYTES = 8 << 30
#: The arrays of every run: times (k,), q (k, nq), and v and effort (k, nv) or (k, 0).
ARRAYS = ("times", "q", "v", "effort")


class RecordError(ValueError):
    """Raised for a file that is not a recorded run; the message states the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpacked:
    """The robot, the further entries of the header and the arrays of a run."""

    robot: Robot
    header: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]]


def is_run(path: str | PathLike[str]) -> bool:
    """Whether a file may be a recorded run, by its first bytes and its suffix."""
    try:
        with open(fspath(path), "rb") as stream:
            return stream.read(4) == _MAGIC and os.path.splitext(fspath(path))[1].lower() == _SUFFIX
    except OSError:
        return False


def pack(robot: Robot, arrays: Mapping[str, NDArray[Any]], header: Mapping[str, Any]) -> bytes:
    """The bytes of a run with further entries of the header."""
    data = {
        "unibody_record": _VERSION,
        "robot": model_json.to_json(robot),
        "files": _found_files(robot),
        "up": robot.up,
        **header,
    }
    out = io.BytesIO()
    contents: dict[str, Any] = {**arrays, _HEADER: np.frombuffer(json.dumps(data).encode(), np.uint8)}
    np.savez_compressed(out, **contents)
    return out.getvalue()


def unpack(stream: IO[bytes], name: str, only: Collection[str] | None = None) -> Unpacked:
    """The content of a run, of all arrays or of some; RecordError if it is not one."""
    try:
        with zipfile.ZipFile(stream) as archive:
            if sum(item.file_size for item in archive.infolist()) > _MOST_BYTES:
                raise RecordError("it unpacks to more than 8 GiB")
        stream.seek(0)
        with np.load(stream, allow_pickle=False) as arrays:
            header = json.loads(arrays[_HEADER].tobytes())
            if header.get("unibody_record") != _VERSION:
                raise RecordError(f"unknown version {header.get('unibody_record')!r} of a record")
            robot = model_json.from_json(header["robot"], Findings())
            if robot is None:
                raise RecordError("its robot cannot be read")
            robot = _with_files(robot, header["files"])
            return Unpacked(
                robot=replace(robot, up="y" if header["up"] == "y" else "z"),
                header=header,
                arrays={key: arrays[key] for key in arrays.files if only is None or key in only},
            )
    except RecordError as error:
        raise RecordError(f"{name}: {error}") from None
    except Exception as error:  # zipfile, zlib and numpy raise more kinds than they document
        raise RecordError(f"{name} is not a recorded run ({type(error).__name__})") from None


def is_run_file(file: MotionFile) -> bool:
    """Whether the first bytes are those of a run."""
    return file.data.startswith(_MAGIC) or file.suffix == _SUFFIX


def read_run(file: MotionFile) -> Motion | None:
    """Read positions, velocities and efforts; those of joints that the robot does not have are ignored."""
    try:
        run = unpack(io.BytesIO(file.data), file.name, ARRAYS)
        recorded = assemble(run.robot)
        times, q, v, effort = (np.asarray(run.arrays[name], np.float64) for name in ARRAYS)
        motion = Motion(
            name=file.name,
            columns=columns_of(recorded),
            q=q,
            times=times,
            rates=columns_of(recorded, "velocity"),
            velocities=v if v.shape[1:] != (0,) else None,
            efforts=effort if effort.shape[1:] != (0,) else None,
        )
    except (RecordError, AssembleError, MotionError, KeyError, IndexError, TypeError) as error:
        file.findings.error("control-format", f"{error}", None, "record the run again", subject=file.path)
        return None
    return _of_robot(motion, run.robot, file)


def _of_robot(motion: Motion, recorded: Robot, file: MotionFile) -> Motion | None:
    """The part of a motion whose joints the robot has."""
    mechanism = file.mechanism
    root = root_link(mechanism)
    # in a scene of several robots, a free base is a free joint of its root link
    bases = {
        joint.name: root
        for joint in recorded.joints
        if joint.kind == "free" and joint.child == root and joint.origin == IDENTITY
    }
    names = {name for name, _ in columns_of(mechanism)}
    columns, rates = (
        tuple((bases.get(name, name), part) for name, part in each)
        for each in (motion.columns, motion.rates)
    )
    kept = [i for i, (name, _) in enumerate(columns) if name in names]
    moved = [i for i, (name, _) in enumerate(rates) if name in names]
    others = {name for name, _ in (*columns, *rates)} - names
    if not kept and columns:
        message = f"the run in {file.name} is of another robot: it has no joint of this one"
        hint = "give the model that was recorded"
        file.findings.error("control-columns", message, None, hint, subject=file.path)
        return None
    if others:
        what = counted(len(others), "joint")
        message = f"{what} of the run in {file.name} ignored: the robot does not have them"
        file.findings.info("control-ignored", message, None, subject=file.path)
    return replace(
        motion,
        columns=_taken(columns, kept),
        q=motion.q[:, kept],
        rates=_taken(rates, moved),
        velocities=None if motion.velocities is None else motion.velocities[:, moved],
        efforts=None if motion.efforts is None else motion.efforts[:, moved],
    )


def _taken(columns: Sequence[Column], places: Sequence[int]) -> tuple[Column, ...]:
    return tuple(columns[i] for i in places)


def write_run(motion: Motion, mechanism: Mechanism, suffix: str) -> Written:
    """A run of the robot without sensors and contacts."""
    assert motion.times is not None
    tracks = {joint.name for joint in mechanism.robot.joints if joint.kind == "track"}
    refuse_others(motion, mechanism, {name for name, _ in motion.columns} - tracks, "a run")
    places = {column: at for at, column in enumerate(motion.rates)}
    rates = columns_of(mechanism, "velocity")
    rows = len(motion)
    arrays: dict[str, NDArray[Any]] = {"times": motion.times, "q": motion.configurations(mechanism)}
    for name, values in (("v", motion.velocities), ("effort", motion.efforts)):
        arrays[name] = np.zeros((rows, 0 if values is None else len(rates)))
        for at, column in enumerate(rates):
            if values is not None and column in places:
                arrays[name][:, at] = values[:, places[column]]
    return {suffix: pack(mechanism.robot, arrays, {})}


def _found_files(robot: Robot) -> dict[str, str]:
    """The paths of the mesh and texture files that were found, by the words of the model."""
    found: dict[str, str] = {}
    for link in robot.solids:
        for shape in (*link.visuals, *link.collisions, *link.collisions_alt):
            texture = getattr(shape.material, "texture", None)
            for file in (shape.geometry, texture):
                uri, path = getattr(file, "uri", ""), getattr(file, "path", "")
                if uri and path:
                    found[uri] = os.path.abspath(path)
    return found


def _with_files(robot: Robot, found: Mapping[str, str]) -> Robot:
    """The robot with the paths of its mesh and texture files."""

    def placed(shape: Shape) -> Shape:
        if isinstance(shape.geometry, MeshFile) and shape.geometry.uri in found:
            shape = replace(shape, geometry=replace(shape.geometry, path=found[shape.geometry.uri]))
        texture = shape.material.texture if shape.material is not None else None
        if shape.material is not None and texture is not None and texture.uri in found:
            texture = replace(texture, path=found[texture.uri])
            shape = replace(shape, material=replace(shape.material, texture=texture))
        return shape

    def each(shapes: Sequence[Shape]) -> tuple[Shape, ...]:
        return tuple(placed(shape) for shape in shapes)

    return robot.with_solids(
        lambda link: replace(
            link,
            visuals=each(link.visuals),
            collisions=each(link.collisions),
            collisions_alt=each(link.collisions_alt),
        )
    )

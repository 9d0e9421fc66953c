"""A recorded run: positions, velocities, efforts, sensors, contacts and camera pictures over time."""

from __future__ import annotations

import csv
import io
import json
import os
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from os import PathLike, fspath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unibody.files.access import write_atomic
from unibody.mechanism import Mechanism, assemble
from unibody.model import json as model_json
from unibody.model.robot import Robot
from unibody.model.shape import MeshFile, Shape
from unibody.simulation.control import sizes
from unibody.text.finding import Findings

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Pixels = NDArray[np.uint8]

_VERSION = 1
_HEADER = "header"
# A record that unpacks to more bytes than this is not read.
_MOST_BYTES = 8 << 30
_ARRAYS = ("times", "q", "v", "effort")


class RecordError(ValueError):
    """Raised for a file that is no record; the message states the reason."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ContactHistory:
    """The contacts of all rows: those of row i are ``begins[i] : begins[i + 1]``.

    ``links`` (c, 2) are indices of the robot's links, -1 for what is not part of it; ``points`` (c, 3) in m
    and ``forces`` (c, 3) in N are in the world; the force acts on the second link, the opposite one on the
    first. ``depths`` (c,) in m are positive where shapes overlap.
    """

    begins: Integers
    links: Integers
    points: Floats
    forces: Floats
    depths: Floats

    def of(self, row: int) -> slice:
        """The contacts of a row."""
        return slice(int(self.begins[row]), int(self.begins[row + 1]))


def no_contacts(rows: int) -> ContactHistory:
    """The contacts of a run in which nothing touches."""
    empty = np.zeros((0, 3))
    return ContactHistory(
        begins=np.zeros(rows + 1, np.int64),
        links=np.zeros((0, 2), np.int64),
        points=empty,
        forces=empty,
        depths=np.zeros(0),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PictureHistory:
    """The pictures of a camera: ``pixels`` (n, height, width, 3) at ``times`` (n,) in s, top row first."""

    times: Floats
    pixels: Pixels


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Record:
    """What happened in a run of ``robot``, at ``times`` (k,) in s, ascending.

    ``q`` (k, nq), ``v`` and ``effort`` (k, nv) are in the mechanism's order and units. ``sensors`` has the
    readings (k, …) of each sensor by its name; NaN where it had none yet, infinity for a ray without a
    return. ``pictures`` are those of cameras by name. ``step`` is that of the engine in s. ``finished`` is
    false for a run that was interrupted.

    >>> import unibody as ub
    >>> stone = ub.Robot(name="stone", links=(ub.Link(name="stone"),), base="free")
    >>> fall = Record(robot=stone, times=[0.0, 0.1], q=[[0, 0, 1, 1, 0, 0, 0], [0, 0, 0.95, 1, 0, 0, 0]])
    >>> len(fall), fall.duration
    (2, 0.1)
    """

    robot: Robot
    times: Floats
    q: Floats
    v: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    effort: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    sensors: Mapping[str, Floats] = field(default_factory=dict)
    contacts: ContactHistory = field(default_factory=lambda: no_contacts(0))
    pictures: Mapping[str, PictureHistory] = field(default_factory=dict)
    step: float = 0.0
    finished: bool = True

    def __post_init__(self) -> None:
        count = len(self.times)
        for name in _ARRAYS:
            given = np.asarray(getattr(self, name), np.float64)
            object.__setattr__(self, name, given)
        for name in ("v", "effort"):
            if getattr(self, name).shape == (0, 0):
                object.__setattr__(self, name, np.zeros((count, 0)))
        if len(self.contacts.begins) == 1:
            object.__setattr__(self, "contacts", no_contacts(count))
        lengths = {name: len(getattr(self, name)) for name in _ARRAYS[1:]}
        lengths |= {f"sensor {name!r}": len(values) for name, values in self.sensors.items()}
        lengths["contacts"] = len(self.contacts.begins) - 1
        wrong = next((name for name, length in lengths.items() if length != count), None)
        if wrong is not None:
            raise RecordError(f"{wrong} has {lengths[wrong]} rows; the times have {count}")

    def __len__(self) -> int:
        return len(self.times)

    @property
    def mechanism(self) -> Mechanism:
        """The robot's mechanism, whose order ``q``, ``v`` and ``effort`` have."""
        return assemble(self.robot)

    @property
    def duration(self) -> float:
        """Time from the first to the last row, in s."""
        return float(self.times[-1] - self.times[0]) if len(self.times) else 0.0

    def row(self, time: float) -> int:
        """The last row at or before a time in s; the first one for earlier times."""
        return max(0, int(np.searchsorted(self.times, time, side="right")) - 1)

    def save(self, path: str | PathLike[str], *, overwrite: bool = True) -> None:
        """Write the record to a file (a .npz of numpy with a JSON header), atomically."""
        write_atomic(fspath(path), self.packed(), overwrite)

    def packed(self) -> bytes:
        """The record as the bytes of a file."""
        arrays: dict[str, Any] = {name: getattr(self, name) for name in _ARRAYS}
        arrays |= {f"contacts/{f.name}": getattr(self.contacts, f.name) for f in fields(ContactHistory)}
        for index, values in enumerate(self.sensors.values()):
            arrays[f"sensors/{index}"] = np.asarray(values, np.float64)
        for index, pictures in enumerate(self.pictures.values()):
            arrays[f"pictures/{index}/times"] = np.asarray(pictures.times, np.float64)
            arrays[f"pictures/{index}/pixels"] = np.asarray(pictures.pixels, np.uint8)
        header = {
            "unibody_record": _VERSION,
            "robot": model_json.to_json(self.robot),
            "files": _found_files(self.robot),
            "up": self.robot.up,
            "sensors": list(self.sensors),
            "pictures": list(self.pictures),
            "step": self.step,
            "finished": self.finished,
        }
        arrays[_HEADER] = np.frombuffer(json.dumps(header).encode(), np.uint8)
        out = io.BytesIO()
        np.savez_compressed(out, **arrays)
        return out.getvalue()

    def csv(self) -> str:
        """The record as a table with one row for each time.

        Its columns: ``time``; positions by joint (those of a free base by the root link's name), with
        ``.0`` and so on where a joint has several numbers; ``velocity:``, ``effort:`` and ``sensor:``
        followed by a name. The table is a control, too (``read_csv``), which takes the positions only.
        """
        columns, table = self.table()
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([[repr(float(value)) for value in row] for row in table])
        return out.getvalue()

    def table(self) -> tuple[list[str], Floats]:
        """The names of the columns of :meth:`csv`, and the numbers (k, columns)."""
        mechanism = self.mechanism
        root = {mechanism.link_names[mechanism.order[0]]: 7} if mechanism.base == "free" else {}
        rates = dict.fromkeys(root, 6)
        tracks = {joint.name for joint in self.robot.joints if joint.kind == "track"}
        names = ["time"]
        parts = [self.times[:, None]]
        moving = {name: size for name, size in sizes(mechanism, "position").items() if name not in tracks}
        turning = {name: size for name, size in sizes(mechanism, "velocity").items() if name not in tracks}
        groups = (
            ("", self.q, {**root, **moving}),
            ("velocity:", self.v, {**rates, **turning}),
            ("effort:", self.effort, {**rates, **turning}),
        )
        for prefix, values, counts in groups:
            if values.shape[1]:
                names += [prefix + text for name, size in counts.items() for text in _parts(name, size)]
                parts.append(values)
        for name, values in self.sensors.items():
            flat = np.asarray(values).reshape(len(self.times), -1)
            names += [f"sensor:{text}" for text in _parts(name, flat.shape[1])]
            parts.append(flat)
        return names, np.concatenate(parts, axis=1)

    def json(self) -> dict[str, Any]:
        """The record as plain data: columns by name as in :meth:`csv`, and the contacts of each row."""
        columns, table = self.table()
        links = [link.name for link in self.robot.links]
        contacts = []
        for row in range(len(self.times)):
            for index in range(int(self.contacts.begins[row]), int(self.contacts.begins[row + 1])):
                pair = [links[i] if i >= 0 else None for i in self.contacts.links[index].tolist()]
                contacts.append(
                    {
                        "time": float(self.times[row]),
                        "links": pair,
                        "point": self.contacts.points[index].tolist(),
                        "force": self.contacts.forces[index].tolist(),
                        "depth": float(self.contacts.depths[index]),
                    }
                )
        return {
            "robot": self.robot.name,
            "finished": self.finished,
            "step": self.step,
            "columns": {name: table[:, i].tolist() for i, name in enumerate(columns)},
            "contacts": contacts,
        }


def _parts(name: str, size: int) -> list[str]:
    return [name] if size == 1 else [f"{name}.{part}" for part in range(size)]


def load_record(path: str | PathLike[str]) -> Record:
    """Read a record; RecordError if the file is none, OSError if it cannot be opened."""
    name = fspath(path)
    with open(name, "rb") as stream:
        try:
            with zipfile.ZipFile(stream) as archive:
                if sum(item.file_size for item in archive.infolist()) > _MOST_BYTES:
                    raise RecordError(f"{name} is too large: it unpacks to more than 8 GiB")
            stream.seek(0)
            with np.load(stream, allow_pickle=False) as arrays:
                return _unpacked({key: arrays[key] for key in arrays.files})
        except RecordError as error:
            raise RecordError(f"{name}: {error}") from None
        except Exception as error:  # zipfile, zlib and numpy raise more kinds than they document
            raise RecordError(f"{name} is not a recorded run ({type(error).__name__})") from None


def is_record(path: str | PathLike[str]) -> bool:
    """Whether a file may be a record, by its first bytes and its suffix."""
    try:
        with open(fspath(path), "rb") as stream:
            return stream.read(4) == b"PK\x03\x04" and os.path.splitext(fspath(path))[1].lower() == ".npz"
    except OSError:
        return False


def _unpacked(arrays: Mapping[str, NDArray[Any]]) -> Record:
    header = json.loads(arrays[_HEADER].tobytes())
    if header.get("unibody_record") != _VERSION:
        raise RecordError(f"unknown version {header.get('unibody_record')!r} of a record")
    findings = Findings()
    robot = model_json.from_json(header["robot"], findings)
    if robot is None:
        raise RecordError("its robot cannot be read")
    contacts = ContactHistory(**{f.name: arrays[f"contacts/{f.name}"] for f in fields(ContactHistory)})
    pictures = {
        str(name): PictureHistory(
            times=arrays[f"pictures/{index}/times"], pixels=arrays[f"pictures/{index}/pixels"]
        )
        for index, name in enumerate(header["pictures"])
    }
    return Record(
        robot=replace(_with_files(robot, header["files"]), up="y" if header["up"] == "y" else "z"),
        **{name: arrays[name] for name in _ARRAYS},
        sensors={str(name): arrays[f"sensors/{index}"] for index, name in enumerate(header["sensors"])},
        contacts=contacts,
        pictures=pictures,
        step=float(header["step"]),
        finished=bool(header["finished"]),
    )


def _found_files(robot: Robot) -> dict[str, str]:
    """The paths of the mesh and texture files that were found, by the words of the model."""
    found: dict[str, str] = {}
    for link in robot.links:
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

    links = [
        replace(
            link,
            visuals=each(link.visuals),
            collisions=each(link.collisions),
            collisions_alt=each(link.collisions_alt),
        )
        for link in robot.links
    ]
    return replace(robot, links=tuple(links))

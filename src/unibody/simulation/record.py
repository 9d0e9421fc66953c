"""A recorded run: positions, velocities, efforts, sensors, contacts and camera pictures over time."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from os import PathLike, fspath
from typing import Any

import numpy as np

from unibody.files.access import write_atomic
from unibody.mechanism import Mechanism, assemble
from unibody.model.arrays import Floats, Integers, Pixels
from unibody.model.robot import Robot
from unibody.motions.columns import columns_of
from unibody.motions.motion import Motion, motion_of
from unibody.motions.run import ARRAYS, RecordError, Unpacked, pack, unpack
from unibody.motions.table import format_csv, tabulated
from unibody.text.counted import counted

# What is replaced in names of cameras that become names of files.
_UNSAFE = re.compile(r"[^\w.-]")


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

    def forces_on_links(self, row: int) -> dict[int, Floats]:
        """The sum of the contact forces (3,) in N on each link that touches anything, by its index."""
        at, total = self.of(row), dict[int, Floats]()
        for (first, second), force in zip(self.links[at].tolist(), self.forces[at], strict=True):
            for link, sign in ((first, -1.0), (second, 1.0)):
                if link >= 0:
                    total[link] = total.get(link, np.zeros(3)) + sign * force
        return total


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
    >>> fall
    Record('stone': 2 rows, 0.100 s)
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
        for name in ARRAYS:
            given = np.asarray(getattr(self, name), np.float64)
            object.__setattr__(self, name, given)
        for name in ("v", "effort"):
            if getattr(self, name).shape == (0, 0):
                object.__setattr__(self, name, np.zeros((count, 0)))
        if len(self.contacts.begins) == 1:
            object.__setattr__(self, "contacts", no_contacts(count))
        lengths = {name: len(getattr(self, name)) for name in ARRAYS[1:]}
        lengths |= {f"sensor {name!r}": len(values) for name, values in self.sensors.items()}
        lengths["contacts"] = len(self.contacts.begins) - 1
        wrong = next((name for name, length in lengths.items() if length != count), None)
        if wrong is not None:
            raise RecordError(f"{wrong} has {lengths[wrong]} rows; the times have {count}")

    def __len__(self) -> int:
        return len(self.times)

    def __repr__(self) -> str:
        items = [counted(len(self), "row"), f"{self.duration:.3f} s"]
        items += [counted(len(self.sensors), "sensor")] * bool(self.sensors)
        items += [counted(len(self.pictures), "camera")] * bool(self.pictures)
        return f"Record({self.robot.name!r}: {', '.join(items)}{'' if self.finished else ', interrupted'})"

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

    def save_pictures(self, folder: str | PathLike[str], *, overwrite: bool = False) -> list[str]:
        """Write the pictures as PNG files (``EYE-0000.png``, …) into a folder; return their paths.

        The folder is made if it is not there. FileExistsError if a file exists, unless ``overwrite``.
        """
        os.makedirs(folder, exist_ok=True)
        paths = []
        for name, data in self.png_files():
            paths.append(os.path.join(fspath(folder), name))
            write_atomic(paths[-1], data, overwrite)
        return paths

    def png_files(self) -> Iterator[tuple[str, bytes]]:
        """The name and the bytes of a PNG file of each picture, one camera after the other."""
        from unibody.meshes.write_png import write_picture

        for camera, film in self.pictures.items():
            stem = _UNSAFE.sub("_", camera)
            for number, pixels in enumerate(film.pixels):
                yield f"{stem}-{number:04d}.png", write_picture(pixels)

    def packed(self) -> bytes:
        """The record as the bytes of a file."""
        arrays: dict[str, Any] = {name: getattr(self, name) for name in ARRAYS}
        arrays |= {f"contacts/{f.name}": getattr(self.contacts, f.name) for f in fields(ContactHistory)}
        for index, values in enumerate(self.sensors.values()):
            arrays[f"sensors/{index}"] = np.asarray(values, np.float64)
        for index, pictures in enumerate(self.pictures.values()):
            arrays[f"pictures/{index}/times"] = np.asarray(pictures.times, np.float64)
            arrays[f"pictures/{index}/pixels"] = np.asarray(pictures.pixels, np.uint8)
        header = {
            "sensors": list(self.sensors),
            "pictures": list(self.pictures),
            "step": self.step,
            "finished": self.finished,
        }
        return pack(self.robot, arrays, header)

    @property
    def motion(self) -> Motion:
        """The motion of the run: positions, and velocities and efforts if it has them."""
        return motion_of(
            self.mechanism,
            self.q,
            self.times,
            velocities=self.v if self.v.shape[1] else None,
            efforts=self.effort if self.effort.shape[1] else None,
            name="run",
        )

    def csv(self) -> str:
        """The record as a table with one row for each time.

        Its columns: ``time``; positions by joint (those of a free base by the root link's name), with
        ``.0`` and so on where a joint has several numbers; ``velocity:``, ``effort:`` and ``sensor:``
        followed by a name. The table is a motion, too (``unibody.load_motion``).
        """
        return format_csv(*self.table())

    def table(self) -> tuple[list[str], Floats]:
        """The names of the columns of :meth:`csv`, and the numbers (k, columns)."""
        mechanism = self.mechanism
        rates = {"velocity": self.v, "effort": self.effort}
        names, moved = tabulated(
            mechanism,
            self.times,
            (columns_of(mechanism), self.q),
            columns_of(mechanism, "velocity"),
            {word: values if values.shape[1] else None for word, values in rates.items()},
        )
        parts = [moved]
        for name, values in self.sensors.items():
            flat = np.asarray(values).reshape(len(self.times), -1)
            size = flat.shape[1]
            names += [f"sensor:{name}"] if size == 1 else [f"sensor:{name}.{part}" for part in range(size)]
            parts.append(flat)
        return names, np.concatenate(parts, axis=1)

    def json(self) -> dict[str, Any]:
        """The record as plain data: columns by name as in :meth:`csv`, and the contacts of each row."""
        columns, table = self.table()
        links = [link.name for link in self.robot.solids]
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


def load_record(path: str | PathLike[str]) -> Record:
    """Read a record; RecordError if the file is none, OSError if it cannot be opened."""
    name = fspath(path)
    with open(name, "rb") as stream:
        run = unpack(stream, name)
    try:
        return _unpacked(run)
    except Exception as error:
        if isinstance(error, RecordError):
            raise RecordError(f"{name}: {error}") from None
        raise RecordError(f"{name} is not a recorded run ({type(error).__name__})") from None


def _unpacked(run: Unpacked) -> Record:
    arrays, header = run.arrays, run.header
    contacts = no_contacts(0)
    if "contacts/begins" in arrays:
        contacts = ContactHistory(**{f.name: arrays[f"contacts/{f.name}"] for f in fields(ContactHistory)})
    pictures = {
        str(name): PictureHistory(
            times=arrays[f"pictures/{index}/times"], pixels=arrays[f"pictures/{index}/pixels"]
        )
        for index, name in enumerate(header.get("pictures", ()))
    }
    return Record(
        robot=run.robot,
        **{name: arrays[name] for name in ARRAYS},
        sensors={
            str(name): arrays[f"sensors/{index}"] for index, name in enumerate(header.get("sensors", ()))
        },
        contacts=contacts,
        pictures=pictures,
        step=float(header.get("step", 0.0)),
        finished=bool(header.get("finished", True)),
    )

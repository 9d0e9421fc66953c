"""The page's data of a recorded run: readings, efforts and contacts over time, and camera pictures."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unibody.meshes.write_png import write_picture
from unibody.model.device import RangeSensor, quantities
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Robot
from unibody.motions.motion import Motion, motion_of
from unibody.page.pack import Pack, Place
from unibody.simulation.record import PictureHistory, Record

Data = dict[str, Any]

# Rows, pictures and width of pictures of a page at most.
_MOST_ROWS = 6000
_MOST_VALUES = 2_000_000
_MOST_PICTURES, _WIDEST = 240, 320
# Distances are whole numbers of this many m; the largest one is a ray without a return.
_SCAN_UNIT, _NO_RETURN = 0.001, 65535
# Bits of a reading's mantissa that nobody sees in a plot; zeros compress well.
_UNSEEN = np.uint32(0xFFFFFF80)
_XYZ = ("x", "y", "z")


def record_motion(record: Record, name: str = "run") -> Motion:
    """The motion of a run; the rows of long runs are thinned out."""
    rows = _rows(record)
    return motion_of(_mechanism(record), record.q[rows], record.times[rows], name=name)


def record_data(record: Record, robot: Robot, pack: Pack) -> Data:
    """Everything of a run besides its motion; the same rows as :func:`record_motion`."""
    rows = _rows(record)
    return {
        "finished": record.finished,
        "follow": _followed(robot),
        "plots": [plot for name in record.sensors for plot in _plots(record, robot, name, rows, pack)],
        "rates": _rates(record, robot, rows, pack),
        "contacts": _contacts(record, robot, rows, pack),
        "pictures": [_pictures(name, each, robot, pack) for name, each in record.pictures.items()],
    }


def _mechanism(record: Record) -> Any:
    from unibody.mechanism import assemble
    from unibody.page.robot import computable

    return assemble(computable(record.robot))


def _rows(record: Record) -> NDArray[np.intp]:
    """The rows that are shown: all, or evenly spaced ones, with the last."""
    count = len(record.times)
    most = max(2, min(_MOST_ROWS, _MOST_VALUES // max(1, record.q.shape[1])))
    if count <= most:
        return np.arange(count)
    return np.unique(np.linspace(0, count - 1, most).round().astype(np.intp))


def _followed(robot: Robot) -> int:
    """The link that the view follows: the root of a free base, else the first free joint's, else -1."""
    names = [link.name for link in robot.links]
    if robot.base == "free":
        return names.index(robot.root)
    return next((names.index(j.child) for j in robot.joints if j.kind == "free"), -1)


def _floats(values: Any, pack: Pack) -> Place:
    """32-bit floats without the digits that nobody sees."""
    exact = np.ascontiguousarray(values, np.float32)
    return pack.add((exact.view(np.uint32) & _UNSEEN).view(np.float32))


def _plots(record: Record, robot: Robot, name: str, rows: NDArray[np.intp], pack: Pack) -> list[Data]:
    """The plots of one sensor: one for each quantity, or the distances of its rays."""
    values = np.asarray(record.sensors[name], np.float64)[rows].reshape(len(rows), -1)
    index = next((i for i, device in enumerate(robot.devices) if device.name == name), -1)
    spec = robot.devices[index].spec if index >= 0 else None
    base = {"name": name, "device": index}
    if isinstance(spec, RangeSensor):
        whole = np.where(np.isfinite(values), np.round(values / _SCAN_UNIT), _NO_RETURN)
        scan = np.clip(whole, 0, _NO_RETURN).astype(np.uint16)
        yaws = max(1, int((spec.max_yaw - spec.min_yaw) / spec.yaw_step + 1e-7) + 1 if spec.yaw_step else 1)
        return [
            {
                **base,
                "kind": "scan",
                "what": "distance",
                "unit": "m",
                "size": values.shape[1],
                "labels": [],
                "values": pack.add(scan),
                "scale": _SCAN_UNIT,
                "row": min(yaws, values.shape[1]),
            }
        ]
    found = () if spec is None else quantities(spec)
    # The name of the device says what a reading of one quantity is.
    parts = [(each.name if len(found) > 1 else "", each.unit, each.size) for each in found]
    if sum(size for *_, size in parts) != values.shape[1]:
        parts = [("", "", values.shape[1])]
    out, at = [], 0
    for what, unit, size in parts:
        labels = list(_XYZ) if size == 3 else [str(i) for i in range(size)]
        one = {
            "kind": "lines",
            "what": what,
            "unit": unit,
            "size": size,
            "labels": labels if size > 1 else [],
        }
        out.append({**base, **one, "values": _floats(values[:, at : at + size], pack)})
        at += size
    return out


def _rates(record: Record, robot: Robot, rows: NDArray[np.intp], pack: Pack) -> Data | None:
    """Velocities and efforts of the joints with one position, in the robot's order."""
    at = 6 if robot.base == "free" else 0
    joints: list[int] = []
    columns: list[int] = []
    for index, joint in enumerate(robot.joints):
        if KINDS[joint.kind].nq == 1:
            joints.append(index)
            columns.append(at)
        at += KINDS[joint.kind].nv
    if not joints or at > min(record.v.shape[1], record.effort.shape[1]):
        return None
    return {
        "joints": joints,
        "velocities": _floats(record.v[rows][:, columns], pack),
        "efforts": _floats(record.effort[rows][:, columns], pack),
    }


def _still(robot: Robot) -> NDArray[np.bool_]:
    """Whether each link is part of the surroundings; the last entry stands for -1."""
    still = {robot.root} if robot.base != "free" else set()
    for _ in robot.links:
        more = {j.child for j in robot.joints if j.kind == "fixed" and j.parent in still} - still
        still |= more
        if not more:
            break
    return np.array([*(link.name in still or link is robot.surroundings for link in robot.solids), True])


def _contacts(record: Record, robot: Robot, rows: NDArray[np.intp], pack: Pack) -> Data | None:
    """The contacts of the rows; forces are those on what moves."""
    contacts = record.contacts
    kept = [np.arange(contacts.begins[row], contacts.begins[row + 1]) for row in rows.tolist()]
    picked = np.concatenate(kept) if kept else np.zeros(0, np.intp)
    if not len(picked):
        return None
    begins = np.concatenate([[0], np.cumsum([len(each) for each in kept])])
    still = _still(robot)[contacts.links[picked]]
    forces = np.where((still[:, 1] & ~still[:, 0])[:, None], -1.0, 1.0) * contacts.forces[picked]
    sizes = np.linalg.norm(forces, axis=1)
    return {
        "begins": pack.add(begins.astype(np.uint32)),
        "points": _floats(contacts.points[picked], pack),
        "forces": _floats(forces, pack),
        # An impact must not make all other arrows invisible.
        "usual": float(np.percentile(sizes, 95.0)) if sizes.any() else 1.0,
    }


def _pictures(name: str, pictures: PictureHistory, robot: Robot, pack: Pack) -> Data:
    """The pictures of a camera as small PNG files."""
    count = len(pictures.times)
    step = max(1, -(-count // _MOST_PICTURES))
    kept = list(range(0, count, step))
    small = [_shrunk(pictures.pixels[index]) for index in kept]
    height, width = small[0].shape[:2] if small else (0, 0)
    return {
        "name": name,
        "device": next((i for i, device in enumerate(robot.devices) if device.name == name), -1),
        "width": width,
        "height": height,
        "times": pack.add(np.asarray(pictures.times, np.float32)[kept]),
        "frames": [pack.add(np.frombuffer(write_picture(pixels), np.uint8)) for pixels in small],
    }


def _shrunk(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A picture at most ``_WIDEST`` pixels wide: the mean of whole blocks of pixels."""
    factor = -(-pixels.shape[1] // _WIDEST)
    if factor <= 1:
        return pixels
    height, width = (size // factor for size in pixels.shape[:2])
    blocks = pixels[: height * factor, : width * factor].reshape(height, factor, width, factor, 3)
    return np.asarray(blocks.mean(axis=(1, 3)).round(), np.uint8)

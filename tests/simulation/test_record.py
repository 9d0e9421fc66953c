"""Recorded runs: saved, read back, printed, and played in the page."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import unibody as ub
from unibody.files.access import MemoryFiles
from unibody.motions.run import RecordError, is_run
from unibody.page.data import Extras, Shown, pages_data
from unibody.page.pack import unpack
from unibody.simulation.control_file import read_control
from unibody.simulation.record import (
    ContactHistory,
    PictureHistory,
    Record,
    load_record,
)
from unibody.text.finding import Findings

BIPED = Path(__file__).parents[2] / "src" / "unibody" / "models" / "biped.body"
ROWS = 40


@pytest.fixture(scope="module")
def record() -> Record:
    """A biped that rises, with readings of its sensors, contacts of its feet, and pictures."""
    robot = ub.load(BIPED)
    m = ub.assemble(robot)
    times = np.asarray(np.arange(ROWS) * 0.01, np.float64)
    q = np.repeat(m.initial[None], ROWS, axis=0)
    q[:, 2] += times
    sizes = {"accelerometer": 3, "gyro": 3, "IMU": 6, "force-torque sensor": 6, "range sensor": 241}
    sensors = {
        device.name: np.sin(times[:, None] * np.arange(1, sizes[device.spec.kind] + 1))
        for device in robot.devices
        if device.spec.kind in sizes
    }
    sensors["HEAD_RANGE_SENSOR"] = np.abs(sensors["HEAD_RANGE_SENSOR"]) + 1.0
    sensors["HEAD_RANGE_SENSOR"][:, 7] = np.inf
    foot = m.link_names.index("LLEG_ANKLE_R")
    pixels = np.zeros((3, 500, 700, 3), np.uint8)
    pixels[:, :250, :, 0] = 200
    return Record(
        robot=robot,
        times=times,
        q=q,
        v=np.ones((ROWS, m.nv)) * np.arange(m.nv),
        effort=-np.ones((ROWS, m.nv)),
        sensors=sensors,
        contacts=ContactHistory(
            begins=np.minimum(np.arange(ROWS + 1), 20) * 2,
            links=np.array([[foot, -1]] * 40),
            points=np.arange(120.0).reshape(40, 3),
            forces=np.tile([0.0, 0.0, -7.0], (40, 1)),
            depths=np.full(40, 1e-4),
        ),
        pictures={"HEAD_CAMERA": PictureHistory(times=np.array([0.0, 0.1, 0.2]), pixels=pixels)},
        step=0.001,
    )


def same(a: Record, b: Record) -> None:
    """Fail unless two records are equal."""
    assert a.robot == b.robot
    for name in ("times", "q", "v", "effort"):
        assert np.array_equal(getattr(a, name), getattr(b, name))
    assert list(a.sensors) == list(b.sensors)
    assert all(np.array_equal(a.sensors[name], b.sensors[name]) for name in a.sensors)
    for name in ("begins", "links", "points", "forces", "depths"):
        assert np.array_equal(getattr(a.contacts, name), getattr(b.contacts, name))
    assert np.array_equal(a.pictures["HEAD_CAMERA"].pixels, b.pictures["HEAD_CAMERA"].pixels)
    assert (a.step, a.finished, a.robot.up) == (b.step, b.finished, b.robot.up)


def test_saved_and_read_back(record: Record, tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    record.save(path)
    assert is_run(path)
    same(record, load_record(path))
    replace(record, finished=False).save(path)
    assert not load_record(path).finished
    with pytest.raises(FileExistsError):
        record.save(path, overwrite=False)


def test_files_of_meshes_are_found_again(tmp_path: Path) -> None:
    (tmp_path / "a.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    mesh = '<visual><geometry><mesh filename="a.obj"/></geometry></visual>'
    (tmp_path / "r.urdf").write_text(f'<robot name="r"><link name="l">{mesh}</link></robot>')
    robot = ub.load(tmp_path / "r.urdf")
    Record(robot=robot, times=np.zeros(1), q=np.zeros((1, 0))).save(tmp_path / "run.npz")
    back = load_record(tmp_path / "run.npz").robot
    assert len(ub.mesh(back, "l", "visual")[1]) == 1


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"no archive at all"])
def test_files_that_are_no_records(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    path.write_bytes(data)
    with pytest.raises(RecordError, match=r"run\.npz is not a recorded run"):
        load_record(path)
    np.savez(path, q=np.zeros(3))
    with pytest.raises(RecordError, match="is not a recorded run"):
        load_record(path)


def test_a_damaged_record(record: Record, tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    record.save(path)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(RecordError):
        load_record(path)


def test_forces_on_links(record: Record) -> None:
    foot = record.mechanism.link_names.index("LLEG_ANKLE_R")
    (found,) = record.contacts.forces_on_links(3).items()
    assert found[0] == foot
    assert found[1] == pytest.approx([0.0, 0.0, 14.0])  # two contacts, whose first link is the foot
    assert record.contacts.forces_on_links(len(record) - 1) == {}


def test_rows_must_agree(record: Record) -> None:
    with pytest.raises(RecordError, match="q has 2 rows; the times have 40"):
        replace(record, q=record.q[:2])


def test_the_table_is_a_control(record: Record) -> None:
    text = record.csv()
    rows = list(csv.reader(io.StringIO(text)))
    assert len(rows) == ROWS + 1
    assert rows[0][:3] == ["time", "WAIST.0", "WAIST.1"]
    assert {"RLEG_KNEE", "velocity:RLEG_KNEE", "effort:RLEG_KNEE", "sensor:WAIST_GYRO.2"} <= set(rows[0])
    m = record.mechanism
    control = read_control("run.csv", m, Findings(), None, MemoryFiles({"run.csv": text.encode()}))
    assert control is not None
    assert np.array_equal(control.values, record.q[:, 7:])
    assert np.array_equal(control.motion.q[:, :7], record.q[:, :7])
    speeds = read_control("run.csv", m, Findings(), "velocity", MemoryFiles({"run.csv": text.encode()}))
    assert speeds is not None
    assert np.array_equal(speeds.values, record.v[:, 6:])


def test_plain_data(record: Record) -> None:
    data = json.loads(json.dumps(record.json()))
    assert data["columns"]["time"][1] == 0.01
    assert data["contacts"][0] == {
        "time": 0.0, "links": ["LLEG_ANKLE_R", None], "point": [0.0, 1.0, 2.0],
        "force": [0.0, 0.0, -7.0], "depth": 1e-4,
    }  # fmt: skip


def page_of(record: Record) -> tuple[dict, bytes]:  # type: ignore[type-arg]
    """The header and the arrays of the page of a record."""
    page = pages_data([Shown(robot=record.robot)], extras=Extras(record=record))
    assert not page.findings
    return unpack(page.bytes)


def test_the_data_of_the_page(record: Record) -> None:
    header, arrays = page_of(record)
    run = header["record"]
    assert run["follow"] == 0
    kinds = [(plot["name"], plot["what"], plot["kind"], plot["size"]) for plot in run["plots"]]
    assert ("WAIST_IMU", "acceleration", "lines", 3) in kinds
    assert kinds[-1] == ("HEAD_RANGE_SENSOR", "distance", "scan", 241)
    kind, place, count = run["plots"][-1]["values"]
    scan = np.frombuffer(arrays, np.uint16, count, place).reshape(ROWS, 241)
    assert kind == "u2"
    assert (scan[:, 7] == 65535).all()
    assert abs(scan[3, 0] * 0.001 - record.sensors["HEAD_RANGE_SENSOR"][3, 0]) <= 0.0005
    _, place, count = run["contacts"]["forces"]
    # What is drawn is the force on the robot, not that on the floor.
    assert np.frombuffer(arrays, np.float32, count, place)[2] == pytest.approx(7.0, rel=1e-4)
    camera = run["pictures"][0]
    assert (camera["width"], camera["height"]) == (233, 166)
    _, place, count = camera["frames"][0]
    assert arrays[place : place + 4] == b"\x89PNG"


def test_long_runs_are_thinned_out(record: Record) -> None:
    count = 20_000
    long = Record(
        robot=record.robot, times=np.linspace(0.0, 19.999, count), q=np.repeat(record.q[:1], count, axis=0)
    )
    header, arrays = page_of(long)
    _, place, rows = header["motion"]["times"]
    assert rows == 6000
    assert np.frombuffer(arrays, np.float32, rows, place)[-1] == pytest.approx(19.999)
    assert header["record"]["contacts"] is None
    assert header["record"]["rates"] is None


def test_view(record: Record, tmp_path: Path) -> None:
    page = ub.view(record, browser=False)
    page.save(tmp_path / "run.html")
    assert (tmp_path / "run.html").stat().st_size < 1_500_000

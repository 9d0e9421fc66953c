"""Camera pictures: where things are seen, how far they are, and what lights do."""

from __future__ import annotations

import json
import math
import struct
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.sampling import few

import unibody as ub
from unibody.cli.main import main
from unibody.model.device import Camera, Device, PointLight, SpotLight
from unibody.simulation import rendering
from unibody.simulation.cameras import CameraView, lens_directions
from unibody.simulation.rays import cast
from unibody.simulation.record import PictureHistory, Record, load_record
from unibody.simulation.rendering import RenderingError

# A camera that looks along the world's X with Z up.
AHEAD = (0.5, 0.5, -0.5, -0.5)
LOW, HIGH = (-2.0, -1.5, 0.0), (3.0, 2.5, 2.4)
OBSTACLE = ((1.3, 0.4, 0.8), (1.7, 0.8, 1.2))


def box(name: str, low: Any, high: Any, color: tuple[float, float, float] = (0.7, 0.7, 0.7)) -> ub.Shape:
    low, high = np.array(low, float), np.array(high, float)
    return ub.Shape(
        geometry=ub.Box(size=tuple(high - low)),
        name=name,
        pose=ub.Pose(tuple((low + high) / 2.0)),
        material=ub.Material(name=name, diffuse=color),
    )


def room(*devices: Device) -> ub.Robot:
    """A closed room with an obstacle, as that of the derived reference."""
    shapes = [box("obstacle", *OBSTACLE, color=(1.0, 0.0, 0.0))]
    for axis in range(3):
        for low, at in ((True, LOW[axis]), (False, HIGH[axis])):
            a, b = np.array(LOW) - 0.1, np.array(HIGH) + 0.1
            (b if low else a)[axis] = at
            shapes.append(box(f"wall {axis} {low}", a, b))
    link = ub.Link(name="room", visuals=tuple(shapes))
    return ub.Robot(name="room", links=(link,), devices=devices)


def device(name: str, **settings: Any) -> Device:
    return Device(name=name, link="room", spec=Camera(**settings), pose=ub.Pose((0.0, 0.0, 1.0), AHEAD))


def view(**settings: Any) -> CameraView:
    """A camera in the room; skips the test where nothing can be drawn."""
    sim = ub.simulate(room(device("EYE", **settings)))
    try:
        sim.cameras["EYE"].color()
    except RenderingError as error:
        pytest.skip(str(error))
    return sim.cameras["EYE"]


def true_depths(camera: CameraView) -> Any:
    """Depths along -Z by rays through the centers of the pixels."""
    sim = camera._cameras.present()
    rays = camera._rays()
    lengths = np.linalg.norm(rays, axis=-1)
    turned = (rays / lengths[..., None]).reshape(-1, 3) @ camera.pose[:3, :3].T
    found = cast(sim.model, sim.data, camera.pose[:3, 3], turned, camera.spec.near, camera.spec.far)
    return found.reshape(lengths.shape) / (lengths if camera.spec.lens == "normal" else 1.0)


def test_points_are_projected_as_the_reference_says(shared: Path) -> None:
    told = json.loads((shared / "oracle/simulation/vision_derived.json").read_text("utf-8"))["camera"]
    robot = room(device("EYE", field_of_view=math.radians(told["field_of_view_deg"])))
    camera = ub.simulate(robot).cameras["EYE"]
    assert camera.size == (told["width"], told["height"])
    assert camera.focal_length == pytest.approx(told["focal_px"], abs=1e-9)
    for each in told["projections"]:
        wanted = [each["u"], each["v"], each["depth"]]
        assert camera.project([each["gl_point"]])[0] == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize(
    "settings",
    few([{}, {"width": 120, "height": 200, "field_of_view": 2.0}, {"near": 1.5}, {"far": 2.9}], 2),
    ids=["default", "high", "near", "far"],
)
def test_depths_are_those_of_rays(settings: dict[str, Any]) -> None:
    camera = view(**settings)
    depth, true = camera.depth(), true_depths(camera)
    seen = np.isfinite(depth)
    if not settings.get("far"):
        assert seen.all()
    else:  # a camera cuts at a depth, a ray at a distance
        assert not seen.all()
        assert depth[seen].max() <= 2.9
        return
    if settings.get("near"):
        assert depth.min() >= 1.5
        return
    assert np.abs(depth - true).max() < 5e-6


def test_points_lie_on_the_walls() -> None:
    camera = view(image="color_depth")
    points = camera.points()
    assert points.shape == (480, 640, 3)
    world = points @ camera.pose[:3, :3].T + camera.pose[:3, 3]
    gaps = np.minimum(world - LOW, np.array(HIGH) - world).min(axis=-1)
    on_wall = np.abs(gaps) < 1e-5
    low, high = np.array(OBSTACLE)
    on_obstacle = ((world > low - 1e-5) & (world < high + 1e-5)).all(axis=-1)
    assert (on_wall ^ on_obstacle).all()
    assert on_obstacle.any()
    # the point of a pixel is projected to its center
    column, row, _ = camera.project(points[100, 200])
    assert (column, row) == pytest.approx((200.5, 100.5), abs=1e-6)


def test_the_obstacle_is_where_its_points_are_projected() -> None:
    camera = view()
    red = (camera.color() * [1.0, -1.0, -1.0]).sum(axis=-1) > 60
    corner = np.array([[1.3, 0.4, 0.8], [1.3, 0.4, 1.2]])  # of the face that looks at the camera
    inverse = np.linalg.inv(camera.pose)
    seen = camera.project(corner @ inverse[:3, :3].T + inverse[:3, 3])
    rows, columns = np.nonzero(red)
    assert rows.min() == pytest.approx(seen[1, 1], abs=1.5)
    assert rows.max() == pytest.approx(seen[0, 1], abs=1.5)
    assert columns[rows == rows.max()].max() == pytest.approx(seen[0, 0], abs=1.5)


@pytest.mark.parametrize("lens", ["fisheye", "dual_fisheye"])
def test_lenses_show_angles_in_proportion_to_the_radius(lens: Any) -> None:
    view_angle = math.pi
    camera = view(lens=lens, width=200, field_of_view=view_angle)
    picture, depth = camera.color(), camera.depth()
    side = picture.shape[0]
    assert picture.shape == (side, 200, 3)
    assert side == (200 if lens == "fisheye" else 100)
    assert not picture[0, 0].any()
    assert math.isinf(depth[0, 0])
    directions, inside = lens_directions(lens, 200, side, view_angle)
    assert inside.sum() == np.isfinite(depth).sum()
    middle = side // 2
    angle = math.acos(-directions[middle, -1 if lens == "fisheye" else side - 1, 2])
    assert angle == pytest.approx(math.pi / 2 * (1 - 1 / side), abs=0.01)
    # straight ahead is the wall at 3 m; behind, for two lenses, the one at 2 m
    assert depth[middle, middle] == pytest.approx(3.0, abs=0.01)
    if lens == "dual_fisheye":
        assert depth[middle, side + middle] == pytest.approx(2.0, abs=0.01)
    red = (picture * [1.0, -1.0, -1.0]).sum(axis=-1) > 60
    sees = np.abs(camera.points()[red] + [0.6, 0.0, 1.5]).max(axis=-1) < 0.25
    assert red.sum() > 20
    assert sees.mean() > 0.9


def test_noise_is_seeded_and_only_if_asked_for() -> None:
    camera = view(width=64, height=48, error_deviation=0.01, detection_rate=0.9)
    exact = camera.depth()
    assert (exact == camera.depth()).all()
    noisy = camera.depth(np.random.default_rng(3))
    assert (noisy == camera.depth(np.random.default_rng(3))).all()
    missed = np.isinf(noisy)
    assert 0.05 < missed.mean() < 0.15
    along = (noisy - exact)[~missed] * np.linalg.norm(camera._rays(), axis=-1)[~missed]
    assert along.std() == pytest.approx(0.01, rel=0.1)


def test_distances_of_a_range_camera_are_bounded() -> None:
    depth = view(min_distance=1.6, max_distance=2.9).depth()
    seen = depth[np.isfinite(depth)]
    assert seen.size
    assert 1.6 <= seen.min() <= seen.max() <= 2.9


def test_lights_are_switched() -> None:
    lamp = Device(
        name="LAMP", link="room", spec=SpotLight(intensity=0.6), pose=ub.Pose((0.0, 0.0, 1.0), AHEAD)
    )
    sim = ub.simulate(room(device("EYE"), lamp))
    try:
        all_on = sim.cameras["EYE"].color().mean()
    except RenderingError as error:
        pytest.skip(str(error))
    assert list(sim.lights) == ["LAMP"]
    assert sim.lights["LAMP"]
    sim.lights["LAMP"] = False
    without_lamp = sim.cameras["EYE"].color().mean()
    sim.lights.world = False
    head_only = sim.cameras["EYE"].color().mean()
    assert sim.copy().lights.world is False
    assert sim.copy().lights["LAMP"] is False
    sim.lights.head = False
    assert all_on > without_lamp > head_only > 0.0 == sim.cameras["EYE"].color().mean()
    with pytest.raises(KeyError, match="did you mean 'LAMP'"):
        sim.lights["LAMPS"] = True


def test_a_point_light_has_its_color() -> None:
    """A red lamp shows what is red, on all sides of it, and leaves what is blue dark."""
    lamp = Device(name="LAMP", link="room", spec=PointLight(color=(1.0, 0.0, 0.0)))
    drawn = room(device("EYE"), lamp)
    (link,) = drawn.links
    for diffuse, seen in (
        ((1.0, 0.0, 0.0), (True, False, False)),
        ((0.0, 0.0, 1.0), (False, False, False)),
    ):
        shapes = tuple(replace(shape, material=ub.Material(diffuse=diffuse)) for shape in link.visuals)
        sim = ub.simulate(replace(drawn, links=(replace(link, visuals=shapes),)))
        sim.lights.head = sim.lights.world = False
        try:
            picture = sim.cameras["EYE"].color()
        except RenderingError as error:
            pytest.skip(str(error))
        assert tuple((picture.mean(axis=(0, 1)) > 20.0).tolist()) == seen
        assert picture[..., 1:].mean() < 20.0


def test_a_spot_light_lights_its_cone() -> None:
    """From 2 m above a plate, 0.4 rad to all sides: within 0.85 m of the point below it."""
    plate = box("plate", (-4.0, -4.0, -0.1), (4.0, 4.0, 0.0))
    eye = Device(name="EYE", link="plate", spec=Camera(width=161, height=161, field_of_view=1.2),
                 pose=ub.Pose((0.0, 0.0, 4.0)))  # fmt: skip
    spot = SpotLight(cut_off_angle=0.4, beam_width=0.4)
    lamp = Device(name="LAMP", link="plate", spec=spot, pose=ub.Pose((0.5, -0.3, 2.0)))
    link = ub.Link(name="plate", visuals=(plate,))
    sim = ub.simulate(ub.Robot(name="plate", links=(link,), devices=(eye, lamp)))
    sim.lights.head = sim.lights.world = False
    try:
        picture = sim.cameras["EYE"].color().mean(axis=2)
    except RenderingError as error:
        pytest.skip(str(error))
    rows, columns = np.nonzero(picture > 5.0)
    pixel = 4.0 * math.tan(0.6) / 80.5
    x, y = (columns - 80) * pixel, (80 - rows) * pixel
    for values, middle in ((x, 0.5), (y, -0.3)):
        assert values.min() == pytest.approx(middle - 0.85, abs=0.3)
        assert values.max() == pytest.approx(middle + 0.85, abs=0.3)


def test_a_moving_camera_sees_the_present_state() -> None:
    base = room(device("EYE", width=64, height=48))
    slide = ub.Joint(name="slide", kind="prismatic", parent="room", child="cart", axis=(1.0, 0.0, 0.0))
    cart = ub.Link(name="cart", inertial=ub.Inertial(mass=1.0, inertia=((1, 0, 0), (0, 1, 0), (0, 0, 1))))
    eye = replace(base.devices[0], link="cart")
    sim = ub.simulate(replace(base, links=(*base.links, cart), joints=(slide,), devices=(eye,)))
    try:
        before = sim.cameras["EYE"].depth()
    except RenderingError as error:
        pytest.skip(str(error))
    sim.reset({"slide": 0.5})
    after = sim.cameras["EYE"].depth()
    assert after[40, 60] == pytest.approx(before[40, 60] - 0.5, abs=1e-5)


@pytest.mark.slow
def test_threads_draw_side_by_side() -> None:
    first = view(width=64, height=48).color()

    def drawn(_: int) -> Any:
        sim = ub.simulate(room(device("EYE", width=64, height=48)))
        out = [sim.cameras["EYE"].color() for _ in range(3)]
        sim.cameras.close()
        return out[-1]

    with ThreadPoolExecutor(2) as pool:
        assert all((each == first).all() for each in pool.map(drawn, range(8)))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"field_of_view": math.pi}, "field of view"),
        ({"near": 1.0, "far": 0.5}, "far clip distance"),
        ({"width": 0}, "no pixels"),
    ],
)
def test_impossible_cameras_say_so(settings: dict[str, Any], message: str) -> None:
    sim = ub.simulate(room(device("EYE", **settings)))
    with pytest.raises(RenderingError, match=message):
        sim.cameras["EYE"].color()


@pytest.mark.skipif(sys.platform != "linux", reason="the contexts of Linux")
def test_without_opengl_one_line_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(rendering, "find_library", lambda _: None)
    sim = ub.simulate(room(device("EYE")))
    with pytest.raises(RenderingError, match=r"install libegl1"):
        sim.cameras["EYE"].color()
    model, run = tmp_path / "room.body", tmp_path / "run.npz"
    ub.save(room(device("EYE")), model)
    words = ["simulate", str(model), "--seconds", "0.1", "--camera", "all", "--record", str(run)]
    assert main(words) == 0
    assert "goes on without pictures" in capsys.readouterr().err
    assert not load_record(run).pictures


def test_rendering_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUJOCO_GL", "disable")
    with pytest.raises(RenderingError, match="switched off by MUJOCO_GL=disable: unset it"):
        rendering._context(8, 8)


def test_records_hold_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    view()
    model, run = tmp_path / "room.body", tmp_path / "run.npz"
    ub.save(room(device("EYE", width=64, height=48, frame_rate=20.0)), model)
    words = ["simulate", str(model), "--seconds", "0.5", "--camera", "EYE", "--record", str(run)]
    assert main(words) == 0
    assert "EYE: 11 pictures" in capsys.readouterr().out
    film = load_record(run).pictures["EYE"]
    assert film.times.tolist() == pytest.approx(np.arange(11) * 0.05)
    assert film.pixels.shape == (11, 48, 64, 3)
    assert film.pixels[-1].any()
    assert main([*words[:5], "EYES"]) == 2
    assert "did you mean 'EYE'" in capsys.readouterr().err


def test_pictures_are_saved_as_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pixels = np.zeros((2, 3, 4, 3), np.uint8)
    pixels[1, 0, 1] = (10, 20, 250)
    film = PictureHistory(times=np.array([0.0, 0.1]), pixels=pixels)
    stone = ub.Robot(name="stone", links=(ub.Link(name="stone"),))
    record = Record(robot=stone, times=np.zeros(1), q=np.zeros((1, 0)), pictures={"left/EYE": film})
    paths = record.save_pictures(tmp_path / "out")
    assert [Path(path).name for path in paths] == ["left_EYE-0000.png", "left_EYE-0001.png"]
    data = Path(paths[1]).read_bytes()
    assert struct.unpack_from(">II", data, 16) == (4, 3)
    raw = zlib.decompress(data[41 : 41 + struct.unpack_from(">I", data, 33)[0]])
    assert raw[:7] == bytes([1, 0, 0, 0, 10, 20, 250])  # filter 1: differences from the left
    with pytest.raises(FileExistsError):
        record.save_pictures(tmp_path / "out")


def test_pictures_of_a_run_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    view()
    model, out = tmp_path / "room.body", tmp_path / "out"
    ub.save(room(device("EYE", width=16, height=12, frame_rate=20.0)), model)
    words = ["simulate", str(model), "--seconds", "0.1", "--pictures", str(out)]
    assert main(words) == 2
    assert "--pictures requires --camera" in capsys.readouterr().err
    assert main([*words, "--camera", "EYE"]) == 0
    assert sorted(path.name for path in out.iterdir()) == [f"EYE-000{k}.png" for k in range(3)]
    assert main([*words, "--camera", "EYE"]) == 2
    assert "use --overwrite" in capsys.readouterr().err

"""An SDF file opens nothing outside the model, and costs no more than other formats."""

from __future__ import annotations

import random
import struct
import time
import tracemalloc
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from unibody.files.access import Files, MemoryFiles
from unibody.formats.heights import read_gray
from unibody.formats.loader import Reading, read
from unibody.model.robot import Robot, SelfCollision
from unibody.text.limits import DEFAULT, Meter, ReadLimits

SECRET = "root-x-0-0-a-secret"
LINK = '<link name="a"/>'


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Fail if the block takes more processor time."""
    start = time.process_time()
    yield
    assert time.process_time() - start < seconds


def model(content: str, version: str = "1.11", name: str = "m") -> str:
    return f'<sdf version="{version}"><model name="{name}">{content}</model></sdf>'


def reading(text: str, limits: ReadLimits = DEFAULT, **more: str | bytes) -> Reading:
    """An SDF text with files beside it, named `b__sdf` for `b.sdf`."""
    files = {"m.sdf": text, **{name.replace("__", "."): value for name, value in more.items()}}
    data = {k: v.encode() if isinstance(v, str) else v for k, v in files.items()}
    return read("m.sdf", files=MemoryFiles(data).extended(limits=limits))


def codes(found: Reading) -> set[str]:
    return {f.code for f in found.findings if f.severity != "info"}


# --- what is opened ---------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """top/ws/arm is the model's folder, top/models is searched; top/secret is none of its business."""
    top = tmp_path / "top"
    for name in ("ws/arm/x", "secret/m", "models/ok"):
        (top / name).mkdir(parents=True)
    for name in ("secret/a.sdf", "secret/m/model.sdf", "secret/m/m.sdf"):
        (top / name).write_text(model(LINK, name=SECRET))
    (top / "secret/m/model.config").write_text('<model><sdf version="1.9">m.sdf</sdf></model>')
    (top / "models/ok/model.sdf").write_text(model(LINK))
    (top / "ws/arm/away").symlink_to(top / "secret")
    return top


URIS = [
    *("../../secret/a.sdf", "../../secret/m", "TOP/secret/a.sdf", "TOP/secret/m", "away/a.sdf", "away/m"),
    *("file://TOP/secret/a.sdf", "file:TOP/secret/m", "model://../secret/m", "model://../../secret/m"),
    *(
        "model://arm/../../../secret/m",
        "model:///TOP/secret/m",
        "model://away/m",
        "model://%2e%2e/secret/m",
    ),
    *("model://ok/../../secret/m", "model://ok/../../secret/a.sdf", "http://127.0.0.1:9/m"),
    *("//127.0.0.1/share/m", "/etc/passwd", "/dev/zero", "file:///proc/self/environ"),
]


@pytest.mark.parametrize("uri", URIS)
def test_an_include_outside_the_model_is_not_opened(uri: str, home: Path) -> None:
    path = home / "ws/arm/m.sdf"
    path.write_text(model(f"{LINK}<include><uri>{uri}</uri></include>").replace("TOP", str(home)))
    with within(10):
        found = read(str(path), files=Files(environment={"SDF_PATH": str(home / "models")}))
    assert SECRET not in "".join(f.text() + str(f.json()) for f in found.findings)
    assert isinstance(found.robot, Robot)
    assert len(found.robot.links) == 1
    assert codes(found) & {"outside-model", "uri-not-opened", "file-missing"}


@pytest.mark.parametrize("name", ["../../../secret/a.sdf", "TOP/secret/a.sdf", "file://TOP/secret/a.sdf"])
def test_a_manifest_names_no_file_outside_the_model(name: str, home: Path) -> None:
    manifest = f'<model><sdf version="1.9">{name}</sdf></model>'.replace("TOP", str(home))
    (home / "ws/arm/x/model.config").write_text(manifest)
    path = home / "ws/arm/m.sdf"
    path.write_text(model(f"{LINK}<include><uri>model://x</uri></include>"))
    found = read(str(path), files=Files(environment={}))
    assert isinstance(found.robot, Robot)
    assert len(found.robot.links) == 1
    assert codes(found) & {"outside-model", "file-missing"}


# --- work that multiplies ---------------------------------------------------------------


def test_files_that_include_one_another_twice() -> None:
    def twice(name: str) -> str:
        return "".join(f"<include><uri>{name}</uri><name>x{k}</name></include>" for k in range(2))

    more = {f"b{i}__sdf": model(twice(f"b{i + 1}.sdf")) for i in range(30)}
    with within(10):
        found = reading(model(twice("b0.sdf")), ReadLimits(work=500_000), **more, b30__sdf=model(LINK))
    assert codes(found) == {"model-too-large"}


@pytest.mark.parametrize("uri", ["m.sdf", "./x/../m.sdf", "b.sdf"])
def test_a_model_that_includes_itself(uri: str) -> None:
    def include(uri: str) -> str:
        return f"<include><uri>{uri}</uri></include>"

    assert codes(reading(model(LINK + include(uri)), b__sdf=model(include("m.sdf")))) == {
        "include-recursion"
    }


@pytest.mark.slow
def test_names_that_are_many_levels_deep_or_long() -> None:
    with within(10):
        deep = model(f'<link name="{"a::" * 40_000}b"/>', "1.6").replace("<model", '<world name="w"><model')
        assert codes(reading(deep.replace("</model>", "</model></world>"))) == {"too-many-nodes"}
        links = "".join(f'<link name="l{i}"/>' for i in range(5000))
        assert codes(reading(model(f'<model name="{"n" * 100_000}">{links}</model>'))) == {"too-many-nodes"}
        frame = f'<frame name="f" attached_to="{"a::" * 100_000}b"/>'
        assert codes(reading(model(LINK + frame))) == {"frame-unknown"}


def test_many_equal_names() -> None:
    sensors = '<link name="a">' + '<sensor name="s" type="imu"/>' * 3000 + "</link>"
    with within(10):
        found = reading(model(LINK + '<frame name="f"/>' * 3000, "1.6"))
        assert isinstance(found.robot, Robot)
        assert len({frame.name for frame in found.robot.frames}) == 3000
        found = reading(model(sensors, "1.6"))
        assert isinstance(found.robot, Robot)
        assert len({device.name for device in found.robot.devices}) == 3000


@pytest.mark.slow
def test_the_fewer_pairs_of_links_are_listed() -> None:
    links = "".join(f'<link name="l{i}"/>' for i in range(3000))
    off = "".join(f'<link name="{name}"><self_collide>0</self_collide></link>' for name in "xy")
    on = '<link name="z"><self_collide>1</self_collide></link>'
    with within(10):
        nearly_all = reading(model(f"<self_collide>1</self_collide>{links}{off}")).robot
        few = reading(model(f"{links}{on}")).robot
    assert isinstance(nearly_all, Robot)
    assert nearly_all.self_collision == SelfCollision(disabled=(("x", "y"),))
    assert isinstance(few, Robot)
    said = few.self_collision
    assert (said.default, len(said.enabled), said.disabled) == ("none", 3000, ())
    found = reading(model("".join(f'<link name="l{i}"/>' for i in range(10))))
    assert isinstance(found.robot, Robot)
    assert found.robot.self_collision == SelfCollision(default="none")


@pytest.mark.slow
def test_a_chain_of_joints_that_mimic_one_another() -> None:
    count = 2000
    links = "".join(f'<link name="l{i}"/>' for i in range(count + 1))
    joints = "".join(
        f'<joint name="j{i}" type="revolute"><parent>l{i}</parent><child>l{i + 1}</child><axis>'
        f'<limit><lower>-1</lower><upper>1</upper></limit><mimic joint="j{i - 1}"/></axis></joint>'
        for i in range(count)
    )
    with within(15):
        found = reading(model(links + joints))
    assert isinstance(found.robot, Robot)
    assert len(found.robot.couplings) == count - 1


@pytest.mark.parametrize(
    "content",
    [
        '<frame name="f" attached_to="g"/><frame name="g" attached_to="f"/>',
        '<frame name="f"><pose relative_to="g"/></frame><frame name="g"><pose relative_to="f"/></frame>',
        '<model name="n"><pose relative_to="n::b"/><link name="b"/></model>',
        '<link name="b"/><joint name="j" type="fixed"><pose relative_to="j"/>'
        "<parent>a</parent><child>j</child></joint>",
    ],
)
def test_frames_that_refer_to_one_another(content: str) -> None:
    assert "frame-cycle" in codes(reading(model(LINK + content)))


@pytest.mark.parametrize(
    ("number", "samples"), [("nan", 9), ("inf", 9), ("-inf", 9), ("1e308", 9), ("inf", "9" * 400)]
)
def test_numbers_that_are_none(number: str, samples: int | str) -> None:
    scan = f"<horizontal><samples>{samples}</samples><resolution>{number}</resolution></horizontal>"
    text = model(
        f'<pose>{number} 0 0 0 0 0</pose><link name="a"><inertial><mass>{number}</mass></inertial>'
        f'<sensor name="r" type="ray"><ray><scan>{scan}</scan></ray></sensor></link><link name="b"/>'
        f'<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>{number} 0 1</xyz>'
        f"<limit><lower>{number}</lower></limit></axis></joint>"
    )
    found = reading(text)
    assert codes(found) & {"number-not-finite", "number-overflow"}


# --- height maps ------------------------------------------------------------------------


def png(width: int, height: int, body: bytes, parts: int = 1) -> bytes:
    """A gray image of 8 bits, whose content is cut into so many parts."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    cut = [chunk(b"IDAT", body[k : k + 1]) for k in range(parts - 1)]
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + b"".join(cut) + chunk(b"IDAT", body[parts - 1 :])


def heights(image: bytes, count: int = 1, limits: ReadLimits = DEFAULT) -> Reading:
    """A link with so many shapes of one height map."""
    one = '<visual name="v{}"><geometry><heightmap><uri>h.png</uri></heightmap></geometry></visual>'
    shapes = "".join(one.format(i) for i in range(count))
    return reading(model(f'<link name="a">{shapes}</link>'), limits, h__png=image)


def test_a_height_map_of_many_pixels_is_refused() -> None:
    with within(5):
        assert "heightmap-image" in codes(heights(png(100_000, 100_000, zlib.compress(b""))))


def test_height_maps_count_as_bytes_of_the_load() -> None:
    size = 400
    image = png(size, size, zlib.compress(bytes((size + 1) * size), 1))
    assert codes(heights(image, 30)) == set()
    found = heights(image, 30, ReadLimits(total_bytes=20_000_000))
    assert codes(found) == {"load-too-large"}


@pytest.mark.slow
def test_a_height_map_in_many_parts() -> None:
    size = 700
    body = zlib.compress(b"".join(b"\0" + random.Random(i).randbytes(size) for i in range(size)), 0)
    with within(10):
        assert codes(heights(png(size, size, body, parts=200_000))) == set()


@pytest.mark.slow
def test_a_height_map_of_wide_rows_takes_little_memory() -> None:
    width = 100_000
    image = png(width, 2, zlib.compress((b"\4" + bytes(width)) * 2))
    tracemalloc.start()
    pixels = read_gray(image, Meter())
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert pixels is not None
    assert most < 2.5 * pixels.nbytes

"""The versions of URDF: what a file states, and what urdfdom makes of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.convert.models import CASES, neutral, plain
from tests.formats.urdf.cases import ENDS, TWO_LINKS, reading
from tests.sampling import few

import unibody as ub
from unibody.cli.main import main
from unibody.formats.urdf.versions import assumed, parsed, version_of, with_version
from unibody.model.shape import Capsule, Shape

# The attribute, and the version it is read as; None: urdfdom rejects the file.
VERSIONS = [
    ("", "1.0", True),
    (" version='1.0'", "1.0", True),
    (" version='1.1'", "1.1", True),
    (" version='1.2'", "1.2", True),
    (" version=' 1.1'", "1.1", True),
    (" version='+1.2'", "1.2", True),
    (" version='01.01'", "1.1", True),
    (" version='1'", "1.0", False),
    (" version='1.0.0'", "1.0", False),
    (" version='1.1.2'", "1.1", False),
    (" version='1.0~pre6'", "1.0", False),
    (" version='1.1 '", "1.1", False),
    (" version='1.3'", "1.2", False),
    (" version='2.0'", "1.2", False),
    (" version='0.9'", "1.0", False),
    (" version='-1.0'", "1.0", False),
    (" version='new'", "1.0", False),
    (" version=''", "1.0", False),
]


def text(head: str) -> str:
    # jerk and a missing effort are findings of versions below 1.2, a capsule of 1.0
    shape = "<collision><geometry><capsule radius='1' length='2'/></geometry></collision>"
    links = TWO_LINKS.replace("<link name='a'/>", f"<link name='a'>{shape}</link>")
    limit = "<limit velocity='3' jerk='4'/>"
    return f"<robot name='r'{head}>{links}<joint name='j' type='continuous'>{ENDS}{limit}</joint></robot>"


@pytest.mark.parametrize(("head", "version", "accepted"), VERSIONS)
def test_a_version_is_read_or_assumed(head: str, version: str, accepted: bool) -> None:
    found = reading(text(head))
    assert found.ok
    said = [f.code for f in found.findings]
    assert ("urdf-version" in said) is not accepted
    assert said.count("newer-version") == {"1.0": 2, "1.1": 1, "1.2": 0}[version]
    assert said.count("limit-incomplete") == (version != "1.2")


@pytest.mark.parametrize(
    ("version", "code", "severity"),
    [("1.0", "newer-version", "warning"), ("1.1", "geometry-extension", "info")],
)
def test_a_capsule_is_reported_in_every_version(
    version: str, code: str, severity: str, tmp_path: Path
) -> None:
    """yourdfpy rejects it, so that the report of a copy says so, and which option writes it otherwise."""
    path = tmp_path / "a.urdf"
    path.write_text(MODEL.format(f" version='{version}'"))
    (found,) = (f for f in ub.read(path).findings if "capsule" in f.message)
    assert (found.code, found.severity) == (code, severity)
    assert "yourdfpy" in found.message
    assert [s.text("command") for s in found.hint.settings] == ["--urdf-version 1.0"]  # type: ignore[attr-defined]
    copied = ub.convert(path, tmp_path / "copied.urdf")
    assert str(copied.layout) == "unchanged"
    assert [f.severity for f in copied.findings if f.code == code and "capsule" in f.message] == ["warning"]
    split = ub.convert(path, tmp_path / "split.urdf", urdf_version="1.0", plain=True)
    assert split.layout is not None
    assert "capsules" in split.layout.anew
    text = (tmp_path / "split.urdf").read_text()
    assert (text.count("<cylinder"), text.count("<sphere"), "capsule" in text) == (1, 3, False)


@pytest.mark.parametrize(("head", "version", "accepted"), VERSIONS)
def test_urdfdom_accepts_the_same_versions(head: str, version: str, accepted: bool) -> None:
    pinocchio = pytest.importorskip("pinocchio")
    try:
        pinocchio.buildModelFromXML(f"<robot name='r'{head}><link name='a'/></robot>")
    except (ValueError, RuntimeError):
        assert not accepted
    else:
        assert accepted


def test_every_text_has_a_version() -> None:
    for head, version, accepted in VERSIONS[1:]:
        stated = head.split("'")[1]
        assert (parsed(stated) is not None) is accepted
        assert ".".join(map(str, assumed(stated))) == version


# --- writing -------------------------------------------------------------------------------

# A capsule, an orientation that rpy gives exactly and one that it does not, a limit without effort.
MODEL = """<robot name='r'{}>
  <link name='a'>
    <visual><origin quat_xyzw='0 0 0.6 0.8'/><geometry><capsule radius='1' length='2'/></geometry></visual>
    <collision><origin rpy='0.1 0.2 0.3'/><geometry><sphere radius='1'/></geometry></collision>
  </link>
  <link name='b'/>
  <joint name='j' type='prismatic'>
    <parent link='a'/><child link='b'/><limit lower='-1' upper='1' velocity='2' jerk='3'/>
  </joint>
</robot>"""
OLD = {"capsule": 0, "quat_xyzw": 0, "rpy": 4, "effort": 1}
# By the source's version and the option: the written version, and how often these words occur.
WRITTEN: list[tuple[str, str, str, dict[str, int]]] = [
    ("", "", "", OLD),
    ("1.0", "", "1.0", OLD),
    ("1", "", "1.0", OLD),
    ("1.1", "", "1.1", {"capsule": 1, "quat_xyzw": 1, "rpy": 1, "effort": 1}),
    ("1.2", "", "1.2", {"capsule": 1, "quat_xyzw": 1, "rpy": 1, "effort": 0}),
    ("7.0", "", "1.2", {"capsule": 1, "quat_xyzw": 1, "rpy": 1, "effort": 0}),
    ("1.2", "1.0", "", OLD),
    ("", "1.1", "1.1", {"capsule": 1, "quat_xyzw": 1, "rpy": 1, "effort": 1}),
    ("", "auto", "1.2", {"capsule": 1, "quat_xyzw": 1, "rpy": 1, "effort": 0}),
]


@pytest.mark.parametrize(("source", "wanted", "version", "words"), WRITTEN)
def test_a_version_is_written(source: str, wanted: str, version: str, words: dict[str, int]) -> None:
    robot = ub.loads(MODEL.format(source and f" version='{source}'"), format="urdf")
    text = ub.dumps(robot, format="urdf", plain=True, urdf_version=wanted)
    head = f' version="{version}"' if version else ""
    assert f'<robot name="r"{head}>' in text
    assert {word: text.count(word) for word in words} == words


LIMITS = ("velocity", "effort", "position")


@pytest.mark.parametrize("version", ["1.1", "1.2"])
@pytest.mark.parametrize("name", ["version_1_0", "version_1_1", "version_1_2"])
def test_nothing_is_lost_from_urdf_1_1_on(name: str, version: str, tmp_path: Path) -> None:
    source = Path(__file__).parent / "read" / f"{name}.urdf"
    report = ub.convert(source, tmp_path / "out.urdf", plain=True, urdf_version=version)
    # what only URDF 1.2 leaves out
    absent = {f"joints/{j}/limits/{what}" for j in ("free", "half", "plane", "j") for what in LIMITS}
    assert {loss.path for loss in report.losses} <= (absent if version == "1.1" else set())


def test_auto_is_the_oldest_version_that_can_say_everything() -> None:
    box = ub.loads("<robot name='r' version='1.2'><link name='a'/></robot>", format="urdf")
    assert version_of(with_version(box, "auto")) == (1, 0)
    capsule = Shape(geometry=Capsule(radius=1.0, height=2.0))
    link = replace(box.links[0], collisions=(capsule,))
    assert version_of(with_version(replace(box, links=(link,)), "auto")) == (1, 1)


def test_a_version_is_kept_by_changes_and_refused_elsewhere(tmp_path: Path) -> None:
    source = tmp_path / "source.urdf"
    source.write_text(MODEL.format(" version='1.1'"))
    out = tmp_path / "out.urdf"
    assert main(["convert", str(source), str(out), "--prefix", "left_", "--rename", "a=base"]) == 0
    assert '<robot name="r" version="1.1">' in out.read_text().replace("'", '"')
    assert main(["convert", str(source), str(out), "--overwrite", "--urdf-version", "1.0"]) == 0
    assert '<robot name="r">' in out.read_text().replace("'", '"')
    with pytest.raises(ub.SaveError, match="option 'urdf_version' is unsupported in Choreonoid Body files"):
        ub.convert(source, tmp_path / "out.body", urdf_version="1.1")
    with pytest.raises(ub.SaveError, match="must be one of auto"):
        ub.convert(source, out, overwrite=True, urdf_version="3.0")


@pytest.mark.parametrize("version", ["1.0", "1.1", "1.2", "auto"])
@pytest.mark.parametrize("case", few(CASES, 3))
def test_urdfdom_loads_every_version(case: str, version: str, tmp_path: Path) -> None:
    pinocchio = pytest.importorskip("pinocchio")
    target = tmp_path / "out.urdf"
    ub.save(neutral(case), target, urdf_version=version)
    model = pinocchio.buildModelFromXML(target.read_text("utf-8"))
    moving = {j.name for j in plain(target).joints if j.kind != "fixed"}
    assert moving <= set(model.names)
    ub.save(neutral(case), tmp_path / "old.urdf", urdf_version="1.0")
    old = pinocchio.buildModelFromXML((tmp_path / "old.urdf").read_text("utf-8"))
    for placement, other in zip(model.jointPlacements, old.jointPlacements, strict=True):
        assert placement.isApprox(other, 1e-12)


@pytest.mark.golden
@pytest.mark.parametrize("version", ["1.0", "1.1", "1.2"])
def test_golden(version: str, request: pytest.FixtureRequest) -> None:
    folder = Path(__file__).parent
    golden = folder / "write_versions" / f"{version}.urdf"
    robot = ub.load(folder / "read/version_1_0.urdf")
    text = ub.dumps(robot, format="urdf", plain=True, urdf_version=version)
    if request.config.getoption("--accept"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text, "utf-8", newline="\n")
    assert text == golden.read_text("utf-8")

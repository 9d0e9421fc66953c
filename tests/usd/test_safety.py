"""Nothing that a stage names is opened outside its reach, and nothing that it holds ends the caller."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

import unibody as ub
from unibody.files.access import MemoryFiles
from unibody.formats.loader import Reading, read
from unibody.text.limits import ReadLimits

HEAD = '#usda 1.0\n(\n    defaultPrim = "r"\n    metersPerUnit = 1\n    upAxis = "Z"\n'
SCHEMAS = '(prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"])'
BODY = f'def Xform "a" {SCHEMAS} {{\n float physics:mass = 1\n}}\n'
SECRET = 'def Xform "r" (references = @{}@) {{\n}}\n'


def codes(reading: Reading, severity: str = "error") -> list[str]:
    """The codes of its findings of a severity."""
    return [f.code for f in reading.findings if f.severity == severity]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("asset", "code"),
    [
        ("/etc/passwd", "outside-model"),
        ("../../../../../../etc/passwd", "outside-model"),
        ("https://example.com/r.usda", "uri-not-opened"),
        ("file:///etc/passwd", "outside-model"),
    ],
)
def test_what_lies_outside_is_not_opened(asset: str, code: str, tmp_path: Path) -> None:
    (tmp_path / "r.usda").write_text(f"{HEAD})\n{SECRET.format(asset)}{BODY}")
    reading = ub.read(tmp_path / "r.usda")
    assert code in codes(reading)
    finding = next(f for f in reading.findings if f.code == code)
    assert "</r>" in finding.message
    assert finding.at is not None
    assert finding.at.text == f"@{asset}@"
    assert reading.opened == {str(tmp_path / "r.usda")}


def test_what_refers_outside_is_in_variants_payloads_and_sublayers_too(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    inside = tmp_path / "out" / "in" / "deep" / "r"
    inside.mkdir(parents=True)
    (tmp_path / "secret.usda").write_text('#usda 1.0\ndef Cube "secret" {\n}\n')
    outside = "@../../../../secret.usda@"
    text = f"""{HEAD}    subLayers = [{outside}]
)
def Xform "r" (
    payload = {outside}</secret>
    variants = {{
        string v = "x"
    }}
    prepend variantSets = "v"
)
{{
    variantSet "v" = {{
        "x" (references = {outside}</secret>) {{
        }}
    }}
    asset unread = {outside}
}}
{BODY}"""
    (inside / "r.usda").write_text(text)
    reading = ub.read(inside / "r.usda")
    assert "outside-model" in codes(reading)
    assert reading.opened == {str(inside / "r.usda")}
    assert reading.robot is not None
    assert reading.robot.surroundings is None


@pytest.mark.slow
def test_layers_that_contain_one_another_end() -> None:
    files = {
        "r.usda": f"{HEAD}    subLayers = [@b.usda@]\n)\n{BODY}",
        "b.usda": "#usda 1.0\n(\n    subLayers = [@r.usda@]\n)\n",
    }
    reading = read("r.usda", files=MemoryFiles({k: v.encode() for k, v in files.items()}))
    assert "usd-cycle" in codes(reading)
    assert reading.robot is not None


@pytest.mark.slow
def test_damaged_binary_layers_are_findings(tmp_path: Path) -> None:
    from pxr import Sdf

    layer = Sdf.Layer.CreateAnonymous()
    layer.ImportFromString(f"{HEAD})\n{BODY}")
    layer.Export(str(tmp_path / "r.usdc"))
    data = (tmp_path / "r.usdc").read_bytes()
    for name, bad in (
        ("cut", data[: len(data) // 2]),
        ("head", data[:8]),
        ("flipped", bytes(b ^ 0xFF if 60 < k < 200 else b for k, b in enumerate(data))),
        ("offset", data[:16] + b"\xff" * 8 + data[24:]),
    ):
        reading = read(f"{name}.usdc", files=MemoryFiles({f"{name}.usdc": bad}))
        assert reading.robot is None or reading.findings, name
        assert reading.findings, name
        assert all(f.code != "internal" for f in reading.findings)


@pytest.mark.slow
def test_packages_are_unpacked_within_limits() -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("r.usda", HEAD + ")\n" + "#" * 50_000_000)
    files = MemoryFiles({"r.usdz": data.getvalue()}, limits=ReadLimits(file_bytes=10_000_000))
    assert codes(read("r.usdz", files=files)) == ["file-too-large"]
    files = MemoryFiles({"r.usdz": b"PK\x03\x04" + b"\x00" * 100})
    assert codes(read("r.usdz", files=files)) == ["usd-unreadable"]


@pytest.mark.slow
def test_many_prims_and_layers_are_too_many() -> None:
    text = f"{HEAD})\n" + "".join(f'def "p{k}" {{\n}}\n' for k in range(20_000))
    files = MemoryFiles({"r.usda": text.encode()}, limits=ReadLimits(nodes=5000))
    assert codes(read("r.usda", files=files)) == ["too-many-nodes"]
    deep = "".join(f'def "p{k}" {{\n' for k in range(3000)) + "}\n" * 3000
    reading = read("r.usda", files=MemoryFiles({"r.usda": f"{HEAD})\n{deep}".encode()}))
    assert reading.findings


@pytest.mark.slow
def test_names_that_are_code_or_paths_are_names() -> None:
    odd = "asset x = @`${HOME}`@\n asset y = @a.usdz[/etc/passwd]@\n}"
    text = f"{HEAD})\n{BODY.replace('}', odd)}"
    reading = read("r.usda", files=MemoryFiles({"r.usda": text.encode()}))
    assert reading.robot is not None
    assert [link.name for link in reading.robot.links] == ["a"]

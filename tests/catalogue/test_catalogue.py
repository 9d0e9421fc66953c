"""``unibody index``: the page, the tables, the pictures and their cache."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.exchange.test_check_forms import ARM

from unibody import loads
from unibody.catalogue import Entry, catalogue_page, csv_lines, json_data
from unibody.catalogue.store import PictureStore
from unibody.cli.main import main
from unibody.page import chromium, thumbnails
from unibody.page.portrait import portrait
from unibody.text.installation import package_command

HOSTILE = "<script>alert(1)</script><!--&\"'\u202e,\n\ud800 \U0001f916"


def entry(name: str = "arm", path: str = "arm.urdf", **values: Any) -> Entry:
    standard: dict[str, Any] = {
        "format": "URDF",
        "links": 2,
        "joints": 1,
        "mass": 1.5,
        "devices": 0,
        "findings": (),
    }
    return Entry(name=name, path=path, **{**standard, **values})


def finding(severity: str = "warning", message: str = "no mass") -> dict[str, Any]:
    place = {"file": "arm.urdf", "line": 2, "column": 3, "end_line": 2, "end_column": 4}
    return {"code": "mass-zero", "severity": severity, "message": message, **place}


def robots(page: bytes) -> list[dict[str, Any]]:
    """The data of a page."""
    found = re.search(rb'<script type="application/json" id="robots">([^<]*)</script>', page)
    assert found
    data: list[dict[str, Any]] = json.loads(found[1])
    return data


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a good model, a bad one and no model; the cache is a new one."""
    (tmp_path / "robots").mkdir()
    (tmp_path / "robots" / "arm.urdf").write_text(ARM, "utf-8")
    (tmp_path / "robots" / "bad.urdf").write_text("<robot name='bad'", "utf-8")
    (tmp_path / "robots" / "README.md").write_text("no model", "utf-8")
    monkeypatch.setenv("UNIBODY_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chromium, "find", lambda: None)


def index(*words: str) -> int:
    return main(["index", "robots", "--jobs", "1", *words])


def test_entries_of_unreadable_files_have_their_name() -> None:
    bad = Entry.of("robots/bad.urdf", {}, [finding("info"), finding("error")])
    assert (bad.name, bad.format, bad.links, bad.mass) == ("bad.urdf", "", None, None)
    assert [f["severity"] for f in bad.findings] == ["error", "info"]
    assert (bad.count("error"), bad.count("warning")) == (1, 0)


def test_no_name_ends_the_script_of_the_page() -> None:
    names = [HOSTILE, "</SCRIPT >", "<!--<script>", "a&amp;b"]
    entries = [entry(name, f"{name}.urdf", format=name, findings=[finding(message=name)]) for name in names]
    page = catalogue_page(entries, {}, {})
    data = robots(page)
    assert [one["name"] for one in data] == names
    assert [one["findings"][0]["message"] for one in data] == names
    empty = catalogue_page([], {}, {})
    assert page.count(b"<") == empty.count(b"<")


def test_page_allows_no_network() -> None:
    page = catalogue_page([entry()], {}, {}).decode()
    found = re.search('http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert found
    assert "default-src 'none'" in found[1]
    assert not re.search(r"connect-src|https?:|'unsafe", found[1])


def test_findings_beyond_those_shown_are_counted() -> None:
    (one,) = robots(catalogue_page([entry(findings=[finding()] * 100)], {}, {}))
    assert (one["warnings"], len(one["findings"])) == (100, 40)


def test_csv_reads_back() -> None:
    entries = [entry(), entry('a "b", c', mass=None, links=None, findings=[finding(), finding("error")])]
    rows = list(csv.DictReader(io.StringIO("\n".join(csv_lines(entries)))))
    assert rows[0]["mass"] == "1.5"
    assert rows[1]["name"] == 'a "b", c'
    assert (rows[1]["mass"], rows[1]["links"], rows[1]["errors"]) == ("", "", "1")
    assert next(iter(csv_lines([]))).startswith("path,name,")


def test_json_has_all_findings() -> None:
    data = json_data(entry(findings=[finding()] * 100))
    assert len(data["findings"]) == data["warnings"] == 100


def test_pictures_show_robots_without_their_floor() -> None:
    floor = '<geom type="plane" size="40 40 1"/>'
    ball = '<body><joint/><geom type="sphere" size=".1"/></body>'

    def shapes(inner: str) -> list[str]:
        robot = loads(f"<mujoco><worldbody>{inner}</worldbody></mujoco>", format="mjcf")
        found = portrait(robot)
        assert [link.name for link in found.links] == [link.name for link in robot.links]
        return [type(shape.geometry).__name__ for link in found.links for shape in link.visuals]

    assert shapes(floor + ball) == shapes(ball) == ["Sphere"]
    assert shapes(floor) == ["Plane"]
    # floors that are boxes, one on another; a table, a wall that is not flat and a post are no floors
    slab = '<geom type="box" size="{0} {0} .02" pos="0 0 -.1"/>'
    assert shapes(slab.format(4) + slab.format(2) + ball) == ["Sphere"]
    assert shapes(slab.format(0.3) + ball) == ["Box", "Sphere"]
    assert shapes('<geom type="box" size="4 4 1"/>' + ball) == ["Box", "Sphere"]
    assert shapes('<geom type="capsule" fromto="0 0 0 0 0 9" size=".01"/>' + ball) == ["Capsule", "Sphere"]
    assert shapes(slab.format(4)) == ["Box"]
    assert shapes(f"<body><joint/>{slab.format(4)}</body>" + ball) == ["Box", "Sphere"]


def test_store_keeps_pictures_by_content(tmp_path: Path) -> None:
    store = PictureStore(str(tmp_path / "pictures"))
    key = store.key(b"data")
    assert key != store.key(b"other")
    store.wait(key, b"data")
    assert (store.waiting(key), store.picture(key)) == (b"data", None)
    store.keep(key, b"picture")
    assert (store.waiting(key), store.picture(key)) == (None, b"picture")
    store.wait(key, b"data")
    assert store.waiting(key) is None


@pytest.mark.parametrize("name", [None, "file"])
def test_store_does_without_a_folder(name: str | None, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    store = PictureStore(name and str(tmp_path / name))
    store.wait("key", b"data")
    store.keep("key", b"picture")
    assert (store.waiting("key"), store.picture("key")) == (None, None)


def test_store_ignores_damaged_data(tmp_path: Path) -> None:
    (tmp_path / "key.page").write_bytes(b"damaged")
    assert PictureStore(str(tmp_path)).waiting("key") is None


def test_table_of_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert index() == 0
    out = capsys.readouterr().out
    assert re.search(r"^arm +URDF +2 +1 +1 +0 +0 +1 +robots/arm.urdf$", out, re.MULTILINE)
    assert re.search(r"^bad.urdf +1 +0 +robots/bad.urdf$", out, re.MULTILINE)
    assert out.endswith("\n2 robots\n")


@pytest.mark.parametrize(
    ("words", "code"), [((), 0), pytest.param(("--fail-on", "error"), 1, marks=pytest.mark.slow)]
)
def test_json_of_a_folder(
    folder: Path, words: Sequence[str], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert index("--json", *words) == code
    rows = json.loads(capsys.readouterr().out)["robots"]
    assert [(row["name"], row["links"], row["errors"]) for row in rows] == [
        ("arm", 2, 0),
        ("bad.urdf", None, 1),
    ]


@pytest.mark.slow
def test_csv_of_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert index("--csv") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["path"] for row in rows] == ["robots/arm.urdf", "robots/bad.urdf"]


def test_parquet_of_a_folder(folder: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
    assert index("--parquet", "robots.parquet") == 0
    rows = parquet.read_table("robots.parquet").to_pylist()
    assert [(row["name"], row["links"], row["mass"]) for row in rows] == [
        ("arm", 2, 1.0),
        ("bad.urdf", None, None),
    ]


def test_parquet_without_pyarrow(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    assert index("--parquet", "robots.parquet") == 2
    assert (
        capsys.readouterr().err
        == f"unibody index: error: Parquet needs pyarrow\n  {package_command('pyarrow')}\n"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--pages"], "--pages requires --html"),
        (["--no-pictures"], "--no-pictures requires --html"),
        (["--json", "--csv"], "--csv and --json cannot be combined"),
        (["--html", "robots/arm.urdf"], "robots/arm.urdf already exists"),
    ],
)
def test_conflicts(
    folder: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert index(*words) == 2
    assert message in capsys.readouterr().err


@pytest.mark.usefixtures("no_browser")
def test_page_without_a_browser(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert index("--html", "out.html") == 0
    out, err = capsys.readouterr()
    assert out.startswith("out.html: 2 robots, 0 pictures (0 drawn), 0.0 MB")
    assert len(err.splitlines()) == 1
    assert "pictures are missing: a picture needs Chromium or Chrome" in err
    arm, bad = robots((folder / "out.html").read_bytes())
    assert (arm["picture"], arm["page"], arm["command"]) == ("", "", "unibody view robots/arm.urdf")
    assert bad["findings"][0]["place"].startswith("robots/bad.urdf:1:")


def test_pages_beside_the_catalogue(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert index("--html", "out/all robots.html", "--pages", "--no-pictures") == 0
    arm, bad = robots((folder / "out" / "all robots.html").read_bytes())
    assert (arm["page"][:22], bad["page"]) == ("all%20robots_files/arm", "")
    (page,) = (folder / "out" / "all robots_files").iterdir()
    assert arm["page"].endswith(page.name)
    assert page.read_bytes().startswith(b"<!doctype html>")
    assert "1 page in out/all robots_files" in capsys.readouterr().out


@pytest.mark.slow
def test_pages_that_were_removed_are_written_again(folder: Path) -> None:
    words = ("--html", "out.html", "--pages", "--no-pictures", "--overwrite", "--resume", "run.jsonl")
    assert index(*words) == 0
    (page,) = (folder / "out_files").iterdir()
    page.unlink()
    assert index(*words) == 0
    assert page.exists()


def test_pages_wait_in_the_cache_unless_it_is_off(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (chromium, thumbnails):
        monkeypatch.setattr(module, "find", lambda: "/nowhere/chromium")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "home"))
    monkeypatch.setenv("UNIBODY_CACHE", "off")
    index("--html", "off.html")
    assert not (folder / "home").exists()
    monkeypatch.delenv("UNIBODY_CACHE")
    index("--html", "on.html")
    assert [path.suffix for path in (folder / "home" / "unibody" / "pictures").iterdir()] == [".page"]

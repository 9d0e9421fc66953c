"""Hostile names in what the command prints and writes: no terminal is steered, no page is broken."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path

import pytest
from tests.hostile.names import CONTROLS, EVERY, MARKUP, hostile
from tests.sampling import few

from unibody.cli.main import main
from unibody.conversion.pipeline import save
from unibody.model import json as native
from unibody.model.robot import Joint, Link, Robot
from unibody.model.shape import Box, Material, Shape

# A name that ends everything that a name could stand in, and then steers a terminal.
EVIL = "a\"'>]}|`" + "".join(CONTROLS).replace("\x00", "") + "\u202e\u2028\ufeff<b>"
VERBS = (
    ("info", "{m}"),
    ("check", "{m}", "--all-findings"),
    ("check", "{m}", "--fix"),
    ("fk", "{m}"),
    ("mass", "{m}"),
    ("dump", "{m}"),
    ("dump", "{m}", "--stage", "node"),
    ("dump", "{m}", "--stage", "document"),
    ("diff", "{m}", "{other}"),
    ("convert", "{m}", "{out}.body", "--overwrite", "--report", "{out}.txt"),
    ("convert", "{m}", "{out}.urdf", "--overwrite", "--report", "{out}.md"),
    ("fmt", "{m}", "--diff"),
    ("fmt", "{m}", "--check"),
    ("ik", "{m}", "--link", EVIL.replace("\n", " "), "--place", "0,0,0"),
    ("workspace", "{m}", EVIL),
    ("fk", "{m}", "--set", f"{EVIL}=1"),
    ("explain", EVIL),
    ("info", EVIL),
    (EVIL,),
    ("info", "{m}", f"--{EVIL}"),
    ("view", "{m}", "--html", "{out}.html"),
)


def models(folder: Path) -> dict[str, str]:
    """Two models in files of a JSON of the neutral model and of the formats, with evil names."""
    shape = Shape(name=EVIL, geometry=Box(size=(1.0, 1.0, 1.0)), material=Material(name=EVIL))
    links = (Link(name=EVIL, visuals=(shape,)), Link(name=f"{EVIL}2"))
    joint = Joint(name=EVIL, kind="revolute", parent=EVIL, child=f"{EVIL}2")
    robot = Robot(name=EVIL, links=links, joints=(joint,))
    found = {}
    for name in ("m", "other"):
        made = robot if name == "m" else Robot(name=EVIL + "x", links=links[:1])
        save(made, folder / f"{name}.body", overwrite=True)
        found[name] = str(folder / f"{name}.body")
    return found | {"out": str(folder / "out")}


def steers(text: str) -> list[str]:
    """Characters that a terminal would obey rather than show, but for the ends of lines."""
    odd = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    return sorted({hex(ord(c)) for c in text if c != "\n" and unicodedata.category(c) in odd})


@pytest.mark.parametrize(
    "words", few(VERBS, 12), ids=lambda words: " ".join(words)[:24].encode("unicode_escape").decode()
)
@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
def test_no_verb_steers_a_terminal(
    words: tuple[str, ...], as_json: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = models(tmp_path)
    filled = [word.format(**places) if word.startswith("{") else word for word in words]
    if as_json:
        filled.append("--json")
    main(filled)
    said = capsys.readouterr()
    # JSON escapes its own; what is left of it is letters for whoever reads it.
    hard = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")
    assert not hard.findall(said.out + said.err)
    if not as_json and words[0] != "dump":
        assert steers(said.out + said.err) == []
    for path in tmp_path.glob("out*.txt"):
        assert steers(path.read_text("utf-8")) == []
    for path in tmp_path.glob("out*.md"):
        assert steers(path.read_text("utf-8")) == []


def test_json_is_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    places = models(tmp_path)
    assert main(["dump", places["m"]]) == 0
    assert json.loads(capsys.readouterr().out)["links"][0]["name"] == EVIL
    assert main(["info", places["m"], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["links"][0]["name"] == EVIL
    main(["check", places["m"], "--json"])
    json.loads(capsys.readouterr().out)
    assert main(["convert", places["m"], places["out"] + ".urdf", "--json"]) == 0
    json.loads(capsys.readouterr().out)


def test_a_report_as_markdown_is_a_table_still(tmp_path: Path) -> None:
    """Each row has its cells, and no name in it becomes HTML, an image, a link or code."""
    names = (*MARKUP, "a|b", "a\\|b", "`x`", "![x](https://evil.example/x.png)", "[x](javascript:1)", "*x*")
    links = tuple(
        Link(name=name, collisions_alt=(Shape(geometry=Box(size=(1.0, 1.0, 1.0))),)) for name in names
    )
    joints = tuple(Joint(name=n, kind="ball", parent=names[0], child=n) for n in names[1:])
    robot = Robot(name=MARKUP[0], links=links, joints=joints)
    text = save(robot, tmp_path / "a.urdf", plain=True).markdown()
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) > 2
    for row in rows:
        assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) == 7, row
    bare = re.compile(r"(?<!\\)(?:\\\\)*[<>`\[\]*]")
    assert not bare.search(text)


def test_every_name_goes_through_every_format(tmp_path: Path) -> None:
    """What a format cannot say in a name is changed with a word about it, and the file is whole."""
    from unibody import read

    robot = hostile()
    for suffix in (".urdf", ".body", ".wrl"):
        save(robot, tmp_path / f"m{suffix}", overwrite=True)
        again = read(tmp_path / f"m{suffix}")
        assert again.robot is not None, suffix
        assert len(again.robot.links) == len(robot.links)
        names = {link.name for link in again.robot.links}
        kept = [link.name for link in robot.links if link.name in names]
        assert len(kept) >= len(robot.links) // 2


def test_the_neutral_json_keeps_every_name() -> None:
    links = tuple(Link(name=name) for name in EVERY)
    robot = Robot(name=EVERY[0], links=links)
    from unibody.text.finding import Findings

    text = native.dumps(robot)
    assert steers(text) == [] or not re.search("[\x00-\x09\x0b-\x1f]", text)
    again = native.loads(text, "a.json", Findings())
    assert again is not None
    assert [link.name for link in again.links] == list(EVERY)

"""xacro inside the reader: the same as xacro itself, with places, within reach and within bounds."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any
from xml.dom import minidom

import pytest
import yaml
from tests.shared import DEV, SHARED

from unibody.files.access import Files, MemoryFiles
from unibody.formats.xacro.expand import expand
from unibody.text.decode import decode
from unibody.text.finding import Finding, Findings, TextError
from unibody.text.node import Node, Word
from unibody.text.source import Source
from unibody.text.xml.parser import parse
from unibody.text.xml.printer import print_xml

HERE = Path(__file__).parent / "xacro"
NAMESPACE = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'


def run(path: str, files: Files, **mappings: str) -> tuple[Node, Source, Findings]:
    findings = Findings()
    source = decode(files.read(path), path, findings)
    node = parse(source, findings)
    try:
        return *expand(node, source, files, findings, mappings), findings
    except TextError as failed:
        return node, source, Findings([*findings, failed.finding])


def small(
    body: str, name: str = "m/t.xacro", mappings: dict[str, str] | None = None, **more: Any
) -> tuple[Node, Findings]:
    """Expand the content of a robot element; further files by their names with _ for a dot."""
    environment = more.pop("environment", {})
    contents = {
        k.replace("__", "/").replace("_x", ".x").replace("_y", ".y"): v.encode() for k, v in more.items()
    }
    text = f"<robot {NAMESPACE}>{body}</robot>"
    files = MemoryFiles({name: text.encode(), **contents}, environment=environment)
    node, _, findings = run(name, files, **(mappings or {}))
    return node, findings


def result(body: str, **settings: Any) -> str:
    """The expanded content, printed without places."""
    node, findings = small(body, **settings)
    assert not findings.errors, findings
    return shown(node)


def shown(node: Node) -> str:
    """What a tree holds, without comments, declarations and places."""
    bare = Node(node.tag)
    todo = [(node, bare)]
    while todo:
        old, new = todo.pop()
        attributes = sorted((i for i in old.items if i[0] and isinstance(i[1], Word)), key=lambda i: i[0])
        content = [i for i in old.items if not i[0] or isinstance(i[1], Node)]
        for key, value, _ in [*attributes, *content]:
            if isinstance(value, Node):
                copy = Node(value.tag)
                todo.append((value, copy))
                new.items.append((key, copy, -1))
            else:
                new.items.append((key, value, -1))
    return print_xml(bare)


def error(body: str, **settings: Any) -> Finding:
    """The one error of a document that cannot be expanded, and which comes back as it was."""
    node, findings = small(body, **settings)
    (found,) = findings.errors
    assert node.word("xmlns:xacro")
    assert found.text()
    return found


def genuine(path: Path, **mappings: str) -> Node:
    """What the xacro package itself makes of a file, in a process of its own."""
    code = (
        "import sys, json, xacro\n"
        "print(xacro.process_file(sys.argv[1], mappings=json.loads(sys.argv[2])).toxml())"
    )
    command = [sys.executable, "-c", code, str(path), json.dumps(mappings)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return parse(Source("xacro", text), Findings())


@pytest.mark.parametrize("mappings", [{}, {"links": "0"}, {"links": "5", "tool": "false"}])
def test_it_is_what_xacro_makes(mappings: dict[str, str]) -> None:
    path = HERE / "arm.urdf.xacro"
    node, _, findings = run(str(path), Files(environment={}), **mappings)
    assert not findings
    assert shown(node) == shown(genuine(path, **mappings))


def test_the_places_are_those_of_the_files_as_written() -> None:
    node, source, findings = run(str(HERE / "arm.urdf.xacro"), Files(environment={}))
    assert not findings
    assert (source.name, source.note) == (str(HERE / "arm.urdf.xacro"), "after xacro")
    assert node.source is source
    joint = next(v for k, v, _ in node.items if k == "joint")
    assert isinstance(joint, Node)
    assert str(joint.span).endswith("parts/common.xacro:26:7")
    limit = joint.get("limit")
    assert isinstance(limit, Node)
    assert limit.word("upper") == "1.5707963267948966"
    place = next(limit.item_span(item) for item in limit.items if item[0] == "upper")
    assert place
    assert place.text == "${sizes.limits.upper}"
    assert "(after xacro)" in str(Finding("x", "error", "wrong", place))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.urdf", f'<robot {NAMESPACE}><link name="a"/><!-- <xacro:x/> ${{y}} --></robot>'),
        ("a.xacro", '<robot><link name="a"/></robot>'),
        ("a.urdf", '<robot><link name="${a}"/><xacro:m/></robot>'),
    ],
)
def test_without_xacro_nothing_is_done(name: str, text: str) -> None:
    node, source, findings = run(name, MemoryFiles({name: text.encode()}))
    assert not findings
    assert (source.note, source.text) == ("", text)
    assert node == parse(source, findings)


def test_importing_does_not_import_xacro() -> None:
    code = (
        "import sys, unibody.formats.xacro.expand\n"
        "print([m for m in sys.modules if m.startswith(('xacro', 'yaml', 'xml.dom'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_undeclared_prefixes_and_same_local_names_survive() -> None:
    text = result(
        '<xacro:macro name="m"><l drake:x="1" x="2" b:x="${3}"/></xacro:macro><xacro:m/><xacro:m/>'
    )
    assert text.count('b:x="3" drake:x="1" x="2"') == 2


def test_arguments() -> None:
    body = '<xacro:arg name="n" default="1"/><l v="$(arg n)" w="$(eval n * 2)" x="${xacro.arg(\'n\')}"/>'
    assert 'v="1" w="2" x="1"' in result(body)
    assert 'v="7" w="14" x="7"' in result(body, mappings={"n": "7"})
    assert "'n'" in error('<l v="$(arg n)"/>').message


def test_environment_and_packages_go_through_files() -> None:
    environment = {"A": "x", "AMENT_PREFIX_PATH": "/opt"}
    body = '<l v="$(env A)" w="$(optenv B b c)" x="$(find hand)" y="$(dirname)"/>'
    text = result(body, environment=environment, **{"/opt/share/hand/package_xml": ""})
    assert 'v="x" w="b c" x="/opt/share/hand" y="/memory/here/m"' in text
    assert "'PATH'" in error('<l v="$(env PATH)"/>').message
    found = error('<l v="$(find hand)"/>')
    assert ("unknown package 'hand'" in found.message, found.code) == (True, "xacro")


def test_includes_from_packages() -> None:
    body = '<xacro:include filename="$(find hand)/u/h.xacro"/><xacro:include filename="package://hand/u/h.xacro"/>'
    more: dict[str, Any] = {"/opt/share/hand/u/h_xacro": '<robot><l v="${1 + 1}"/></robot>'}
    assert result(body, environment={"AMENT_PREFIX_PATH": "/opt"}, **more).count('<l v="2"/>') == 2


def test_includes_by_pattern() -> None:
    more: dict[str, Any] = {
        "m/p/b_xacro": "<robot><b/></robot>",
        "m/p/a_xacro": "<robot><a/></robot>",
        "m/p/c_yaml": "",
    }
    assert "<a/>\n  <b/>" in result('<xacro:include filename="p/*.xacro"/>', **more)
    _, findings = small('<xacro:include filename="q*.xacro"/>')
    assert [f.code for f in findings] == ["xacro-warning"]


@pytest.mark.parametrize(
    ("uri", "code"),
    [
        ("parts/gone.xacro", "file-missing"),
        ("../../../etc/passwd", "outside-model"),
        ("/etc/passwd", "outside-model"),
        ("file:///etc/passwd", "outside-model"),
        ("http://127.0.0.1:9/a.xacro", "uri-not-opened"),
        ("$(find nowhere)/a.xacro", "file-missing"),
    ],
)
def test_a_missing_include_is_a_finding_and_the_rest_is_expanded(uri: str, code: str) -> None:
    body = f'<xacro:include filename="{uri}"/><l v="${{1 + 1}}"/>'
    more: dict[str, Any] = {"/etc/passwd": "root:x"}
    for name, severity in [("m/t.xacro", "error"), ("m/t.urdf", "warning")]:
        node, findings = small(body, name=name, **more)
        assert [(f.code, f.severity) for f in findings] == [(code, severity)]
        assert findings[0].at
        assert "root:" not in findings[0].text()
        assert '<l v="2"/>' in shown(node)
    assert '<l v="2"/>' in result(body.replace("/>", ' optional="true"/>', 1), **more)


def test_letter_case_is_forgiven_with_a_finding() -> None:
    node, findings = small('<xacro:include filename="P.xacro"/>', m__p_xacro="<robot><a/></robot>")
    assert [f.code for f in findings] == ["file-case"]
    assert node.get("a")


def test_errors_in_an_included_file_have_their_place() -> None:
    include = '<xacro:include filename="p.xacro"/>'
    found = error(include, m__p_xacro="<robot>\n<a></robot>")
    assert (found.code, str(found.at)) == ("xml-syntax", "m/p.xacro:2:6")
    found = error(include, m__p_xacro="<robot>\n <a v='${b}'/></robot>")
    assert (found.code, str(found.at)) == ("xacro", "m/p.xacro:2:2")
    assert "name 'b' is not defined" in found.message
    found = error('<xacro:macro name="k">\n<a v="${b}"/></xacro:macro>\n<xacro:k/>')
    assert str(found.at) == "m/t.xacro:2:1"
    assert found.hint == "in macro k"


def test_yaml_has_units_and_places() -> None:
    body = """<xacro:property name="y" value="${xacro.load_yaml('d.yaml')}"/>
    <l v="${y.a[1]}" w="${y['b'].c}"/>"""
    text = result(body, m__d_yaml="a: [1, !inches 2]\nb: {c: !degrees 180/2}")
    assert 'v="0.0508" w="1.5707963267948966"' in text
    found = error(body, m__d_yaml="a: [1\nb: 2}")
    assert (found.code, str(found.at)) == ("yaml-syntax", "m/d.yaml:2:2")
    assert error(body).message.startswith("xacro: 'd.yaml' is missing")
    assert "!inches" not in yaml.SafeLoader.yaml_constructors


def test_messages_become_findings(capfd: pytest.CaptureFixture[str]) -> None:
    body = """<xacro:property name="pi" value="3"/><l v="${xacro.message('hello')}"/>
    <l v="${xacro.warning('careful')}"/><l v="${xacro.warning('careful')}"/>"""
    _, findings = small(body)
    assert [(f.code, f.message) for f in findings if f.severity != "error"] == [
        ("xacro-warning", "redefining global symbol: pi"),
        ("xacro-message", "hello"),
        ("xacro-warning", "careful"),
    ]
    assert error("<l v=\"${xacro.fatal('stop it')}\"/>").message.startswith("xacro: stop it")
    small("<xacro:nowhere/>")
    assert capfd.readouterr() == ("", "")


def test_an_urdf_with_a_mere_substitution_is_read_as_it_is() -> None:
    node, findings = small("<gazebo><p>$(find nowhere)/a.yaml</p></gazebo>", name="m/t.urdf")
    assert [(f.code, f.severity) for f in findings] == [("xacro", "warning")]
    assert node.get("gazebo")


LAUGHS = "".join(
    f'<xacro:macro name="m{i + 1}"><xacro:m{i}/><xacro:m{i}/></xacro:macro>' for i in range(40)
)
DOUBLES = "".join(f'<xacro:property name="p{i + 1}" value="${{p{i}}}${{p{i}}}"/>' for i in range(60))
LISTS = "".join(f'<xacro:property name="p{i + 1}" value="${{[p{i}, p{i}]}}"/>' for i in range(60))
BOMB = "a0: &a0 [x]\n" + "".join(f"a{i + 1}: &a{i + 1} [*a{i}, *a{i}, *a{i}]\n" for i in range(30))


@pytest.mark.slow
@pytest.mark.parametrize(
    "body",
    [
        '<xacro:macro name="m"><xacro:m/></xacro:macro><xacro:m/>',
        f'<xacro:macro name="m0"><l/></xacro:macro>{LAUGHS}<xacro:m40/>',
        f'<xacro:property name="p0" value="xxxxxxxxxx"/>{DOUBLES}<l v="${{p60}}"/>',
        f'<xacro:property name="p0" value="${{[0]}}"/>{LISTS}<l v="${{p60}}"/>',
        '<xacro:property name="a" value="${b}"/><xacro:property name="b" value="${a}"/><l v="${a}"/>',
        f'<xacro:macro name="m" params="a:={"x" * 60}\'"><l/></xacro:macro><xacro:m/>',
        f'<xacro:macro name="m" params="{"a " * 50_000}"><l/></xacro:macro><xacro:m/>',
        '<l v="' + "${1}" * 20_000 + '"/>',
        '<l v="${' + "(" * 500 + '"/>',
        '<l v="${' + "-" * 3000 + '1}"/>',
        '<xacro:include filename="t.xacro"/>',
        '<xacro:include filename="loop.xacro"/>',
        "<l v=\"${load_yaml('bomb.yaml')}\"/>",
        "<l v=\"${load_yaml('/etc/passwd')}\"/>",
        "<l v=\"${load_yaml('../../../../etc/passwd')}\"/>",
        "<l v=\"${load_yaml('tag.yaml')}\"/>",
        '<l v="${().__class__.__bases__[0].__subclasses__()}"/>',
        '<l v="${[x.__class__ for x in [1]]}"/>',
        "<l v=\"${'{0.__class__}'.format(1)}\"/>",
        "<l v=\"${python.type('X', (), dict())}\"/>",
        '<l v="${python.vars()}"/>',
        '<l v="${open}"/>',
        "<l v=\"${xacro.tokenize('" + "a" * 40 + "', '](a+)+$[').append(open)}\"/>",
        '<l v="$(eval 9**9**9)"/>',
        '<l v="$(eval __import__)"/>',
        '<xacro:property name="__call" value="1"/>',
    ],
)
def test_hostile_documents_end_soon_with_one_error(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unibody.formats.xacro.expression.SECONDS", 1e-7)
    more: dict[str, Any] = {
        "m/loop_xacro": f'<robot {NAMESPACE}><xacro:include filename="loop2.xacro"/></robot>',
        "m/loop2_xacro": f'<robot {NAMESPACE}><xacro:include filename="../m/loop.xacro"/></robot>',
        "m/bomb_yaml": BOMB,
        "m/tag_yaml": "!!python/object/apply:os.system [ls]",
        "/etc/passwd": "root:x",
    }
    start = time.process_time()
    found = error(body, **more)
    assert time.process_time() - start < 30
    assert found.code in {"xacro", "yaml-syntax"}
    assert len(found.message) < 1200
    assert "root:x" not in found.text()


def test_runs_do_not_influence_one_another() -> None:
    import xacro  # the user's own

    state = dict(vars(xacro))
    symbols = dict(xacro._global_symbols)
    written = minidom.Element.writexml
    first = result(
        '<xacro:property name="leak" value="1"/><xacro:arg name="n" default="1"/><l v="${leak}"/>'
    )
    assert '<l v="1"/>' in first
    assert "leak" in error('<l v="${leak}"/>').message
    assert "'n'" in error('<l v="$(arg n)"/>').message
    assert vars(xacro) == state
    assert xacro._global_symbols == symbols
    assert minidom.Element.writexml is written
    assert not [name for name in sys.modules if "unibody_xacro" in name]


def test_runs_in_threads() -> None:
    texts: dict[int, str] = {}

    def work(number: int) -> None:
        texts[number] = result(f'<xacro:property name="p" value="{number}"/>' + '<l v="${p}"/>' * 50)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(texts[number].count(f'<l v="{number}"/>') == 50 for number in range(4))


@pytest.mark.usefixtures("shared")
def test_the_corpus() -> None:
    path = SHARED / "corpus/bad/urdf/xacro_unexpanded.urdf"
    node, _, findings = run(str(path), Files(environment={}))
    assert [(f.code, f.severity) for f in findings] == [("file-missing", "warning"), ("xacro", "warning")]
    assert "unknown macro" in findings[1].message
    expanded = {}
    for path in sorted((DEV).rglob("*.urdf")):
        if b"xmlns:xacro" in path.read_bytes():
            node, source, findings = run(str(path), Files(environment={}))
            codes = [f.code for f in findings if f.code != "xml-declaration"]
            if source.note or codes:
                expanded[path.name] = (source.note, codes, sum(k == "link" for k, _, _ in node.items))
    # Its one include is not published, and only names colours.
    assert expanded == {"NextageOpen.urdf": ("after xacro", ["file-missing"], 16)}


def test_a_text_item_keeps_its_words() -> None:
    node, _ = small("<p> a ${1 + 1} <b/> c</p>")
    inner = node.get("p")
    assert isinstance(inner, Node)
    assert [v.text for _, v, _ in inner.items if isinstance(v, Word)] == [" a 2 ", " c"]

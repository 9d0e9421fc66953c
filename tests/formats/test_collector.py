"""The search for cyclic garbage is paused while a model is read, and only then."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

import unibody as ub


@pytest.mark.parametrize("enabled", [True, False])
@pytest.mark.parametrize("text", ['<robot name="r"><link name="a"/></robot>', "<robot"])
def test_a_load_leaves_the_collector_as_it_was(tmp_path: Path, text: str, enabled: bool) -> None:
    path = tmp_path / "r.urdf"
    path.write_text(text)
    was = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        ub.read(path)
        assert gc.isenabled() is enabled
        if text.endswith(">"):
            ub.load(path)
        else:
            with pytest.raises(ub.LoadError):
                ub.load(path)
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if was else gc.disable)()

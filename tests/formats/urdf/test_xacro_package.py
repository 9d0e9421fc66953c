"""The xacro package is one that formats/xacro/session.py knows, which replaces parts of it."""

from __future__ import annotations

import re
from importlib.metadata import version
from pathlib import Path

import pytest
import xacro

from unibody.formats.xacro import session

ROOT = Path(__file__).resolve().parents[3]
USED = sorted(
    set(re.findall(r"(?<!formats\.)\bxacro\.([a-z_]+)", Path(session.__file__).read_text("utf-8")))
    - {"parser"}
)


def test_the_version_is_bounded() -> None:
    assert '"xacro>=2.1,<2.2"' in (ROOT / "pyproject.toml").read_text("utf-8")
    assert version("xacro").startswith("2.1")


@pytest.mark.parametrize("name", [name for name in USED if name not in ("urdf", "py")])
def test_what_is_replaced_is_there(name: str) -> None:
    assert hasattr(xacro, name)

"""Write the reference pages of the formats from their declarations: python tools/reference.py"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from unibody.formats.body.document import Body
from unibody.formats.inventor.document import Model as InventorModel
from unibody.formats.inventor.nodes import TABLE
from unibody.formats.mpk.document import Robot as MpkRobot
from unibody.formats.openhrp.document import OWN, File
from unibody.formats.urdf.document import Robot
from unibody.formats.vrml97.document import NODES, World

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # run as a script, the path begins with tools/

from tools.reference_page import reference  # noqa: E402

HOW = "python tools/reference.py"

_NOTE = f"<!-- Made from the declarations by `{HOW}`: do not edit. -->"
_SOURCES: dict[str, tuple[Any, ...]] = {
    "docs/formats/body-reference.md": (Body, "Choreonoid Body: all elements and keys"),
    "docs/formats/urdf-reference.md": (Robot, "URDF: all elements and attributes"),
    "docs/formats/inventor-reference.md": (
        InventorModel,
        "Open Inventor and VRML 1.0: all nodes and fields",
        TABLE,
    ),
    "docs/formats/mpk-reference.md": (MpkRobot, "MPK robots: all blocks and keywords"),
    "docs/formats/openhrp-reference.md": (File, "OpenHRP: all nodes and fields", OWN),
    "docs/formats/vrml97-reference.md": (World, "VRML97: all nodes and fields", NODES),
}


def pages() -> dict[str, str]:
    """Path of each page below the project, and its text."""
    return {path: f"{_NOTE}\n\n{reference(*source)}" for path, source in _SOURCES.items()}


def main() -> None:
    """Write all pages."""
    for path, text in pages().items():
        (ROOT / path).write_text(text, "utf-8")


if __name__ == "__main__":
    main()

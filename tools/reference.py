"""Write the reference pages of the formats from their declarations: python tools/reference.py"""

from __future__ import annotations

from pathlib import Path

from unibody.document.reference import reference
from unibody.formats.body.document import Body
from unibody.formats.urdf.document import Robot

ROOT = Path(__file__).resolve().parents[1]
HOW = "python tools/reference.py"

_NOTE = f"<!-- Made from the declarations by `{HOW}`: do not edit. -->"
_SOURCES = {
    "docs/formats/body-reference.md": (Body, "Choreonoid Body: all elements and keys"),
    "docs/formats/urdf-reference.md": (Robot, "URDF: all elements and attributes"),
}


def pages() -> dict[str, str]:
    """Path of each page below the project, and its text."""
    return {path: f"{_NOTE}\n\n{reference(cls, title)}" for path, (cls, title) in _SOURCES.items()}


def main() -> None:
    """Write all pages."""
    for path, text in pages().items():
        (ROOT / path).write_text(text, "utf-8")


if __name__ == "__main__":
    main()

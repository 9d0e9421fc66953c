"""Generate the reference pages of the formats from their declarations: python tools/reference.py"""

from __future__ import annotations

import sys
from pathlib import Path

from unibody.formats import FORMATS
from unibody.formats.format import Declarations, Format
from unibody.formats.vrml97.document import NODES, World

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # run as a script, the path begins with tools/

from tools.reference_page import reference  # noqa: E402

HOW = "python tools/reference.py"

_NOTE = f"<!-- Made from the declarations by `{HOW}`: do not edit. -->"
# The nodes that several formats share.
_VRML97 = Declarations(root=World, nodes=NODES, title="VRML97: all nodes and fields")


def page(declared: Declarations) -> str:
    """The reference page of a format's declarations."""
    return f"{_NOTE}\n\n{reference(declared.root, declared.title, declared.own or declared.nodes)}"


def path_of(format: Format) -> str:
    """The path of a format's reference page, beside its own page in the documentation."""
    return f"docs/{format.docs.removesuffix('.md')}-reference.md"


def pages() -> dict[str, str]:
    """Path of each page below the project, and its text."""
    declared = [(path_of(format), format.declarations()) for format in FORMATS]
    declared.append(("docs/formats/vrml97-reference.md", _VRML97))
    return {path: page(one) for path, one in declared if one.title}


def main() -> None:
    """Write all pages."""
    for path, text in pages().items():
        (ROOT / path).write_text(text, "utf-8")


if __name__ == "__main__":
    main()

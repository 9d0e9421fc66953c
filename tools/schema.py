"""Write the schemas for editors from the declarations: python tools/schema.py"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from unibody.formats.body.document import Body
from unibody.formats.urdf.document import Robot

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # run as a script, the path begins with tools/

from tools.json_schema import Sugar, json_schema  # noqa: E402
from tools.xsd import Content, xsd  # noqa: E402

HOW = "python tools/schema.py"
FOLDER = "src/unibody/schemas"


def _body() -> str:
    # what formats/body/expand.py undoes
    sugar = Sugar(mappings=frozenset(("links", "elements")), imports={"links": "import"})
    made = json_schema(Body, "Choreonoid Body", HOW, sugar)
    return json.dumps(made, indent=1) + "\n"


def _urdf(content: Content) -> str:
    return xsd(Robot, "robot", HOW, content).encode("ascii", "xmlcharrefreplace").decode("ascii")


def files() -> dict[str, str]:
    """Path of each schema below the project, and its text, which is ASCII: so any shell can redirect it."""
    return {
        f"{FOLDER}/body.schema.json": _body(),
        f"{FOLDER}/urdf.xsd": _urdf("open"),
        f"{FOLDER}/urdf-closed.xsd": _urdf("closed"),
    }


def main() -> None:
    """Write all schemas."""
    for path, text in files().items():
        (ROOT / path).write_text(text, "utf-8")


if __name__ == "__main__":
    main()

"""Generate the schemas for editors from the declarations: python tools/schema.py"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from unibody.formats import FORMATS
from unibody.formats.format import EditorSchema, Format

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # run as a script, the path begins with tools/

from tools.json_schema import json_schema  # noqa: E402
from tools.xsd import Content, xsd  # noqa: E402

HOW = "python tools/schema.py"
FOLDER = "src/unibody/schemas"


def schemas(format: Format) -> dict[str, str]:
    """The schemas of a format by file name, as ASCII text, which any shell can redirect."""
    if format.schema is None:
        return {}
    contents: dict[str, Content] = {format.schema.file: "open", format.schema.closed: "closed"}
    if format.schema.strict:
        contents = {format.schema.file: "strict"}
    return {name: _text(format, format.schema, content) for name, content in contents.items() if name}


def _text(format: Format, schema: EditorSchema, content: Content) -> str:
    root = format.declarations().root
    if format.syntax == "yaml":
        return json.dumps(json_schema(root, format.title, HOW, schema), indent=1) + "\n"
    text = xsd(root, schema.tag, HOW, content, schema.include)
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")


def files() -> dict[str, str]:
    """Path of each schema below the project, and its text."""
    return {f"{FOLDER}/{name}": text for format in FORMATS for name, text in schemas(format).items()}


def main() -> None:
    """Write all schemas."""
    for path, text in files().items():
        (ROOT / path).write_text(text, "utf-8")


if __name__ == "__main__":
    main()

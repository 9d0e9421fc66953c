"""Schemas that editors check and complete model files with, made by tools/schema.py."""

from __future__ import annotations

from pathlib import Path

#: The file of each format's schema beside this one; "-closed" refuses what the format does not name.
FILES = {"body": "body.schema.json", "urdf": "urdf.xsd", "urdf-closed": "urdf-closed.xsd"}


def schema_file(name: str) -> Path:
    """Where the schema of that name lies in the installed package; KeyError when there is none.

    >>> schema_file("urdf").name
    'urdf.xsd'
    """
    return Path(__file__).parent / FILES[name]

"""Schemas with which editors check and complete model files, made by tools/schema.py."""

from __future__ import annotations

from pathlib import Path


def schema_file(name: str) -> Path:
    """The path of a schema in the installed package; a format's record names its schemas.

    >>> schema_file("urdf.xsd").name
    'urdf.xsd'
    """
    return Path(__file__).parent / name

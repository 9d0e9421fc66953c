"""Checks images: files that stand in for them, such as pointers of Git LFS."""

from __future__ import annotations

from dataclasses import replace

from unibody.checks.shapes import LinkShapes
from unibody.files.access import FileError, Files
from unibody.text.finding import Findings

# Other faults of an image cost its colors in a picture only, and are reported there.
_CODES = ("file-lfs-pointer", "file-web-page")


def check_textures(shapes: list[LinkShapes], files: Files, findings: Findings) -> None:
    """Report each image of a material that is not one, at its first place."""
    seen: set[str] = set()
    for one in shapes:
        for drawn in one.drawn:
            own = drawn.shape.material
            for material in (own, *(surface.material for surface in drawn.surfaces)):
                texture = None if material is None else material.texture
                if texture is None or not texture.path or texture.path in seen:
                    continue
                seen.add(texture.path)
                try:
                    files.read(texture.path, at=drawn.shape.at if own is None else own.at)
                except FileError as error:
                    if error.finding.code in _CODES:
                        # an image changes neither motion nor contact
                        findings.append(replace(error.finding, severity="warning"))

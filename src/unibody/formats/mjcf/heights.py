"""Reads height fields as elevation grids, also from images in PNG."""

from __future__ import annotations

import numpy as np

from unibody.files.access import FileError
from unibody.formats.format import Context
from unibody.formats.heights import UPRIGHT, read_gray
from unibody.formats.mjcf import document_assets as d
from unibody.formats.mjcf.asset_elements import asset_path
from unibody.formats.mjcf.tree import Scope
from unibody.model.arrays import Floats
from unibody.model.pose import Pose
from unibody.model.shape import ElevationGrid, floats


def height_field(doc: d.HeightField, scope: Scope, context: Context) -> tuple[ElevationGrid, Pose] | None:
    """The grid of a height field and its pose in its geom; None after a finding.

    The rows of the text begin at +Y; heights are scaled to the range from 0 to the height of the field.
    """
    rows = _rows(doc, scope, context)
    if rows is None or doc.size is None:
        return None
    low, high = float(rows.min()), float(rows.max())
    heights = (rows - low) / (high - low) if high > low else np.zeros_like(rows)
    x, y, top, _ = doc.size
    count, length = rows.shape
    grid = ElevationGrid(
        x_dimension=length,
        z_dimension=count,
        x_spacing=2.0 * x / (length - 1),
        z_spacing=2.0 * y / (count - 1),
        heights=floats(heights * top),
    )
    return grid, Pose((-x, y, 0.0)) @ UPRIGHT


def _rows(doc: d.HeightField, scope: Scope, context: Context) -> Floats | None:
    """The heights, from the row at +Y on; None after a finding."""
    what = f"height field '{doc.name or ''}'"
    if doc.file:
        return _of_file(doc, what, scope, context)
    count, length = doc.nrow or 0, doc.ncol or 0
    if count < 2 or length < 2:
        context.findings.error("asset-rejected", f"{what} needs at least 2 rows and 2 columns", doc.at())
        return None
    if doc.elevation is None:
        return np.zeros((count, length))
    if len(doc.elevation) != count * length:
        context.findings.error(
            "asset-rejected",
            f"{what} needs {count} × {length} heights, not {len(doc.elevation)}",
            doc.at("elevation"),
        )
        return None
    return np.array(doc.elevation).reshape(count, length)


def _of_file(doc: d.HeightField, what: str, scope: Scope, context: Context) -> Floats | None:
    """The heights of a file: a PNG image, or MuJoCo's binary format."""
    path = asset_path(doc.file, scope.settings.meshdir, scope, context, doc.at("file"), context.findings)
    if not path:
        return None
    try:
        data = context.files.read(path, doc.at("file"))
    except FileError as missing:
        context.findings.append(missing.finding)
        return None
    if path.lower().endswith(".png"):
        pixels = read_gray(data, context.files.meter, doc.at("file"))
        if pixels is None or min(pixels.shape) < 2:
            context.findings.error("asset-rejected", f"{path} is not a readable PNG image", doc.at("file"))
            return None
        return pixels
    size = np.frombuffer(data[:8], "<i4") if len(data) >= 8 else np.zeros(2, "<i4")
    count, length = size.tolist()
    if count < 2 or length < 2 or len(data) != 8 + 4 * count * length:
        context.findings.error("asset-rejected", f"{path} is not a height field file", doc.at("file"))
        return None
    # the rows of a file begin at −Y
    return np.frombuffer(data, "<f4", count * length, 8).reshape(count, length)[::-1].astype(np.float64)

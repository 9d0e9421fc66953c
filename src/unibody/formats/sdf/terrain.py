"""Reads height maps as elevation grids."""

from __future__ import annotations

from unibody.files.access import FileError
from unibody.formats.format import Context
from unibody.formats.heights import UPRIGHT, read_gray
from unibody.formats.sdf import document_shapes as d
from unibody.formats.sdf.kept import kept, wrapped
from unibody.formats.sdf.places import located
from unibody.model import shape as s
from unibody.model.pose import Pose
from unibody.text.node import Item


def terrain(
    doc: d.Heightmap, what: str, context: Context
) -> tuple[tuple[s.Geometry, Pose] | None, list[Item]]:
    """The grid of a height map and its pose, and what is kept of it; None after a finding.

    Black is the lowest height, 0, and white the highest, the third size.
    """
    left = wrapped("heightmap", kept(doc, "textures", "blends", "use_terrain_paging", "sampling", "uri"))
    node = doc.node
    base = node.source.name if node is not None and node.source is not None else context.path
    at = doc.at("uri")
    path = None
    if doc.uri:
        path = located(doc.uri, base, context.files)
        path = path or context.files.resolve(doc.uri, base, at, context.findings)
    if path is None:
        return None, left
    try:
        pixels = read_gray(context.files.read(path, at), context.files.meter, at)
    except FileError as missing:
        context.findings.append(missing.finding)
        return None, left
    if pixels is None or min(pixels.shape) < 2:
        context.findings.warning(
            "heightmap-image",
            f"{what}: the height map '{doc.uri}' is not a readable PNG image; it is kept, but is no shape",
            at,
            "convert it to PNG",
        )
        return None, left
    count, length = pixels.shape
    x, y, top = doc.size
    px, py, pz = doc.pos
    grid = s.ElevationGrid(
        x_dimension=length,
        z_dimension=count,
        x_spacing=x / (length - 1),
        z_spacing=y / (count - 1),
        heights=s.floats(pixels / 255.0 * top),
    )
    return (grid, Pose((px - x / 2.0, py + y / 2.0, pz)) @ UPRIGHT), left

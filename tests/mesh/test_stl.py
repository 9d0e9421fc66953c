"""STL files: binary or text whatever they begin with, and what is no STL file."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from tests.mesh.build import codes, one, read, stl, stl_text, tetrahedron, triangles

from unibody.meshes import signed_volume


@pytest.mark.parametrize("header", [b"", b"solid part", b"solid part\nfacet normal 0 0 1\n", b"\xff\x00"])
def test_binary_is_told_by_its_size_not_by_its_first_word(header: bytes) -> None:
    surface = one(stl(tetrahedron(), header), ".stl")
    assert triangles(surface) == tetrahedron()
    assert signed_volume(surface) == pytest.approx(1.0)
    assert surface.vertices.dtype == np.float64
    assert surface.faces.dtype == np.int32


def test_arrays_are_read_only() -> None:
    surface = one(stl(tetrahedron()), ".stl")
    with pytest.raises(ValueError, match="read-only"):
        surface.vertices[0, 0] = 1.0


@pytest.mark.parametrize("header", [b"", b"solid part"])
def test_trailing_bytes_are_passed_over_with_an_info(header: bytes) -> None:
    surfaces, cache = read(stl(tetrahedron(), header, b"made by somebody\0\0"), ".stl")
    assert triangles(surfaces[0]) == tetrahedron()
    assert [(f.code, f.severity) for f in cache.findings] == [("trailing-bytes", "info")]
    assert "18 bytes" in cache.findings[0].message


@pytest.mark.parametrize("count", [5, 1000, 2**32 - 1])
def test_a_count_beyond_the_file_is_an_error_and_nothing_is_allocated(count: int) -> None:
    surfaces, cache = read(stl(tetrahedron(), count=count), ".stl")
    assert surfaces == []
    finding = cache.findings[0]
    assert (finding.code, finding.severity) == ("triangle-count", "error")
    assert f"triangle count is {count}" in finding.message
    assert "m/part.stl" in finding.message
    assert "holds only 4 triangles" in finding.message


def test_text() -> None:
    surface = one(stl_text(), ".stl")
    assert triangles(surface) == tetrahedron()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n", "\r\n"),
        ("\n", "\n\n   \t"),
        ("facet normal 0 0 1", "FACET NORMAL -nan(ind) 0 1"),
        ("facet normal 0 0 1", "facet   normal 0 0 1"),
        ("vertex", "Vertex"),
        ("part", "solid vertex 1 2 3 facet normal"),
        ("part", "アーム 1軸"),
        ("solid part", "solid"),
        ("endsolid part\n", ""),
    ],
)
def test_text_as_programs_write_it(old: str, new: str) -> None:
    assert triangles(one(stl_text().replace(old, new), ".stl")) == tetrahedron()


def test_all_solids_of_a_text_are_read() -> None:
    # Choreonoid stops at the first one's end
    assert triangles(one(stl_text() + stl_text("second"), ".stl")) == tetrahedron() * 2


def test_text_on_one_line() -> None:
    assert triangles(one(stl_text().replace("\n", " "), ".stl")) == tetrahedron()


def test_triangles_without_finite_corners_are_left_out() -> None:
    corners = np.array(tetrahedron())
    corners[1, 2, 0] = np.nan
    corners[3, 0, 1] = np.inf
    surfaces, cache = read(stl(corners.tolist()), ".stl")
    assert triangles(surfaces[0]) == [tetrahedron()[0], tetrahedron()[2]]
    assert codes(cache) == ["mesh-not-finite"]
    assert "2 triangles" in cache.findings[0].message


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "mesh-broken"),
        (b"solid", "mesh-broken"),
        (b"<mesh>no mesh here</mesh>", "mesh-broken"),
        (stl([]), "mesh-empty"),
        (b"solid a\nendsolid a\n", "mesh-empty"),
        (stl_text().replace("vertex 0.0", "vertex zero").encode(), "mesh-broken"),
        (b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop", "mesh-broken"),
        (b" " * 80 + struct.pack("<I", 1) + b"\0" * 49, "triangle-count"),
    ],
)
def test_what_gives_no_triangles(data: bytes, code: str) -> None:
    surfaces, cache = read(data, ".stl")
    assert surfaces == []
    assert codes(cache) == [code]
    assert "m/part.stl" in cache.findings[0].message

"""Damaged and hostile mesh files: findings, never an exception, in bounded time and memory."""

from __future__ import annotations

import random
import re
import time

import numpy as np
import pytest
from tests.mesh.build import FACES, dae, embedded, glb, gltf, obj, read, stl, stl_text, tetrahedron
from tests.mesh.test_gltf import INDICES, PLAIN, POSITIONS
from tests.mesh.test_ply import binary, text

from unibody.meshes import area, bounds

WORDS = b"-1 99999999999 nan inf 1e999 4294967295 true null #id &amp; / // < > { } [ ] - . e % \xff".split()
WORDS += [b"\n", b" ", b'"', b"\0", b"\\"]
NUMBER = re.compile(rb"-?[0-9][0-9.e+-]*")
SEEDS = {
    "stl": (".stl", stl(tetrahedron(), b"solid x")),
    "stl text": (".stl", stl_text().encode()),
    "obj": (".obj", ("mtllib a.mtl\nvn 0 0 1\nvt 0 0\n" + obj() + "f 1/1/1 2/1/1 -3/1/1 4/1/1\n").encode()),
    "ply": (".ply", text([*FACES, (0, 1, 2, 3)])),
    "ply binary": (".ply", binary([*FACES, (0, 1, 2, 3)])),
    "glb": (".glb", glb(*gltf([POSITIONS, INDICES], PLAIN))),
    "gltf": (".gltf", embedded(*gltf([POSITIONS, INDICES], PLAIN)).encode()),
    "dae": (".dae", dae(node="<rotate>0 0 1 90</rotate><instance_geometry url='#g'/>").encode()),
    "scen": (
        ".scen",
        b"scene: [{type: Shape, geometry: {type: Box, size: [1, 2, 3]}, translation: [1, 2, 3]}]",
    ),
}


def damaged(data: bytes, rng: random.Random) -> bytes:
    """The file with a few things cut, changed, put in or doubled."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        at, kind = rng.randrange(len(out) + 1), rng.random()
        if kind < 0.2:
            del out[at : at + rng.randrange(1, 20)]
        elif kind < 0.3:
            del out[at:]
        elif kind < 0.5:
            out[at : at + 1] = bytes([rng.randrange(256)])
        elif kind < 0.75 and (found := NUMBER.search(out, at)):
            out[found.start() : found.end()] = rng.choice(WORDS)
        elif kind < 0.9:
            out[at:at] = rng.choice(WORDS)
        else:
            start = rng.randrange(len(out) + 1)
            out[at:at] = out[start : start + rng.randrange(200)]
    return bytes(out)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", SEEDS)
def test_damaged_files_never_raise(name: str, seed: int) -> None:
    suffix, data = SEEDS[name]
    rng = random.Random(f"{name} {seed}")
    for _ in range(60):
        started = time.process_time()
        surfaces, cache = read(damaged(data, rng), suffix)
        assert surfaces or cache.findings
        for s in surfaces:
            assert np.isfinite(s.vertices).all()
            assert s.faces.min() >= 0
            assert s.faces.max() < len(s.vertices)
            assert np.isfinite(area(s))
            assert bounds([s])
            for table, width in ((s.normals, 3), (s.tex_coords, 2), (s.colors, 4)):
                assert table is None or table.shape == (len(s.vertices), width)
        assert time.process_time() - started < 20.0


@pytest.mark.parametrize("name", SEEDS)
def test_every_beginning_of_a_file(name: str) -> None:
    suffix, data = SEEDS[name]
    for end in range(0, len(data), max(1, len(data) // 80)):
        surfaces, cache = read(data[:end], suffix)
        assert surfaces or cache.findings


@pytest.mark.parametrize(
    ("data", "suffix"),
    [
        (b"f" + b" 1" * 200_000, ".obj"),
        (b"v 0 0 0\n" * 5 + b"f 1 2 3\n" * 200_000, ".obj"),
        (b"o a\n" * 200_000, ".obj"),
        (b"v 0 0 0\n" + b"/" * 500_000 + b"\nf " + b"/" * 500_000, ".obj"),
        (b"\\\n" * 300_000, ".obj"),
        (b"solid " * 100_000, ".stl"),
        (b"solid a\n" + b"endsolid\n" * 100_000, ".stl"),
        (b"solid a\nfacet normal 0 0 1\n" + b"vertex " * 100_000, ".stl"),
        (b"<COLLADA>" + b"<a>" * 900 + b"</a>" * 900 + b"</COLLADA>", ".dae"),
        (b"<COLLADA>" + b"<node id='a'/>" * 50_000 + b"</COLLADA>", ".dae"),
        (b'{"asset": {}, "nodes": [' + b"{}, " * 100_000 + b"{}]}", ".gltf"),
        (b"ply\nformat ascii 1.0\n" + b"element face 0\n" * 4000 + b"end_header\n", ".ply"),
        (b"scene: [" + b"{type: Shape, geometry: {type: Box}}," * 2000 + b"]", ".scen"),
        (b"scene: " + b"[" * 5000, ".scen"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[:12].decode("latin-1"),
)
def test_long_files_take_no_longer_than_they_should(data: bytes, suffix: str) -> None:
    started = time.process_time()
    read(data, suffix)
    assert time.process_time() - started < 20.0

"""No pair comes nearer than its bound says, whatever the joints between."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.mechanism.robots import heavy, state

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

from unibody.collision.bounds import Bounds
from unibody.collision.geometry import Part
from unibody.collision.motion import Space, way
from unibody.mechanism.bodies import lump_bodies


@given(st.integers(0, 10_000), st.sampled_from(["joints", "screw"]))
def test_no_pair_approaches_faster_than_its_bound(seed: int, space: Space) -> None:
    m = heavy(seed)
    rng = np.random.default_rng(seed)
    bodies = lump_bodies(m.tree)
    clouds = rng.normal(size=(len(bodies.heads), 4, 3))
    none = np.empty((0, 3))
    parts = [Part("mesh", np.eye(4), (), none, none.astype(np.int32), cloud, 0.0) for cloud in clouds]
    first, second = np.triu_indices(len(parts), 1)
    bounds = Bounds(m.tree, parts, range(len(parts)), (first.tolist(), second.tolist()))
    start, v, _ = state(m, seed)
    motion = way(m, start, np.asarray(m.integrate(start, 0.5 * v)), space)
    bounds.cover(*motion.range())
    speed = bounds.matrix @ bounds.rates(motion.velocity)
    poses = np.asarray(m.forward_kinematics(motion.at(np.arange(101) / 100.0)))[:, list(bodies.heads)]
    points = np.einsum("tbij,bkj->tbki", poses[..., :3, :3], clouds) + poses[..., None, :3, 3]
    gaps = points[:, first][:, :, :, None] - points[:, second][:, :, None]
    least = np.linalg.norm(gaps, axis=4).min(axis=(2, 3))
    assert (np.abs(np.diff(least, axis=0)) <= speed / 100.0 * (1.0 + 1e-9) + 1e-9).all()

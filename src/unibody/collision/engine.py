"""Batches of configurations through coal, by Pinocchio's broad phase."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from unibody.collision.geometry import CollisionError, Part, engines
from unibody.mechanism.mechanism import Mechanism
from unibody.mechanism.pinocchio import TooManyDegrees, to_pinocchio
from unibody.mechanism.tree import quaternion_entries
from unibody.model.arrays import Flags, Floats, Indices

#: Tolerance of the distances that margins are compared with: coal's default errs by up to 4e-5 m on
#: cylinders, this by less than ``geometry.doubt``.
_TOLERANCE = 1e-9
_ITERATIONS = 1000
#: Parts that are no farther apart than this (m) touch. Where solids overlap, GJK may end at a distance of
#: less than its tolerance, which coal compares with 1e-12 m: aligned boxes went through one another unseen.
_TOUCH = 2.0 * _TOLERANCE
#: The least quaternion whose length does not underflow.
_LEAST = 1e-150
#: Configurations of one call, at first and at most: nothing else runs during a call, so it is to take less
#: than ``_LONG`` s.
_BEGIN, _LOT, _LONG = 250, 2_000, 0.05
#: Contacts of a pair that ``hits`` returns, at most.
_CONTACTS = 16
#: How far (m), and where to, a part is moved to find contacts with points: in the plane of few shapes.
_STEPS = (0.0, 1e-9, 1e-8, 1e-7, 1e-6)
_ASIDE = np.array([0.48, 0.6, 0.64])


class Engine:
    """Collision tests of pairs of parts: in whole batches, with or without margins, or one by one.

    ``frames`` is the index of the link that carries each part, None for what is fixed in the world.
    q is the mechanism's; quaternions are normalized here. ``between`` is called between the parts of a
    batch, and may raise to end it.
    """

    between: Callable[[], None] | None = None

    def __init__(
        self,
        mechanism: Mechanism,
        parts: Sequence[Part],
        frames: Sequence[int | None],
        pairs: tuple[Sequence[int], Sequence[int]],
    ) -> None:
        self._coal, self._pin = engines()
        try:
            made = to_pinocchio(mechanism, inertias=False)
        except TooManyDegrees as error:
            raise CollisionError(str(error)) from None
        self._model, self._data, self.order = made.model, made.data, made.q_order
        self._quaternions = quaternion_entries(mechanism.tree)
        self._geometry = self._pin.GeometryModel()
        known: dict[int, Any] = {}
        for number, (part, link) in enumerate(zip(parts, frames, strict=True)):
            key = id(part.vertices) if len(part.vertices) else -1 - number
            shape = known.get(key)
            if shape is None:
                shape = known[key] = part.collision_geometry(self._coal)
            joint, place = self._place(mechanism, link)
            placed = place * self._pin.SE3(part.pose)
            self._geometry.addGeometryObject(self._pin.GeometryObject(str(number), joint, placed, shape))
        for a, b in zip(*pairs, strict=True):
            self._geometry.addCollisionPair(self._pin.CollisionPair(a, b))
        pool = self._pin.BroadPhaseManagerPool_DynamicAABBTreeCollisionManager
        self._plain, self._wide = (pool(self._model, self._geometry, 1) for _ in range(2))
        # the requests of a pool are kept: asking for their list again copies nothing, but takes long
        self._tested = self._plain.getGeometryData(0), self._wide.getGeometryData(0)
        self._plain_requests, self._wide_requests = (list(data.collisionRequests) for data in self._tested)
        self._lot = _BEGIN
        self._single = self._pin.GeometryData(self._geometry)
        self._single_requests, self._all_active = list(self._single.collisionRequests), True
        for requests in (self._plain_requests, self._wide_requests, self._single_requests):
            _set(requests)
        for request in self._plain_requests:
            request.security_margin = _TOUCH
        for request in self._single_requests:
            request.num_max_contacts = _CONTACTS
        _set(self._single.distanceRequests)

    def _place(self, mechanism: Mechanism, link: int | None) -> tuple[int, Any]:
        if link is None:
            return 0, self._pin.SE3.Identity()
        frame = self._model.frames[
            self._model.getFrameId(mechanism.link_names[link], self._pin.FrameType.BODY)
        ]
        return frame.parentJoint, frame.placement

    def rows(self, q: Floats) -> Floats:
        """Configurations (B, nq) in Pinocchio's order, quaternions of length 1."""
        if len(self._quaternions):
            q = q.copy()
            four = q[:, self._quaternions]
            q[:, self._quaternions] = four / np.linalg.norm(four, axis=2)[:, :, None]
        return q[:, self.order]

    def has_turns(self, q: Floats) -> bool:
        """Whether all quaternions in configurations (..., nq) are rotations: of a length above 0."""
        return bool((np.abs(q[..., self._quaternions]).max(axis=-1, initial=0.0) > _LEAST).all())

    def colliding(self, rows: Floats, stop: bool = False) -> Flags:
        """Whether anything touches, (B,); with ``stop`` only up to the first configuration that does."""
        return self._batch(self._plain, rows, stop)

    def near(self, rows: Floats, margins: Floats) -> Flags:
        """Whether a pair is nearer than its margin, (B,)."""
        _set_margins(self._wide_requests, margins)
        return self._batch(self._wide, rows, False)

    def tester(self, pairs: Indices) -> Tester:
        """The test of some of the pairs alone."""
        return Tester(self._pin, self._model, self._geometry, pairs)

    def _batch(self, pool: Any, rows: Floats, stop: bool) -> Flags:
        out = np.zeros(len(rows), bool)
        at = 0 if self._plain_requests else len(rows)
        while at < len(rows):
            if self.between is not None:
                self.between()
            lot = slice(at, at + self._lot)
            begin = time.perf_counter()
            out[lot] = self._pin.computeCollisionsInParallel(1, pool, rows[lot].T, True, stop)
            if stop and out[lot].any():
                break
            at += self._lot
            if time.perf_counter() - begin > _LONG:
                self._lot = max(1, self._lot // 2)
            elif at <= len(rows):
                self._lot = min(_LOT, 2 * self._lot)
        return out

    def touching(self, row: Floats, margin: float = 0.0) -> Indices:
        """The pairs that are no farther apart than a margin in one configuration."""
        for request in self._single_requests:
            request.security_margin = max(margin, _TOUCH)
        self._activate(None)
        self._pin.computeCollisions(self._model, self._data, self._geometry, self._single, row, False)
        found = [k for k, result in enumerate(self._single.collisionResults) if result.isCollision()]
        return np.array(found, np.intp)

    def contacts(self, pair: int) -> list[tuple[Floats, Floats, float]]:
        """Points, normals and depths of a pair, after ``touching``."""
        found = self._single.collisionResults[pair].getContacts()
        if not all(map(_is_finite, found)):
            found = self._finite_contacts(pair)
        return [(np.array(c.pos), np.array(c.normal), -float(c.penetration_depth)) for c in found]

    def _finite_contacts(self, pair: int) -> list[Any]:
        """The contacts of a pair of which the test gave some without a point.

        The test has none of what GJK finds deep, and none where EPA has no volume: where the axis of a
        capsule is in the plane of a triangle. The second part is then moved until there are points.
        """
        couple = self._geometry.collisionPairs[pair]
        (first, at_first), (second, at_second) = (
            (
                self._geometry.geometryObjects[k].geometry,
                self._coal.Transform3s(at.rotation, at.translation),
            )
            for k in (couple.first, couple.second)
            for at in [self._single.oMg[k]]
        )
        place = np.array(at_second.getTranslation())
        request = self._coal.CollisionRequest()
        request.num_max_contacts = _CONTACTS
        most: list[Any] = []
        for step in _STEPS:
            at_second.setTranslation(place + step * _ASIDE)
            result = self._coal.CollisionResult()
            self._coal.collide(first, at_first, second, at_second, request, result)
            contacts = result.getContacts()
            finite = [contact for contact in contacts if _is_finite(contact)]
            if len(finite) > len(most):
                most = finite
            if finite and len(finite) == len(contacts):
                break
        return most

    def distances(self, row: Floats, pairs: Indices) -> tuple[Floats, Floats, Floats]:
        """Distances (k,) of pairs as coal computes them, and nearest points (k, 3) on both parts."""
        self._activate(pairs)
        self._pin.computeDistances(self._model, self._data, self._geometry, self._single, row)
        results = self._single.distanceResults
        found = [results[int(pair)] for pair in pairs]
        distances = np.array([result.min_distance for result in found])
        first = np.array([result.getNearestPoint1() for result in found]).reshape(-1, 3)
        second = np.array([result.getNearestPoint2() for result in found]).reshape(-1, 3)
        return distances, first, second

    def poses(self, row: Floats) -> Floats:
        """Poses of all parts in the world, (parts, 4, 4)."""
        self._pin.updateGeometryPlacements(self._model, self._data, self._geometry, self._single, row)
        return np.array([place.homogeneous for place in self._single.oMg]).reshape(-1, 4, 4)

    def _activate(self, pairs: Indices | None) -> None:
        """Choose the pairs that the next single test is about; None for all."""
        if pairs is None and self._all_active:
            return
        self._all_active = pairs is None
        self._single.deactivateAllCollisionPairs()
        for pair in range(len(self._single_requests)) if pairs is None else pairs.tolist():
            self._single.activateCollisionPair(pair)


class Tester:
    """Batches of tests of a few pairs of a geometry model, without its other parts."""

    def __init__(self, pin: Any, model: Any, geometry: Any, pairs: Indices) -> None:
        self._pin = pin
        self._geometry = pin.GeometryModel()
        couples = [geometry.collisionPairs[int(pair)] for pair in pairs]
        places: dict[int, int] = {}
        for number in (one for couple in couples for one in (couple.first, couple.second)):
            if number not in places:
                places[number] = self._geometry.addGeometryObject(geometry.geometryObjects[number])
        for couple in couples:
            self._geometry.addCollisionPair(pin.CollisionPair(places[couple.first], places[couple.second]))
        pool = pin.BroadPhaseManagerPool_DynamicAABBTreeCollisionManager
        self._pool = pool(model, self._geometry, 1)
        self._data = self._pool.getGeometryData(0)
        self._requests = list(self._data.collisionRequests)
        _set(self._requests)

    def near(self, rows: Floats, margins: Floats) -> Flags:
        """Whether one of the pairs is no farther apart than its margin, (B,), in rows of the engine."""
        _set_margins(self._requests, margins)
        lots = [rows[at : at + _LOT] for at in range(0, len(rows), _LOT)]
        found = [self._pin.computeCollisionsInParallel(1, self._pool, lot.T, True, False) for lot in lots]
        return np.concatenate(found).astype(bool) if found else np.zeros(0, bool)


def _is_finite(contact: Any) -> bool:
    return bool(np.isfinite(contact.pos).all() and np.isfinite(contact.normal).all())


def _set(requests: Iterable[Any]) -> None:
    """Set what all requests to coal have in common.

    No test begins where the one before ended, which is Pinocchio's default: depths and distances would
    depend on what was tested before.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        for request in requests:
            request.gjk_tolerance, request.gjk_max_iterations = _TOLERANCE, _ITERATIONS
            request.enable_cached_gjk_guess = False


def _set_margins(requests: Sequence[Any], margins: Floats) -> None:
    """Let pairs count as touching that are no farther apart than their margins."""
    for request, margin in zip(requests, np.maximum(margins, _TOUCH).tolist(), strict=True):
        request.security_margin = margin

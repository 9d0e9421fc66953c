"""Reads which pairs of links collide: filtered pairs, groups of colliders, and the choice of the robot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from unibody.formats.usd.assemble import Assembly, Body
from unibody.formats.usd.document_bodies import PhysicsCollisionGroup
from unibody.formats.usd.places import Place
from unibody.model.robot import SelfCollision

_COLLIDERS = "colliders"
Pair = frozenset[str]


@dataclass(slots=True, eq=False)
class Filters:
    """The colliders of links, and the pairs of paths that do not collide."""

    places: Mapping[str, Place]
    colliders: Mapping[int, Sequence[Place]]
    off: set[Pair] = field(default_factory=set)

    def read(self) -> None:
        """Find the pairs of colliders that are filtered."""
        for place in self.places.values():
            if place.prim.filtered is not None:
                for target in place.prim.filtered.filtered_pairs:
                    other = self.places.get(target)
                    if other is not None:
                        self._add(self._inside(place), self._inside(other))
        groups = {
            path: place.prim
            for path, place in self.places.items()
            if isinstance(place.prim, PhysicsCollisionGroup)
        }
        members = {path: self._members(group) for path, group in groups.items()}
        merged: dict[str, list[str]] = {}
        for path, group in groups.items():
            merged.setdefault(group.merge_group or path, []).append(path)
        whole = {
            path: {c for p in paths for c in members[p]} for paths in merged.values() for path in paths
        }
        for path, group in groups.items():
            targets = [target for target in group.filtered_groups if target in groups]
            if group.invert_filtered_groups:
                targets = [other for other in groups if other not in targets]
            for target in targets:
                self._add(whole[path], whole[target])

    def _members(self, group: PhysicsCollisionGroup) -> set[str]:
        out: set[str] = set()
        for collection in group.collections:
            if collection.instance != _COLLIDERS:
                continue
            for target in collection.includes:
                if target in self.places:
                    out.update(self._inside(self.places[target]))
            for target in collection.excludes:
                if target in self.places:
                    out.difference_update(self._inside(self.places[target]))
        return out

    @staticmethod
    def _inside(place: Place) -> set[str]:
        """The colliders of a body, or those at or below another prim, of all bodies there."""
        own = place.prim.rigid_body is not None
        return {
            inner.path
            for inner in place.all()
            if inner.prim.collision is not None and (not own or inner.body is place)
        }

    def _add(self, a: Iterable[str], b: Iterable[str]) -> None:
        self.off.update(frozenset((x, y)) for x in a for y in b)

    def rules(self, assembly: Assembly) -> SelfCollision:
        """The rules of a robot: a pair is off if all pairs of colliders of its links are."""
        enabled = tuple(
            (edge.parent.name, edge.child.name)
            for edge in assembly.edges
            if edge.parent is not None and edge.records[0].doc.collision_enabled
        )
        if not self._self_collides(assembly):
            return SelfCollision(default="none", enabled=enabled)
        disabled = []
        bodies = assembly.bodies
        for k, a in enumerate(bodies if self.off else ()):
            for b in bodies[k + 1 :]:
                mine, others = self.colliders.get(id(a.place), ()), self.colliders.get(id(b.place), ())
                pairs = [frozenset((x.path, y.path)) for x in mine for y in others]
                if pairs and all(pair in self.off for pair in pairs):
                    disabled.append((a.name, b.name))
        return SelfCollision(enabled=enabled, disabled=tuple(disabled))

    @staticmethod
    def _self_collides(assembly: Assembly) -> bool:
        """Whether links of the robot collide, by its articulation root."""
        for place in _roots(assembly.bodies):
            newton, physx = place.prim.newton_articulation_root, place.prim.physx_articulation
            if newton is not None and "self_collision_enabled" in newton.given:
                return newton.self_collision_enabled
            if physx is not None and "enabled_self_collisions" in physx.given:
                return physx.enabled_self_collisions
        return True


def _roots(bodies: Sequence[Body]) -> Iterable[Place]:
    """The links, and the prims above them."""
    seen: set[int] = set()
    for body in bodies:
        inner: Place | None = body.place
        while inner is not None and id(inner) not in seen:
            seen.add(id(inner))
            yield inner
            inner = inner.above

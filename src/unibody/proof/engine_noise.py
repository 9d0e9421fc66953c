"""What an engine loses of inertias whatever the file: its numbers of the robot's own file tell how much."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from unibody.proof.comparison import Comparison
from unibody.proof.inertials import Body
from unibody.proof.process import Answer
from unibody.proof.reference import Reference

_BODY = ("mass", "com", "inertia")
# Larger deviations are none of rounding, and an engine may round as much more in another file.
_LARGEST, _MORE = 1e-6, 2.0


def noise_of(own: Comparison) -> dict[str, float]:
    """The largest deviation of masses, centers and inertias that is rounding, in a robot's own file.

    Deviations of more than 1e-6 are none.
    """
    return {
        name: max((x for x in own.by_owner.get(name, {}).values() if x <= _LARGEST), default=0.0)
        for name in _BODY
    }


def rounded_bodies(reference: Reference, found: Comparison, noise: dict[str, float]) -> list[str]:
    """The bodies of one link whose deviations are those of rounding, and too large otherwise."""
    links: dict[str, list[str]] = {}
    for link, (body, _) in reference.bodies.items():
        links.setdefault(body, []).append(link)
    out = []
    for body, names in links.items():
        away = {name: found.by_owner.get(name, {}).get(body, 0.0) for name in _BODY}
        limits = {name: found.deviations[name].tolerance for name in _BODY if name in found.deviations}
        is_beyond = any(away[name] > limit for name, limit in limits.items())
        is_rounding = all(away[name] <= max(_MORE * noise[name], limits.get(name, 0.0)) for name in _BODY)
        if len(names) == 1 and is_beyond and is_rounding:
            out.append(body)
    return out


def with_rounded(reference: Reference, answer: Answer, bodies: Collection[str]) -> Reference:
    """The reference with the inertias that an engine has of these bodies."""
    rows = {name: k for k, name in enumerate(answer.facts["bodies"])}
    made = {}
    for link, (body, offset) in reference.bodies.items():
        if body in bodies and body in rows:
            mass, com, inertia = (answer.arrays[name][rows[body]] for name in _BODY)
            made[link] = Body(float(mass), com, inertia).placed(offset.inverse())
    links = tuple(
        # the axes tell where the file has a mass from
        replace(x, inertial=replace(own, axes=x.inertial.axes))
        if x.name in made and x.inertial is not None and (own := made[x.name].inertial()) is not None
        else x
        for x in reference.robot.links
    )
    return replace(reference, robot=replace(reference.robot, links=links))

"""Rows that the tables of several formats share: what no format but the neutral model can say."""

from __future__ import annotations

from unibody.formats.conditions import gone, kind, made, value
from unibody.formats.format import Cannot
from unibody.model.robot import Joint, Link

_WHAT = "joints of several motions"
_ZERO, _NO_TURN = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)

SCREWS = Cannot(
    "screw joints", "joints/*/kind", "they become turns: the slide along is lost", value("screw")
)

SIDES = Cannot(
    "numbers of sides",
    "links/*/*s/*/divisions",
    "how finely shapes are drawn is not said",
    gone,
    quantity="bounds",
)


def chains(*kinds: str, between: str = "massless links") -> tuple[Cannot, ...]:
    """The rows of joints of these kinds, which become chains of single ones."""
    why = f"a joint of several motions becomes a chain of single ones with {between} between"
    of = kind(*kinds)
    return (
        *(Cannot(f"{name} joints", "joints/*/kind", why, value(name)) for name in kinds),
        Cannot(_WHAT, "joints/*/parent", why, None, of),
        Cannot(_WHAT, "joints/*/origin/*", why, made(_ZERO, _NO_TURN), of),
        Cannot(_WHAT, "joints/*/axis", why, None, of),
        Cannot(_WHAT, "links/*", why, lambda before, after: before is None and isinstance(after, Link)),
        Cannot(_WHAT, "joints/*", why, lambda before, after: before is None and isinstance(after, Joint)),
    )


def springs(why: str) -> tuple[Cannot, ...]:
    """The rows of springs, where joints have none."""
    return (
        Cannot("springs", "joints/*/dynamics/stiffness", why, made(0.0)),
        Cannot("springs", "joints/*/dynamics/rest", why, made(0.0)),
    )


def passive_forces(why: str) -> tuple[Cannot, ...]:
    """The rows of damping, friction and springs, where joints have none of them."""
    return (
        Cannot("damping", "joints/*/dynamics/damping", why, made(0.0)),
        Cannot("friction", "joints/*/dynamics/friction", why, made(0.0)),
        *springs(why),
    )

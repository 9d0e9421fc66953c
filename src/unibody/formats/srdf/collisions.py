"""Reads the pairs of links that an SRDF file excludes from collision tests."""

from __future__ import annotations

from collections.abc import Sequence

from unibody.formats.srdf import document as d
from unibody.formats.srdf.names import Names, described
from unibody.model.robot import SelfCollision

#: Elements about pairs of links.
Pair = d.DisableCollisions | d.EnableCollisions
PAIRS = (d.DisableCollisions, d.EnableCollisions, d.DisableDefaultCollisions)


def read_pairs(docs: Sequence[Pair | d.DisableDefaultCollisions], names: Names) -> SelfCollision:
    """The pairs that are not tested; MoveIt tests all others, those joined by a joint, too.

    If the default of all links with shapes is disabled, that is the default of the model.
    """
    enabled: dict[frozenset[str], tuple[str, str]] = {}
    disabled: dict[frozenset[str], tuple[str, str]] = {}
    off: list[str] = []
    reasons: dict[frozenset[str], str | None] = {}
    for x in docs:
        if isinstance(x, d.DisableDefaultCollisions):
            if names.link(described(x), x, "link") and x.link:
                off.append(x.link)
            continue
        if not names.link(described(x), x, "link1", "link2") or x.link1 is None or x.link2 is None:
            continue
        pair = frozenset((x.link1, x.link2))
        if isinstance(x, d.EnableCollisions):
            enabled.setdefault(pair, (x.link1, x.link2))
            continue
        _check(x, reasons.get(pair, x.reason), names)
        reasons.setdefault(pair, x.reason)
        if len(pair) == 2:
            disabled.setdefault(pair, (x.link1, x.link2))
    # a link without shapes, such as a frame that became one, has no pairs
    solid = {link.name for link in names.robot.links if link.collisions}
    if off and (solid or names.links).issubset(off):
        tested = tuple(pair for key, pair in enabled.items() if len(key) == 2)
        return SelfCollision(default="none", enabled=tested, disabled=tuple(disabled.values()))
    for link in off:
        for other in (other.name for other in names.robot.links if other.name != link):
            pair = frozenset((link, other))
            if pair not in enabled:
                disabled.setdefault(pair, (link, other))
    return SelfCollision(default="all", disabled=tuple(disabled.values()))


def _check(x: Pair, reason: str | None, names: Names) -> None:
    findings = names.context.findings
    if x.link1 == x.link2:
        findings.warning(
            "collision-pair",
            f"link '{x.link1}' is paired with itself; ignored",
            x.at(),
            "correct one of the names, or remove the element",
        )
    elif reason != x.reason:
        findings.warning(
            "collision-pair",
            f"the pair '{x.link1}', '{x.link2}' is listed twice, with the reasons '{reason}' and "
            f"'{x.reason}'",
            x.at(),
            "remove one of the elements",
        )

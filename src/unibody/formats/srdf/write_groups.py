"""Writes groups as SRDF has them: none inside another, and only names that SRDF can hold."""

from __future__ import annotations

from unibody.formats.srdf import document as d
from unibody.model.changes.joints import free_name
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Group, Robot
from unibody.text.xml.printer import is_text

# The group of the postures of the whole robot.
_WHOLE = "all"


class Saying:
    """The names of a robot's links and joints that SRDF can hold: srdfdom trims all names."""

    def __init__(self, robot: Robot) -> None:
        self.links = {x.name for x in robot.links if self.name(x.name)}
        self.joints = {x.name: x for x in robot.joints if self.name(x.name)}

    @staticmethod
    def name(text: str) -> bool:
        """Whether SRDF can hold a name.

        >>> Saying.name("left arm"), Saying.name(" arm"), Saying.name("")
        (True, False, False)
        """
        return bool(text) and text == text.strip() and is_text(text)


def flat_groups(robot: Robot, saying: Saying) -> list[d.Group]:
    """The groups of a robot; one inside another becomes a group of its own, and a subgroup."""
    taken = {group.name for group in robot.groups}
    out: list[d.Group] = []

    def add(group: Group, name: str) -> None:
        made = d.Group(name=name)
        out.append(made)
        # Readers limit the nesting of groups, so recursion is safe.
        inner: list[str] = []
        for member in group.members:
            if isinstance(member, Group) and saying.name(member.name):
                inner.append(free_name(member.name, taken))
                taken.add(inner[-1])
                add(member, inner[-1])
            elif member in saying.links:
                made.members.append(d.LinkMember(name=str(member)))
        made.members += [d.JointMember(name=x) for x in group.joint_members if x in saying.joints]
        made.members += [
            d.ChainMember(base_link=c.base_link, tip_link=c.tip_link)
            for c in group.chains
            if {c.base_link, c.tip_link} <= saying.links
        ]
        made.members += [d.Subgroup(name=x) for x in (*group.subgroups, *inner) if saying.name(x)]

    for group in robot.groups:
        if saying.name(group.name):
            add(group, group.name)
    return out


def whole_group(robot: Robot, saying: Saying, taken: set[str]) -> d.Group:
    """A group of all moving joints: every state of SRDF belongs to a group."""
    moving = [x for x in robot.joints if KINDS[x.kind].nq and x.name in saying.joints]
    return d.Group(name=free_name(_WHOLE, taken), members=[d.JointMember(name=x.name) for x in moving])

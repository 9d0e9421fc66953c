"""The names that the elements of an SRDF file refer to."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import field

from unibody.document.declare import Document
from unibody.formats.extras import Extras
from unibody.formats.format import Context
from unibody.formats.srdf import document as d
from unibody.model.robot import Joint, Robot, branches
from unibody.text.dataclass import dataclass
from unibody.text.near import did_you_mean, near


@dataclass(slots=True)
class Names:
    """The names of a robot and of the elements read so far; what is not understood goes to ``extras``."""

    robot: Robot
    context: Context
    joints: dict[str, Joint]
    links: frozenset[str]
    #: Type and child link of the virtual joints.
    virtual: dict[str | None, tuple[str, str]] = field(default_factory=dict)
    groups: set[str] = field(default_factory=set)
    #: The names of the elements <passive_joint>.
    passive: set[str | None] = field(default_factory=set)
    #: The links below a joint, and the one that is not.
    children: frozenset[str] = frozenset()
    root: str = ""
    extras: Extras = field(default_factory=lambda: Extras("srdf"))

    @classmethod
    def of(cls, robot: Robot, context: Context) -> Names:
        """The names of the robot of a URDF."""
        joints = {joint.name: joint for joint in robot.joints}
        links = frozenset(link.name for link in robot.links)
        children = frozenset(joint.child for joint in robot.joints)
        root = next((link.name for link in robot.links if link.name not in children), "")
        return cls(robot, context, joints, links, children=children, root=root)

    def link(self, who: str, x: Document, *fields: str) -> bool:
        """Whether all the fields name links; a warning for each that does not."""
        return min([self._knows(who, x, "link", field, self.links) for field in fields])

    def joint(self, who: str, x: Document, field: str) -> bool:
        """Whether a field names a joint; a warning if not."""
        return self._knows(who, x, "joint", field, {*self.joints, *filter(None, self.virtual)})

    def group(self, who: str, x: Document, field: str) -> bool:
        """Whether a field names a group that was read; a warning if not."""
        return self._knows(who, x, "group", field, self.groups)

    def _knows(self, who: str, x: Document, what: str, field: str, known: Collection[str]) -> bool:
        name = getattr(x, field)
        if not name or name in known:
            return bool(name)  # the binder has reported a missing name
        alike = near(name, sorted(known))
        self.context.findings.warning(
            f"{what}-unknown",
            f"{who} refers to unknown {what} '{name}'; the entry is ignored, as in MoveIt",
            x.at(field),
            did_you_mean(alike, "correct the name, or remove the entry"),
            suggestion=alike,
        )
        return False

    def branches(self, a: str, b: str) -> tuple[list[Joint], list[Joint]]:
        """The joints from two links up to their nearest common ancestor."""
        return branches(self.robot.joints, a, b)

    def keep(self, x: Document, kind: str = "", name: str = "") -> None:
        """Keep an element as it is written, for the writer: an extra of the robot or of an item of it."""
        if x.node is not None:
            self.extras.add([(key_of(x), x.node, -1)], kind, name)


def key_of(x: Document | type[Document]) -> str:
    """The tag of an element."""
    key: str = x.KEY  # type: ignore[union-attr]
    return key


def described(x: d.EndEffector | d.PassiveJoint | Document) -> str:
    """An element in a message: ``end_effector 'hand'``."""
    name = getattr(x, "name", None)
    return f"{key_of(x)} '{name}'" if name else key_of(x)

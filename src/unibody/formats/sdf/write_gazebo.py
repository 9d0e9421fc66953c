"""Writes what ``<gazebo>`` elements of URDF say to Gazebo alone, in words of SDF or of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from unibody.document.bind import Binding, bind
from unibody.document.declare import Document
from unibody.formats.extras import leftovers
from unibody.formats.sdf import document_parts as d
from unibody.formats.sdf.document_model import Model
from unibody.formats.sdf.write_kept import put_back
from unibody.model.robot import Robot
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings
from unibody.text.node import Item, Node, Word
from unibody.text.xml.printer import print_xml

#: Words of URDF for what SDF has in elements of a link, its collisions, its visuals or a joint.
_OF_LINK: Mapping[str, tuple[str, ...]] = {
    "dampingFactor": ("velocity_decay/linear", "velocity_decay/angular"),
}
_OF_COLLISION: Mapping[str, tuple[str, ...]] = {
    "kp": ("surface/contact/ode/kp",),
    "kd": ("surface/contact/ode/kd",),
    "maxVel": ("surface/contact/ode/max_vel",),
    "minDepth": ("surface/contact/ode/min_depth",),
    "fdir1": ("surface/friction/ode/fdir1",),
    "maxContacts": ("max_contacts",),
    "laserRetro": ("laser_retro",),
}
_OF_VISUAL: Mapping[str, tuple[str, ...]] = {"laserRetro": ("laser_retro",)}
_OF_JOINT: Mapping[str, tuple[str, ...]] = {
    "stopCfm": ("physics/ode/limit/cfm",),
    "stopErp": ("physics/ode/limit/erp",),
    "fudgeFactor": ("physics/ode/fudge_factor",),
    "implicitSpringDamper": ("physics/ode/implicit_spring_damper",),
    "provideFeedback": ("physics/provide_feedback",),
}
# Elements of SDF that change no part of the robot that the URDF states.
_ADDED: Mapping[type[Document], frozenset[str]] = {
    Model: frozenset(("plugin", "gripper", "allow_auto_disable", "enable_wind")),
    d.Link: frozenset(
        (
            *("sensor", "light", "projector", "battery", "particle_emitter", "audio_sink", "audio_source"),
            *("kinematic", "must_be_base_link", "velocity_decay", "enable_wind"),
        )
    ),
    d.Joint: frozenset(("sensor", "physics")),
}


@dataclass(slots=True, eq=False)
class GazeboItems:
    """The items of ``<gazebo>`` elements about a model, and about links and joints, by name."""

    model: list[Item] = field(default_factory=list)
    named: dict[str, list[Item]] = field(default_factory=dict)

    @classmethod
    def of(cls, robot: Robot) -> GazeboItems:
        """What was kept of the ``<gazebo>`` elements of a robot's URDF."""
        out = cls()
        kept = leftovers(robot, "urdf", lambda item: print_xml(Node("sdf", [item])))
        for key, value, _ in kept.get("", []):
            if key != "gazebo" or not isinstance(value, Node):
                continue
            name = value.word("reference")
            items = out.model if name is None else out.named.setdefault(name, [])
            items += [item for item in value.items if isinstance(item[1], Node)]
        return out

    def add_to_model(self, doc: Model) -> None:
        """Add plugins and settings to a model."""
        _add(doc, self.model, {})

    def add_to_link(self, doc: d.Link, name: str) -> None:
        """Add sensors, settings of contacts and others to a link, which the robot calls ``name``."""
        items = self.named.get(name)
        if not items:
            return
        _add(doc, items, _OF_LINK)
        for collision in doc.collisions:
            _add(collision, items, _OF_COLLISION)
        for visual in doc.visuals:
            _add(visual, items, _OF_VISUAL)

    def add_to_joint(self, doc: d.Joint, name: str) -> None:
        """Add sensors and settings of physics to a joint, which the robot calls ``name``."""
        _add(doc, self.named.get(name, ()), _OF_JOINT)


def _add(doc: Document, items: Sequence[Item], words: Mapping[str, tuple[str, ...]]) -> None:
    own: list[Item] = [item for item in items if _is_added(doc, item)]
    for key, value, _ in items:
        for path in words.get(key, ()):
            alone: list[Item] = []
            _place(alone, path.split("/"), _text(value))
            if _is_valid(type(doc), alone):
                _place(own, path.split("/"), _text(value))
    put_back(doc, own)


def _is_valid(cls: type[Document], items: list[Item]) -> bool:
    """Whether items of an element have values that are read without an error: other values are left out."""
    noted = Findings()
    bind(cls, Node("", [("name", Word("x"), -1), *items]), Binding(noted, repeat_last=False, xml=True))
    return not noted.errors


def _is_added(doc: Document, item: Item) -> bool:
    """Whether an element is one of SDF that belongs there, with all that it needs."""
    return item[0] in _ADDED.get(type(doc), ()) and _is_valid(type(doc), [item])


def _place(items: list[Item], path: Sequence[str], text: str) -> None:
    """Add a text to the elements of a path, which may be there."""
    for tag in path:
        found = next((v for k, v, _ in items if k == tag and isinstance(v, Node)), None)
        if found is None:
            found = Node(tag)
            items.append((tag, found, -1))
        items = found.items
    if not items:
        items.append(("", Word(text), -1))


def _text(value: object) -> str:
    """What an element says: the attribute of older files, or its text."""
    if not isinstance(value, Node):
        return ""
    texts = (inner.text for key, inner, _ in value.items if not key and isinstance(inner, Word))
    return value.word("value") or "".join(texts).strip()

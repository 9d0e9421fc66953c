"""The sections of a ``mujoco.MjSpec`` beside its bodies and assets, and the values of its elements."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from unibody.document.declare import Document, plan
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_actuators as act
from unibody.formats.mjcf import document_constraints as c
from unibody.formats.mjcf import document_sensors as s
from unibody.formats.mjcf.values import CHARTS, SIGNALS
from unibody.text.node import Item, Node, Word

# Groups of actuators that can be switched off.
_GROUPS = 31

#: The fields of joints and tendons whose names are not those of the attributes.
LIMITED = {
    "actuatorfrclimited": "actfrclimited",
    "actuatorfrcrange": "actfrcrange",
    "solimpfriction": "solimp_friction",
    "solimplimit": "solimp_limit",
    "solreffriction": "solref_friction",
    "solreflimit": "solref_limit",
}
#: The attribute for the target of an actuator by its transmission.
_TARGETS = {
    "JOINT": "joint",
    "JOINTINPARENT": "jointinparent",
    "TENDON": "tendon",
    "SITE": "site",
    "SO3": "site",
    "BODY": "body",
    "SLIDERCRANK": "cranksite",
}
_SENSOR_TAGS = {
    "GEOMDIST": "distance",
    "GEOMNORMAL": "normal",
    "GEOMFROMTO": "fromto",
    "JOINTACTFRC": "jointactuatorfrc",
    "TENDONACTFRC": "tendonactuatorfrc",
}
_INTERPOLATIONS = ("zoh", "linear", "cubic")


# What contact sensors that count contacts have: ``data="found"`` and ``num="1"``, whatever ``reduce`` is.
_COUNT = (1, 1)


def _name(enum: Any) -> str:
    return str(enum.name).rpartition("_")[2]


def _input(actuator: Any) -> str:
    """What the controls of an actuator are, as a word; "" if that is not stated (before MuJoCo 4)."""
    bits = int(getattr(actuator, "ctrlspec", 0))
    names = CHARTS if _name(actuator.gaintype) == "SO3" else SIGNALS
    return " ".join(name for k, name in enumerate(names) if bits >> k & 1)


def _counts_contacts(sensor: Any) -> bool:
    """Whether a contact sensor counts all contacts of a body, as a contact switch does."""
    is_alone = _name(sensor.objtype) == "BODY" and not sensor.refname
    data, _, number = (int(value) for value in sensor.intprm[:3])
    return is_alone and (data, number) == _COUNT


class Sections:
    """Makes the sections of one specification."""

    def __init__(self, spec: Any, values: Values) -> None:
        self.spec, self.values = spec, values

    def before(self) -> list[Node]:
        """The sections that stand before the assets."""
        return [self._option(), self._custom()]

    def behind(self) -> list[Node]:
        """The sections that refer to bodies."""
        return [
            self._contact(),
            self._equality(),
            self._tendon(),
            self._actuator(),
            self._sensor(),
            self._keyframe(),
        ]

    def _element(
        self, tag: str, cls: type[Document], element: Any, more: Sequence[Item], blank: Any, **names: str
    ) -> Item:
        given = {key for key, _, _ in more}
        items = self.values.items(tag, cls, element, names, given, blank)
        return (tag, Node(tag, [*items, *more]), -1)

    def _option(self) -> Node:
        own, blank = self.spec.option, self.values.blank("spec").option
        items = self.values.items("option", d.Option, own, {}, ("actuatorgroupdisable",), blank)
        groups = [group for group in range(_GROUPS) if own.disableactuator >> group & 1]
        if groups:
            items.append(("actuatorgroupdisable", Word(" ".join(map(str, groups))), -1))
        flags = [
            *_flags("mjtDisableBit", "mjDSBL_", "disable", own.disableflags),
            *_flags("mjtEnableBit", "mjENBL_", "enable", own.enableflags),
        ]
        return Node("option", [*items, ("flag", Node("flag", flags), -1)] if flags else items)

    def _custom(self) -> Node:
        items: list[Item] = []
        for numeric in self.spec.numerics:
            made: list[Item] = [("name", Word(numeric.name), -1)]
            if numeric.size > len(list(numeric.data)):
                made.append(("size", Word(str(numeric.size)), -1))
            items.append(("numeric", Node("numeric", [*made, ("data", numbers(numeric.data), -1)]), -1))
        for text in self.spec.texts:
            made = [("name", Word(text.name), -1), ("data", Word(text.data), -1)]
            items.append(("text", Node("text", made), -1))
        for group in self.spec.tuples:
            inner: list[Item] = [("name", Word(group.name), -1)]
            ends = zip(group.objtype, group.objname, group.objprm, strict=True)
            for kind, name, prm in ends:
                of = _name(kind).lower() if hasattr(kind, "name") else self.kind(int(kind))
                own = [("objtype", Word(of), -1), ("objname", Word(name), -1), ("prm", numbers([prm]), -1)]
                inner.append(("element", Node("element", list(own)), -1))
            items.append(("tuple", Node("tuple", inner), -1))
        return Node("custom", items)

    def kind(self, number: int) -> str:
        """The word for a type of objects."""
        return _name(type(self.values.blank("sensor").objtype)(number)).lower()

    def _contact(self) -> Node:
        items: list[Item] = []
        for pair in self.spec.pairs:
            blank = self.values.blank("pair")
            items.append(
                self._element("pair", c.Pair, pair, (), blank, geom1="geomname1", geom2="geomname2")
            )
        for out in self.spec.excludes:
            blank = self.values.blank("exclude")
            names = {"body1": "bodyname1", "body2": "bodyname2"}
            items.append(self._element("exclude", c.Exclude, out, (), blank, **names))
        return Node("contact", items)

    def _equality(self) -> Node:
        items: list[Item] = []
        classes: dict[str, type[Document]] = {
            "connect": c.Connect, "weld": c.Weld, "joint": c.JointEquality, "tendon": c.TendonEquality,
        }  # fmt: skip
        for equality in self.spec.equalities:
            tag = _name(equality.type).lower()
            if tag not in classes:
                continue
            data = list(equality.data)
            ends = tag
            if tag in ("connect", "weld"):
                ends = "site" if _name(equality.objtype) == "SITE" else "body"
            more: list[Item] = [(f"{ends}1", Word(equality.name1), -1)]
            if equality.name2:
                more.append((f"{ends}2", Word(equality.name2), -1))
            if tag in ("joint", "tendon"):
                more.append(("polycoef", numbers(data[:5]), -1))
            elif ends == "body":
                more.append(("anchor", numbers(data[:3]), -1))
            if tag == "weld":
                if ends == "body" and any(data[6:10]):
                    more.append(("relpose", numbers(data[3:10]), -1))
                if data[10] != 1.0 and math.isfinite(data[10]):
                    more.append(("torquescale", numbers(data[10:11]), -1))
            blank = self.values.blank("equality")
            items.append(self._element(tag, classes[tag], equality, more, blank))
        return Node("equality", items)

    def _tendon(self) -> Node:
        items: list[Item] = []
        for tendon in self.spec.tendons:
            path = [self._wrap(wrap) for wrap in tendon.path]
            tag = "fixed" if path and path[0][0] == "joint" else "spatial"
            cls = c.FixedTendon if tag == "fixed" else c.SpatialTendon
            item = self._element(tag, cls, tendon, (), self.values.blank("tendon"), **LIMITED)
            assert isinstance(item[1], Node)
            item[1].items += path
            items.append(item)
        return Node("tendon", items)

    def _wrap(self, wrap: Any) -> Item:
        kind = _name(wrap.type)
        if kind == "PULLEY":
            return ("pulley", Node("pulley", [("divisor", numbers([wrap.divisor]), -1)]), -1)
        tag = {"JOINT": "joint", "SITE": "site"}.get(kind, "geom")
        items: list[Item] = [(tag, Word(wrap.target.name), -1)]
        if kind == "JOINT":
            items.append(("coef", numbers([wrap.coef]), -1))
        elif tag == "geom" and wrap.sidesite is not None:
            items.append(("sidesite", Word(wrap.sidesite.name), -1))
        return (tag, Node(tag, items), -1)

    def _actuator(self) -> Node:
        items: list[Item] = []
        for actuator in self.spec.actuators:
            target = _TARGETS.get(_name(actuator.trntype))
            more: list[Item] = [(target, Word(actuator.target), -1)] if target else []
            if control := _input(actuator):
                more.append(("input", Word(control), -1))
            item = self._element("general", act.General, actuator, more, self.values.blank("actuator"))
            node = item[1]
            assert isinstance(node, Node)
            node.items = [i for i in node.items if i[0] not in ("interp", "input", "site") or i in more]
            if actuator.interp and actuator.nsample:
                node.items.append(("interp", Word(_INTERPOLATIONS[int(actuator.interp)]), -1))
            items.append(item)
        return Node("actuator", items)

    def _sensor(self) -> Node:
        items: list[Item] = []
        members = plan(s.Sensors).fields["items"].members
        for sensor in self.spec.sensors:
            kind = str(sensor.type.name).removeprefix("mjSENS_")
            tag = _SENSOR_TAGS.get(kind, kind.lower())
            cls = members.get(tag)
            if cls is None or kind in ("PLUGIN", "TACTILE", "INSIDESITE", "CAMPROJECTION"):
                continue
            if kind == "CONTACT" and not _counts_contacts(sensor):
                continue
            keys = plan(cls).keys
            of, ref = _name(sensor.objtype).lower(), _name(sensor.reftype).lower()
            more: list[Item] = []
            if "objtype" in keys and sensor.objname:
                more += [("objtype", Word(of), -1), ("objname", Word(sensor.objname), -1)]
            elif f"{of}1" in keys:
                more.append((f"{of}1", Word(sensor.objname), -1))
                if sensor.refname:
                    more.append((f"{ref}2", Word(sensor.refname), -1))
            elif sensor.objname:
                own = "body" if of == "xbody" or "subtree" in tag else of
                more.append((own, Word(sensor.objname), -1))
            if "reftype" in keys and sensor.refname:
                more += [("reftype", Word(ref), -1), ("refname", Word(sensor.refname), -1)]
            item = self._element(tag, cls, sensor, more, self.values.blank("sensor"))
            node = item[1]
            assert isinstance(node, Node)
            wanted = ("interp", "interval", "data")
            node.items = [i for i in node.items if i[0] not in wanted]
            if tag != "user":
                node.items = [i for i in node.items if i[0] not in ("dim", "datatype", "needstage")]
            items.append(item)
        return Node("sensor", items)

    def _keyframe(self) -> Node:
        blank = self.values.blank("key")
        items = [
            self._element("key", d.Key, key, (), blank)
            for key in self.spec.keys
            if key.name or any(len(list(getattr(key, n))) for n in ("qpos", "qvel", "act", "ctrl"))
        ]
        return Node("keyframe", items)


def _flags(kind: str, prefix: str, word: str, bits: int) -> list[Item]:
    """The flags of a set of bits that MJCF has words for, each with the word that sets it."""
    import mujoco

    names = {
        name.removeprefix(prefix).lower(): int(bit)
        for name, bit in getattr(mujoco, kind).__members__.items()
    }
    known = plan(d.Flag).fields
    return [(name, Word(word), -1) for name, bit in names.items() if name in known and bits & bit]


# Elements whose single numbers are in single precision in MuJoCo.
_SINGLE = ("light", "material")
# Lists that end with zeros where fewer numbers are given.
_SHORT = frozenset(("size", "damping", "stiffness", "biasprm", "gainprm", "dynprm", "gear", "springyield"))
_WORDS = {"DIRECTIONAL": "directional", "SRGB": "sRGB"}


def numbers(values: Iterable[Any]) -> Word:
    """Numbers with the digits that they need in their own precision."""
    if isinstance(values, np.ndarray) and values.dtype == np.float32:
        return Word(" ".join(_single(v) for v in values))
    return Word(" ".join(_shown(v) for v in values))


def _shown(value: Any) -> str:
    if isinstance(value, np.float32):
        return _single(value)
    number = float(value)
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


def _single(value: Any) -> str:
    number = float(value)
    if number.is_integer() and abs(number) < 1e15:
        return str(int(number))
    return str(np.float32(value))


def is_unset(values: Any) -> bool:
    """Whether MuJoCo's mark of a value that is not given is in the first place."""
    first = next(iter(values), math.nan)
    return isinstance(first, float) and math.isnan(first)


class Values:
    """Writes the attributes of elements that differ from those of a new one."""

    def __init__(self, spec_type: Any) -> None:
        self._spec = spec_type()
        self._blanks: dict[str, Any] = {"spec": self._spec}

    def blank(self, tag: str) -> Any:
        """A new element of MuJoCo's of a kind."""
        if tag not in self._blanks:
            holder = self._spec.worldbody if hasattr(self._spec.worldbody, f"add_{tag}") else self._spec
            self._blanks[tag] = getattr(holder, f"add_{tag}")()
        return self._blanks[tag]

    def items(
        self,
        tag: str,
        cls: type[Document],
        element: Any,
        names: Mapping[str, str],
        skip: Collection[str],
        blank: Any = None,
    ) -> list[Item]:
        """The attributes of an element; ``names`` are those of MuJoCo's fields where they differ."""
        blank = self.blank(tag) if blank is None else blank
        out: list[Item] = []
        for spec in plan(cls).fields.values():
            key = spec.key
            field = names.get(key, "userdata" if key == "user" else key)
            if spec.type is None or key in skip or key in _RESOLVED or not hasattr(blank, field):
                continue
            value, new = getattr(element, field), getattr(blank, field)
            text = self.changed(value, new, tag in _SINGLE, key in _SHORT)
            words = spec.type.schema.get("enum")
            if text is not None and words and type(value) is int:
                text = words[value]  # MuJoCo numbers its words in the order of the declaration
            if text is not None:
                out.append((key, Word(text), -1))
        return out

    def changed(self, value: Any, blank: Any, single: bool = False, short: bool = False) -> str | None:
        """A value in words, None if it is that of a new element or not given."""
        if hasattr(value, "name") and hasattr(value, "value"):
            if value == blank:
                return None
            word = str(value.name).rpartition("_")[2]
            return _WORDS.get(word, word.lower())
        if isinstance(value, bool):
            return None if value == bool(blank) else str(value).lower()
        if isinstance(value, str):
            return value or None
        if isinstance(value, int):
            return None if value == blank else str(value)
        if isinstance(value, float):
            if math.isnan(value) or value == blank:
                return None
            return _single(value) if single else _shown(value)
        if isinstance(value, bytes) or not hasattr(value, "__iter__"):
            return None
        listed = list(value)
        if not listed or is_unset(listed) or listed == list(blank):
            return None
        if short:
            while len(listed) > 1 and not listed[-1]:
                listed.pop()
        if isinstance(value, np.ndarray) or single:
            is_single = single or value.dtype == np.float32
        else:
            is_single = "Float" in type(value).__name__
        return " ".join(_single(v) if is_single else _shown(v) for v in listed)


#: What is resolved, or written with the poses.
_RESOLVED = frozenset(
    ("pos", "quat", "axisangle", "xyaxes", "zaxis", "euler", "fromto", "class", "childclass")
)

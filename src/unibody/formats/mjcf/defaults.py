"""Resolves default classes: every element gets the values of its class that it does not set itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from unibody.document.declare import FILLED, Spec, plan
from unibody.formats.mjcf import document_actuators, document_assets, document_bodies, document_constraints
from unibody.formats.mjcf.document_defaults import default_of
from unibody.model.changes.joints import free_name
from unibody.text.finding import Findings
from unibody.text.near import near
from unibody.text.node import Item, Node, Word

MAIN = "main"
ORIENTATIONS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")
_ACTUATORS = plan(document_actuators.Actuators).fields["items"].members
#: Elements of the tree that ``childclass`` reaches.
_IN_TREE = frozenset(("joint", "geom", "site", "camera", "light"))
_BODIES = frozenset(("body", "frame", "replicate"))
#: The word in a default class for the elements of a section, if it is not their own.
GENERAL = "general"
_SHARED = {
    **dict.fromkeys(_ACTUATORS, GENERAL),
    **dict.fromkeys(("connect", "weld", "flex", "flexstrain"), "equality"),
    "fixed": "tendon",
    "spatial": "tendon",
}
#: The words whose classes may say more than the elements can.
_KEPT = frozenset((GENERAL, "tendon"))
_SECTIONS = {
    "asset": document_assets.Asset,
    "contact": document_constraints.Contact,
    "equality": document_constraints.Equalities,
    "tendon": document_constraints.Tendons,
    "actuator": document_actuators.Actuators,
}
#: The attributes that all kinds of actuators have; the others are those of one kind.
_ANY_ACTUATOR = frozenset(plan(document_actuators.Motor).keys)
# In the values of a class: the kind of actuators that its gains are those of.
_KIND = "kind of actuators"
# Before the name of a kind: the gains of the nearest class around that are of this kind.
_AROUND = "gains around of "
# The attribute of a kind of actuators that is the first gain.
_GAINS = {"position": "kp", "intvelocity": "kp", "velocity": "kv"}
# The values of one class: word of the element → attribute → value.
_Values = dict[str, dict[str, Word]]


class Classes:
    """The default classes of a file, each with the values of those around it."""

    def __init__(self, root: Node, findings: Findings) -> None:
        self.findings = findings
        self.values: dict[str, _Values] = {MAIN: {}}
        tops = [value for key, value, _ in root.items if key == "default" and isinstance(value, Node)]
        for top in tops:
            name = top.word("class")
            if name is not None and name != MAIN:
                findings.error(
                    "default-class",
                    f"the top default class is named '{name}'; MuJoCo 4.0 requires '{MAIN}'",
                    top.span,
                    "remove class=, or put the class inside a default class without a name",
                )
                self.values.setdefault(name, self.values[MAIN])
            self._add(top, self.values[MAIN])
            # a class starts as a copy of the finished class around it; of the main class, later elements
            # <default> change it no more
            todo: list[tuple[Node, _Values]] = [(top, self.values[MAIN])]
            while todo:
                node, values = todo.pop()
                inner = [v for key, v, _ in node.items if key == "default" and isinstance(v, Node)]
                todo += [(child, self._inner(child, values)) for child in inner][::-1]

    def _inner(self, node: Node, outer: _Values) -> _Values:
        """The values of a class inside another one."""
        values = {word: dict(given) for word, given in outer.items()}
        if (kind := outer.get(_KIND, {}).get(_KIND)) is not None:
            gains = {k: v for k, v in outer.get(GENERAL, {}).items() if k not in _ANY_ACTUATOR}
            values[_AROUND + kind.text] = gains
        self._add(node, values)
        name = node.word("class")
        if not name:
            self.findings.error("missing", "<default> needs attribute 'class'", node.span, "name the class")
        elif name in self.values:
            self.findings.error(
                "default-class",
                f"default class '{name}' is defined twice; MuJoCo rejects the file",
                node.span,
                "rename one of them",
            )
        else:
            self.values[name] = values
        return values

    def _add(self, node: Node, values: _Values) -> None:
        """Add the values that are written in one default element."""
        for key, value, _ in node.items:
            if key == "default" or not isinstance(value, Node):
                continue
            given = values.setdefault(_SHARED.get(key, key), {})
            if key in _ACTUATORS and key != GENERAL:
                self._set_kind(key, values, given)
            own = {k: v for k, v, _ in value.items if isinstance(v, Word) and k}
            if any(k in ORIENTATIONS for k in own):
                for k in ORIENTATIONS:
                    given.pop(k, None)
            given.update(own)

    def _set_kind(self, kind: str, values: _Values, given: dict[str, Word]) -> None:
        """Replace the gains of another kind of actuators in the default that all kinds share.

        A kind has those of the nearest class around whose last kind it is.
        """
        if values.get(_KIND, {}).get(_KIND) != Word(kind):
            for key in [key for key in given if key not in _ANY_ACTUATOR]:
                del given[key]
            given.update(values.get(_AROUND + kind, {}))
        values[_KIND] = {_KIND: Word(kind)}

    def of(self, name: str | None, node: Node) -> _Values:
        """The values of a class; an unknown one is an error, as in MuJoCo."""
        if name is None:
            return self.values[MAIN]
        if name not in self.values:
            alike = near(name, self.values)
            place = next((i for i in node.items if i[0] in ("class", "childclass")), None)
            self.findings.error(
                "default-class",
                f"<{node.tag}> refers to unknown default class '{name}'",
                node.item_span(place) if place is not None else node.span,
                f"did you mean '{alike}'?" if alike else "define the class",
                suggestion=alike,
            )
            return self.values[MAIN]
        return self.values[name]


def resolve_defaults(root: Node, findings: Findings) -> None:
    """Add the values of their default classes to the elements of a tree, in place.

    A value is an item with the start ``FILLED``: the binder reads it, but does not mark it as given. If
    an actuator or a tendon has values that only a class can say, it remains of its class, and the tree gets
    a section with these classes that begins at ``FILLED``.
    """
    if not any(key == "default" for key, _, _ in root.items) and not _has_class(root):
        return
    classes = Classes(root, findings)
    kept: dict[str, Node] = {}
    for key, section, _ in root.items:
        if not isinstance(section, Node):
            continue
        if key == "worldbody":
            _resolve_tree(section, classes)
        elif key in _SECTIONS:
            members = plan(_SECTIONS[key]).fields["items"].members
            for word, node, _ in section.items:
                if isinstance(node, Node) and word in members:
                    shared = "equality" if key == "equality" else "tendon" if key == "tendon" else word
                    values, cls = classes.of(node.word("class"), node), members[word]
                    shared = _SHARED.get(word, shared)
                    _fill(node, shared, values, cls)
                    if shared in _KEPT and _has_more(node, shared, values, cls):
                        _keep_class(node, shared, values, kept, classes.values)
    if kept:
        inner: list[Item] = [("default", node, FILLED) for node in kept.values()]
        root.items.append(("default", Node("default", inner, None, FILLED), FILLED))


def _has_more(node: Node, word: str, values: _Values, cls: type) -> bool:
    """Whether a class gives an element values that the element itself cannot say."""
    if word != GENERAL:
        return bool(values.get(word, {}).keys() - plan(cls).keys)
    # a general one cannot say what the control of a servo is
    is_servo = node.tag == GENERAL and values.get(_KIND, {}).get(_KIND) is not None
    return is_servo or bool(_of_kind(node.tag, values).keys() - plan(cls).keys)


def _keep_class(
    node: Node, word: str, values: _Values, kept: dict[str, Node], names: Collection[str]
) -> None:
    """Add the class of an element to those that are ``kept``, with the values for elements of its kind.

    The main class gets another name, ``names`` are those of the classes: a file has a main class anyway.
    """
    name = node.word("class") or MAIN
    if name == MAIN:
        name = free_name(word, names)
        node.items = [("class", Word(name), FILLED), *(item for item in node.items if item[0] != "class")]
    made = kept.setdefault(name, _filled("default", {"class": Word(name)}))
    if any(_SHARED.get(tag, tag) == word for tag, _, _ in made.items):
        return
    given = values.get(word, {})
    styled = values.get(_KIND, {}).get(_KIND) if word == GENERAL else None
    if styled is not None:
        own = plan(default_of(_ACTUATORS[styled.text])).keys
        servo = {key: value for key, value in given.items() if key in own}
        made.items.append((styled.text, _filled(styled.text, servo), FILLED))
        given = {key: value for key, value in given.items() if key not in own}
    if given:
        made.items.append((word, _filled(word, given), FILLED))


def _filled(tag: str, values: Mapping[str, Word]) -> Node:
    return Node(tag, [(key, value, FILLED) for key, value in values.items()], None, FILLED)


def _has_class(root: Node) -> bool:
    todo = [root]
    while todo:
        node = todo.pop()
        if any(key in ("class", "childclass") for key, _, _ in node.items):
            return True
        todo += [value for _, value, _ in node.items if isinstance(value, Node)]
    return False


def _resolve_tree(section: Node, classes: Classes) -> None:
    members = plan(document_bodies.Body).fields["items"].members
    todo: list[tuple[Node, str | None]] = [(section, None)]
    while todo:
        node, childclass = todo.pop()
        for key, value, _ in node.items:
            if not isinstance(value, Node):
                continue
            if key in _BODIES:
                own = value.word("childclass")
                if own is not None:
                    classes.of(own, value)
                todo.append((value, childclass if own is None else own))
            elif key in _IN_TREE:
                own = value.word("class")
                name = own if own is not None else childclass
                _fill(
                    value,
                    key,
                    classes.of(name if name in classes.values or own else None, value),
                    members[key],
                )


def _with_tail(value: Word, of_class: Word, spec: Spec) -> Word:
    """A list with fewer numbers than that of its class, which keeps the rest, as in MuJoCo."""
    sizes = spec.type.schema.get("words", ()) if spec.type is not None else ()
    rest = of_class.text.split()[len(value.text.split()) :] if len(sizes) > 1 else []
    return Word(f"{value.text} {' '.join(rest)}") if rest else value


def _of_kind(kind: str, values: _Values) -> dict[str, Word]:
    """The default of actuators as one kind has it; a general one has the gains of servos as numbers."""
    given = values.get("general", {})
    styled = values.get(_KIND, {}).get(_KIND)
    if styled is None and "gainprm" in given and kind in _GAINS:
        return {**given, _GAINS[kind]: Word(given["gainprm"].text.split()[0])}
    if styled is None or styled.text == kind:
        return given
    common = {key: value for key, value in given.items() if key in _ANY_ACTUATOR}
    if kind != "general":
        return {**common, **values.get(_AROUND + kind, {})}
    kp, kv = given.get("kp", Word("1")).text, given.get("kv", Word("0")).text
    ratio = given.get("dampratio")
    if styled.text == "position":
        back = ratio.text if ratio is not None else _negative(kv)
        common |= {
            "gainprm": Word(kp),
            "biastype": Word("affine"),
            "biasprm": Word(f"0 {_negative(kp)} {back}"),
        }
        if (delay := given.get("timeconst")) is not None:
            common |= {"dyntype": Word("filterexact"), "dynprm": Word(delay.text)}
    elif styled.text == "velocity":
        kv = given.get("kv", Word("1")).text
        common |= {"gainprm": Word(kv), "biastype": Word("affine"), "biasprm": Word(f"0 0 {_negative(kv)}")}
    # what a general element of the class sets
    return common | {k: v for k, v in given.items() if k not in ("kp", "kv", "dampratio", "timeconst")}


def _negative(number: str) -> str:
    text = number.strip()
    return text[1:] if text.startswith("-") else text if text == "0" else f"-{text}"


def _fill(node: Node, word: str, values: _Values, cls: type) -> None:
    """Add the values of a class that an element does not set, as far as it has them."""
    given = _of_kind(node.tag, values) if word == "general" else values.get(word)
    if not given:
        return
    own = {key for key, _, _ in node.items}
    if own.intersection(ORIENTATIONS):
        own.update(ORIENTATIONS)
    keys = plan(cls).keys
    for i, (key, value, start) in enumerate(node.items):
        if key in given and key in keys and isinstance(value, Word):
            node.items[i] = (key, _with_tail(value, given[key], keys[key].spec), start)
    more: list[Item] = [(k, v, FILLED) for k, v in given.items() if k not in own and k in keys]
    if more:
        node.items = [*more, *node.items]

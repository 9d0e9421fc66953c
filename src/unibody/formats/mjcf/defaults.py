"""Resolves default classes: every element gets the values of its class that it does not set itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from unibody.document.declare import FILLED, Document, Spec, plan
from unibody.formats.mjcf import document, document_actuators, document_bodies, document_constraints
from unibody.formats.mjcf.document_element import CLASS_WORDS
from unibody.model.changes.joints import free_name
from unibody.text.finding import Findings
from unibody.text.near import did_you_mean, near
from unibody.text.node import Item, Node, Word, elements

MAIN = "main"
ORIENTATIONS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")
#: Attributes of which an element has one: what it states replaces the others of its class.
_EXCLUSIVE = (ORIENTATIONS, ("kv", "dampratio"))
_ACTUATORS = plan(document_actuators.Actuators).fields["items"].members
#: The word in a default class for the elements of all kinds of actuators.
GENERAL = document_actuators.ActuatorValues.DEFAULT
#: The words whose classes may say more than the elements can.
_KEPT = frozenset((GENERAL, document_constraints.TendonBase.DEFAULT))
#: Kinds of actuators without gains of their own.
_PLAIN = frozenset((GENERAL, document_actuators.Motor.KEY))
#: The attributes that all kinds of actuators have; the others are those of one kind.
_ANY_ACTUATOR = frozenset(plan(document_actuators.Motor).keys)
# In the values of a class: the kind of actuators that its gains are those of.
_KIND = "kind of actuators"
# Before the name of a kind: the gains of the nearest class around that are of this kind.
_AROUND = "gains around of "
# The attribute of a kind of actuators that is the first gain.
_GAINS = {"position": "kp", "intvelocity": "kp", "velocity": "kv"}
#: The values of one class: word of the element → attribute → value.
Values = dict[str, dict[str, Word]]
#: The values of the classes that an `<attach>` element brings in, by name.
Attached = Callable[[Node], Mapping[str, Values]]
# The classes around a class and itself: the name of each, and its elements for actuators and tendons.
_Levels = list[tuple[str, list[Node]]]


class Classes:
    """The default classes of a file, each with the values of those around it.

    ``bring`` adds those of an attached model, whose file is read when a class is not found otherwise.
    """

    def __init__(self, root: Node, findings: Findings, attached: Attached) -> None:
        self.findings, self._attached = findings, attached
        self._waiting: list[Node] = []
        self.values: dict[str, Values] = {MAIN: {}}
        self.levels: dict[str, _Levels] = {MAIN: []}
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
                self.levels.setdefault(name, self.levels[MAIN])
            self._add(top, self.values[MAIN], self.levels[MAIN])
            # a class starts as a copy of the finished class around it; of the main class, later elements
            # <default> change it no more
            todo = [(top, self.values[MAIN], self.levels[MAIN])]
            while todo:
                node, values, levels = todo.pop()
                inner = [v for key, v, _ in node.items if key == "default" and isinstance(v, Node)]
                todo += [(child, *self._inner(child, values, levels)) for child in inner][::-1]

    def _inner(self, node: Node, outer: Values, around: _Levels) -> tuple[Values, _Levels]:
        """The values and the levels of a class inside another one."""
        values = {word: dict(given) for word, given in outer.items()}
        if (kind := outer.get(_KIND, {}).get(_KIND)) is not None:
            gains = {k: v for k, v in outer.get(GENERAL, {}).items() if k not in _ANY_ACTUATOR}
            values[_AROUND + kind.text] = gains
        levels = list(around)
        self._add(node, values, levels)
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
            self.values[name], self.levels[name] = values, levels
        return values, levels

    def _add(self, node: Node, values: Values, levels: _Levels) -> None:
        """Add the values that are written in one default element, and its level."""
        elements = [
            value for key, value, _ in node.items if isinstance(value, Node) and _shared(key) in _KEPT
        ]
        levels.append((node.word("class") or MAIN, elements))
        for key, value, _ in node.items:
            if key == "default" or not isinstance(value, Node):
                continue
            given = values.setdefault(_shared(key), {})
            if key in _ACTUATORS and key != GENERAL:
                self._set_kind(key, values, given)
            own = {k: v for k, v, _ in value.items if isinstance(v, Word) and k}
            for k in _excluded_by(own):
                given.pop(k, None)
            given.update(own)

    def _set_kind(self, kind: str, values: Values, given: dict[str, Word]) -> None:
        """Replace the gains of another kind of actuators in the default that all kinds share.

        A kind has those of the nearest class around whose last kind it is.
        """
        if values.get(_KIND, {}).get(_KIND) != Word(kind):
            for key in [key for key in given if key not in _ANY_ACTUATOR]:
                del given[key]
            given.update(values.get(_AROUND + kind, {}))
        values[_KIND] = {_KIND: Word(kind)}

    def bring(self, attach: Node) -> None:
        """Add the classes of the model that an `<attach>` element names; those of the file stay."""
        self._waiting.append(attach)

    def all(self) -> Mapping[str, Values]:
        """The values of all classes by name."""
        for attach in self._waiting:
            for name, values in self._attached(attach).items():
                self.values.setdefault(name, values)
        self._waiting.clear()
        return self.values

    def of(self, name: str | None, node: Node) -> Values:
        """The values of a class; an unknown one is an error, as in MuJoCo."""
        if name is None:
            return self.values[MAIN]
        if name not in self.values and name not in self.all():
            alike = near(name, self.values)
            place = next((i for i in node.items if i[0] in CLASS_WORDS), None)
            self.findings.error(
                "default-class",
                f"<{node.tag}> refers to unknown default class '{name}'",
                node.item_span(place) if place is not None else node.span,
                did_you_mean(alike, "define the class"),
                suggestion=alike,
            )
            return self.values[MAIN]
        return self.values[name]


def resolve_defaults(root: Node, findings: Findings, attached: Attached) -> None:
    """Add the values of their default classes to the elements of a tree, in place.

    The classes of an attached model hold in the worlds after its `<attach>` element, as in MuJoCo. A value
    is an item with the start ``FILLED``: the binder reads it, but does not mark it as given. If an actuator
    or a tendon has values that only a class can say, it remains of its class, and the tree gets a section
    with these classes that begins at ``FILLED``.
    """
    if not any(key == "default" for key, _, _ in root.items) and not _has_class(root):
        return
    classes = Classes(root, findings, attached)
    kept = _KeptClasses(classes)
    for key, section, _ in root.items:
        members = _members(key)
        if isinstance(section, Node) and members:
            for word, node, _ in section.items:
                if isinstance(node, Node) and word in members:
                    values, cls = classes.of(node.word("class"), node), members[word]
                    shared: str = cls.DEFAULT or word  # type: ignore[attr-defined]
                    levels = classes.levels.get(node.word("class") or MAIN, [])
                    is_kept = shared in _KEPT and _has_more(node, shared, values, cls, levels)
                    _fill(node, shared, values, cls, is_kept=is_kept)
                    if is_kept:
                        kept.add(node)
    if kept.top.items:
        root.items.append(("default", kept.top, FILLED))
    for key, section, _ in root.items:
        if isinstance(section, Node) and key == "worldbody":
            _resolve_tree(section, classes)


def _members(section: str) -> Mapping[str, type[Document]]:
    """The elements of a section outside the tree of which some may be of a class."""
    cls = plan(document.Mujoco).fields["items"].members.get(section)
    items = None if cls in (None, document.Default, document.WorldBody) else plan(cls).fields.get("items")
    members = {} if items is None else items.members
    return members if any(map(_is_classed, members.values())) else {}


def _is_classed(cls: type[Document]) -> bool:
    """Whether an element may be of a class."""
    return "class" in plan(cls).keys


def _shared(key: str) -> str:
    """The word whose values an element of a default class has."""
    return GENERAL if key in _ACTUATORS else key


def _has_more(node: Node, word: str, values: Values, cls: type, levels: _Levels) -> bool:
    """Whether a class gives an element what the element itself cannot say.

    Of the elements for other kinds of actuators, MuJoCo keeps what its next element does not replace.
    """
    if word != GENERAL:
        return bool(values.get(word, {}).keys() - plan(cls).keys)
    elements = [x for _, own in levels for x in own if x.tag in _ACTUATORS]
    if any(x.tag != node.tag for x in elements) and not all(map(_is_plain, elements)):
        return True
    return bool(_of_kind(node.tag, values).keys() - plan(cls).keys)


def _is_plain(element: Node) -> bool:
    """Whether an element of a class sets nothing but what it states, and all actuators have that."""
    return element.tag in _PLAIN and _ANY_ACTUATOR.issuperset(key for key, _, _ in element.items)


class _KeptClasses:
    """The classes of elements that need them, inside of one another as in the file."""

    def __init__(self, classes: Classes) -> None:
        self._classes = classes
        self.top = Node("default", [], None, FILLED)
        self._made: dict[str, Node] = {}

    def add(self, node: Node) -> None:
        """Keep the class of an element, which gets the name that the class has then.

        The main class gets other names: a file has a main class anyway.
        """
        outer, name = self.top, ""
        taken = set(self._classes.values)
        for of, own in self._classes.levels.get(node.word("class") or MAIN, ()):
            name = of
            if of == MAIN:
                if not own:
                    continue
                name = free_name(GENERAL, taken)
                taken.add(name)
            if name not in self._made:
                items: list[Item] = [(x.tag, Node(x.tag, list(x.items), None, FILLED), FILLED) for x in own]
                made = Node("default", [("class", Word(name), FILLED), *items], None, FILLED)
                self._made[name] = made
                outer.items.append(("default", made, FILLED))
            outer = self._made[name]
        node.items = [("class", Word(name), FILLED), *(item for item in node.items if item[0] != "class")]


def remains_of_class(node: Node) -> bool:
    """Whether the class of an element is kept, which says more than the values of the element."""
    return any(key == "class" and start == FILLED for key, _, start in node.items)


def stated(node: Node) -> Node:
    """An element without the values that only the class says of which it remains."""
    if not remains_of_class(node):
        return node
    items = [x for x in node.items if x[2] != FILLED or x[0] == "class" or x[0] in _ANY_ACTUATOR]
    return Node(node.tag, items, node.source, node.start, node.end)


def _has_class(root: Node) -> bool:
    return any(key in CLASS_WORDS for node in elements(root) for key, _, _ in node.items)


def _resolve_tree(section: Node, classes: Classes) -> None:
    members = plan(document_bodies.Body).fields["items"].members
    # in document order, in which attached classes come in
    todo: list[tuple[Node, str | None]] = [(section, None)]
    while todo:
        node, childclass = todo.pop()
        cls = members.get(node.tag)
        if cls is not None and _is_classed(cls):
            own = node.word("class")
            name = own if own is not None else childclass
            values = classes.of(name if name in classes.values or own else None, node)
            _fill(node, node.tag, values, cls)
        elif node.tag == document_bodies.Attach.KEY:
            classes.bring(node)
        elif node is section or (cls is not None and "childclass" in plan(cls).keys):
            own = node.word("childclass")
            if own is not None and node is not section:
                classes.of(own, node)
                childclass = own
            todo += [(v, childclass) for _, v, _ in reversed(node.items) if isinstance(v, Node)]


def _with_tail(value: Word, of_class: Word, spec: Spec) -> Word:
    """A list with fewer numbers than that of its class, which keeps the rest, as in MuJoCo."""
    sizes = spec.type.schema.get("words", ()) if spec.type is not None else ()
    rest = of_class.text.split()[len(value.text.split()) :] if len(sizes) > 1 else []
    return Word(f"{value.text} {' '.join(rest)}") if rest else value


def _of_kind(kind: str, values: Values) -> dict[str, Word]:
    """The default of actuators as one kind has it; a general one has the gains of servos as numbers."""
    given = values.get(GENERAL, {})
    styled = values.get(_KIND, {}).get(_KIND)
    if styled is None and "gainprm" in given and kind in _GAINS:
        return {**given, _GAINS[kind]: Word(given["gainprm"].text.split()[0])}
    if styled is None or styled.text == kind:
        return given
    common = {key: value for key, value in given.items() if key in _ANY_ACTUATOR}
    if kind != GENERAL:
        return {**common, **values.get(_AROUND + kind, {})}
    kp, kv = given.get("kp", Word("1")).text, given.get("kv", Word("0")).text
    ratio = given.get("dampratio")
    if styled.text == "position":
        back = ratio.text if ratio is not None else _negative(kv)
        common |= {
            "gainprm": Word(kp),
            "biastype": Word("affine"),
            "biasprm": Word(f"0 {_negative(kp)} {back}"),
            "input": Word("pos"),
        }
        if (delay := given.get("timeconst")) is not None:
            common |= {"dyntype": Word("filterexact"), "dynprm": Word(delay.text)}
    elif styled.text == "velocity":
        kv = given.get("kv", Word("1")).text
        common |= {
            "gainprm": Word(kv),
            "biastype": Word("affine"),
            "biasprm": Word(f"0 0 {_negative(kv)}"),
            "input": Word("vel"),
        }
    # what a general element of the class sets
    return common | {k: v for k, v in given.items() if k not in ("kp", "kv", "dampratio", "timeconst")}


def _negative(number: str) -> str:
    text = number.strip()
    return text[1:] if text.startswith("-") else text if text == "0" else f"-{text}"


def _fill(node: Node, word: str, values: Values, cls: type, *, is_kept: bool = False) -> None:
    """Add the values of a class that an element does not set, as far as it has them.

    With ``is_kept``, what only some kinds of actuators have stays as it is: the class remains.
    """
    given = _of_kind(node.tag, values) if word == GENERAL else values.get(word)
    if not given:
        return
    own = {key for key, _, _ in node.items}
    own |= _excluded_by(own)
    keys = plan(cls).keys
    for i, (key, value, start) in enumerate(node.items):
        is_whole = is_kept and key not in _ANY_ACTUATOR
        if key in given and key in keys and isinstance(value, Word) and not is_whole:
            node.items[i] = (key, _with_tail(value, given[key], keys[key].spec), start)
    more: list[Item] = [(k, v, FILLED) for k, v in given.items() if k not in own and k in keys]
    if more:
        node.items = [*more, *node.items]
        if word == document_bodies.Camera.KEY:
            _drop_overruled(node)


def _excluded_by(stated: Collection[str]) -> set[str]:
    """The attributes that an element with these has not from its class."""
    return {key for keys in _EXCLUSIVE if not set(keys).isdisjoint(stated) for key in keys}


def _drop_overruled(camera: Node) -> None:
    """Remove the angle of a camera whose view its image sensor gives, unless the camera states both."""
    starts = {key: start for key, _, start in camera.items}
    if {"fovy", "sensorsize"} <= starts.keys() and FILLED in (starts["fovy"], starts["sensorsize"]):
        camera.items = [item for item in camera.items if item[0] != "fovy"]

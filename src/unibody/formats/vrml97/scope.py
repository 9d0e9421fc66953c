"""Scopes of a VRML97 file: nodes by DEF name, prototypes, and values of IS."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import field

from unibody.document.declare import FILLED
from unibody.formats.format import Context
from unibody.formats.reference import report_unknown_use
from unibody.text.dataclass import dataclass
from unibody.text.node import Item, Node, Numbers, Row, SkippedNode, Value, Word
from unibody.text.source import Source
from unibody.text.vrml.brackets import Tree

PROTOS = ("PROTO", "EXTERNPROTO")
_SUGAR = (*PROTOS, "USE", "IS", "Inline", "ROUTE")


@dataclass(slots=True, eq=False)
class Scope:
    """The scope of a file or of a PROTO body (ISO/IEC 14772-1, 4.4.3, 4.8.4).

    ``defs`` maps each name to its first node, ``latest`` to the last one so far, ``again`` to those that
    are not compared with the first one yet; ``values`` are the field
    values of a PROTO instance; ``routes`` are the ROUTEs inside nodes; ``marks`` are the positions of
    everything that needs expansion (see :func:`marks`), None if unknown.
    """

    context: Context
    outer: Scope | None = None
    values: Values | None = None
    protos: dict[str, Proto] = field(default_factory=dict)
    defs: dict[str, Node] = field(default_factory=dict)
    latest: dict[str, Node] = field(default_factory=dict)
    routes: list[Item] = field(default_factory=list)
    again: dict[str, list[Node]] = field(default_factory=dict)
    differing: dict[str, bool] = field(default_factory=dict)
    marks: list[int] | None = None

    def plain(self, value: Node | Row) -> bool:
        """Whether a value of this file contains nothing to expand."""
        if value.__class__ is SkippedNode:
            return True
        if self.marks is None or not 0 <= value.start < value.end:
            return False
        at = bisect_left(self.marks, value.start)
        return at == len(self.marks) or self.marks[at] >= value.end

    def find(self, name: str) -> Proto | None:
        """The prototype with a name, declared in this scope or an outer one."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.protos:
                return scope.protos[name]
            scope = scope.outer
        return None

    def define(self, name: str, node: Node) -> None:
        """Register a node under its DEF name."""
        first = self.defs.setdefault(name, node)
        self.latest[name] = node
        if first is not node:
            self.again.setdefault(name, []).append(node)

    def _differ(self, name: str) -> bool:
        """Whether the nodes with a name differ from the first one; compared only if one is used."""
        again = self.again.pop(name, [])
        if not self.differing.get(name):
            words = _words(self.defs[name])
            self.differing[name] = any(_words(node) != words for node in again)
        return self.differing[name]

    def use(self, asked: Node, open: set[int]) -> Node | None:
        """The node that ``USE name`` refers to; None after a finding.

        Of several, the first, as in Choreonoid and OpenHRP (facts B.2); VRML97 uses the last one.
        """
        name, findings = asked.name, self.context.findings
        found = self.defs.get(name)
        if found is None:
            report_unknown_use(asked, self.defs, findings)
            return None
        if id(found) in open:
            findings.warning(
                "use-recursion", f"USE {name} inside {name} itself; ignored", asked.span, "remove the USE"
            )
            return None
        if self.latest[name] is not found and self._differ(name):
            findings.warning(
                "reference-differs",
                f"USE {name}: using the first of two different nodes with this name, as in Choreonoid; "
                "VRML97 uses the last",
                asked.span,
                "give each node a unique name",
            )
        return found

    def declare(self, statements: list[Item]) -> None:
        """Register the prototypes among statements; of duplicates, the first one."""
        for _, node, _ in statements:
            if isinstance(node, Node) and node.tag in PROTOS:
                if node.name in self.protos:
                    message = f"duplicate PROTO {node.name}; using the first"
                    self.context.findings.warning(
                        "proto-twice", message, node.span, "rename one of the PROTOs"
                    )
                else:
                    self.protos[node.name] = Proto(node, self)


@dataclass(slots=True, eq=False)
class Proto:
    """A prototype and the scope of its declaration; ``defaults`` are items for its instances."""

    node: Node
    scope: Scope
    fields: dict[str, Value | None] = field(default_factory=dict)
    defaults: list[Item] = field(default_factory=list)

    def __post_init__(self) -> None:
        for key, value, _ in self.node.items:
            if key == "interface" and isinstance(value, Node):
                self.fields[value.name] = value.get("value")
        self.defaults += [(name, v, FILLED) for name, v in self.fields.items() if v is not None]

    @property
    def name(self) -> str:
        """The type name."""
        return self.node.name

    def body(self) -> list[Item]:
        """The statements of the body."""
        return [item for item in self.node.items if item[0] == ""]


@dataclass(slots=True, eq=False)
class Values:
    """The field values of a PROTO instance, with defaults, as items of ``node``."""

    proto: Proto
    node: Node

    def get(self, name: str, source: Source | None) -> tuple[Value, int] | None:
        """The value of a field for a node of ``source``, with the start of its item; None if unset."""
        for key, value, start in self.node.items:
            if key == name:
                return (value if self.node.source is source else unplaced(value)), start
        return None


def marks(root: Node) -> list[int] | None:
    """The sorted start positions of USE, IS, prototypes, their instances, Inline and ROUTE in a file.

    Also those of DEF, if there is a USE. None for a tree that does not come from a text.
    """
    if not isinstance(root, Tree):
        return None
    words = {*_SUGAR, *root.protos, *(["DEF"] if "USE" in root.starts else [])}
    return sorted(at for word in words & root.starts.keys() for at in root.starts[word])


def _words(node: Node) -> list[str]:
    """The text of a node, split at white space."""
    return node.span.text.split() if node.span is not None else []


def unplaced(value: Value) -> Value:
    """A value without its source position, for a node of another file."""
    match value:
        case Word():
            return Word(value.text, quote=value.quote)
        case Numbers():
            return Numbers(value.body, form=value.form)
        case Row():
            return Row([v if isinstance(v, Node) else unplaced(v) for v in value.values], flow=True)
    return value

"""What names mean at a place in a VRML97 file: nodes by DEF, prototypes, and the values behind IS."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field

from unibody.document.declare import FILLED
from unibody.formats.format import Context
from unibody.text.fixes import respelled
from unibody.text.near import near
from unibody.text.node import Item, Node, Numbers, Row, SkippedNode, Value, Word
from unibody.text.source import Source
from unibody.text.vrml.brackets import Tree

PROTOS = ("PROTO", "EXTERNPROTO")
_SUGAR = (*PROTOS, "USE", "IS", "Inline", "ROUTE")


@dataclass(slots=True, eq=False)
class Scope:
    """A file, or the body of a prototype that is being unfolded (ISO/IEC 14772-1, 4.4.3, 4.8.4).

    ``defs`` holds the first node of each name, ``latest`` the last one before here; ``values`` what
    an instance gives the fields of its prototype; ``routes`` are those that stand inside of nodes;
    ``marks`` is where something begins that stands for something else, None when that is not known.
    """

    context: Context
    outer: Scope | None = None
    values: Values | None = None
    protos: dict[str, Proto] = field(default_factory=dict)
    defs: dict[str, Node] = field(default_factory=dict)
    latest: dict[str, Node] = field(default_factory=dict)
    routes: list[Item] = field(default_factory=list)
    differing: dict[str, bool] = field(default_factory=dict)
    marks: list[int] | None = None

    def plain(self, value: Node | Row) -> bool:
        """Whether nothing in a value of this file stands for something else."""
        if value.__class__ is SkippedNode:
            return True
        if self.marks is None or not 0 <= value.start < value.end:
            return False
        at = bisect_left(self.marks, value.start)
        return at == len(self.marks) or self.marks[at] >= value.end

    def find(self, name: str) -> Proto | None:
        """The prototype of a name, declared here or around."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.protos:
                return scope.protos[name]
            scope = scope.outer
        return None

    def define(self, name: str, node: Node) -> None:
        """Give a node its DEF name."""
        first = self.defs.setdefault(name, node)
        self.latest[name] = node
        if first is not node and not self.differing.get(name):
            self.differing[name] = _words(first) != _words(node)

    def use(self, asked: Node, open: set[int]) -> Node | None:
        """The node that ``USE name`` means; None after a finding.

        The first of several counts (facts B.2, Choreonoid and OpenHRP), VRML97 means the latest.
        """
        name, findings = asked.name, self.context.findings
        found = self.defs.get(name)
        if found is None:
            alike = near(name, self.defs)
            hint = f"did you mean {alike}?" if alike else "DEF has to come before USE, in the same file"
            findings.error(
                "use-undefined",
                f"USE {name}: no node before it is called so",
                asked.span,
                hint,
                suggestion=alike,
                fix=respelled(asked.span, name, alike),
            )
            return None
        if id(found) in open:
            findings.error(
                "use-recursion", f"USE {name} stands inside of {name} itself", asked.span, "remove it"
            )
            return None
        if self.differing.get(name) and self.latest[name] is not found:
            findings.warning(
                "reference-differs",
                f"USE {name}: two different nodes before it are called so; the first is used, as in "
                "Choreonoid, but VRML97 means the last",
                asked.span,
                "give each node a name of its own",
            )
        return found

    def declare(self, statements: list[Item]) -> None:
        """Take in the prototypes among some statements; of two with one name the first counts."""
        for _, node, _ in statements:
            if isinstance(node, Node) and node.tag in PROTOS:
                if node.name in self.protos:
                    message = f"PROTO {node.name} is declared twice; the first one counts"
                    self.context.findings.warning("proto-twice", message, node.span, "rename one")
                else:
                    self.protos[node.name] = Proto(node, self)


@dataclass(slots=True, eq=False)
class Proto:
    """A prototype's declaration and the scope it stands in; ``defaults`` are items of its instances."""

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
        """What instances are tagged with."""
        return self.node.name

    def body(self) -> list[Item]:
        """The statements in the braces."""
        return [item for item in self.node.items if item[0] == ""]


@dataclass(slots=True, eq=False)
class Values:
    """What an instance gives the fields of its prototype, defaults filled in, as items of ``node``."""

    proto: Proto
    node: Node

    def get(self, name: str, source: Source | None) -> tuple[Value, int] | None:
        """A field's value for a node of ``source``, with the start of its item; None without one."""
        for key, value, start in self.node.items:
            if key == name:
                return (value if self.node.source is source else unplaced(value)), start
        return None


def marks(root: Node) -> list[int] | None:
    """Where USE, IS, prototypes, their instances, Inline and ROUTE begin in a file, in order.

    None for a tree that was not read from a text. Names matter only where there is a USE.
    """
    if not isinstance(root, Tree):
        return None
    words = {*_SUGAR, *root.protos, *(["DEF"] if "USE" in root.starts else [])}
    return sorted(at for word in words & root.starts.keys() for at in root.starts[word])


def _words(node: Node) -> list[str]:
    """What is written of a node, white space apart."""
    return node.span.text.split() if node.span is not None else []


def unplaced(value: Value) -> Value:
    """A value without its place, which is in another text than the node it is put into."""
    match value:
        case Word():
            return Word(value.text, quote=value.quote)
        case Numbers():
            return Numbers(value.body, form=value.form)
        case Row():
            return Row([v if isinstance(v, Node) else unplaced(v) for v in value.values], flow=True)
    return value

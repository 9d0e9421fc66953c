"""Expands USE, File and WWWInline of Inventor files.

Nodes that are shared by USE, and files that are included twice, are shared objects of the expanded tree.
An ignored field (``x 1 ~``) gets an item with key ``~x``, one connected to an engine (``x 1 = …``) an item
with key ``=x``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from types import MappingProxyType

from unibody.files.access import FileError, Search
from unibody.formats.format import Context
from unibody.formats.inventor.nodes import layout
from unibody.formats.reference import report_unknown_use
from unibody.text.dataclass import dataclass
from unibody.text.decode import decode
from unibody.text.finding import Findings, TextError
from unibody.text.inventor import parser as inventor
from unibody.text.inventor.binary import is_binary, to_text
from unibody.text.limits import LimitError, Meter
from unibody.text.node import Item, Node, Numbers, Row, Word
from unibody.text.source import Source, Span
from unibody.text.vrml.version import is_older

#: Search path of File nodes after the folder of the including file (formats/mpk.md, models).
SEARCH = Search(("$IVMODELS", "", "ivmodels", "ivmodels.private"))
#: The tag of a file of another format in a File node; not a legal name in an Inventor file.
MESH_FILE = "mesh file"
#: The search paths of the nodes that include files.
FILES: Mapping[str, Search] = MappingProxyType({"File": SEARCH, "WWWInline": SEARCH})
_COST = 10
_PLAIN = (Word, Numbers)


def read_source(data: bytes, name: str, findings: Findings, meter: Meter | None = None) -> Source:
    """The text of an Inventor file, ASCII or binary; TextError if it is neither."""
    if not is_binary(data):
        return decode(data, name, findings, meter)
    source = to_text(data, name, layout())
    source.meter = meter
    return source


def expand(root: Node, context: Context, files: Mapping[str, Search] = FILES) -> Node:
    """Expand USE, File and other nodes in ``files``.

    TextError if the tree expands to more than the work limit.

    >>> from unibody.files.access import MemoryFiles
    >>> from unibody.text.finding import Findings
    >>> context = Context("a.iv", MemoryFiles({}), Findings(), lambda path, context: None)
    >>> text = "#Inventor V2.1 ascii\\nDEF A Cube { } USE A"
    >>> made = expand(inventor.parse(Source("a.iv", text), Findings()), context)
    >>> made.items[0][1] is made.items[1][1]
    True
    """
    return _Expansion(context, files).run(root)


@dataclass(slots=True, eq=False)
class _Scope:
    """A file: its context, and the latest node of each name."""

    context: Context
    names: dict[str, Node] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class _Frame:
    """A node or list that is being copied, and its remaining items.

    The nodes of a file (``closes``) are finally inserted into the node that includes it (``into``).
    """

    made: Node | Row
    left: Iterator[Item]
    scope: _Scope
    closes: str = ""
    into: Node | None = None

    def add(self, item: Item) -> None:
        """Add a copied item."""
        if isinstance(self.made, Row):
            self.made.values.append(item[1])
        else:
            self.made.items.append(item)


@dataclass(slots=True, eq=False)
class _Expansion:
    """State of one expansion: the open nodes and files (``way``), and the expanded files (``done``)."""

    context: Context
    files: Mapping[str, Search]
    stack: list[_Frame] = field(default_factory=list)
    open: set[int] = field(default_factory=set)
    way: list[str] = field(default_factory=list)
    done: dict[str, list[Item]] = field(default_factory=dict)
    told: bool = False

    def run(self, root: Node) -> Node:
        self.way = [*self.context.open, self.context.files.canonical(self.context.path)]
        made = Node("", [], root.source, root.start, root.end)
        self.stack.append(_Frame(made, iter(root.items), _Scope(self.context)))
        while self.stack:
            frame = self.stack[-1]
            item = next(frame.left, None)
            if item is None:
                self._close(self.stack.pop())
            else:
                self._item(frame, item)
        return made

    def _item(self, frame: _Frame, item: Item) -> None:
        key, value, start = item
        if isinstance(value, Node) and value.tag == "~":
            ignored = value.get("")
            item = (f"~{key}", Word("") if ignored is None else ignored, start)
        elif isinstance(value, Node) and value.tag == "=":
            self._connected(frame, item, value)
            return
        key, value, start = item
        if isinstance(value, Node) and key != "interface":
            self._node(frame, item, value)
        elif isinstance(value, Row) and any(isinstance(v, Node) for v in value.values):
            row = Row([], value.start, value.end, flow=value.flow)
            frame.add((key, row, start))
            self._push(_Frame(row, iter([("", v, -1) for v in value.values]), frame.scope))
        else:
            frame.add(item)

    def _connected(self, frame: _Frame, item: Item, value: Node) -> None:
        """Expand a field connected to an engine to its written value, or else to its default."""
        key, _, start = item
        if not self.told:
            self.told = True
            self.context.findings.info(
                "field-connected",
                f"field '{key}' is connected to an engine; using the written value",
                value.span,
            )
        written = value.get("value")
        if written is not None:
            self._item(frame, (key, written, start))
        frame.add((f"={key}", value, start))

    def _node(self, frame: _Frame, item: Item, node: Node) -> None:
        key, _, start = item
        scope = frame.scope
        if node.tag == "USE":
            found = self._used(node, scope)
            if found is not None:
                frame.add((key, found, start))
            return
        scope.context.budget.spend(_COST + len(node.items), node.span)
        if node.tag not in self.files and all(v.__class__ in _PLAIN for _, v, _ in node.items):
            # the common case: nothing to expand
            if node.name:
                scope.names[node.name] = node
            frame.add(item)
            return
        made = Node(node.tag, [], node.source, node.start, node.end, node.name, node.flow)
        if node.name:
            scope.names[node.name] = made
        frame.add((key, made, start))
        self._push(_Frame(made, iter(node.items), scope))

    def _used(self, node: Node, scope: _Scope) -> Node | None:
        name, findings = node.name, scope.context.findings
        found = scope.names.get(name)
        if found is None:
            report_unknown_use(node, scope.names, findings)
        elif id(found) in self.open:
            message = f"USE {name} inside {name} itself; ignored"
            findings.warning("use-recursion", message, node.span, "remove the USE")
            return None
        return found

    def _push(self, frame: _Frame) -> None:
        self.stack.append(frame)
        self.open.add(id(frame.made))

    def _close(self, frame: _Frame) -> None:
        made = frame.made
        self.open.discard(id(made))
        if frame.into is not None and isinstance(made, Node):
            self.way.remove(frame.closes)
            self.done[frame.closes] = [item for item in made.items if item[0] == ""]
            frame.into.items += self.done[frame.closes]
        elif isinstance(made, Node) and made.tag in self.files and made.word("name"):
            self._file(made, frame.scope.context)

    # --- files --------------------------------------------------------------------------

    def _file(self, made: Node, context: Context) -> None:
        """Insert the nodes of the file of a File node."""
        if any(not key for key, _, _ in made.items):
            return  # a tree written from a document is already expanded
        uri = made.word("name") or ""
        name = made.get("name")
        at = made.place(name) if name is not None else made.span
        path = self._find(uri, at, context, self.files[made.tag])
        if path is None:
            self._missing(made, uri, at)
            return
        known = context.files.canonical(path)
        if known in self.done:
            made.items += self.done[known]
            return
        if len(self.way) > context.files.limits.includes and known not in self.way:
            context.findings.append(context.files.limits.finding("includes", f"{made.tag} '{uri}'", at))
            return
        if known in self.way:
            context.findings.error(
                "include-recursion",
                f"recursive {made.tag} '{uri}'",
                at,
                f"remove the {made.tag}",
            )
            return
        inner = replace(context, path=path, open=(*context.open, context.path))
        root = self._read(uri, inner, at)
        if root is None:
            self._missing(made, uri, at)
            return
        self.way.append(known)
        content = Node("", [], root.source, root.start, root.end)
        self._push(_Frame(content, iter(root.items), _Scope(inner), known, made))

    def _find(self, uri: str, at: Span | None, context: Context, search: Search) -> str | None:
        """The path of a file, relative to this file, to those that include it, or in the search path."""
        first: Findings | None = None
        for base in (context.path, *reversed(context.open)):
            trial = Findings()
            path = context.files.search(uri, base, at, trial, search)
            if path is not None:
                context.findings += trial
                return path
            first = first or trial
        context.findings += first or ()
        return None

    def _read(self, uri: str, context: Context, at: Span | None) -> Node | None:
        """The tree of a file; for another format, a tree with a reference to the file."""
        path, findings = context.path, context.findings
        try:
            data = context.files.read(path, at)
            context.budget.spend(1000 + len(data) // 50, at)
            part = os.path.splitext(path)[1].lower() == ".iv"
            head = data[:200].decode("latin-1")
            if is_older(data) or (part and not head.lstrip().startswith("#VRML")):
                source = read_source(data, path, findings, context.files.meter)
                return inventor.parse(source, findings, part)
        except LimitError:
            raise
        except (TextError, FileError) as e:
            findings.append(e.finding)
            return None
        mesh = _mesh_node(uri, path, at)
        return Node("", [("", mesh, -1)], mesh.source, mesh.start, mesh.end)

    def _missing(self, made: Node, uri: str, at: Span | None) -> None:
        """Insert a reference without a path in place of the file of a File or WWWInline node."""
        if made.tag in FILES and made.get("alternateRep") is None:
            made.items.append(("", _mesh_node(uri, "", at), -1))


def _mesh_node(uri: str, path: str, at: Span | None) -> Node:
    items: list[Item] = [("url", Word(uri, quote='"'), -1), ("path", Word(path, quote='"'), -1)]
    place = at or Span(Source(path, ""), 0, 0)
    return Node(MESH_FILE, items, place.source, place.start, place.end)

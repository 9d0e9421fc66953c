"""Opens the files that a VRML97 file refers to by Inline or EXTERNPROTO, each once; detects cycles."""

from __future__ import annotations

import os
from dataclasses import field, replace

from unibody.files.access import FileError
from unibody.formats.format import Context
from unibody.formats.reference import find_mesh
from unibody.formats.vrml97.scope import Proto, Scope
from unibody.text.dataclass import dataclass
from unibody.text.decode import decode
from unibody.text.finding import TextError
from unibody.text.gzip import unpacked
from unibody.text.limits import LimitError
from unibody.text.node import Item, Node, Row, Value, Word
from unibody.text.source import Source, Span
from unibody.text.vrml import parser as vrml
from unibody.text.vrml.version import is_older

#: The tag of a mesh file in an Inline; not a legal name in a VRML97 file.
MESH_FILE = "mesh file"
# The last two are compressed; files with the other suffixes may be, too.
_WORLDS = (".wrl", ".vrml", ".wrz", ".wrl.gz")


def is_world(url: str) -> bool:
    """Whether a URL refers to a VRML file, rather than a mesh of another format."""
    lower = url.lower()
    return lower.endswith(_WORLDS) or not os.path.splitext(lower)[1]


def url_words(value: Value | None) -> list[Word]:
    """The non-blank strings of an MFString."""
    values = value.values if isinstance(value, Row) else [value]
    return [v for v in values if isinstance(v, Word) and v.text.strip() and v.text != "NULL"]


@dataclass(slots=True, eq=False)
class Opened:
    """A parsed file of an Inline; ``done`` is its expanded tree if it has been expanded before."""

    name: str
    root: Node
    scope: Scope
    done: Node | None = None


@dataclass(slots=True, eq=False)
class Included:
    """The files of one expansion: the open ones (``way``), parsed ones and expanded ones (``done``)."""

    context: Context
    way: list[str] = field(default_factory=list)
    done: dict[str, Node] = field(default_factory=dict)
    parsed: dict[str, tuple[Context, Node] | None] = field(default_factory=dict)
    outside: dict[int, Proto | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.way = [*self.context.open, self.context.files.canonical(self.context.path)]

    def urls(self, made: Node, scope: Scope) -> list[Word]:
        """The URLs of an Inline; reports several.

        All are read, as in Choreonoid and OpenHRP (facts B.2); VRML97 uses the first readable one.
        """
        found = url_words(made.get("url"))
        if len(found) > 1:
            scope.context.findings.warning(
                "reference-differs",
                f"Inline: all {len(found)} URLs are read, as in Choreonoid; VRML97 uses the first readable "
                "one",
                made.place(found[1]),
                "write one Inline per file",
            )
        return found

    def open(self, url: Word, made: Node, context: Context) -> Opened | Node | None:
        """Parse a file of an Inline; a reference without a path if it is missing or broken.

        None, after a finding, if it includes itself or too many files are open.
        """
        at = made.place(url)
        base = made.source.name if made.source is not None else context.path
        path = context.files.resolve(url.text, base, at, context.findings)
        if path is None:
            return _mesh_node(url.text, "", made.source, url)
        name = context.files.canonical(path)
        if name in self.done:
            return Opened(name, self.done[name], Scope(context), self.done[name])
        if len(self.way) > context.files.limits.includes and name not in self.way:
            context.findings.append(context.files.limits.finding("includes", f"Inline '{url.text}'", at))
            return None
        if name in self.way:
            context.findings.error(
                "include-recursion",
                f"recursive Inline '{url.text}'",
                at,
                "remove the Inline",
            )
            return None
        read = self._read(path, name, at)
        if read is None:
            return _mesh_node(url.text, "", made.source, url)
        inner, root = read
        self.way.append(name)
        return Opened(name, root, Scope(inner))

    def close(self, opened: Opened, world: Node) -> None:
        """Store the expanded tree of a file for further references."""
        self.way.remove(opened.name)
        self.done[opened.name] = world

    def _read(self, path: str, name: str, at: Span | None) -> tuple[Context, Node] | None:
        """The tree of a file and its context; None after a finding."""
        if name not in self.parsed:
            self.parsed[name] = None
            inner = replace(self.context, path=path)
            source = _source(inner, at)
            if source is not None and is_older(source.text):
                # another syntax: kept as a reference to a mesh file
                mesh = Node(
                    MESH_FILE, [("url", Word(path, quote='"'), -1), ("path", Word(path, quote='"'), -1)]
                )
                self.parsed[name] = (inner, Node("", [("", mesh, -1)], source, 0, len(source.text)))
            elif source is not None:
                try:
                    self.parsed[name] = (inner, vrml.parse(source, inner.findings, part=True))
                except LimitError:
                    raise
                except TextError as e:
                    inner.findings.append(e.finding)
        return self.parsed[name]

    def mesh(self, url: Word, made: Node, context: Context) -> Node:
        """The node of a mesh file of another format."""
        base = made.source.name if made.source is not None else context.path
        path = find_mesh(url.text, lambda: made.place(url), replace(context, path=base))
        return _mesh_node(url.text, path, made.source, url)

    def external(self, proto: Proto, built_in: bool) -> Proto | None:
        """The prototype of an EXTERNPROTO; None, with a finding, if it cannot be read."""
        key = id(proto.node)
        if key not in self.outside:
            self.outside[key] = self._external(proto)
            if self.outside[key] is None:
                findings, node = self.context.findings, proto.node
                what = f"EXTERNPROTO {node.name} has no readable URL"
                if built_in:
                    findings.info("externproto-built-in", f"{what}; using the built-in node", node.span)
                else:
                    hint = "declare the PROTO in this file"
                    findings.warning(
                        "externproto-missing", f"{what}; instances are kept, not drawn", node.span, hint
                    )
        return self.outside[key]

    def _external(self, proto: Proto) -> Proto | None:
        node, context = proto.node, proto.scope.context
        for url in url_words(node.get("url")):
            file, _, wanted = url.text.partition("#")
            base = node.source.name if node.source is not None else context.path
            path = context.files.find(file, base) if file else None
            if path is None:
                continue
            read = self._read(path, context.files.canonical(path), node.place(url))
            if read is None:
                continue
            scope = Scope(read[0])
            scope.declare(read[1].items)
            found = scope.protos.get(wanted) if wanted else next(iter(scope.protos.values()), None)
            if found is not None and found.node.tag == "PROTO":
                return found
        return None


def _mesh_node(url: str, path: str, source: Source | None = None, at: Word | None = None) -> Node:
    items: list[Item] = [("url", Word(url, quote='"'), -1), ("path", Word(path, quote='"'), -1)]
    return Node(MESH_FILE, items, source, at.start if at else -1, at.end if at else -1)


def _source(context: Context, at: Span | None) -> Source | None:
    """The decoded text of the context's file; None after a finding."""
    try:
        meter = context.files.meter
        data = unpacked(context.files.read(context.path, at), context.path, meter.limits.file_bytes)
        context.budget.spend(1000 + len(data) // 20, at)
        return decode(data, context.path, context.findings, meter)
    except FileError as e:
        context.findings.append(e.finding)
    except TextError as e:
        if isinstance(e, LimitError):
            raise
        context.findings.append(replace(e.finding, at=e.finding.at or at))
    return None

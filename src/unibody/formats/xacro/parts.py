"""Tells the files that only help other xacro files from those that make a robot."""

from __future__ import annotations

from collections.abc import Iterator

from unibody.files.access import FileError, Files
from unibody.formats.xacro.expand import expand
from unibody.text.decode import decode
from unibody.text.finding import Findings, TextError
from unibody.text.node import Node
from unibody.text.source import Source
from unibody.text.xml import parser as xml

# What defines something for other files, or is passed through.
_DEFINES = frozenset({"xacro:macro", "xacro:property", "xacro:arg", "xacro:include"})
_MADE = frozenset({"link", "joint"})
_BRANCHES = frozenset({"xacro:if", "xacro:unless"})
# Most files that are looked at for one.
_MOST = 16


def is_part(path: str, text: str, files: Files | None = None) -> bool:
    """Whether a xacro file is made for others to include: its top level has neither links nor joints.

    Or each of its links, those of the macros that it calls too, is the child of a joint, and they hang on a
    link of another file. The same holds for the files that it includes at its top level; a file whose
    includes depend on arguments or are not found, and which defines no macro itself, is taken for a model.
    ``files`` opens the includes.
    """
    return _Look(files or Files()).is_part(path, text)


class _Look:
    """A look at a file and its includes."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self.seen: set[str] = set()

    def is_part(self, path: str, text: str) -> bool:
        unheard = Findings()
        self.seen.add(self.files.canonical(path))
        source = Source(path, text)
        try:
            root = xml.parse(source, unheard)
        except TextError:
            return False
        if not isinstance(root, Node) or root.tag != "robot":
            return False
        top = list(_top(root))
        made = [node for node in top if _makes(node)]
        if not top:
            return False
        if any(node.tag not in _MADE for node in made):
            return self._hangs_expanded(root, source)
        if made and not _hangs(made):
            return False
        if any(node.tag == "xacro:macro" for node in top):
            return True
        includes = [node.word("filename") or "" for node in top if node.tag == "xacro:include"]
        return all(self._is_part_included(uri, path) for uri in includes)

    def _hangs_expanded(self, root: Node, source: Source) -> bool:
        """Whether the links and joints that a file and its macros make hang on a link of another file."""
        try:
            whole, _ = expand(root, source, self.files, Findings())
        except TextError:
            return False
        return _hangs([node for node in _top(whole) if node.tag in _MADE])

    def _is_part_included(self, uri: str, base: str) -> bool:
        path = None if "${" in uri or "*" in uri else self.files.find(uri, base)
        if path is None or len(self.seen) > _MOST:
            return False
        if self.files.canonical(path) in self.seen:
            return True
        try:
            text = decode(self.files.read(path), path, Findings()).text
        except (FileError, TextError):
            return False
        return self.is_part(path, text)


def _top(node: Node) -> Iterator[Node]:
    """The elements at the top level of a file, those in conditions too."""
    for _, value, _ in node.items:
        if isinstance(value, Node):
            if value.tag in _BRANCHES:
                yield from _top(value)
            else:
                yield value


def _makes(node: Node) -> bool:
    """Whether an element makes links or joints, or may: a call of a macro."""
    return node.tag in _MADE or (node.tag.startswith("xacro:") and node.tag not in _DEFINES)


def _hangs(nodes: list[Node]) -> bool:
    """Whether links and joints need a link that is not among them to stand on."""
    links = {node.word("name") for node in nodes if node.tag == "link"}
    joints = [node for node in nodes if node.tag == "joint"]
    parents, children = ({_link(joint, end) for joint in joints} for end in ("parent", "child"))
    return bool(links) and links <= children and not parents <= links


def _link(joint: Node, end: str) -> str | None:
    found = joint.get(end)
    return found.word("link") if isinstance(found, Node) else None

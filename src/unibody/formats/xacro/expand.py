"""Expands xacro before binding, in .xacro files and wherever xacro elements occur."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from unibody.files.access import FileError, Files
from unibody.text.dataclass import dataclass
from unibody.text.finding import Finding, Findings, TextError
from unibody.text.hint import Hint
from unibody.text.installation import package_command
from unibody.text.node import Node, Value, Word
from unibody.text.source import Source

if TYPE_CHECKING:
    from unibody.formats.xacro.session import Session


def expand(
    node: Node,
    source: Source,
    files: Files,
    findings: Findings,
    mappings: Mapping[str, str] | None = None,
    declared: dict[str, str | None] | None = None,
) -> tuple[Node, Source]:
    """Expand the macros, properties, includes and conditions of xacro.

    Includes are relative to ``source.name``; ``mappings`` are the values of xacro:arg, and the arguments
    that the files declare or use are added to ``declared``, with their defaults as written. Every expanded
    node has the place of its element in the file that it was written in, with the source note "after
    xacro". Returns the tree unchanged if it does not use xacro, and if the expansion of a plain file
    fails, with a warning. A xacro file that cannot be expanded makes no model: TextError.
    """
    is_xacro = source.name.lower().endswith(".xacro")
    if not (is_xacro or node.word("xmlns:xacro") is not None):
        return node, source
    # most files declare the namespace without using it
    if not any(mark in source.text for mark in ("<xacro:", "${", "$(", "&#")):
        return node, source
    has_elements, has_expressions = _find_xacro(node)
    if not (has_elements or has_expressions):
        return node, source
    try:
        options = _Options(mappings or {}, {} if declared is None else declared, is_xacro)
        return _run(node, source, files, findings, options)
    except _Failed as failed:
        finding = failed.finding
        if is_xacro:
            raise TextError(finding) from None
        # a plain URDF with "$(find …)" in a value is read as is, like other loaders do
        findings.append(Finding(finding.code, "warning", finding.message, finding.at, finding.hint))
    return node, source


@dataclass(frozen=True, slots=True)
class _Options:
    mappings: Mapping[str, str]
    declared: dict[str, str | None]
    strict: bool  # a missing include is an error


class _Failed(Exception):
    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


def _run(
    node: Node, source: Source, files: Files, findings: Findings, options: _Options
) -> tuple[Node, Source]:
    """Expand with the xacro package, which is imported on first use."""
    from unibody.formats.xacro.dom import from_dom, to_dom
    from unibody.formats.xacro.session import Session

    session = None
    try:
        session = Session(source.name, files, findings, options.declared, options.strict)
        document = to_dom(node, session.sources)
        session.run(document, options.mappings)
        root = document.documentElement
        if session.strict and session.missing:
            needed = any(finding.code == "argument-missing" for finding in session.missing)
            if needed or not (root and root.getElementsByTagName("*")):
                raise TextError(session.missing[0])  # what is left is not the model
        return from_dom(document.documentElement), session.sources.get(source.name, source)
    except Exception as broken:  # xacro and what it evaluates may raise anything
        raise _Failed(_explain(broken, node, session)) from None


def _explain(broken: Exception, node: Node, session: Session | None) -> Finding:
    """The finding for a failed expansion: xacro's message, the element, and the enclosing macros."""
    from unibody.formats.xacro.expression import Refused

    inner: BaseException = broken
    while isinstance(deeper := getattr(inner, "exc", None), BaseException):
        inner = deeper
    if session and session.strict and session.missing:
        # what is not defined is in a file that was not included, which has been reported
        session.findings.remove(session.missing[0])
        return session.missing[0]
    if isinstance(inner, TextError | FileError):
        return inner.finding
    message = " ".join(str(broken).split()) or repr(broken)
    place, hint, code = node.span, "", "xacro"
    if session:
        place, hint = session.where() or place, session.trail()
    if isinstance(inner, RecursionError):
        message = "macros, properties or expressions are recursive or nested too deeply"
    elif isinstance(inner, ImportError):
        hint = package_command("xacro")
    elif isinstance(inner, Refused) and inner.hint:
        hint, code = Hint(inner.hint, f"; {hint}") if hint else inner.hint, inner.code
    return Finding(code, "error", f"xacro: {message[:1000]}", place, hint)


def _find_xacro(root: Node) -> tuple[bool, bool]:
    """Whether a tree has xacro elements, and whether it has expressions or substitutions in values."""
    expressions = False
    todo: list[Value] = [root]
    while todo:
        value = todo.pop()
        if isinstance(value, Node):
            if value.tag.startswith("xacro:"):
                return True, True
            todo.extend(v for _, v, _ in value.items)
        elif isinstance(value, Word) and ("${" in value.text or "$(" in value.text):
            expressions = True
    return False, expressions

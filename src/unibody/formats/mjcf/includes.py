"""Replaces `<include>` elements by the elements of the files that they name."""

from __future__ import annotations

from unibody.files.access import FileError
from unibody.formats.format import Context
from unibody.text.decode import decode
from unibody.text.finding import Finding, Findings, TextError
from unibody.text.limits import LimitError
from unibody.text.node import Item, Node
from unibody.text.source import Span
from unibody.text.xml import parser as xml


def include(root: Node, context: Context) -> None:
    """Replace the includes of a tree, in place; each file may be included only once, as in MuJoCo.

    A file is looked for in the folder of ``context.path`` (the main file), then in that of the file that
    includes it. TextError for a file that cannot be included: there is no model without it.
    """
    seen = {context.files.canonical(context.path)}
    todo: list[tuple[Node, str, int]] = [(root, context.path, 0)]
    while todo:
        node, path, depth = todo.pop()
        items: list[Item] = []
        for item in node.items:
            inner = item[1]
            if not isinstance(inner, Node):
                items.append(item)
            elif item[0] != "include":
                items.append(item)
                todo.append((inner, path, depth))
            else:
                found, where = _opened(inner, path, depth, seen, context)
                todo.append((found, where, depth + 1))
                items.append(("", found, -1))  # spliced in once the includes inside it are replaced
        node.items = items
    _splice(root)


def _splice(root: Node) -> None:
    """Replace the holders of included elements by their child elements."""
    todo = [root]
    while todo:
        node = todo.pop()
        if any(not key and isinstance(value, Node) for key, value, _ in node.items):
            out: list[Item] = []
            waiting = list(reversed(node.items))
            while waiting:
                key, value, start = waiting.pop()
                if not key and isinstance(value, Node):
                    waiting += [i for i in reversed(value.items) if isinstance(i[1], Node)]
                else:
                    out.append((key, value, start))
            node.items = out
        todo += [value for _, value, _ in node.items if isinstance(value, Node)]


def _opened(node: Node, base: str, depth: int, seen: set[str], context: Context) -> tuple[Node, str]:
    """The root element of an included file, and its path."""
    name = node.word("file")
    at = node.item_span(next((i for i in node.items if i[0] == "file"), ("", node, -1)))
    if not name:
        raise TextError(Finding("missing", "error", "<include> needs attribute 'file'", node.span))
    if any(isinstance(value, Node) for _, value, _ in node.items):
        message = "<include> must not have elements inside"
        raise TextError(Finding("include-rejected", "error", message, node.span, "remove them"))
    context.files.meter.look(at)
    if depth >= context.files.limits.includes:
        raise TextError(context.files.limits.finding("includes", f"include '{name}'", at))
    path = _path(name.replace("\\", "/"), base, at, context)
    key = context.files.canonical(path)
    if key in (context.files.canonical(context.path), context.files.canonical(base)):
        message = f"recursive include of '{name}'"
        raise TextError(Finding("include-recursion", "error", message, at, "remove the <include>"))
    if key in seen:
        message = f"'{name}' is included twice; MuJoCo rejects the file"
        hint = "include each file once; use <attach> for copies"
        raise TextError(Finding("include-rejected", "error", message, at, hint))
    seen.add(key)
    try:
        data = context.files.read(path, at)
        root = xml.parse(decode(data, path, context.findings, context.files.meter), context.findings)
    except LimitError:
        raise
    except (FileError, TextError) as broken:
        context.findings.append(broken.finding)
        message = f"cannot include '{name}'"
        raise TextError(Finding("include-rejected", "error", message, at)) from None
    if not any(isinstance(value, Node) for _, value, _ in root.items):
        message = f"included file '{name}' has no elements; MuJoCo rejects the file"
        raise TextError(Finding("include-rejected", "error", message, at, "remove the <include>"))
    return root, path


def _path(name: str, base: str, at: Span | None, context: Context) -> str:
    """The path of an included file; TextError if there is none."""
    noted = Findings()
    for place in dict.fromkeys((context.path, base)):
        if path := context.files.resolve(name, place, at, noted):
            return path
    first = noted[0] if noted else None
    message = first.message if first is not None else f"'{name}' not found"
    hint = first.hint if first is not None else ""
    raise TextError(Finding("include-rejected", "error", f"cannot include a file: {message}", at, hint))

"""Resolves includes, default classes, replicates and the kinds of actuators before binding."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace

from unibody.document.bind import Binding, bind
from unibody.document.declare import Document
from unibody.files.access import FileError
from unibody.formats.format import Context
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_assets as assets
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.conventions import Poses, Settings, settings_of
from unibody.formats.mjcf.defaults import GENERAL, Classes, Values, resolve_defaults
from unibody.formats.mjcf.document_element import CLASS_WORDS
from unibody.formats.mjcf.drives import name_kinds
from unibody.formats.mjcf.kept_elements import bound
from unibody.formats.mjcf.references import accompanying, names_in, references, renamed, table
from unibody.model.pose import IDENTITY, Pose
from unibody.text.dataclass import dataclass
from unibody.text.decode import decode
from unibody.text.finding import Finding, Findings, TextError
from unibody.text.limits import LimitError
from unibody.text.node import Item, Node, Word, elements, placed_copy
from unibody.text.number import format_float
from unibody.text.source import Span
from unibody.text.xml import parser as xml

ROOT = "mujoco"
# Elements and attributes that are resolved here; a tree without them is left as it is.
_SUGAR = frozenset(("include", "default", "replicate", *CLASS_WORDS, "discardvisual", GENERAL))
#: What a model without looks has not: the elements of assets, and the attribute that refers to a material.
_LOOKS = frozenset(("material", "texture"))
# Elements beside <worldbody> that MuJoCo accepts and ignores.
_IGNORED = frozenset(("body", "frame", "replicate"))


def expand(root: Node, context: Context, looks: bool | None = None) -> Node:
    """The tree with its includes, default classes and replicates resolved; the given tree is unchanged.

    ``looks`` tells whether it has materials and textures, by default as its ``discardvisual`` says.
    """
    if root.tag != ROOT:
        message = f"the root element is <{root.tag}>, not <{ROOT}>"
        hint = "include this file in a model" if root.tag == "mujocoinclude" else ""
        raise TextError(Finding("not-a-robot", "error", message, root.span, hint))
    words = _words(root)
    if not words & _SUGAR and not any(key in _IGNORED for key, _, _ in root.items):
        return root
    root = placed_copy(root)
    if "include" in words:
        include(root, context)
        words = _words(root)
    _drop_ignored(root, context.findings)
    resolve_defaults(root, context.findings, AttachedClasses(root, context))
    name_kinds(root)
    compilers = [value for key, value, _ in root.items if key == "compiler" and isinstance(value, Node)]
    noted = Findings()  # reported when the whole file is bound
    settings = settings_of([bind(d.Compiler, node, Binding(noted, xml=True)) for node in compilers])
    if settings.discardvisual if looks is None else not looks:
        _drop_looks(root)
    if "replicate" in words:
        replicate(root, settings, context)
    return root


def _drop_looks(root: Node) -> None:
    """Remove materials and textures, and what refers to them, in place, as MuJoCo does."""
    for node in elements(root):
        is_asset = node.tag == d.Asset.KEY
        node.items = [x for x in node.items if x[0] not in _LOOKS or (x[0] == "texture" and not is_asset)]


def _drop_ignored(root: Node, findings: Findings) -> None:
    """Remove the bodies beside the world, in place, as MuJoCo does."""
    for key, value, _ in root.items:
        if key in _IGNORED and isinstance(value, Node):
            findings.warning(
                "body-ignored",
                f"<{key}> stands in <{ROOT}>, outside <worldbody>; MuJoCo ignores it",
                value.span,
                "put it into <worldbody>, or remove it",
            )
    root.items = [item for item in root.items if item[0] not in _IGNORED or not isinstance(item[1], Node)]


def _words(root: Node) -> set[str]:
    """The tags and attributes of a tree."""
    found: set[str] = set()
    todo = [root]  # by hand: every load goes through all items
    while todo:
        for key, value, _ in todo.pop().items:
            found.add(key)
            if isinstance(value, Node):
                todo.append(value)
    return found


# --- includes ---------------------------------------------------------------------------


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
    path = _included(name.replace("\\", "/"), base, at, context)
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


def _included(name: str, base: str, at: Span | None, context: Context) -> str:
    """The path of an included file; TextError if there is none."""
    noted = Findings()
    for place in dict.fromkeys((context.path, base)):
        if path := context.files.resolve(name, place, at, noted):
            return path
    first = noted[0] if noted else None
    message = first.message if first is not None else f"'{name}' not found"
    hint = first.hint if first is not None else ""
    raise TextError(Finding("include-rejected", "error", f"cannot include a file: {message}", at, hint))


# --- replicates -------------------------------------------------------------------------


def replicate(root: Node, settings: Settings, context: Context) -> None:
    """Replace the replicates of a tree by frames with their copies, in place.

    What other sections say of a copied thing is copied, too, with the suffix of the copy.
    """
    holders: list[Node] = []
    for key, world, _ in root.items:
        if key == b.WorldBody.KEY and isinstance(world, Node):
            holders += [node for node in elements(world) if isinstance(node.get("replicate"), Node)]
    poses = Poses(settings, context)
    # the last found are the innermost: their suffixes come first
    for node in reversed(holders):
        items: list[Item] = []
        for item in node.items:
            if item[0] == "replicate" and isinstance(item[1], Node):
                items += _copies(item[1], root, poses, context)
            else:
                items.append(item)
        node.items = items


def _copies(node: Node, root: Node, poses: Poses, context: Context) -> list[Item]:
    bare = node.__class__(node.tag, [], node.source, node.start, node.end)
    bare.items = [item for item in node.items if not isinstance(item[1], Node)]
    doc = bind(b.Replicate, bare, Binding(context.findings, xml=True))
    inner = Node(node.tag, [item for item in node.items if isinstance(item[1], Node)])
    count = max(0, int(doc.count or 0))
    offset = doc.offset or (0.0, 0.0, 0.0)
    step = Pose((offset[0], offset[1], offset[2]), poses.euler(doc.euler or (0.0, 0.0, 0.0)))
    digits = len(str(count - 1))
    names = names_in(inner, b.Replicate)
    size = count_items(node)
    out: list[Item] = []
    suffixes = []
    at = IDENTITY
    for k in range(count):
        context.files.meter.take_nodes(size, lambda: node.span)
        if k % 64 == 0:
            context.files.meter.look(node.span)
        suffix = f"{doc.sep or ''}{k:0{digits}d}"
        suffixes.append(suffix)
        items: list[Item] = [("pos", _word(at.xyz), -1), ("quat", _word(at.quat), -1)]
        if doc.childclass:
            items.append(("childclass", Word(doc.childclass), -1))
        items += renamed(inner, b.Replicate, _with_suffix(names, suffix, context)).items
        out.append(("frame", node.__class__("frame", items, node.source, node.start, node.end), node.start))
        at = at @ step
    _copy_outside(root, names, suffixes, context)
    return out


def _word(values: tuple[float, ...]) -> Word:
    return Word(" ".join(map(format_float, values)))


def _with_suffix(
    names: Collection[tuple[str, str]], suffix: str, context: Context
) -> Callable[[str, str], str]:
    """The new name of what is among ``names``."""

    def new(kind: str, name: str) -> str:
        if (kind, name) not in names:
            return name
        context.files.meter.take_name(len(name) + len(suffix))
        return f"{name}{suffix}"

    return new


def count_items(root: Node) -> int:
    """The number of nodes and items of a tree, which counts as the work of copying it."""
    return sum(1 + len(node.items) for node in elements(root))


def _copy_outside(root: Node, names: set[tuple[str, str]], suffixes: list[str], context: Context) -> None:
    """Replace the elements outside the tree that refer to copied things by copies, behind all others.

    All elements of the first copy come first, as in MuJoCo.
    """
    sections = table(d.Mujoco).inside
    for section in accompanying():
        classes = table(section).inside
        holders = [
            node for key, node, _ in root.items if sections.get(key) is section and isinstance(node, Node)
        ]
        copied: list[tuple[str, Node, int]] = []
        for holder in holders:
            items: list[Item] = []
            for key, value, start in holder.items:
                cls = classes.get(key)
                if cls is None or not isinstance(value, Node) or names.isdisjoint(_wanted(value, cls)):
                    items.append((key, value, start))
                else:
                    context.files.meter.take_nodes(count_items(value) * len(suffixes))
                    copied.append((key, value, start))
                    names |= names_in(value, cls)
            holder.items = items
        for suffix in suffixes if copied else ():
            new = _with_suffix(names, suffix, context)
            holders[-1].items += [(key, renamed(value, classes[key], new), at) for key, value, at in copied]


def _wanted(node: Node, cls: type[Document]) -> Iterator[tuple[str, str]]:
    return ((found.kind, found.name) for found in references(node, cls))


# --- classes of attached models ---------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class AttachedClasses:
    """The classes of the models that the model ``root`` attaches, by their names with the prefix.

    Assets that a class refers to get no prefix, as in MuJoCo. ``way`` are the files that attach it. What
    cannot be read has no classes; it is reported where it is attached.
    """

    root: Node
    context: Context
    way: tuple[str, ...] = ()

    def __call__(self, attach: Node) -> dict[str, Values]:
        """The values of the classes that one element brings in."""
        models = [
            bound(assets.Model, node)
            for key, section, _ in self.root.items
            if key == "asset" and isinstance(section, Node)
            for node in elements(section)
            if node.tag == assets.Model.KEY
        ]
        chosen = attached_model(models, attach.word("model"), self._title)
        found = None if chosen is None else self._read(chosen)
        if found is None:
            return {}
        path, root = found
        files = self.context.files
        way = (*self.way, files.canonical(self.context.path))
        if files.canonical(path) in way or len(way) > files.limits.includes:
            return {}
        inner = AttachedClasses(root, replace(self.context, path=path), way)
        classes = Classes(root, Findings(), inner)
        for key, world, _ in root.items:
            if key == b.WorldBody.KEY and isinstance(world, Node):
                for node in elements(world):
                    if node.tag == b.Attach.KEY:
                        classes.bring(node)
        prefix, out = attach.word("prefix") or "", dict[str, Values]()
        for name, values in classes.all().items():
            files.meter.take_name(len(prefix) + len(name), lambda: attach.span)
            out[f"{prefix}{name}"] = values
        return out

    def _title(self, model: assets.Model) -> str | None:
        found = self._read(model)
        return None if found is None else found[1].word("model")

    def _read(self, model: assets.Model) -> tuple[str, Node] | None:
        """The path and the tree of a file; one of another format has no classes but the main one."""
        files, noted = self.context.files, Findings()
        path = files.resolve((model.file or "").replace("\\", "/"), self.context.path, None, noted)
        if path is None:
            return None
        try:
            root = xml.parse(decode(files.read(path), path, noted, files.meter), noted)
            if root.tag == "mujoco":
                include(root, replace(self.context, path=path, findings=noted))
        except LimitError:
            raise
        except (FileError, TextError):
            return None
        return path, root


def attached_model(
    models: Iterable[assets.Model], name: str | None, title: Callable[[assets.Model], str | None]
) -> assets.Model | None:
    """The model to which an `<attach>` refers; one without a name has the ``title`` of its file."""
    known = list(models)
    for model in known:
        if model.name and model.name == name:
            return model
    return next((model for model in known if not model.name and title(model) == name), None)

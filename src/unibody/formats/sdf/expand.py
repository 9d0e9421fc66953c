"""Resolves includes and brings older files to today's meaning, before binding."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from unibody.document.declare import FILLED
from unibody.files.access import FileError
from unibody.formats.format import Context
from unibody.formats.sdf import parameters
from unibody.formats.sdf.places import SCHEME, located
from unibody.formats.sdf.versions import NEWEST, Version, convert, rename, version_of
from unibody.text.dataclass import dataclass
from unibody.text.decode import decode
from unibody.text.finding import Finding, Findings, TextError
from unibody.text.hint import Hint, Setting
from unibody.text.limits import LimitError
from unibody.text.node import Item, Node, Word, elements, placed_copy
from unibody.text.source import Span
from unibody.text.xml import parser as xml

ROOT = "sdf"
_OLD_ROOT, _URDF = "gazebo", "robot"
_TOPS = ("model", "light", "actor")
_PARAMETERS = "experimental:params"
_MANIFESTS = ("model.config", "manifest.xml")


def expand(root: Node, context: Context) -> Node:
    """The tree with its includes resolved, as today's version says it; the given tree is unchanged."""
    if root.tag != ROOT:
        message = f"the root element is <{root.tag}>, not <{ROOT}>"
        hint = "an SDF file begins with <sdf version=…>"
        if root.tag == _OLD_ROOT:
            message = f"<{_OLD_ROOT}> is the root of SDF 1.2 and older, which no program of today reads"
            hint = "convert the file with an old Gazebo"
        raise TextError(Finding("not-a-robot", "error", message, root.span, hint))
    root = placed_copy(root)
    work = _Includes(context)
    work.resolve(root, context.path, (context.files.canonical(context.path),))
    return root


@dataclass(slots=True)
class _Includes:
    """Replaces the includes of files by what they include."""

    context: Context

    def resolve(self, root: Node, path: str, way: tuple[str, ...]) -> None:
        """Replace the includes of a file, in place; ``way`` are the files that include one another."""
        version = version_of(root, self.context.findings)
        included: set[int] = set()
        todo = [root]
        while todo:
            node = todo.pop()
            if any(key == "include" for key, _, _ in node.items):
                items: list[Item] = []
                for item in node.items:
                    if item[0] == "include" and isinstance(item[1], Node):
                        more = self._included(item[1], path, way, item[2])
                        included.update(id(value) for _, value, _ in more)
                        items += more
                    else:
                        items.append(item)
                node.items = items
            todo += [
                v
                for k, v, _ in node.items
                if k in ("world", "model") and isinstance(v, Node) and id(v) not in included
            ]
        convert(root, version, included, self.context.findings)

    def _included(self, node: Node, path: str, way: tuple[str, ...], start: int) -> list[Item]:
        """The items that an include stands for; none, with an error, if it cannot be resolved."""
        context, findings = self.context, self.context.findings
        uri = _text(node, "uri")
        at = _place(node, "uri")
        if not uri:
            findings.error("missing", "<include> needs element 'uri'", node.span)
            return []
        context.files.meter.look(at)
        if len(way) > context.files.limits.includes:
            findings.append(context.files.limits.finding("includes", f"include '{uri}'", at))
            return []
        found = self._find(uri, path, at)
        if found is None:
            return []
        key = context.files.canonical(found)
        if key in way:
            what = "the model includes itself" if key == way[-1] else "models include one another"
            findings.error("include-recursion", f"{what}: '{uri}'", at, "remove the <include>")
            return []
        try:
            data = context.files.read(found, at)
            context.budget.spend(1000 + len(data) // 2, at)
            root = xml.parse(decode(data, found, findings, context.files.meter), findings)
        except LimitError:
            raise
        except (FileError, TextError) as broken:
            findings.append(broken.finding)
            return []
        if root.tag == _URDF:
            made = self._of_urdf(root, found)
            if made is None:
                return []
            _override(made, node, findings)
            return [("model", made, start)]
        if root.tag != ROOT:
            message = f"the root element of '{uri}' is <{root.tag}>, not <{ROOT}>"
            findings.error("include-rejected", message, at, "include an SDF or URDF file")
            return []
        self.resolve(root, found, (*way, key))
        tops = [item for item in root.items if item[0] in _TOPS and isinstance(item[1], Node)]
        if not tops:
            message = f"'{uri}' has no model, light or actor"
            findings.error("include-rejected", message, at, "include a file with a model")
            return []
        if len(tops) > 1:
            findings.error(
                "models-several",
                f"'{uri}' has {len(tops)} models at its root; only the first is included",
                at,
                "put them into one model",
            )
        kind, top, _ = tops[0]
        assert isinstance(top, Node)
        _override(top, node, findings)
        return [(kind, top, start)]

    def _of_urdf(self, root: Node, path: str) -> Node | None:
        """The model that a URDF file is in SDF; None after a finding."""
        from unibody.document.unbind import unbind  # few files include another format
        from unibody.formats.sdf.write_lowered import changes
        from unibody.formats.sdf.write_model import model
        from unibody.formats.sdf.write_versions import DEFAULT
        from unibody.formats.tree import check_tree

        context = self.context
        open_ = (*context.open, context.path)
        robot = context.load_robot(path, replace(context, path=path, open=open_))
        if robot is None:
            return None
        check_tree(robot.links, robot.joints, noted := Findings())
        if noted.errors:
            return None  # the reader of the URDF has reported it
        top = unbind(model(changes(robot), DEFAULT), "model")
        for node in elements(top):
            node.source, node.start, node.end = root.source, root.start, root.end
        return top

    def _find(self, uri: str, base: str, at: Span | None) -> str | None:
        """The path of an included file: that of the URI, or of the model in its folder."""
        files = self.context.files
        stem = uri.rstrip("/")
        for start in (stem, f"model://{stem}")[: 1 if ":" in stem or stem.startswith((".", "/")) else 2]:
            for name in _MANIFESTS:
                manifest = located(f"{start}/{name}", base, files)
                if manifest is not None:
                    return self._listed(manifest, start, base, at)
            found = located(f"{start}/model.sdf", base, files) or located(start, base, files)
            if found is not None:
                return found
        noted = Findings()
        found = files.resolve(uri, base, at, noted)
        for finding in noted:
            self.context.findings.append(finding if found else _lost(finding, uri))
        if found is not None and files.kind(found) != "file":
            self.context.findings.error(
                "file-missing",
                f"'{uri}' has neither {' nor '.join(_MANIFESTS)}, which name the file of the model",
                at,
                "add model.config",
            )
            return None
        return found

    def _listed(self, manifest: str, uri: str, base: str, at: Span | None) -> str | None:
        """The file of a model that its manifest lists: the newest that is not newer than what is read."""
        files, findings = self.context.files, self.context.findings
        try:
            data = files.read(manifest, at)
            root = xml.parse(decode(data, manifest, findings, files.meter), findings)
        except LimitError:
            raise
        except (FileError, TextError) as broken:
            findings.append(broken.finding)
            return None
        listed = [*_sdf_files(root)]
        usable = [entry for entry in listed if entry[0] <= NEWEST]
        if not usable:
            findings.error("file-missing", f"{manifest} lists no <sdf> file of a known version", at)
            return None
        newest = max(version for version, _ in usable)
        name = next(name for version, name in usable if version == newest)
        named = f"{uri}/{name}"
        return located(named, base, files) or files.resolve(named, base, at, findings)


def _lost(finding: Finding, uri: str) -> Finding:
    """The error that a model is not included, for the warning about its file."""
    lost = replace(finding, severity="error")
    name = uri.removeprefix(SCHEME).partition("/")[0]
    if finding.code == "uri-not-opened" and uri.startswith("http"):
        hint = (
            "download the model, and include it as model://NAME" if uri.startswith("http") else finding.hint
        )
        return replace(lost, hint=hint)
    if finding.code != "file-missing" or not uri.startswith(SCHEME):
        return lost
    way = Setting("package", name)
    hint = Hint(
        "put the folder of the model beside the file, add the folder around it to GZ_SIM_RESOURCE_PATH or "
        "SDF_PATH, or use ",
        way,
    )
    return replace(lost, message=f"'{uri}' is missing: there is no model '{name}'", hint=hint)


def _sdf_files(manifest: Node) -> Iterator[tuple[Version, str]]:
    """The files that a manifest lists, with their versions."""
    for key, value, _ in manifest.items:
        if key == "sdf" and isinstance(value, Node):
            name = "".join(v.text for k, v, _ in value.items if not k and isinstance(v, Word)).strip()
            major, _, minor = (value.word("version") or "1.0").strip().partition(".")
            minor = minor.partition(".")[0]
            if name and major.isdecimal() and minor.isdecimal():
                yield (int(major), int(minor)), name


def _text(node: Node, name: str) -> str:
    inner = node.get(name)
    if not isinstance(inner, Node):
        return ""
    return "".join(v.text for k, v, _ in inner.items if not k and isinstance(v, Word)).strip()


def _place(node: Node, name: str) -> Span | None:
    inner = node.get(name)
    return inner.span if isinstance(inner, Node) else node.span


def _override(top: Node, include: Node, findings: Findings) -> None:
    """Let what an include says replace what its file says, in place."""
    for key, value, _ in include.items:
        if key == _PARAMETERS and isinstance(value, Node):
            parameters.apply(value, top, findings)
    name = _text(include, "name")
    if name:
        rename(top, name)
    for key, value, start in include.items:
        if not isinstance(value, Node) or key in ("uri", "name", _PARAMETERS):
            continue
        if key == "placement_frame":
            top.items = [item for item in top.items if item[0] != key]
            top.items.append((key, Word(_text(include, key)), FILLED))
        elif key in ("pose", "static"):
            top.items = [item for item in top.items if item[0] != key]
            top.items.append((key, value, start))
        else:
            top.items.append((key, value, start))
    if (include.word("merge") or "").strip().lower() in ("true", "1"):
        top.items.append((parameters.MERGED, Word("true"), FILLED))

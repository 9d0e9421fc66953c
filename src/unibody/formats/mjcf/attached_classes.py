"""The default classes that `<attach>` elements bring into a model."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from unibody.files.access import FileError
from unibody.formats.format import Context
from unibody.formats.mjcf import document_assets as assets
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.defaults import Classes, Values
from unibody.formats.mjcf.includes import include
from unibody.formats.mjcf.kept_elements import bound
from unibody.text.dataclass import dataclass
from unibody.text.decode import decode
from unibody.text.finding import Findings, TextError
from unibody.text.limits import LimitError
from unibody.text.node import Node, elements
from unibody.text.xml import parser as xml


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
        prefix = attach.word("prefix") or ""
        return {f"{prefix}{name}": values for name, values in classes.all().items()}

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

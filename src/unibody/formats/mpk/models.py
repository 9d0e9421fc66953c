"""Finds the Open Inventor models of links where MPK looks for them (formats/mpk.md, models)."""

from __future__ import annotations

from unibody.files.access import Search
from unibody.formats.format import Context
from unibody.formats.mpk import document as d
from unibody.model.shape import MeshFile, Shape

# "As given" is from MPK's working directory, the one that holds robots/: both the folder of the
# .rob file and the one above it can be that.
SEARCH = Search(("$IVMODELS", "", "ivmodels", "ivmodels.private"))


class Models:
    """The shapes of model files; each name is searched once and reported missing once."""

    def __init__(self, context: Context, scale: float) -> None:
        self.context = context
        self.scale = scale
        self.found: dict[str, str] = {}

    def shapes(self, joint: d.Joint, key: str) -> tuple[Shape, ...]:
        """The shape of `model0` or `model1`; none when the joint has no such model."""
        name: str | None = getattr(joint, key)
        if name is None:
            return ()
        at = joint.at(key)
        if name not in self.found:
            files, findings = self.context.files, self.context.findings
            self.found[name] = files.search(name, self.context.path, at, findings, SEARCH) or ""
        scale = (self.scale, self.scale, self.scale)
        return (Shape(geometry=MeshFile(uri=name, path=self.found[name], scale=scale), at=at),)

"""The settings of `<compiler>`, which say how the rest of a file is to be understood."""

from __future__ import annotations

import math
from collections.abc import Iterable

from unibody.formats.mjcf import document as d
from unibody.text.dataclass import dataclass
from unibody.text.source import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of one file; of a setting that is given several times the last one holds.

    ``angle`` is radians per unit of the file; ``stated`` are the names of the settings in the file.
    """

    angle: float = math.pi / 180.0
    eulerseq: str = "xyz"
    autolimits: bool = True
    inertiafromgeom: str = "auto"
    inertiagrouprange: tuple[float, ...] = (0.0, 5.0)
    balanceinertia: bool = False
    boundmass: float = 0.0
    boundinertia: float = 0.0
    settotalmass: float = -1.0
    discardvisual: bool = False
    fusestatic: bool = False
    fitaabb: bool = False
    alignfree: bool = False
    strippath: bool = False
    meshdir: str = ""
    texturedir: str = ""
    coordinate: str = "local"
    coordinate_at: Span | None = None
    stated: frozenset[str] = frozenset()


_PLAIN = (
    "eulerseq",
    "autolimits",
    "inertiafromgeom",
    "inertiagrouprange",
    "balanceinertia",
    "boundmass",
    "boundinertia",
    "settotalmass",
    "discardvisual",
    "fusestatic",
    "fitaabb",
    "alignfree",
    "strippath",
    "meshdir",
    "texturedir",
)


def settings_of(compilers: Iterable[d.Compiler]) -> Settings:
    """The settings of the compiler elements of a file, in their order."""
    values: dict[str, object] = {}
    stated: set[str] = set()
    for doc in compilers:
        stated |= doc.given
        if "assetdir" in doc.given:
            values["meshdir"] = values["texturedir"] = doc.assetdir
        for name in _PLAIN:
            if name in doc.given:
                values[name] = getattr(doc, name)
        if "angle" in doc.given:
            values["angle"] = 1.0 if doc.angle == "radian" else math.pi / 180.0
        if "coordinate" in doc.given:
            values["coordinate"], values["coordinate_at"] = doc.coordinate, doc.at("coordinate")
    return Settings(stated=frozenset(stated), **values)  # type: ignore[arg-type]

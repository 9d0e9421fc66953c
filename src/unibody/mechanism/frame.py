"""Frames on links, and the references in which their velocities are given."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from unibody.model.arrays import Floats

#: In which axes, and of which point, a velocity is given: "world", of the point of the link
#: that is at the world's origin; "local", of the frame's origin in its own axes;
#: "local_world_aligned", of the frame's origin in the world's axes.
Reference = Literal["world", "local", "local_world_aligned"]
REFERENCES = ("world", "local", "local_world_aligned")

_SAME = np.eye(4).tobytes()


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """Frame on a link: its pose there, (4, 4), and the reference of its velocities.

    While a kernel is traced, ``pose`` are symbols, (3, 4).
    """

    link: int
    pose: Floats
    reference: Reference = "local_world_aligned"

    #: Whether it is the frame of its link.
    is_link: bool = field(init=False)
    #: The same for frames that one kernel serves, given their ``numbers``.
    key: tuple[Any, ...] = field(init=False)

    def __post_init__(self) -> None:
        is_link = isinstance(self.pose, np.ndarray) and self.pose.tobytes() == _SAME
        object.__setattr__(self, "is_link", is_link)
        object.__setattr__(self, "key", (self.link, is_link, self.reference))

    @property
    def numbers(self) -> list[float]:
        """The three upper rows of its pose, row by row; nothing if it is the frame of its link."""
        return [] if self.is_link else self.pose[:3].ravel().tolist()

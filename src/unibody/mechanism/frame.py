"""Frames on links, and the references in which their velocities are given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from unibody.model.arrays import Floats

#: In which axes, and of which point, a velocity is given: "world", of the point of the link
#: that is at the world's origin; "local", of the frame's origin in its own axes;
#: "local_world_aligned", of the frame's origin in the world's axes.
Reference = Literal["world", "local", "local_world_aligned"]
REFERENCES = ("world", "local", "local_world_aligned")


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """Frame on a link: its pose there, (4, 4), and the reference of its velocities."""

    link: int
    pose: Floats
    reference: Reference = "local_world_aligned"

    @property
    def key(self) -> tuple[Any, ...]:
        """The same for equal frames."""
        return (self.link, self.pose.tobytes(), self.reference)

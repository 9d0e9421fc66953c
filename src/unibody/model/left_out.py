"""What a file has and its model has not, although it could touch, hold or weigh something."""

from __future__ import annotations

from unibody.text.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Something of a robot, or of the link or obstacle ``owner``, that computations do not consider.

    ``what`` names it, as the path of a mesh, and ``why`` gives the reason. What does not ``touch`` could
    only hold or weigh something.
    """

    owner: str
    what: str
    why: str
    touches: bool = True

    def __str__(self) -> str:
        of = f" of '{self.owner}'" if self.owner else ""
        return f"{self.what}{of}: {self.why}"

"""The worlds that users make: of robots, scenes and obstacles."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from unibody.collision.construction import Missing, Shapes, construct
from unibody.collision.matrix import self_collision
from unibody.collision.pairs import Pair, Pairs, check_pairs
from unibody.collision.world import World
from unibody.formats.loader import model_of
from unibody.model.robot import Robot
from unibody.model.scene import Scene
from unibody.model.shape import Shape
from unibody.text.renamed import renamed_keywords

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from unibody.formats.format import Format, ModelObject
    from unibody.formats.read_options import ReadKeywords


@renamed_keywords(model="shapes")
def collisions(
    robot: Robot | Scene | str | os.PathLike[str] | ModelObject,
    obstacles: Iterable[Robot | Shape] = (),
    *,
    skip: Iterable[Pair] = (),
    shapes: Shapes = "collision",
    pairs: Pairs = "file",
    missing: Missing = "refuse",
    format: str | Format | None = None,
    **reading: Unpack[ReadKeywords],
) -> World:
    """The world of a robot, or of the robots of a scene, and obstacles, whose pairs are tested.

    ``robot`` may be the path of a model file, which is read with the keywords of :func:`unibody.read`.
    Obstacles do not move: shapes posed in the world, or robots in their initial configuration. An obstacle
    is named as its shape or robot; the links of a robot with several are "robot:link". Links are tested
    against all obstacles. A pair that cannot move is not tested, nor those in ``skip``, of two links or of
    a link and an obstacle. ``pairs`` are the pairs of links: "file", those of the robot's rules; "all";
    "none"; "matrix", the possible and unseen ones of :func:`unibody.self_collision`, which takes seconds;
    or a list. ``shapes`` is "secondary" for MPK's ``model1``, "visual" for the visual shapes, where a link
    has them.

    A mesh that cannot be read is a CollisionError, or is left out with ``missing="skip"``, and is in
    ``world.findings``. MissingExtra if coal or Pinocchio is not installed, CollisionError for unknown
    names.

    >>> import pytest
    >>> coal = pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
    >>> from unibody.formats.loader import load
    >>> world = collisions(load("src/unibody/models/biped.body"), pairs=[("LLEG_ANKLE_R", "RLEG_ANKLE_R")])
    >>> q = world.mechanism.initial
    >>> bool(world.colliding(q)), world.segment(q, q).status
    (False, 'free')
    """
    given = model_of(robot, format, **reading)
    rule = check_pairs(pairs)
    if rule == "matrix":
        rule = list(self_collision(given, shapes=shapes, missing=missing).undecided)
    return construct(given, rule, shapes, missing, obstacles, skip)

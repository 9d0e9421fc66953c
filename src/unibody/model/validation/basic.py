"""The checks that every load runs: what is wrong in the numbers of a robot, without looking at a mesh."""

from __future__ import annotations

from unibody.model.robot import Robot
from unibody.model.validation.images import check_images
from unibody.model.validation.inertia import check_inertias
from unibody.model.validation.limits import check_limits
from unibody.model.validation.lists import check_lists
from unibody.model.validation.names import check_names
from unibody.model.validation.size import sizes
from unibody.text.finding import Findings


def check_parts(robot: Robot, findings: Findings) -> None:
    """Errors for what no format can hold: no links at all; names, images and lists that are none."""
    if not robot.links and not any(f.code == "links-missing" for f in findings):
        findings.error("links-missing", f"'{robot.name}' has no links")
    check_names(robot, findings)
    check_images(robot, findings)
    check_lists(robot, findings)


def check_basic(robot: Robot, findings: Findings) -> None:
    """Findings for masses, inertias and limits that no machine has, and for what overflowed.

    What ``findings`` already says of a link or a joint is not said again in other words.
    """
    sizes(robot, findings)
    check_parts(robot, findings)
    check_inertias(robot, findings)
    check_limits(robot, findings)

"""The checks that run on every load: numbers, names and lists of a robot, without mesh files."""

from __future__ import annotations

from unibody.model.robot import Robot
from unibody.model.validation.couplings import check_couplings
from unibody.model.validation.images import check_images
from unibody.model.validation.inertia import check_inertias
from unibody.model.validation.joints import check_joints
from unibody.model.validation.limits import check_limits
from unibody.model.validation.lists import check_lists
from unibody.model.validation.names import check_names
from unibody.model.validation.postures import check_postures
from unibody.model.validation.size import sizes
from unibody.text.finding import Findings


def check_parts(robot: Robot, findings: Findings) -> None:
    """Report errors that no format can represent: missing links, and invalid names, images and lists."""
    if not robot.links and not any(f.code == "links-missing" for f in findings):
        findings.error("links-missing", f"'{robot.name}' has no links")
    check_names(robot, findings)
    check_images(robot, findings)
    check_lists(robot, findings)


def check_basic(robot: Robot, findings: Findings) -> None:
    """Report overflows, and implausible masses, inertias, limits, couplings and postures.

    Problems that ``findings`` already contains are not reported again.
    """
    sizes(robot, findings)
    check_parts(robot, findings)
    check_inertias(robot, findings)
    check_joints(robot, findings)
    check_limits(robot, findings)
    check_couplings(robot, findings)
    check_postures(robot, findings)

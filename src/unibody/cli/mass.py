"""Show the masses of the links, and the mass, center of mass and inertia of the robot.

The center of mass and the inertia are those of the configuration given by --pose and --set, in the axes
of the world. The inertia is about the center of mass. --matrix adds the joint-space mass matrix. Masses
that depend on a mesh that was not read are unknown.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from unibody.cli.declaration import Option, add
from unibody.cli.options import MODEL, settings
from unibody.cli.output import emit, emit_data
from unibody.cli.positions import POSITIONS, posed

if TYPE_CHECKING:
    from unibody.mechanism import Mechanism
    from unibody.model.inertia import Unknown
    from unibody.text.finding import Findings

# Links that are named.
_NAMED = 8
EXAMPLE = "unibody mass robot.urdf --pose standing"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    matrix = Option("--matrix", "also print the joint-space mass matrix")
    add(parser, MODEL, *settings(), *POSITIONS, matrix)


def run(options: argparse.Namespace) -> int:
    """Print the masses; return the exit code."""

    def show(mechanism: Mechanism, q: Any, findings: Findings) -> bool:
        content = _content(mechanism, q, options.matrix or options.json)
        if not content["mass"] and not content["unknown"]:
            findings.warning("massless", "no link has mass")
        if options.json:
            emit_data(content)
        else:
            emit(_text(content))
        return True

    return posed(options, show)


def _content(mechanism: Mechanism, q: Any, matrix: bool) -> dict[str, Any]:
    """Mass and center of mass of each link and of the robot in the world, and the robot's inertia.

    ``unknown`` are the links of which something is unknown, which is None; so it is of the robot.
    """
    import numpy as np

    from unibody.model.inertia import most_unknown

    poses = mechanism.forward_kinematics(q)
    links, total, moment = {}, 0.0, np.zeros(3)
    parts = []
    unknown: dict[str, Unknown] = {}
    for link, pose in zip(mechanism.robot.links, poses, strict=True):
        if link.inertial is None:
            continue
        at = pose[:3, :3] @ np.array(link.inertial.com) + pose[:3, 3]
        turned = pose[:3, :3] @ np.array(link.inertial.inertia) @ pose[:3, :3].T
        lacks = link.inertial.unknown
        links[link.name] = {
            "mass": None if lacks == "mass" else link.inertial.mass,
            "com": None if lacks else at.tolist(),
        }
        if lacks:
            unknown[link.name] = lacks
        total += link.inertial.mass
        moment += link.inertial.mass * at
        parts.append((link.inertial.mass, at, turned))
    com = moment / total if total else None
    inertia = np.zeros((3, 3))
    for mass, at, turned in parts if com is not None else []:
        arm = at - com
        inertia += turned + mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    out: dict[str, Any] = {
        "mass": None if most_unknown(unknown.values()) == "mass" else total,
        "com": None if com is None or unknown else com.tolist(),
        "inertia": None if unknown else inertia.tolist(),
        "links": links,
        "unknown": unknown,
    }
    if matrix:
        out["matrix"] = None if unknown else mechanism.mass_matrix(q).tolist()
    return out


def _text(content: dict[str, Any]) -> list[str]:
    import numpy as np

    from unibody.cli.table import Column, table
    from unibody.cli.words import fixed, number
    from unibody.text.counted import listed

    com, whole = content["com"], content["mass"]
    lines = [f"Mass {'unknown' if whole is None else f'{number(whole)} kg'}"]
    if content["unknown"]:
        known = sum(link["mass"] for link in content["links"].values() if link["mass"] is not None)
        names = listed(map(repr, content["unknown"]), _NAMED)
        lines[0] += f"; {number(known)} kg are known" if whole is None else ""
        lines += [f"Center of mass and inertia unknown: meshes of {names} were not read"]
    if com is not None:
        inertia = np.array(content["inertia"])
        # Rounding errors of terms that cancel are shown as 0.
        inertia[np.abs(inertia) < 1e-12 * np.abs(inertia).max()] = 0.0
        lines[0] += f", center of mass at {' '.join(fixed(v, 5) for v in com)} m in the world"
        lines += ["Inertia about the center of mass in the axes of the world, in kg·m²"]
        lines += table([Column("", "point")] * 3, [[number(v, 6) for v in row] for row in inertia.tolist()])
    rows = [
        [
            name,
            "unknown" if link["mass"] is None else number(link["mass"]),
            f"{100.0 * link['mass'] / whole:.1f}" if whole else "",
        ]
        + (["unknown", "", ""] if link["com"] is None else [fixed(v, 5) for v in link["com"]])
        for name, link in content["links"].items()
    ]
    columns = [Column("link"), Column("kg", "point"), Column("%", "point")]
    lines += table([*columns, *(Column(axis, "point") for axis in "xyz")], rows)
    if content.get("matrix") is not None:
        lines += ["Joint-space mass matrix"]
        width = len(content["matrix"])
        lines += table(
            [Column("", "point")] * width, [[number(v, 5) for v in row] for row in content["matrix"]]
        )
    return lines

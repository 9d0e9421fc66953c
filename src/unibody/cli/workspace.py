"""Sample the reachable workspace of a link or a named frame.

Prints the bounding box of the points, or with --csv the points. --csv FILE and --npy write them, --plot
draws their projections (requires matplotlib), --html writes the page of `unibody view` with the robot and
the points. Equal --seed gives equal points.
"""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from unibody.cli.declaration import Option, add
from unibody.cli.options import MODEL, OVERWRITE, check_csv, csv_option, read_options, settings
from unibody.cli.output import UsageError, check_outputs, emit, emit_data, write_output
from unibody.cli.positions import posed
from unibody.cli.quantity import whole
from unibody.text.installation import install_command

if TYPE_CHECKING:
    from unibody.mechanism import Mechanism
    from unibody.model.robot import Robot
    from unibody.text.finding import Findings

EXAMPLE = "unibody workspace robot.urdf hand --samples 20000 --html reach.html"
_MOST_SAMPLES = 100_000_000


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    add(
        parser,
        MODEL,
        *settings(),
        Option("LINK", "link or frame", keyword="frame"),
        Option(
            "--samples N",
            "number of configurations (default: 10000)",
            whole(1, _MOST_SAMPLES),
            default=10_000,
        ),
        Option(
            "--method {uniform,halton}",
            "random or low-discrepancy samples (default: uniform)",
            default="uniform",
        ),
        Option("--seed N", "seed of the samples (default: 0)", int, default=0),
        csv_option("the points (x,y,z)"),
        Option("--npy FILE", "write the points as a NumPy array"),
        Option("--plot FILE", "draw the points (.png, .svg or .pdf)"),
        Option("--html FILE", "write a page with the robot and the points"),
        OVERWRITE,
    )
    parser.set_defaults(set=[], pose=None, degrees=False, t=[])


def run(options: argparse.Namespace) -> int:
    """Print the bounding box of the points; return the exit code."""
    check_csv(options, "the points")
    check_outputs((options.csv, options.npy, options.plot, options.html), options.overwrite)

    from unibody.mechanism.normalized_space import NormalizedSpaceError

    def show(mechanism: Mechanism, q: Any, findings: Findings) -> bool:
        try:
            points = mechanism.workspace(
                options.frame, options.samples, method=options.method, seed=max(options.seed, 0)
            )
        except (KeyError, NormalizedSpaceError) as error:
            raise UsageError(str(error.args[0])) from None
        if not len(points):
            findings.error("loops-not-closed", "no sample closes the loops of the model: no points")
            return False
        _write(points, options, f"{mechanism.robot.name}: {options.frame}")
        if options.html:
            _page(points, options, mechanism.robot, findings)
        low, high = points.min(axis=0), points.max(axis=0)
        if options.csv == "":
            emit(_csv_lines(points))
        elif options.json:
            box = {"low": low.tolist(), "high": high.tolist()}
            emit_data({"frame": options.frame, "points": len(points), "box": box})
        else:
            emit(_text(options, len(points), low, high))
        return True

    return posed(options, show)


def _text(options: argparse.Namespace, count: int, low: Any, high: Any) -> list[str]:
    from unibody.cli.table import Column, table
    from unibody.cli.words import fixed

    rows = [
        [axis, *(fixed(v, 4) for v in (low[i], high[i], high[i] - low[i]))] for i, axis in enumerate("xyz")
    ]
    columns = [Column(""), Column("min", "point"), Column("max", "point"), Column("extent", "point")]
    return [f"{count} points of {options.frame} in the world, in m", *table(columns, rows)]


def _write(points: Any, options: argparse.Namespace, title: str) -> None:
    import numpy as np

    if options.csv:
        content = "".join(f"{line}\n" for line in _csv_lines(points))
        write_output(options.csv, content.encode("ascii"), options.overwrite)
    if options.npy:
        from io import BytesIO

        buffer = BytesIO()
        np.save(buffer, points)
        write_output(options.npy, buffer.getvalue(), options.overwrite)
    if options.plot:
        write_output(options.plot, _plot(points, options.plot, title), options.overwrite)


def _csv_lines(points: Any) -> list[str]:
    return ["x,y,z", *(f"{x!r},{y!r},{z!r}" for x, y, z in points.tolist())]


def _page(points: Any, options: argparse.Namespace, robot: Robot, findings: Findings) -> None:
    """Write a page with the robot and the points."""
    from unibody.meshes import MeshCache
    from unibody.page.cloud import MOST, Cloud
    from unibody.page.data import Extras, Origin, Shown, pages_data
    from unibody.page.page import filled_page
    from unibody.text.finding import Findings

    if len(points) > MOST:
        raise UsageError(f"--html supports at most {MOST} points")
    seed, method = max(options.seed, 0), options.method
    cloud = Cloud(points=points, frame=options.frame, samples=options.samples, method=method, seed=seed)
    shown = Shown(robot=robot, origin=Origin(file=options.model, asker="command"))
    cache = MeshCache(read_options(options).files, Findings())
    page = pages_data([shown], cache, Extras(workspace=cloud))
    findings.extend(finding for finding in page.findings if finding.severity != "info")
    write_output(options.html, filled_page(page.bytes), options.overwrite)


def _plot(points: Any, path: str, title: str) -> bytes:
    """A figure of the points: three projections and a 3D view."""
    from io import BytesIO

    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise UsageError(f"--plot requires matplotlib: {install_command('plot')}") from None
    suffix = os.path.splitext(path)[1].lower().lstrip(".") or "png"
    if suffix not in ("png", "svg", "pdf"):
        raise UsageError(f"--plot: file name must end in .png, .svg or .pdf, not '{path}'")
    figure = Figure(figsize=(9.0, 8.0), layout="constrained")
    figure.suptitle(title)
    shown = points[:: max(1, len(points) // 20_000)]
    for place, (a, b) in enumerate(((0, 1), (0, 2), (1, 2)), 1):
        axes = figure.add_subplot(2, 2, place)
        axes.scatter(shown[:, a], shown[:, b], s=0.4, c=shown[:, 2], cmap="viridis", linewidths=0)
        axes.set_xlabel(f"{'xyz'[a]} (m)")
        axes.set_ylabel(f"{'xyz'[b]} (m)")
        axes.set_aspect("equal", adjustable="datalim")
    space = figure.add_subplot(2, 2, 4, projection="3d")
    space.scatter(shown[:, 0], shown[:, 1], shown[:, 2], s=0.4, c=shown[:, 2], cmap="viridis", linewidths=0)
    space.set_box_aspect(_box_aspect(shown))
    out = BytesIO()
    figure.savefig(out, format=suffix, dpi=120)
    return out.getvalue()


def _box_aspect(points: Any) -> tuple[float, float, float]:
    """The edge lengths of the bounding box, at least 1 mm each."""
    x, y, z = (max(float(v), 1e-3) for v in points.max(axis=0) - points.min(axis=0))
    return x, y, z

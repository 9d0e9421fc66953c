"""The world of a command: a model or scene with obstacles, and configurations of it in words."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from unibody.cli.declaration import Option, add
from unibody.cli.options import MISSING, SKIP_MISSING, TESTED_SHAPES, pairs_option, read_input, settings
from unibody.cli.output import UsageError
from unibody.cli.placement import PLACE, placed_models, pose_of, read_placed
from unibody.cli.positions import check_count, position_value, unit_numbers
from unibody.cli.quantity import place
from unibody.text.counted import listed

if TYPE_CHECKING:
    from unibody.collision.pairs import Pair
    from unibody.collision.world import World
    from unibody.formats.loader import Reading
    from unibody.mechanism import Mechanism
    from unibody.model.left_out import LeftOut
    from unibody.model.robot import Robot
    from unibody.text.finding import Finding


def add_world(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add the model and the group of options of its world."""
    model = Option("SCENE|MODEL", "the scene or model file, or -", keyword="model")
    add(parser, model, *settings())
    group = parser.add_argument_group("world")
    add(
        group,
        placed_models("an obstacle: a model that does not move"),
        Option(
            "--skip A,B",
            "do not test this pair of links, or of a link and an obstacle; repeatable",
            many=True,
        ),
        pairs_option("file"),
        TESTED_SHAPES,
        MISSING,
    )
    return group


def group_option(what: str) -> Option:
    """The joints that move."""
    return Option("--group NAME|JOINT,…", what)


def group_of(mechanism: Mechanism, given: str | None) -> str | list[str] | None:
    """The group of --group by its name, or a list of joints."""
    if given is None or any(group.name == given for group in mechanism.robot.groups):
        return given
    known = (*mechanism.joint_names, mechanism.robot.root)
    return given.split(",") if "," in given or given in known else given


def resting_words(pairs: Collection[Pair]) -> list[str]:
    """A line about the pairs that rest, if there are any."""
    words = listed((f"{a} and {b}" for a, b in pairs), 3)
    return [f"not tested, since they touch at the start and nothing moves them: {words}"] if pairs else []


def bounds_of(
    mechanism: Mechanism, given: list[str], degrees: bool = False
) -> dict[str, list[tuple[float, float]]]:
    """The bounds of --bounds by joint, in rad or m; UsageError for anything but JOINT=LOW:HIGH,LOW:HIGH."""
    joints = {joint.name: joint for joint in mechanism.robot.joints}
    out: dict[str, list[tuple[float, float]]] = {}
    for text in given:
        name, equals, words = text.rpartition("=")
        pairs = [word.split(":") for word in words.split(",")]
        if not name or not equals or any(len(pair) != 2 for pair in pairs):
            raise UsageError(
                f"--bounds {text}: expected JOINT=LOW:HIGH, for a planar joint JOINT=LOW:HIGH,LOW:HIGH"
            )
        numbers = [
            [position_value(name, joints.get(name), word, "--bounds", degrees) for word in pair]
            for pair in pairs
        ]
        out[name] = [(low, high) for low, high in numbers]
    return out


def read_world(options: argparse.Namespace) -> tuple[Reading, World | None]:
    """The model as read, and its world; None if a model could not be read."""
    reading = read_input(options.model, options.source_format, options, shared=bool(options.others))
    others = read_placed(options, reading)
    if reading.robot is None or any(other.reading.robot is None for other in others):
        return reading, None
    return reading, _world(reading, [other.robot for other in others], options)


def _world(reading: Reading, obstacles: list[Robot], options: argparse.Namespace) -> World | None:
    from unibody.collision.collisions import collisions
    from unibody.collision.geometry import CollisionError, MissingMesh
    from unibody.mechanism import AssembleError
    from unibody.text.finding import Finding

    skip = []
    for text in options.skip:
        names = [word.strip() for word in text.split(",")]
        if len(names) != 2:
            raise UsageError(
                f"--skip {text}: expected two links, or a link and an obstacle, such as base,table"
            )
        skip.append((names[0], names[1]))
    assert reading.robot is not None
    try:
        world = collisions(
            reading.robot,
            obstacles=obstacles,
            skip=skip,
            shapes=options.shapes,
            pairs=options.pairs,
            missing=options.missing,
        )
    except MissingMesh as error:
        raise UsageError(error.what, SKIP_MISSING) from None
    except CollisionError as error:
        raise UsageError(str(error)) from None
    except AssembleError as error:
        message = f"the model cannot be moved: {error}"
        reading.findings.append(Finding("cannot-assemble", "error", message))
        return None
    # what was not found is listed as not tested
    found = (f for f in world.findings if f.code != "mesh-missing")
    reading.findings.extend(f for f in found if f not in reading.findings)
    reading.findings.extend(unread_shapes(world.unread))
    for each in world.unconsidered:
        reading.findings.append(Finding("force-ignored", "warning", str(each)))
    return world


def unread_shapes(unread: Iterable[LeftOut]) -> Iterator[Finding]:
    """A warning for each shape that is not tested, since it cannot be read."""
    from unibody.text.finding import Finding

    for each in unread:
        hint = "what is proved is proved without it; give it a shape that can be read"
        yield Finding("shape-unread", "warning", f"not tested: {each}", None, hint)


def start_state(mechanism: Mechanism, text: str, degrees: bool = False) -> Any:
    """The configuration of --start, in words as of :func:`state`; UsageError for the place of a link."""
    from unibody.mechanism.inverse_kinematics import Target

    start = state(mechanism, text, "--start", degrees)
    if isinstance(start, Target):
        raise UsageError(
            f"--start {text}: the place of a link is for --goal; expected JOINT=VALUE,…, t:NUMBER,… or the "
            "name of a configuration"
        )
    return start


def state(mechanism: Mechanism, text: str, option: str, degrees: bool = False) -> Any:
    """A goal in words, as :func:`unibody.plan` takes it; UsageError for anything else.

    ``JOINT=VALUE,…``, for a joint of several numbers ``JOINT=VALUE,VALUE,…``; ``t:0.5,0.2,…`` for all
    normalized coordinates; ``LINK@X,Y,Z[,R,P,Y]`` for where a link or frame is, in m and degrees; or the
    name of a configuration of the model. With ``degrees``, plain numbers of revolute joints are degrees.
    """
    from unibody.mechanism.inverse_kinematics import Target

    known = [configuration.name for configuration in mechanism.robot.configurations]
    if text in known:
        return text
    if text.startswith("t:"):
        return mechanism.normalized_space.to_joints(unit_numbers(mechanism, text[2:], option))
    joints = {joint.name: joint for joint in mechanism.robot.joints}
    if "=" in text:
        wanted: dict[str, list[float]] = {}
        name = ""
        for part in text.split(","):
            before, equals, value = part.rpartition("=")
            if equals:
                name = before.strip()
            elif not wanted:
                raise UsageError(f"{option} {text}: expected JOINT=VALUE,JOINT=VALUE")
            number = position_value(name, joints.get(name), value, option, degrees)
            wanted[name] = [*([] if equals else wanted[name]), number]
        for name, values in wanted.items():
            check_count(mechanism, name, values)
        return {name: values[0] if len(values) == 1 else values for name, values in wanted.items()}
    frame, at, words = text.rpartition("@")
    if at:
        numbers = place(words)
        if numbers is None:
            raise UsageError(f"{option} {text}: expected {PLACE} after the @")
        return Target(frame=frame, pose=pose_of(numbers), orientation=len(numbers) == 6)
    if text in joints:
        raise UsageError(f"{option} {text}: '{text}' is a joint; expected {text}=VALUE")
    if text in mechanism.link_names:
        raise UsageError(f"{option} {text}: '{text}' is a link; expected {text}@X,Y,Z")
    raise UsageError(
        f"{option} {text}: unknown configuration '{text}'; the model has {', '.join(known) or 'none'}",
        "a state is JOINT=VALUE,JOINT=VALUE, or t:NUMBER,NUMBER, or the name of a configuration, or, as a "
        "goal, LINK@X,Y,Z",
    )

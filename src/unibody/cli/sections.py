"""Sections of ``unibody info``: functions from a robot to lines of text."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from unibody.checks.loops import Gap
from unibody.cli import words
from unibody.cli.output import Glyphs, Window
from unibody.cli.table import Column, fits, table, wrapped
from unibody.model.gravity import is_earthly
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Coordinate, Drive, Group, Joint, Link, Robot, SelfCollision
from unibody.model.shape import MeshFile
from unibody.text.counted import counted

Lines = list[str]
VECTOR = (Column("x", "point", gap=3), Column("y", "point"), Column("z", "point"))
ROTATION = (Column("roll", "point", gap=3), Column("pitch", "point"), Column("yaw", "point"))


def summary(robot: Robot, file: str, beside: str, title: str, window: Window, arguments: str = "") -> Lines:
    """Name, files, format, arguments, counts, mass, base."""
    rows = [
        ("name", robot.name),
        ("file", file),
        ("with", beside),
        ("format", title),
        ("arguments", arguments),
        ("links", str(len(robot.links))),
        ("joints", _kinds(robot) or "0"),
        ("q", _q_words(robot)),
        ("mass", _mass(robot)),
        ("base", _base(robot, window.glyphs)),
        ("gravity", _gravity(robot)),
        ("shapes", _shapes(robot.links)),
        ("surroundings", _surroundings(robot)),
        ("self-collision", _self_collision(robot)),
        ("more", _more(robot)),
    ]
    return table([Column(), Column()], [row for row in rows if row[1]], indent=0)


def _mass(robot: Robot) -> str:
    """The mass of the robot; if that of links is unknown, that of the others."""
    inertials = [link.inertial for link in robot.links if link.inertial]
    known = sum(x.mass for x in inertials if x.unknown != "mass")
    lacking = sum(x.unknown == "mass" for x in inertials)
    if not lacking:
        return f"{words.number(known)} kg"
    return f"unknown; {words.number(known)} kg without {counted(lacking, 'link')} of unknown mass"


def _kinds(robot: Robot) -> str:
    count = Counter(joint.kind for joint in robot.joints)
    kinds = sorted(count, key=lambda kind: (kind == "fixed", -count[kind]))
    return ", ".join(f"{count[kind]} {kind}" for kind in kinds)


def _q_words(robot: Robot) -> str:
    joints = sum(KINDS[joint.kind].nq for joint in robot.joints)
    if robot.base == "free":
        return f"{joints + 7} numbers: 7 for the free base, {joints} for joints"
    return counted(joints, "number")


def _base(robot: Robot, glyphs: Glyphs) -> str:
    if robot.base is None:
        return "unspecified"
    return ", ".join([robot.base, *words.pose_words(robot.pose, glyphs)])


def _gravity(robot: Robot) -> str:
    """The gravity that the file states, unless it is that of the earth."""
    if robot.gravity is None or is_earthly(robot.gravity):
        return ""
    return f"{' '.join(f'{value:g}' for value in robot.gravity)} m/s²"


def _surroundings(robot: Robot) -> str:
    """What stands beside the robot in its file."""
    around = robot.surroundings
    return "" if around is None else ", ".join(x for x in (around.name, _shapes([around])) if x)


def _shapes(links: Sequence[Link]) -> str:
    visual = [s for link in links for s in link.visuals]
    collision = [s for link in links for s in (*link.collisions, *link.collisions_alt)]
    if not visual and not collision:
        return ""
    files = {s.geometry.uri for s in (*visual, *collision) if isinstance(s.geometry, MeshFile)}
    meshes = f"; {counted(len(files), 'mesh file')}" if files else ""
    return f"{len(visual)} visual, {len(collision)} collision{meshes}"


def _self_collision(robot: Robot) -> str:
    rule = robot.self_collision
    excluded = sum(not link.collides for link in robot.links)
    if excluded:
        pairs = _pairs(rule) or "all pairs except neighbors"
        return f"{pairs}; {counted(excluded, 'link')} excluded from all collision detection"
    return _pairs(rule)


def _pairs(rule: SelfCollision) -> str:
    text = {"all": "all pairs", "none": "no pairs", "not_adjacent": "all pairs except neighbors"}
    if rule.default == "none" and rule.enabled:
        return f"only {counted(len(rule.enabled), 'pair')}"
    if rule.default == "all" and rule.disabled:
        return f"{text[rule.default]} except {len(rule.disabled)}"
    if rule.default == "not_adjacent" and (rule.enabled or rule.disabled):
        counts = ((len(rule.enabled), "enabled"), (len(rule.disabled), "disabled"))
        return ", ".join([text[rule.default], *(f"{n} {what}" for n, what in counts if n)])
    # The default is not shown.
    return "" if rule.default == "not_adjacent" else text[rule.default]


def _more(robot: Robot) -> str:
    counts = (
        (len(robot.devices), "device"),
        (len(robot.loops), "loop"),
        (len(robot.couplings), "coupling"),
        (len(robot.coordinates), "coordinate"),
        (len(robot.frames), "frame"),
        (len(robot.configurations), "configuration"),
    )
    return ", ".join(counted(n, what) for n, what in counts if n)


def tree(robot: Robot, window: Window) -> Lines:
    """The tree of links, each with the joint that moves it."""
    by_parent: dict[str, list[Joint]] = {}
    for joint in robot.joints:
        by_parent.setdefault(joint.parent, []).append(joint)
    movers = {joint.child: joint for joint in robot.joints}
    seen: set[str] = set()
    rows: list[tuple[str, str, str]] = []
    # The root first; then, in a broken model, further roots and cycles.
    for link in sorted(robot.links, key=lambda link: link.name in movers):
        if link.name not in seen:
            _branch((link.name, movers.get(link.name)), by_parent, seen, rows, window)
    columns = [Column(), Column(), Column()]
    if fits(columns, rows, window.width):
        return table(columns, rows)
    return ["  " + "  ".join(part for part in row if part) for row in rows]


def _branch(
    root: tuple[str, Joint | None],
    by_parent: dict[str, list[Joint]],
    seen: set[str],
    rows: list[tuple[str, str, str]],
    window: Window,
) -> None:
    """Append the rows of one tree; iterative, since chains may be long."""
    glyphs = window.glyphs
    deepest = window.text_width // 2
    todo: list[tuple[str, Joint | None, str, str]] = [(*root, "", "")]
    while todo:
        name, joint, lead, turn = todo.pop()
        again = name in seen
        seen.add(name)
        prefix = lead + turn
        if len(prefix) > deepest:
            prefix = glyphs.to + prefix[-deepest:]
        other = joint.name if joint and joint.name != name else ""
        rows.append((prefix + name, _joint_words(joint), other))
        if again:
            continue
        below = by_parent.get(name, [])
        if turn:
            lead += glyphs.pipe if turn == glyphs.branch else " " * len(glyphs.pipe)
        for i, child in reversed(list(enumerate(below))):
            todo.append((child.child, child, lead, glyphs.last if i + 1 == len(below) else glyphs.branch))


def _joint_words(joint: Joint | None) -> str:
    if joint is None:
        return ""
    axis = f" {words.axis_word(joint.axis)}" if words.has_axis(joint) else ""
    return joint.kind + axis


# The limits in the table of joints that few robots have.
_RATES = ("acceleration", "deceleration", "jerk")


def joints(robot: Robot, window: Window) -> Lines:
    """Index in q, limits and initial position of each joint."""
    glyphs = window.glyphs
    columns = [
        Column("q", "right"),
        Column("joint"),
        Column("kind", drop=2),
        Column("no.", "right", drop=1),
        Column("limits", "right"),
        Column(gap=1),
        Column(align="right", gap=1),
        Column(gap=0),
        Column("velocity", "right"),
        Column(gap=0),
        *(Column(name, "right", drop=3 + k) for k, name in enumerate(_RATES)),
        Column("effort", "right"),
        Column("initial", "point"),
        Column(gap=0),
    ]
    rows = []
    if robot.base == "free":
        root = words.root_name(robot) or ""
        rows.append(["0-6", root, "free base", *[""] * (10 + len(_RATES))])
    moved = any(joint.initial for joint in robot.joints)
    for joint, (at, size) in zip(robot.joints, words.q_places(robot), strict=True):
        if joint.kind != "fixed":
            rows.append(_joint_row(joint, (at, size), moved, glyphs))
    return table(columns, rows, window.width)


def _joint_row(joint: Joint, place: tuple[int, int], moved: bool, glyphs: Glyphs) -> list[str]:
    at, size = place
    q = "" if not size else str(at) if size == 1 else f"{at}-{at + size - 1}"
    unit = words.unit_of(joint, glyphs)
    low, high = joint.limits.position
    ends = ["", "", "", ""]
    if size == 1 and math.isinf(low) and math.isinf(high):
        ends[2] = "none"
    elif size == 1:
        ends = [
            words.number(words.scaled(joint, low)),
            glyphs.to,
            words.number(words.scaled(joint, high)),
            unit,
        ]
    velocity = words.bounds(joint.limits.velocity, words.scaled(joint, 1.0), glyphs) if unit else ""
    effort = words.bounds(joint.limits.effort, 1.0, glyphs)
    initial = words.number(words.scaled(joint, joint.initial)) if moved and unit else ""
    return [
        q,
        joint.name,
        f"{joint.kind}, passive" if joint.passive else joint.kind,
        "" if joint.number is None or joint.number < 0 else str(joint.number),
        *ends,
        velocity,
        f"{unit}/s" if velocity else "",
        *_rates(joint, glyphs),
        f"{effort} {words.effort_unit(joint, glyphs)}" if effort else "",
        initial,
        unit if initial else "",
    ]


def _rates(joint: Joint, glyphs: Glyphs) -> list[str]:
    limits = joint.limits
    found = [words.rate_limit(joint, name, glyphs) for name in _RATES]
    # Equal to the acceleration in most robots, whose limit is shown once.
    return [found[0], found[1] if limits.deceleration != limits.acceleration else "", found[2]]


def masses(robot: Robot, window: Window) -> Lines:
    """Mass and center of mass of each link."""
    columns = [
        Column("link"),
        Column("mass", "point"),
        *VECTOR,
    ]
    rows = [
        (
            link.name,
            "unknown" if link.inertial.unknown == "mass" else words.number(link.inertial.mass),
            *(
                ("unknown", "", "")
                if link.inertial.unknown
                else (words.fixed(v, 6) for v in link.inertial.com)
            ),
        )
        for link in robot.links
        if link.inertial
    ]
    bare = [link.name for link in robot.links if not link.inertial]
    lines = table(columns, rows, window.width)
    if bare and rows:
        names = wrapped([f"without mass: {bare[0]}", *bare[1:]], window.text_width)
        lines += names
    return lines


def devices(robot: Robot, window: Window) -> Lines:
    """Each device with its pose, and its parameters below it."""
    what = [Column("name"), Column("kind"), Column("id", "right"), Column("link")]
    turned = any(words.rotation_words(device.pose) != ["0", "0", "0"] for device in robot.devices)
    rows = []
    for device in robot.devices:
        number = "" if device.id is None else str(device.id)
        turn = words.rotation_words(device.pose) if turned else ["", "", ""]
        place = [*words.position_words(device.pose), *turn]
        rows.append([device.name, device.spec.kind, number, device.link, *place])
    columns = [*what, *VECTOR, *ROTATION]
    whole = fits(columns, rows, window.width)
    lines = table(columns, rows) if whole else table(what, [row[:4] for row in rows])
    out = lines[:1] if rows else []
    for device, line in zip(robot.devices, lines[1:], strict=True):
        said = words.device_words(device, window.glyphs)
        place = [] if whole else words.pose_words(device.pose, window.glyphs)
        out += [line, *wrapped([*place, *said], window.text_width, 6)]
    return out


def loops(robot: Robot, gaps: Sequence[Gap | None], window: Window) -> Lines:
    """Each loop with its gap and tilt at the initial configuration."""
    columns = [
        Column("name"),
        Column("kind"),
        Column("link"),
        Column("link"),
        Column("axis"),
        Column("gap mm", "point"),
        Column(f"tilt{window.glyphs.degree}", "point"),
    ]
    rows = []
    for loop, gap in zip(robot.loops, gaps, strict=True):
        held = loop.holds
        axis = "" if held.axial == held.radial and held.twist == held.swing else words.axis_word(loop.axis)
        apart = "?" if gap is None else words.fixed(gap.distance * 1000.0, 3)
        angle = "?" if gap is None else words.fixed(math.degrees(gap.angle), 3)
        kind = words.loop_word(held)
        tilt = angle if held.twist or held.swing else ""
        rows.append([loop.name, kind, loop.link_a, loop.link_b, axis, apart, tilt])
    return table(columns, rows, window.width)


def couplings(robot: Robot, window: Window) -> Lines:
    """Joints that follow others."""
    rows = []
    by_name = {joint.name: joint for joint in robot.joints}
    for coupling in robot.couplings:
        joint = by_name.get(coupling.joint)
        factor = "" if coupling.ratio == 1.0 else f"{words.number(coupling.ratio)} {window.glyphs.times} "
        plus = ""
        if coupling.offset:
            offset = words.scaled(joint, coupling.offset) if joint else coupling.offset
            unit = words.unit_of(joint, window.glyphs) if joint else ""
            plus = f" {'-' if offset < 0 else '+'} {words.number(abs(offset))}{unit}"
        rows.append([coupling.joint, "=", f"{factor}{coupling.leader}{plus}"])
    return table([Column(), Column(gap=1), Column(gap=1)], rows)


def coordinates(robot: Robot, window: Window) -> Lines:
    """The coordinates of a normalized configuration, one row for each joint that they move."""
    return coordinate_table(robot, robot.coordinates, {}, window)


def coordinate_table(
    robot: Robot, given: Sequence[Coordinate], more: Mapping[str, Sequence[str]], window: Window
) -> Lines:
    """A table of coordinates; ``more`` are further columns by title, one word for each coordinate."""
    by_name = {joint.name: joint for joint in robot.joints}
    rows = []
    for k, c in enumerate(given):
        head = [words.number(c.default), words.number(c.weight), *(column[k] for column in more.values())]
        notes = " ".join(name for name in ("cyclic", "passive", "frozen") if getattr(c, name))
        drives: list[Drive | None] = [*c.drives] or [None]
        for n, drive in enumerate(drives):
            joint = by_name.get(drive.joint) if drive else None
            ends = ["", "", ""]
            if drive is not None and joint is not None:
                low, high = (words.fixed(words.scaled(joint, v), 4) for v in (drive.at_zero, drive.at_one))
                ends = [low, high, words.unit_of(joint, window.glyphs).strip()]
            rows.append(
                [
                    "" if n else str(c.index),
                    drive.joint if drive else "(no joint)",
                    *ends,
                    *(["" for _ in head] if n else head),
                    "" if n else notes,
                ]
            )
    columns = [Column("t", "right"), Column("joint"), Column("at 0", "point"), Column("at 1", "point")]
    columns += [Column("", gap=1), Column("default", "point"), Column("weight", "point")]
    columns += [*(Column(title, "point") for title in more), Column("options")]
    return table(columns, rows, window.width) if rows else []


def configurations(robot: Robot, window: Window) -> Lines:
    """Named configurations; joints at zero are only counted."""
    by_name = {joint.name: joint for joint in robot.joints}
    out: Lines = []
    for configuration in robot.configurations:
        out.append(f"  {configuration.name}" + (f" ({configuration.group})" if configuration.group else ""))
        said = []
        for name, value in configuration.by_joint.items():
            joint = by_name.get(name)
            if isinstance(value, tuple):
                said.append(f"{name} {' '.join(map(words.number, value))}")
            elif value and joint:
                unit = words.unit_of(joint, window.glyphs)
                said.append(f"{name} {words.number(words.scaled(joint, value))}{unit}")
        rest = len(configuration.by_joint) - len(said)
        if rest:
            said.append(f"{rest} {'others ' if said else ''}at 0")
        out += wrapped(said, window.text_width, 4)
    return out


def groups(robot: Robot, window: Window) -> Lines:
    """Groups of links and joints, nested ones indented."""
    out: Lines = []
    todo: list[tuple[str | Group, int]] = [(group, 2) for group in reversed(robot.groups)]
    while todo:
        member, indent = todo.pop()
        if isinstance(member, str):
            run = [member]
            while todo and isinstance(todo[-1][0], str) and todo[-1][1] == indent:
                run.append(str(todo.pop()[0]))
            out += wrapped(run, window.text_width, indent)
        else:
            out.append(f"{' ' * indent}{member.name}:")
            todo.extend((inner, indent + 2) for inner in reversed(member.members))
            lists = {
                "joints": member.joint_members,
                "chains": [f"{chain.base_link} to {chain.tip_link}" for chain in member.chains],
                "groups": member.subgroups,
            }
            for what, names in lists.items():
                if names:
                    out += wrapped([f"{what}: {names[0]}", *names[1:]], window.text_width, indent + 2)
    return out


def frames(robot: Robot, window: Window) -> Lines:
    """Named frames on links."""
    columns = [
        Column("name"),
        Column("link"),
        *VECTOR,
        *ROTATION,
        Column(),
    ]
    rows = [
        [
            f.name,
            f.link,
            *words.position_words(f.pose),
            *words.rotation_words(f.pose),
            "traced" if f.trace else "",
        ]
        for f in robot.frames
    ]
    return table(columns, rows, window.width)


def extras(robot: Robot, window: Window) -> Lines:
    """Data that only one format represents: its keywords and how often each occurs."""
    count: Counter[str] = Counter()
    for extra in robot.extras:
        # Declarations of XML namespaces belong to the file, not to the robot.
        count.update(key for key, _, _ in extra.node.items if key and not key.startswith("xmlns"))
    said = [f"{key} {window.glyphs.times}{n}" if n > 1 else key for key, n in count.items()]
    return wrapped(said, window.text_width)

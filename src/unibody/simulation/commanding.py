"""Carries out controls: commands joints and actuators before each step of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from unibody.mechanism import Mechanism
from unibody.model.arrays import Floats, Indices
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Robot
from unibody.simulation.commander import Commander
from unibody.simulation.control import Control, Mode, Program
from unibody.simulation.control_file import ControlError, reason


def commanding(
    commander: Commander, control: Control | Program | None, hold: bool = False
) -> Program | None:
    """The function that is called with the simulation before each step; None without commands.

    Times of a control are counted from its first row. With ``hold``, joints without a command are held
    where they are now, besides those that loops or couplings move.
    """
    if hold:
        commander.set_position(_held(commander, control))
    if control is None:
        return None
    if not isinstance(control, Control):
        return _guarded(control)
    if control.besides is not None:
        parts = replace(control, besides=None), control.besides
        return _both(*(_following(commander, part, hold=False) for part in parts))
    return _following(commander, control, hold)


def _both(first: Program, second: Program) -> Program:
    """The function that calls two."""

    def command(simulation: Any) -> None:
        first(simulation)
        second(simulation)

    return command


def _following(commander: Commander, control: Control, hold: bool) -> Program:
    """The function that commands the joints of a control, all in its mode."""
    engine = commander.engine
    begin = control.begin - engine.time
    kinds = {joint.name: joint.kind for joint in engine.robot.joints}
    tracks = [i for i, (name, _) in enumerate(control.columns) if kinds[name] == "track"]
    driven = [i for i in range(len(control.columns)) if i not in tracks]
    tell = {
        "position": commander.set_position,
        "velocity": commander.set_velocity,
        "effort": commander.set_effort,
    }[control.mode]
    # An array of all joints is told in a fraction of the time of a mapping.
    whole = _whole(commander, control, hold)
    places = _places(engine.mechanism, control, control.mode)
    joints: dict[str, list[int]] = {}
    for index in sorted(driven, key=lambda i: control.columns[i][1]):
        joints.setdefault(control.columns[index][0], []).append(index)
    ahead = 0.0 if control.mode == "effort" else engine.timestep
    servos = _servos(commander, control, joints)
    rates = np.zeros(engine.mechanism.nv) if whole is not None and len(servos) == len(joints) else None
    turning = _places(engine.mechanism, control, "velocity") if rates is not None else places

    def command(_: Any) -> None:
        # Positions and velocities are those at the end of the step.
        values = control.at(begin + engine.time + ahead)
        if whole is not None:
            whole[places[driven]] = values[driven]
            tell(whole)
        elif driven:
            tell({name: values[at] for name, at in joints.items()})
        if servos:
            targets = control.rate(begin + engine.time + ahead)
            if rates is not None:
                rates[turning[driven]] = targets[driven]
                commander.set_velocity(rates)
            else:
                commander.set_velocity({name: targets[at] for name, at in servos.items()})
        if tracks:
            commander.set_velocity({control.columns[i][0]: float(values[i]) for i in tracks})
        if controls := control.controls(begin + engine.time):
            commander.set_control(controls)

    return command


def _servos(
    commander: Commander, control: Control, joints: Mapping[str, list[int]]
) -> dict[str, list[int]]:
    """The joints whose servos follow the rates of a control of positions, and their columns."""
    if control.mode != "position":
        return {}
    return {name: at for name, at in joints.items() if commander.has_gains(name)}


def _guarded(program: Program) -> Program:
    """The program; ControlError with its file and line if it fails."""

    def command(simulation: Any) -> None:
        try:
            program(simulation)
        except Exception as error:
            raise ControlError(reason(error)) from error

    return command


def _places(mechanism: Mechanism, control: Control, mode: Mode) -> Indices:
    """The place of each column in q, or in v."""
    starts = mechanism.idx_q if mode == "position" else mechanism.idx_v
    by_name = dict(zip(mechanism.joint_names, starts.tolist(), strict=True))
    return np.array([by_name[name] + part for name, part in control.columns], np.intp)


def _whole(commander: Commander, control: Control, hold: bool) -> Floats | None:
    """Numbers for all joints, if the columns and the joints that are held are all that have a drive."""
    held = _held(commander, control) if hold and control.mode == "position" else {}
    commanded = {*control.joints, *held}
    driven = (j for j in commander.engine.robot.joints if KINDS[j.kind].nv)
    if any(j.name not in commanded or KINDS[j.kind].nq != 1 for j in driven):
        return None
    engine = commander.engine
    return engine.q if control.mode == "position" else np.zeros(engine.mechanism.nv)


def _held(commander: Commander, control: Control | Program | None) -> dict[str, float]:
    """The present positions of the joints that something should hold, since no control commands them."""
    robot, mechanism = commander.engine.robot, commander.engine.mechanism
    commanded: set[str] = set()
    if isinstance(control, Control):
        commanded = {*control.joints, *commander.joints_of_actuators(control.motion.controls)}
    led = {coupling.joint for coupling in robot.couplings}
    moved = _in_loops(robot)
    q = commander.engine.q
    return {
        joint.name: float(q[place])
        for joint, place in zip(robot.joints, mechanism.idx_q.tolist(), strict=True)
        if KINDS[joint.kind].nq == 1
        and joint.name not in led
        and joint.name not in moved
        and joint.name not in commanded
    }


def _in_loops(robot: Robot) -> set[str]:
    """The joints between the links that loops tie together: to hold them all may contradict the loops."""
    above = {joint.child: joint for joint in robot.joints}

    def chain(link: str) -> list[str]:
        names = []
        while link in above:
            names.append(above[link].name)
            link = above[link].parent
        return names

    moved: set[str] = set()
    for loop in robot.loops:
        moved |= set(chain(loop.link_a)) ^ set(chain(loop.link_b))
    return moved

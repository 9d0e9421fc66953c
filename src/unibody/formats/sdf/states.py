"""Reads the states of a world, and those of its models, as configurations."""

from __future__ import annotations

from collections.abc import Sequence
from math import radians

from unibody.formats.format import Context
from unibody.formats.sdf.assemble import Body
from unibody.formats.sdf.document_model import JointState, Model, ModelState
from unibody.formats.sdf.document_world import World
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Configuration, Robot

_NAME = "state"
# That of the state that a model itself has.
_OWN = "model_state"


def own_state(body: Body, robot: Robot) -> tuple[Configuration, ...]:
    """The configuration of the states that the models of a robot have themselves; () without one."""
    found: list[tuple[str, float]] = []
    at = None
    for scope in (inner for outer in body.scopes for inner in outer.scopes):
        state = scope.doc.model_state if isinstance(scope.doc, Model) else None
        if state is not None:
            said = {name for name, _ in found}  # by the state of a model around it
            found += [x for x in _positions(state, scope.prefix, robot) if x[0] not in said]
            at = at or state.at()
    return (Configuration(name=_OWN, positions=tuple(found), at=at),) if found else ()


def configurations(
    doc: World, robots: Sequence[tuple[Body, Robot]], context: Context
) -> dict[int, tuple[Configuration, ...]]:
    """The configurations of each robot, by its index: the positions of its joints in each state."""
    out: dict[int, tuple[Configuration, ...]] = {}
    for number, state in enumerate(doc.states):
        name = _NAME if number == 0 else f"{_NAME}_{number + 1}"
        models = {x.name: x for x in (*state.models, *state.model_states)}
        for index, (body, robot) in enumerate(robots):
            found: list[tuple[str, float]] = []
            for scope in body.scopes:
                model = models.get(scope.home.name if scope.home is not None else "")
                if model is not None:
                    found += _positions(model, scope.prefix, robot)
            if found:
                made = Configuration(name=name, positions=tuple(found), at=state.at())
                out[index] = (*out.get(index, ()), made)
    return out


def _positions(top: ModelState, prefix: str, robot: Robot) -> list[tuple[str, float]]:
    """The positions of the joints of a model and of those in it."""
    kinds = {joint.name: joint.kind for joint in robot.joints}
    out: list[tuple[str, float]] = []
    todo = [(top, prefix)]
    while todo:
        model, before = todo.pop()
        for joint in (*model.joints, *model.joint_states):
            name = f"{before}{joint.name}"
            values = _values(joint)
            if (
                name in kinds
                and len(values) == KINDS[kinds[name]].nq
                and not KINDS[kinds[name]].has_quaternion
            ):
                out += [(name, value) for value in values]
        todo += [(inner, f"{before}{inner.name}::") for inner in (*model.models, *model.model_states)]
    return out


def _values(joint: JointState) -> list[float]:
    """The positions of the axes of a joint, in order."""
    values = {angle.axis: angle.value for angle in joint.angles if angle.value is not None}
    for number, state in enumerate((joint.axis_state, joint.axis2_state)):
        position = state.position if state is not None else None
        if position is not None and position.value is not None:
            values[number] = radians(position.value) if position.degrees else position.value
    return [values[number] for number in sorted(values)]

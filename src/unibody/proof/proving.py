"""Proves in physics engines that a model behaves as it should: ``ub.prove``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from unibody.bridges.mujoco import UPGRADE, constraints_fault
from unibody.checks.engines import engines_named, forecast
from unibody.conversion.output import SaveError
from unibody.conversion.pipeline import save
from unibody.formats import by_name
from unibody.formats.loader import Reading, check_is_model, checked, read_with
from unibody.formats.read_options import ReadOptions, refuse_reading
from unibody.mechanism import AssembleError
from unibody.model.base import Base
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Robot
from unibody.model.scene import Scene, as_robot
from unibody.proof.cause import Cause
from unibody.proof.comparison import Comparison, compare
from unibody.proof.diagnosis import Diagnosis, diagnose
from unibody.proof.engine_noise import noise_of, rounded_bodies, with_rounded
from unibody.proof.engines import Engine, engines_of, interpreters
from unibody.proof.loading import OWN, REMEDY
from unibody.proof.loops import loops_read
from unibody.proof.misreadings import misreadings
from unibody.proof.process import (
    MEMORY,
    SECONDS,
    Answer,
    EngineFailed,
    EngineMissing,
    run_loader,
)
from unibody.proof.reference import DRAWN, Reference, States, draw_states, places, reference_of
from unibody.proof.request import request_of
from unibody.proof.result import EngineProof, EngineResult
from unibody.proof.rounding import rounded_states
from unibody.proof.statements import statements_of
from unibody.proof.trajectory import TOLERANCE, plan_motion, trajectory_deviations
from unibody.proof.written import reference_in
from unibody.text.counted import counted, listed
from unibody.text.finding import Finding
from unibody.text.node import Node

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from unibody.formats.format import Format, ModelObject
    from unibody.formats.read_options import ReadKeywords

#: Random states of a proof.
STATES = 1000
# The most causes of a rejected file that are told, and the most names of joints.
_REJECTIONS, _NAMED = 3, 3
# The most entries of mass matrices that are compared.
_ENTRIES = 20_000_000


@dataclass(frozen=True, kw_only=True)
class Given:
    """A model that was given: the robot, and its file with the format, if engines can read the file.

    ``version`` is that which its file states; ``packages`` are folders by name that its file refers to;
    ``unnamed`` tells that joints of the file have no name, so that only the engine of the format can be
    told of them; ``reading`` is that of the file.
    """

    robot: Robot
    path: str = ""
    format: str = ""
    version: str = ""
    packages: Mapping[str, str] = field(default_factory=dict)
    unnamed: bool = False
    reading: Reading | None = None


def prove(
    robot: Robot | Scene | str | os.PathLike[str] | ModelObject,
    other: str | os.PathLike[str] | None = None,
    *,
    engines: str | Sequence[str] | None = None,
    states: int = STATES,
    seed: int = 0,
    trajectory: bool = False,
    seconds: float = SECONDS,
    memory: int = MEMORY,
    format: str | Format | None = None,
    **reading: Unpack[ReadKeywords],
) -> EngineProof:
    """Compare what physics engines make of a model file with the mechanism of the robot.

    Each of ``engines`` ("mujoco,pinocchio" or a list, by default all) loads the file itself, in a process
    of its own that may take ``seconds`` and ``memory`` bytes: ``other``, or the file of ``robot``, or, if
    the engine does not read its format, a file that is written for it. The search for the causes of what
    differs may take ``seconds``, too. Poses, masses, mass matrices, bias
    forces, accelerations, limits, couplings, loops, bounds of shapes and textures are compared at random
    ``states``, and with ``trajectory`` a damped motion of 5 s from one of them; known slips of importers
    are tried on what differs. ``robot`` may be a path, which is read with the keywords of
    :func:`unibody.read`. Interpreters with engines are found by the environment variable UNIBODY_ENGINES.
    ValueError for an unknown engine.
    """
    given = given_from(robot, format, reading, plain=other is None)
    target = given if other is None else given_from(other, None, {}, plain=True)
    return prove_given(
        given,
        target,
        engines=engines,
        states=states,
        seed=seed,
        trajectory=trajectory,
        seconds=seconds,
        memory=memory,
    )


def prove_given(
    given: Given,
    target: Given,
    *,
    engines: str | Sequence[str] | None = None,
    states: int = STATES,
    seed: int = 0,
    trajectory: bool = False,
    seconds: float = SECONDS,
    memory: int = MEMORY,
) -> EngineProof:
    """Like :func:`prove`, for models that were read: ``target`` is what the engines load."""
    chosen = engines_of(engines)
    base: Base = given.robot.base or target.robot.base or "fixed"
    with TemporaryDirectory(prefix="unibody-") as folder:
        prover = _Prover(given, target, base, folder, states, seed, trajectory, seconds, memory)
        results = tuple(prover.result(engine) for engine in chosen)
    return EngineProof(robot=given.robot.name, base=base, results=results)


def given_from(source: Any, format: str | Format | None, reading: Any, *, plain: bool) -> Given:
    """The robot of a source; ``plain`` as programs read a file that know nothing of side-cars."""
    if isinstance(source, Robot | Scene):
        refuse_reading(source, format, reading)
        return Given(robot=as_robot(source, None))
    check_is_model(source)
    is_file = isinstance(source, str | os.PathLike)
    found = checked(
        source, read_with(source, format, ReadOptions.of(reading, format), plain=plain and is_file)
    )
    return given_of(os.fspath(source) if is_file else "", found, changed=bool(reading.keys() & CHANGES))


#: Keywords of reading by which the robot is another one than that of the file.
CHANGES = {"arguments", "scale", "up_axis"}
#: Suffixes of files that are expanded before they are read.
_EXPANDED = (".xacro",)


def given_of(path: str, reading: Reading, *, changed: bool = False) -> Given:
    """What was read from a file; engines cannot read it if options ``changed`` the robot."""
    assert reading.robot is not None
    if not path or changed or reading.format is None or path.lower().endswith(_EXPANDED):
        return Given(robot=reading.robot)
    path = os.path.abspath(path)
    text = "" if reading.source is None else reading.source.text
    packages = {}
    for name in sorted(set(re.findall(r"(?:package|model)://([^/<\"']+)/", text))):
        folder = None if reading.files is None else reading.files.package(name, path)
        if folder is not None:
            packages[name] = folder
    format = reading.format.name
    # names that the reader made are not in the text; loaders find free joints by their bodies
    unnamed = format == "mjcf" and any(
        j.kind != "free" and f'"{j.name}"' not in text for j in reading.robot.joints
    )
    stated = reading.node.word("version") if isinstance(reading.node, Node) else None
    return Given(
        robot=reading.robot,
        path=path,
        format=format,
        version=stated or "",
        packages=packages,
        unnamed=unnamed,
        reading=reading,
    )


def file_for(engine: Engine, target: Given, base: Base, folder: str) -> tuple[str, str]:
    """The file that an engine loads, and its format: the one given, or one written for it in a folder."""
    own = OWN.get(target.format) == engine.name
    if target.path and engine.reads(target.format, target.version) and (own or not target.unnamed):
        return target.path, target.format
    # a file in which only names are missing is written in its own format, which the engine is to read
    format = target.format if target.unnamed and target.format in engine.formats else engine.formats[0]
    record = by_name(format)
    assert record is not None
    path = str(Path(folder) / f"model{record.suffixes[0]}")
    if not os.path.exists(path):
        save(target.robot, path, format=format, plain=True, base=base if format == "mjcf" else None)
    return path, format


def ask(
    engine: Engine,
    reference: Reference,
    states: States,
    path: str,
    packages: Mapping[str, str],
    *,
    motion: Mapping[str, Any] | None = None,
    seconds: float,
    memory: int,
) -> Answer:
    """What an engine has of the file of a reference at these states; EngineMissing, EngineFailed."""
    q, v, effort = reference.numbers(states)
    kinds = {joint.name: joint.kind for joint in reference.robot.joints}
    joints = [
        {"name": name, "kind": kinds[name], "q": at_q, "v": at_v, "zero": reference.zeros.get(name, 0.0)}
        for name, at_q, _, at_v, _ in places(reference.mechanism)
        if kinds.get(name) in DRAWN
    ]
    order = [joint.name for joint in reference.robot.joints if KINDS[joint.kind].nv]
    root = reference.bodies[reference.robot.root][0]
    bodies = [name for name in dict.fromkeys(body for body, _ in reference.bodies.values()) if name]
    free = {reference.bodies[j.child][0]: j.name for j in reference.robot.joints if j.kind == "free"}
    request = request_of(
        path,
        reference.format,
        base=reference.base,
        root=root,
        gravity=reference.gravity,
        joints=joints,
        order=order,
        bodies=bodies,
        free_joints=free,
        packages=packages,
        trajectory=motion,
    )
    numbers = {"q": q, "v": v, "effort": effort}
    return run_loader(engine.script, interpreters(), request, numbers, seconds=seconds, memory=memory)


def _unresisted(found: Comparison) -> Iterator[str]:
    if found.unresisted:
        names = listed(list(dict.fromkeys(found.unresisted)), _NAMED)
        yield f"accelerations are not compared, since no inertia resists {names}"


def _of_rounding(bodies: Sequence[str]) -> Iterator[str]:
    if bodies:
        names = listed(bodies, _NAMED)
        yield f"inertias of {names} are rounded by the engine, as in the own file of the robot"


def _placed(finding: Finding) -> str:
    """The message of a finding, with the line that it is about."""
    at = f" (line {finding.at.line})" if finding.at is not None else ""
    return f"{finding.message}{at}"


def _why_no_motion(found: Comparison, answer: Answer, motion: Mapping[str, Any]) -> str:
    """Why the motion of an engine is not compared, "" if it is."""
    if answer.facts["precision"] != "double":
        return "its motion is not compared: it has single precision"
    if not motion["count"]:
        return "its motion is not compared: damping or springs are too stiff for steps of this length"
    if "trajectory" not in answer.arrays:
        return "its motion is not compared: joints move that are not compared"
    if {"acceleration", "positions", "rotations"} & {*found.failed}:
        return "its motion is not compared: its accelerations differ"
    return ""


@dataclass(frozen=True)
class _Prover:
    """One proof: what all engines are compared with."""

    given: Given
    target: Given
    base: Base
    folder: str
    states: int
    seed: int
    trajectory: bool
    seconds: float
    memory: int

    @property
    def robot(self) -> Robot:
        """The robot that engines are compared with."""
        return self.given.robot

    def _misread(self, format: str) -> Iterator[tuple[str, str, Reference]]:
        """What an importer may have of the file of the robot, with words and with what it does not read."""
        reading = self.given.reading
        for words, ignored, robot in misreadings(reading) if reading is not None else ():
            yield words, ignored, reference_of(robot, format, self.base, stated=self.target.robot)

    def _rounded(self, engine: Engine, reference: Reference, found: Comparison, path: str) -> list[str]:
        """The bodies whose inertias an engine rounds as much in the robot's own file, not the target's."""
        given, format = self.given, self.given.format
        reads = given.path and engine.reads(format, given.version) and not given.unnamed
        if path != self.target.path or path == given.path or not reads or "inertia" not in found.failed:
            return []
        try:
            own = reference_of(self.robot, format, self.base)
            states = draw_states(own, 1, self.seed)
            answer = ask(
                engine,
                own,
                states,
                given.path,
                given.packages,
                seconds=self.seconds,
                memory=self.memory,
            )
            noise = noise_of(compare(own, states, answer, [], moving=False))
        except (EngineMissing, EngineFailed, AssembleError, KeyError, TypeError, IndexError, ValueError):
            return []
        return rounded_bodies(reference, found, noise)

    def _statements(self) -> dict[str, frozenset[str]]:
        """What the file of the robot states of joints and links, in words."""
        reading = self.given.reading
        return {} if reading is None else statements_of(reading.node, self.given.format)

    def result(self, engine: Engine) -> EngineResult:
        """What one engine has of the model."""
        try:
            path, format = file_for(engine, self.target, self.base, self.folder)
            if path == self.target.path:
                reference = reference_of(self.robot, format, self.base, stated=self.target.robot)
            else:
                reference = reference_in(path, self.robot, format, self.base)
            states = draw_states(reference, self._count(reference), self.seed)
        except SaveError as error:
            words = "; ".join(finding.message for finding in error.findings)
            return self._failure(engine, "unsupported", f"cannot be written for it: {words}")
        except (AssembleError, ValueError) as error:
            return self._failure(engine, "failed", str(error))
        motion = plan_motion(reference, states) if self.trajectory else None
        try:
            answer = ask(
                engine,
                reference,
                states,
                path,
                self.target.packages,
                motion=motion,
                seconds=self.seconds,
                memory=self.memory,
            )
        except EngineMissing:
            return self._failure(engine, "not here", REMEDY)
        except EngineFailed as error:
            causes = self._rejections(engine) if path == self.target.path else ()
            return self._failure(engine, "failed", str(error), causes)
        try:
            return self._judged(engine, reference, states, answer, path, motion)
        except (KeyError, TypeError, IndexError, ValueError) as error:
            return self._failure(
                engine, "failed", f"gave no valid answer ({type(error).__name__}: {error})"
            )

    def _failure(
        self, engine: Engine, verdict: Any, reason: str, causes: tuple[Cause, ...] = ()
    ) -> EngineResult:
        return EngineResult(
            engine=engine.name, title=engine.title, verdict=verdict, reason=reason, causes=causes
        )

    def _rejections(self, engine: Engine) -> tuple[Cause, ...]:
        """Why the engine is known to reject the file: one cause of each kind, with the first place."""
        reading = self.target.reading
        if reading is None or reading.files is None:
            return ()
        found = forecast(reading, reading.findings, engines_named(engine.name), reading.files)
        kinds: dict[str, Finding] = {}
        for each in found:
            if each.code == "engine-rejects":
                kinds.setdefault(each.hint or "", each)
        return tuple(Cause(_placed(each)) for each in [*kinds.values()][:_REJECTIONS])

    def _count(self, reference: Reference) -> int:
        size = max(1, reference.mechanism.nv) ** 2
        return max(1, min(self.states, _ENTRIES // size))

    def _judged(
        self,
        engine: Engine,
        reference: Reference,
        states: States,
        answer: Answer,
        path: str,
        motion: Mapping[str, Any] | None,
    ) -> EngineResult:
        dofs = [reference.dofs[int(k)] for k in answer.facts["dofs"]]
        if answer.facts["precision"] == "single":
            states = rounded_states(reference, states)
        found = compare(reference, states, answer, dofs)
        rounded = self._rounded(engine, reference, found, path)
        if rounded:
            reference = with_rounded(reference, answer, rounded)
            found = compare(reference, states, answer, dofs)
        diagnosis = Diagnosis()
        if found.failed:
            diagnosis = diagnose(
                reference,
                states,
                answer,
                dofs,
                seconds=self.seconds,
                misread=self._misread(reference.format) if path == self.target.path else (),
                stated=self._statements(),
            )
        unexplained, reason = diagnosis.unexplained, ""
        if motion is not None:
            reason = _why_no_motion(found, answer, motion)
            if not reason:
                away = trajectory_deviations(reference, states, answer, motion)
                found.note("trajectory", away, TOLERANCE)
                unexplained += ("trajectory",) if "trajectory" in found.failed else ()
        verdict: Any = "equal" if not found.failed else "differs" if unexplained else "explained"
        return EngineResult(
            engine=engine.name,
            title=answer.title,
            verdict=verdict,
            file=path,
            states=states.count,
            precision=answer.facts["precision"],
            deviations=found.deviations,
            causes=diagnosis.causes,
            unexplained=unexplained,
            merged=tuple(found.merged),
            notes=(
                *self._notes(reference, answer),
                *_of_rounding(rounded),
                *_unresisted(found),
                *([reason] if reason else []),
                *([self._why_stopped()] if diagnosis.stopped else []),
            ),
            condition=found.condition,
            sensitivity=found.sensitivity,
        )

    def _why_stopped(self) -> str:
        """That the search for causes did not end, and what to do."""
        return (
            f"the search for causes was stopped after {self.seconds:g} s: what is unexplained may have a "
            "known cause; allow more with --seconds"
        )

    def _notes(self, reference: Reference, answer: Answer) -> Iterator[str]:
        """What the engine does otherwise than asked, or by default."""
        facts = answer.facts
        if facts.get("base", self.base) != self.base:
            yield f"the engine's reader makes the base {facts['base']}"
        if facts["engine"] == "MuJoCo" and (
            fault := constraints_fault(facts["version"], bool(facts["sparse"]))
        ):
            yield f"{fault}: {UPGRADE}"
        loops = len(self.robot.loops)
        if loops and "loops" in facts and (read_there := loops_read(reference, facts)) < loops:
            yield f"{read_there} of {counted(loops, 'loop')} are read: chains that they close are open"
        yield from (str(note) for note in (*facts["notes"], *facts.get("dynamics_notes", ())))

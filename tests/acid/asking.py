"""What physics engines make of the models of the acid test, and the recorded verdicts."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tests.acid.facts import FORMATS, GRAVITY, HERE, MODELS, Fact

from unibody.proof.engines import ENGINES, Engine, interpreters
from unibody.proof.process import Answer, EngineFailed, EngineMissing, run_loader
from unibody.proof.request import request_of

TABLE = HERE / "verdicts.tsv"
COLUMNS = ("fact", "file", "engine", "version", "verdict", "note")
#: What an engine does with a fact: it has the number, or another one; it rejects the model, or its process
#: ends; or the engine, or its loader, does not tell.
VERDICTS = ("right", "differs", "rejects", "ends", "untold")
#: How near numbers of engines are, relative to the largest one of a fact.
TOLERANCES = {"double": 1e-9, "single": 1e-5}
_SIZES = {"free": 6, "ball": 3, "ball_rpy": 3, "planar": 3, "PlanarJoint": 3, "universal": 2}

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Verdict:
    """One row of the table."""

    fact: str
    file: str
    engine: str
    version: str
    verdict: str
    note: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """The columns that name the case."""
        return self.fact, self.file, self.engine


class Untold(Exception):
    """The loader of the engine does not tell what is asked."""


class Asker:
    """Asks one engine; a model is loaded once for all facts that have the same state."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._answers: dict[object, Answer | EngineFailed] = {}

    def verdict(self, fact: Fact, file: str) -> Verdict | None:
        """What the engine does with a fact, None if it does not read the format; EngineMissing."""
        if FORMATS[Path(file).suffix] not in self.engine.formats:
            return None
        answer = self._answer(fact, file)
        if isinstance(answer, EngineFailed):
            ended = str(answer).startswith(("ended", "did not end"))
            return self._row(fact, file, "", "ends" if ended else "rejects", _line(str(answer)))
        version = str(answer.facts["version"])
        if answer.facts.get("rejects"):
            words = f"its reader rejects {answer.facts['rejects']}"
            return self._row(fact, file, version, "rejects", words)
        try:
            found = value(fact, answer)
        except Untold as untold:
            return self._row(fact, file, version, "untold", str(untold))
        except LookupError as absent:
            return self._row(fact, file, version, "differs", str(absent.args[0]))
        tolerance = TOLERANCES[answer.facts["precision"]]
        if fact.holds(found, tolerance):
            return self._row(fact, file, version, "right", "")
        return self._row(fact, file, version, "differs", ", ".join(_digits(x) for x in found))

    def _row(self, fact: Fact, file: str, version: str, verdict: str, note: str) -> Verdict:
        return Verdict(fact.name, file, self.engine.name, version, verdict, note)

    def _answer(self, fact: Fact, file: str) -> Answer | EngineFailed:
        rows = [[(row.get(name, 0.0)) for name in fact.joints] for row in (fact.q, fact.v, fact.effort)]
        key = (file, tuple(fact.joints.items()), str(rows))
        if key not in self._answers:
            try:
                self._answers[key] = _ask(self.engine, fact, file, rows)
            except EngineFailed as failed:
                self._answers[key] = failed
        return self._answers[key]


def _ask(engine: Engine, fact: Fact, file: str, rows: Sequence[Sequence[float]]) -> Answer:
    format = FORMATS[Path(file).suffix]
    joints = [
        {"name": name, "kind": kind, "q": k, "v": k, "zero": 0.0}
        for k, (name, kind) in enumerate(fact.joints.items())
    ]
    request = request_of(
        str(MODELS / file),
        format,
        root="world" if format == "mjcf" else "base",
        gravity=(0.0, 0.0, -GRAVITY),
        joints=joints,
        order=[*fact.joints],
    )
    q, v, effort = (np.array([row], np.float64) for row in rows)
    states = {"q": q, "v": v, "effort": effort}
    return run_loader(engine.script, interpreters(), request, states)


def value(fact: Fact, answer: Answer) -> tuple[float, ...]:
    """What an answer has for a fact; Untold, or LookupError with the reason if the engine lacks it."""
    if fact.quantity not in _ASKED:
        raise Untold("")
    if fact.needs and fact.needs not in answer.facts["passive"]:
        raise Untold(f"its accelerations do not contain {fact.needs}")
    for joint in {*fact.q, *fact.v, *fact.effort}:
        if fact.quantity != "follower" and fact.joints[joint] not in _kinds(answer, joint):
            raise _lacking(answer, joint)
    return tuple(float(x) for x in np.ravel(np.asarray(_ASKED[fact.quantity](fact, answer))))


def _array(answer: Answer, name: str) -> Floats:
    if name not in answer.arrays:
        raise Untold("")
    return answer.arrays[name]


def _body(answer: Answer, names: str, body: str) -> int:
    found: list[str] = answer.facts[names]
    if body not in found:
        raise LookupError(f"it has no body {body}")
    return found.index(body)


def _point(fact: Fact, answer: Answer) -> Floats:
    body, (x, y, z) = fact.of
    pose = _array(answer, "poses")[0, _body(answer, "links", body)]
    return np.asarray(pose @ np.array([x, y, z, 1.0]))[:3]


def _of_body(name: str) -> Callable[[Fact, Answer], Floats]:
    def read(fact: Fact, answer: Answer) -> Floats:
        return np.asarray(_array(answer, name)[_body(answer, "bodies", fact.of[0])])

    return read


def _inertia(fact: Fact, answer: Answer) -> Floats:
    matrix = _of_body("inertia")(fact, answer)
    return np.array([matrix[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))])


def _at_dof(name: str) -> Callable[[Fact, Answer], Floats]:
    """An entry of an array for joints: of a matrix for two of them."""

    def read(fact: Fact, answer: Answer) -> Floats:
        places = [list(fact.joints).index(joint) for joint in fact.of]
        dofs = [int(k) for k in answer.facts["dofs"]]
        for joint, place in zip(fact.of, places, strict=True):
            if place not in dofs:
                raise _lacking(answer, joint)
        return np.asarray(_array(answer, name)[(0, *(dofs.index(place) for place in places))])

    return read


def _kinds(answer: Answer, joint: str) -> list[str]:
    return [there["kind"] for there in answer.facts["joints"] if there["name"] == joint]


def _lacking(answer: Answer, joint: str) -> LookupError:
    """Why a joint cannot be asked: the engine has none, or one of another kind."""
    for kind in _kinds(answer, joint):
        return LookupError(f"joint {joint} is of the kind {kind}")
    return LookupError(f"it has no joint {joint}")


def _of_joint(name: str) -> Callable[[Fact, Answer], object]:
    def read(fact: Fact, answer: Answer) -> object:
        for joint in answer.facts["joints"]:
            if joint["name"] == fact.of[0]:
                if name not in joint:
                    raise Untold("")
                return joint[name]
        raise _lacking(answer, fact.of[0])

    return read


def _limits(fact: Fact, answer: Answer) -> Floats:
    found = _of_joint("position")(fact, answer)
    zero = float(np.asarray(_of_joint("zero")(fact, answer)))
    return np.array([-np.inf, np.inf] if found is None else found, np.float64) - zero


def _follower(fact: Fact, answer: Answer) -> Floats:
    if not any(not each["option"] for each in answer.facts.get("couplings", [{"option": ""}])):
        raise LookupError("it reads no coupling")
    raise Untold("it reads a coupling")


def _freedoms(fact: Fact, answer: Answer) -> float:
    return float(sum(_SIZES.get(joint["kind"], 1) for joint in answer.facts["joints"]))


_ASKED: dict[str, Callable[[Fact, Answer], object]] = {
    "point": _point,
    "mass": _of_body("mass"),
    "total_mass": lambda fact, answer: _array(answer, "mass").sum(),
    "com": _of_body("com"),
    "inertia": _inertia,
    "mass_matrix": _at_dof("mass_matrix"),
    "bias": _at_dof("bias"),
    "acceleration": _at_dof("acceleration"),
    "limits": _limits,
    "effort": _of_joint("effort"),
    "armature": _of_joint("armature"),
    "damping": _of_joint("damping"),
    "friction": _of_joint("friction"),
    "freedoms": _freedoms,
    "follower": _follower,
}


def _line(text: str) -> str:
    """A reason in one short line, without the places of files on this machine."""
    line = " ".join(text.split())
    for place in (str(MODELS) + "/", "file://"):
        line = line.replace(place, "")
    return line if len(line) <= 160 else line[:157] + "..."


def _digits(value: float) -> str:
    return f"{value + 0.0:.8g}" if abs(value) > 1e-12 else "0"


def recorded() -> list[Verdict]:
    """The rows of the table."""
    if not TABLE.exists():
        return []
    with TABLE.open(encoding="utf-8", newline="") as lines:
        return [Verdict(**row) for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)]


def write(rows: Iterable[Verdict]) -> None:
    """Replace the table; its rows are in the order of engines, then of facts."""
    names = [engine.name for engine in ENGINES]
    rows = sorted(rows, key=lambda row: names.index(row.engine))
    lines = ["\t".join(COLUMNS), *("\t".join(astuple(row)) for row in rows)]
    TABLE.write_text("\n".join(lines) + "\n", "utf-8")


def ask_all(engine: Engine, facts: Sequence[Fact]) -> list[Verdict]:
    """What an engine does with all facts; [] if it is not here."""
    asker, rows = Asker(engine), []
    for fact in facts:
        for file in fact.files:
            try:
                row = asker.verdict(fact, file)
            except EngineMissing:
                return []
            if row is not None:
                rows.append(row)
    return rows

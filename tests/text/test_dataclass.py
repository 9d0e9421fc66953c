"""The decorator of ``unibody.text.dataclass`` against the one of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import field, fields
from typing import Any, ClassVar

import pytest

import unibody as ub
from unibody.text.dataclass import dataclass

OPTIONS = [
    {},
    {"frozen": True},
    {"slots": True},
    {"eq": False},
    {"repr": False},
    {"kw_only": True},
    {"frozen": True, "slots": True},
    {"frozen": True, "slots": True, "kw_only": True},
    {"frozen": True, "slots": True, "eq": False, "repr": False},
]


def declared(decorator: Callable[[type], Any]) -> Any:
    """A class with every kind of field."""

    class Part:
        """A part."""

        KIND: ClassVar[str] = "part"
        name: str
        size: tuple[float, ...] = (1.0, 2.0)
        tags: list[str] = field(default_factory=list)
        at: int | None = field(default=None, compare=False, repr=False)
        length: int = field(init=False, default=0)
        both: list[Any] = field(init=False, default_factory=list, compare=False)

        def double(self) -> str:
            return 2 * self.name

    Part.__qualname__ = "Part"
    return decorator(Part)


@dataclass
class Empty:
    """No fields."""


@dataclass(frozen=True, slots=True)
class One:
    """One field, which is computed after the others."""

    x: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "x", 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Frozen:
    """A class that pickle finds by its name."""

    x: float
    inner: tuple[Frozen, ...] = ()


@dataclass(slots=True)
class Own:
    """Methods of the class itself are kept."""

    x: float

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 7

    def __repr__(self) -> str:
        return "own"


def outcome(task: Callable[[], Any]) -> Any:
    """The value of a task, or the type of its exception and the message."""
    try:
        return task()
    except (TypeError, AttributeError) as error:
        return type(error), str(error).replace("Part.__init__", "__init__")


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_like_the_standard_decorator(options: dict[str, Any]) -> None:
    ours, standard = (declared(d(**options)) for d in (dataclass, dataclasses.dataclass))
    tasks: list[Callable[[Any], Any]] = [
        lambda c: repr(c(name="a")) if options.get("repr", True) else None,
        lambda c: c(name="a") == c(name="a", at=5),
        lambda c: c(name="a") == c(name="b"),
        lambda c: c(name="a") == 1,
        lambda c: c(name="a").tags is c(name="a").tags,
        lambda c: (c(name="a", size=(), tags=["x"]).tags, c(name="a").length, c(name="a").both),
        lambda c: c("a", (3.0,)).size,
        lambda c: c(),
        lambda c: c(name="a", length=1),
        lambda c: c(name="a", nothing=1),
        lambda c: dataclasses.replace(c(name="a"), name="b").name,
        lambda c: dataclasses.asdict(c(name="a")),
        lambda c: [(f.name, f.type, f.kw_only) for f in fields(c)],
        lambda c: str(inspect.signature(c)),
        lambda c: c.__match_args__,
        lambda c: setattr(c(name="a"), "name", "b"),
        lambda c: delattr(c(name="a"), "name"),
        lambda c: copy.deepcopy(c(name="a", tags=["x"])).tags,
        lambda c: (c.KIND, c(name="a").double(), c.__doc__, c.__name__),
        lambda c: c.__hash__ is None,
        lambda c: getattr(c, "__slots__", None),
    ]
    for number, task in enumerate(tasks):
        results = [outcome(lambda c=c, task=task: task(c)) for c in (ours, standard)]  # type: ignore[misc]
        if isinstance(results[1], tuple) and results[1][:1] == (AttributeError,):
            results = [r[0] for r in results]
        assert results[0] == results[1], (number, options)


def test_the_initializer_is_compiled_at_the_first_look() -> None:
    cls = declared(dataclass)
    assert not inspect.isfunction(cls.__dict__["__init__"])
    cls(name="a")
    assert inspect.isfunction(cls.__dict__["__init__"])
    other = declared(dataclass)

    class Inner(other):  # type: ignore[valid-type, misc]
        """A subclass uses the initializer of its base."""

    assert Inner(name="a").name == "a"
    assert inspect.isfunction(other.__dict__["__init__"])


def test_objects_without_fields_or_with_one() -> None:
    assert repr(Empty()) == "Empty()"
    assert Empty() == Empty()
    assert (One().x, One() == One(), hash(One())) == (1.0, True, hash((1.0,)))


def test_pickled_frozen_and_equal() -> None:
    made = Frozen(x=1.0, inner=(Frozen(x=2.0),))
    again = pickle.loads(pickle.dumps(made))
    assert (again, hash(again)) == (made, hash(made))
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'x'"):
        made.x = 2.0  # type: ignore[misc]
    match made:
        case Frozen(x=value):
            assert value == 1.0


def test_methods_of_the_class_are_kept() -> None:
    assert (repr(Own(1.0)), Own(1.0) == Own(2.0), hash(Own(1.0))) == ("own", True, 7)


def test_public_classes_show_their_fields() -> None:
    assert str(inspect.signature(ub.Box)) == "(*, size: 'Vector3') -> None"
    for name in ub.__all__:
        cls = getattr(ub, name)
        if dataclasses.is_dataclass(cls):
            parameters = inspect.signature(cls).parameters  # type: ignore[arg-type]
            assert list(parameters) == [f.name for f in fields(cls) if f.init], name

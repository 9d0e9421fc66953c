"""Options of verbs as data: the parser, the help, docs/options.md and the keywords of functions follow."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator
from typing import Any

from unibody.text.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a verb, or one of its arguments.

    ``spelling`` is what the help shows, names and value: "-o, --output FILE"; "--csv [FILE]", whose value
    may be left out; "--up {z,y}", whose value is one of two words; "--hold", a switch; "MODEL", an
    argument. A switch --no-NAME is True unless it is given.

    ``parse`` makes the value of a word, and ``bare`` is the value without a word. With ``many`` an option
    is repeatable, and an argument takes one or more words. ``choices`` are those of a value that has a name
    in the help. ``keyword`` is the name of the value: that of the keyword in Python, by default the name of
    the option. An option ``needs`` another one, or one of several: "--attach FILE".

    >>> Option("--no-contacts", "disable all contacts").dest
    'contacts'
    """

    spelling: str
    help: str
    parse: Callable[[str], Any] = str
    default: Any = None
    keyword: str = ""
    many: bool = False
    bare: Any = None
    choices: tuple[str, ...] = ()
    required: bool = False
    needs: str = ""

    @property
    def names(self) -> list[str]:
        """The names of an option; none of an argument."""
        return [word.partition(" ")[0] for word in self.spelling.split(", ") if word.startswith("-")]

    @property
    def value(self) -> str:
        """The value in the help; "" for a switch."""
        return self.spelling.rpartition(" ")[2] if " " in self.spelling.rpartition(", ")[2] else ""

    @property
    def dest(self) -> str:
        """The name of the value."""
        name = self.names[-1].lstrip("-").removeprefix("no-") if self.names else self.spelling.strip("[]")
        return self.keyword or name.replace("-", "_").lower()


def add(to: argparse._ActionsContainer, *options: Option) -> None:
    """Add options and arguments to a parser, or to a group of it."""
    for option in options:
        settings = _settings(option)
        if option.names:
            settings |= {"dest": option.dest, "required": option.required}
        action = to.add_argument(*(option.names or [option.dest]), help=option.help, **settings)
        vars(action)["option"] = option


def _settings(option: Option) -> dict[str, Any]:
    """How argparse takes the value of an option."""
    value = option.value if option.names else option.spelling
    if not value and option.bare is not None:
        return {"action": "store_const", "const": option.bare}
    if not value:
        return {"action": "store_false" if option.names[-1].startswith("--no-") else "store_true"}
    out: dict[str, Any] = {"type": option.parse, "default": option.default}
    if value.startswith("{"):
        out["choices"] = value.strip("{}").split(",")
    elif option.choices:
        out |= {"metavar": value, "choices": option.choices}
    elif value.startswith("[") and value.endswith("]"):
        out |= {"metavar": value[1:-1], "nargs": "?", "const": option.bare}
    else:
        out["metavar"] = value
    if option.many and option.names:
        out |= {"action": "append", "default": option.default or []}
    elif option.many:
        out["nargs"] = "+"
    return out


def declared(parser: argparse.ArgumentParser) -> Iterator[Option]:
    """The options and arguments that were added to a parser and its groups."""
    return (vars(action)["option"] for action in parser._actions if "option" in vars(action))


def unmet_need(parser: argparse.ArgumentParser, options: argparse.Namespace) -> str | None:
    """What to say of an option that was given without the one that it needs; None if all is well."""
    by_name = {name: option for option in declared(parser) for name in option.names}

    def is_given(option: Option) -> bool:
        return bool(getattr(options, option.dest) != parser.get_default(option.dest))

    for name, option in by_name.items():
        wanted = [by_name[word] for word in re.findall(r"--[\w-]+", option.needs)]
        if wanted and is_given(option) and not any(map(is_given, wanted)):
            return f"{name} requires {option.needs}"
    return None


def keywords(options: argparse.Namespace, function: Callable[..., Any]) -> dict[str, Any]:
    """The keywords of a function that options of the same name state."""
    stated = {name: getattr(options, name, None) for name in function.__kwdefaults__ or ()}
    return {name: value for name, value in stated.items() if value is not None}

"""The words of a command line, arranged as argparse needs them."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Sequence

from unibody.cli.spellings import spelling_error

_NEGATIVE = re.compile(r"-[0-9.]")
# Options with JOINT=VALUE, of a joint whose name may begin with a minus.
_STATES, _NEGATIVE_NAME = ("--set", "--start", "--goal"), re.compile(r"-[^-].*=")


class NotAValueError(argparse.ArgumentTypeError):
    """Raised by the type of an option with an optional value: the word is not its value."""


def arranged(
    parser: argparse.ArgumentParser, verb: str, words: Sequence[str]
) -> tuple[list[str], dict[str, str]]:
    """The words behind the verb, with the values that argparse would not find.

    A value that begins with a minus (``--gravity -1,0,0``) is joined to its option. An option whose value
    may be left out (``--csv model.body``) gets the next word only if this can be its value.
    ``JOINT=VALUE`` becomes ``--set JOINT=VALUE`` in the verbs that have the option. An old spelling ends
    the program with the new one. Also returned is why a word is not the value of the option before it.
    """
    options = parser._option_string_actions  # argparse has no public list of its options
    out, bare, refused = list[str](), list[str](), dict[str, str]()
    todo = list(reversed(words))
    while todo:
        word = todo.pop()
        if word == "--":
            return [*out, *bare, word, *reversed(todo)], refused
        flag, equals, _ = word.partition("=")
        action = options.get(flag)
        if action is None:
            if flag.startswith("--") and (message := spelling_error(verb, flag)):
                parser.error(message)
            out.append(f"--set={word}" if "--set" in options and _is_position(word) else word)
        elif equals or action.nargs not in (None, "?"):
            out.append(word)
        elif action.nargs == "?" and (not todo or (why := _refusal(action, todo[-1])) is not None):
            bare.append(word)
            refused |= {todo[-1]: f"argument {word}: {why}"} if todo and why else {}
        elif todo and (_NEGATIVE.match(todo[-1]) or (flag in _STATES and _NEGATIVE_NAME.match(todo[-1]))):
            out.append(f"{word}={todo.pop()}")
        else:
            out += [word, *([todo.pop()] if todo else [])]
    return [*out, *bare], refused


def _is_position(word: str) -> bool:
    """Whether a word is JOINT=VALUE, and not an option or a file."""
    return not word.startswith(("-", "=")) and "=" in word and not os.path.lexists(word)


def _refusal(action: argparse.Action, word: str) -> str | None:
    """Why a word is not the value of an option that may have none; None if it is."""
    if word.startswith("-") and not _NEGATIVE.match(word):
        return ""
    try:
        if callable(action.type):
            action.type(word)
    except NotAValueError as error:
        return str(error)
    except (argparse.ArgumentTypeError, ValueError):
        pass
    return None

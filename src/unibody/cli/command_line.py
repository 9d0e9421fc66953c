"""The words of a command line, arranged as argparse needs them."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Sequence

from unibody.cli.spellings import spelling_error

_NEGATIVE = re.compile(r"-[0-9.]")


class NotAValueError(argparse.ArgumentTypeError):
    """Raised by the type of an option with an optional value: the word is not its value."""


def arranged(parser: argparse.ArgumentParser, verb: str, words: Sequence[str]) -> list[str]:
    """The words behind the verb, with the values that argparse would not find.

    A value that begins with a minus (``--gravity -1,0,0``) is joined to its option. An option whose value
    may be left out (``--csv model.body``) gets the next word only if this can be its value.
    ``JOINT=VALUE`` becomes ``--set JOINT=VALUE`` in the verbs that have the option. An old spelling ends
    the program with the new one.
    """
    options = parser._option_string_actions  # argparse has no public list of its options
    out, bare = list[str](), list[str]()
    todo = list(reversed(words))
    while todo:
        word = todo.pop()
        if word == "--":
            return [*out, *bare, word, *reversed(todo)]
        flag, equals, _ = word.partition("=")
        action = options.get(flag)
        if action is None:
            if flag.startswith("--") and (message := spelling_error(verb, flag)):
                parser.error(message)
            out.append(f"--set={word}" if "--set" in options and _is_position(word) else word)
        elif equals or action.nargs not in (None, "?"):
            out.append(word)
        elif action.nargs == "?" and not (todo and _takes(action, todo[-1])):
            bare.append(word)
        elif todo and _NEGATIVE.match(todo[-1]):
            out.append(f"{word}={todo.pop()}")
        else:
            out += [word, *([todo.pop()] if todo else [])]
    return [*out, *bare]


def _is_position(word: str) -> bool:
    """Whether a word is JOINT=VALUE, and not an option or a file."""
    return not word.startswith(("-", "=")) and "=" in word and not os.path.lexists(word)


def _takes(action: argparse.Action, word: str) -> bool:
    """Whether a word is the value of an option that may have none."""
    if word.startswith("-") and not _NEGATIVE.match(word):
        return False
    try:
        if callable(action.type):
            action.type(word)
    except NotAValueError:
        return False
    except (argparse.ArgumentTypeError, ValueError):
        pass
    return True

"""The command ``unibody``: runs one of its commands and returns the exit code."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from itertools import pairwise
from typing import Any

from unibody.cli.command_line import arranged
from unibody.cli.declaration import declared, unmet_need
from unibody.cli.interrupts import is_interrupted, recorded
from unibody.cli.output import CODES, UsageError, complain, emit_failure, prepare
from unibody.cli.terminal import columns
from unibody.text.missing import MissingExtra

# The commands that `unibody --help` lists; the module of a command is imported when it is used.
COMMANDS = {
    "info": "show the content of a model: links, joints, masses, devices",
    "view": "show the model in a browser, or write the page as one file",
    "check": "check a model, and fix its mistakes",
    "fix": "fix the mistakes of models that need no judgment: check --fix",
    "explain": "explain a finding and how to fix it",
    "fk": "print the poses of all links (forward kinematics)",
    "ik": "find joint positions for a target pose of a link (inverse kinematics)",
    "workspace": "sample the reachable workspace of a link",
    "simulate": "simulate a model: motion, contacts and sensors, with a control",
    "pairs": "find the pairs of links that can collide, and prove which never do",
    "simplify": "replace collision shapes by simpler ones, with certified errors",
    "plan": "plan a collision-free motion and certify every segment",
    "check-path": "certify that a path or a configuration is collision-free, or show the first collision",
    "plan-info": "show the inputs of a planner: coordinates, pairs that may collide, sizes",
    "mass": "show masses, centers of mass and inertia",
    "convert": "convert models to another format and report every loss",
    "prove": "compare a model file in physics engines with the model",
    "diff": "show the differences between two models of any formats",
    "fmt": "format model files: layout and spelling of keys",
    "index": "write a catalogue of a collection: one page with pictures, or a table",
    "dump": "print the model, or an intermediate stage of reading it, as JSON",
    "formats": "list the file formats",
    "robots": "list the robots of robot_descriptions, which can be read by name",
}

_BROKEN_PIPE, _INTERRUPTED = 141, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with ``argv``, by default the arguments of the process; return the exit code.

    >>> main(["formats", "--no-such-option"])
    2
    """
    words = list(sys.argv[1:] if argv is None else argv)
    prepare()
    with recorded(signal.SIGINT):
        try:
            return _guarded(words)
        except Exception:
            # An interrupted import may raise any exception.
            if not is_interrupted():
                raise
            _silence()
            return _INTERRUPTED


def _guarded(words: list[str]) -> int:
    """Run the command; return the exit code, also for interrupts and write errors."""
    try:
        code = _run(words)
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except KeyboardInterrupt:
        _silence()
        return _INTERRUPTED
    except BrokenPipeError:
        _silence()
        return _BROKEN_PIPE
    except OSError as error:
        # Errors of reading are findings; this one comes from writing.
        _silence()
        complain("unibody", f"cannot write {error.filename or 'the output'}: {error.strerror or error}")
        return 2
    return code


def _run(words: list[str]) -> int:
    command = words[0] if words else ""
    try:
        options = _parsed(words)
        return int(options.run(options))
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else 2
    except UsageError as error:
        problem = error
    except MissingExtra as error:
        problem = UsageError(str(error))
    complain(problem.command or f"unibody {command}", str(problem), problem.hint)
    if _wants_json(words):
        emit_failure((), str(problem), problem.hint)
    return 2


def _parsed(words: list[str]) -> argparse.Namespace:
    """The options of a command; its files may stand before, between and behind the options."""
    verb = words[0] if words else ""
    parser, inner = parsers(verb)
    refused: dict[str, str] = {}
    if inner is not None:
        behind, refused = arranged(inner, verb, words[1:])
        words = [verb, *behind]
    options, rest = parser.parse_known_args(words)
    if inner is not None and rest:
        rest = _fill(options, inner, rest)
    files = next((v for name in _FILES if isinstance(v := getattr(options, name, None), list)), None)
    if rest and (files is None or any(word.startswith("-") and word != "-" for word in rest)):
        why = next((refused[word] for word in rest if word in refused), None)
        (inner or parser).error(why or f"unrecognized arguments: {' '.join(rest)}")
    if files is not None:
        files += rest
    if inner is not None and (lacking := unmet_need(inner, options)):
        raise UsageError(lacking)
    return options


def _fill(options: argparse.Namespace, parser: argparse.ArgumentParser, rest: list[str]) -> list[str]:
    """Give words that stand behind options to arguments that may be left out; return the others."""
    out = list[str]()
    free = [x.dest for x in declared(parser) if not x.names and getattr(options, x.dest) is None]
    for word in rest:
        if free and (word == "-" or not word.startswith("-")):
            setattr(options, free.pop(0), word)
        else:
            out.append(word)
    return out


def _wants_json(words: Sequence[str]) -> bool:
    """Whether the output of a command line is JSON.

    >>> _wants_json(["check", "a.urdf", "--format=json"]), _wants_json(["check", "a.urdf"])
    (True, False)
    """
    options = words[: words.index("--")] if "--" in words else words
    return not {"--json", "--format=json"}.isdisjoint(options) or ("--format", "json") in pairwise(options)


# Where commands that take any number of files have them.
_FILES = ("models", "sources")


class _Help(argparse.RawDescriptionHelpFormatter):
    """As wide as the terminal.

    argparse makes one for each option, too, and would import modules to ask for the width.
    """

    def __init__(self, prog: str, **more: Any) -> None:
        super().__init__(prog, **{"width": columns() - 2, **more})


class _Parser(argparse.ArgumentParser):
    """Raises UsageError for usage errors, which are printed like all others."""

    def error(self, message: str) -> None:  # type: ignore[override]
        raise UsageError(message, f"see {self.prog} --help", self.prog)


def parsers(command: str) -> tuple[argparse.ArgumentParser, argparse.ArgumentParser | None]:
    """The parser of all commands, and that of this one."""
    parser = _Parser(
        prog="unibody",
        description="Read any robot model file into one exact model.",
        epilog=f"example: unibody info robot.urdf\n\n{CODES}",
        formatter_class=_Help,
        allow_abbrev=False,
    )
    from unibody import __version__

    parser.add_argument("--version", action="version", version=f"unibody {__version__}")
    if command and not command.startswith("-") and command not in COMMANDS:
        _unknown(parser, command)
    commands = parser.add_subparsers(
        metavar="COMMAND", required=True, parser_class=_Parser, prog=parser.prog
    )
    chosen = None
    # without a command all are listed
    for name in (command,) if command in COMMANDS else COMMANDS:
        purpose = COMMANDS[name]
        module = import_module(f"unibody.cli.{name.replace('-', '_')}") if name == command else None
        inner = commands.add_parser(
            name,
            help=purpose,
            description=module.__doc__ if module else None,
            epilog=f"example: {module.EXAMPLE}\n\n{getattr(module, 'CODES', CODES)}" if module else None,
            formatter_class=_Help,
            allow_abbrev=False,
        )
        if module:
            module.arguments(inner)
            inner.set_defaults(run=module.run)
            chosen = inner
    return parser, chosen


def _unknown(parser: argparse.ArgumentParser, word: str) -> None:
    """Report an unknown command, which is often a file name without a command."""
    from unibody.text.near import suggestion

    if "." in word or os.path.exists(word):
        parser.error(f"unknown command '{word}'; did you mean 'unibody info {word}'?")
    hint = suggestion(word, COMMANDS, f"known commands: {', '.join(COMMANDS)}")
    parser.error(f"unknown command '{word}'{hint}")


def _silence() -> None:
    """Redirect standard output to the null device, so that the last flush cannot fail."""
    try:
        void = os.open(os.devnull, os.O_WRONLY)
        os.dup2(void, sys.stdout.fileno())
        os.close(void)
    except (OSError, ValueError, AttributeError):
        pass

"""The command ``unibody``: finds the verb, runs it, and turns what can go wrong into exit codes."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from types import FrameType

from unibody.cli.output import UsageError, complain, prepare

# What `unibody --help` lists; the module of a verb is imported when the verb is used.
VERBS = {
    "info": "show what a model holds: links, joints, masses, devices",
    "view": "show the model in a browser, or write the page as one file",
    "check": "say what is wrong with a model, or worth a look",
    "explain": "say what a finding means, and what to do about it",
    "fk": "print where every link is (forward kinematics)",
    "ik": "find joint positions that put a link somewhere (inverse kinematics)",
    "workspace": "show where a link can get to",
    "mass": "show masses, centres of mass and inertias of links and of the whole",
    "convert": "write models in another format, with an account of every loss",
    "diff": "say what is not the same in two models of any formats",
    "fmt": "write files as their formats would have them, nothing else changed",
    "dump": "print the model, or a stage on the way to it, as JSON",
    "formats": "list the file formats",
}

_CODES = """\
exit codes: 0 fine (warnings allowed), 1 the model has errors but could be read,
2 wrong usage, or no model could be read
"""

_BROKEN_PIPE, _INTERRUPTED = 141, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (those of the process when None); returns its exit code.

    >>> main(["formats", "--no-such-option"])
    2
    """
    words = list(sys.argv[1:] if argv is None else argv)
    prepare()
    with _ctrl_c() as pressed:
        try:
            return _guarded(words)
        except Exception:
            # What is interrupted in the middle of an import may fail in any way.
            if not pressed:
                raise
            _silence()
            return _INTERRUPTED


@contextmanager
def _ctrl_c() -> Iterator[list[int]]:
    """While it lasts, Ctrl-C is noted in the list, besides raising KeyboardInterrupt."""
    pressed: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        pressed.append(number)
        signal.default_int_handler(number, frame)

    here = threading.current_thread() is threading.main_thread()
    if not here or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield pressed
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _guarded(words: list[str]) -> int:
    """Run the command; the exit code, also for what ends it early."""
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
        # Reading turns its own into findings: only what is written here can fail so.
        _silence()
        complain("unibody", f"cannot write {error.filename or 'the output'}: {error.strerror or error}")
        return 2
    return code


def _run(words: list[str]) -> int:
    verb = words[0] if words else ""
    try:
        options = _parser(verb).parse_args(words)
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else 2
    try:
        return int(options.run(options))
    except UsageError as error:
        complain(f"unibody {verb}", str(error))
        return 2


class _Parser(argparse.ArgumentParser):
    """Usage errors through the same door as all other text: a terminal may not know their letters."""

    def error(self, message: str) -> None:  # type: ignore[override]
        complain(self.prog, message, f"{self.prog} --help shows an example")
        raise SystemExit(2)


def _parser(verb: str) -> argparse.ArgumentParser:
    parser = _Parser(
        prog="unibody",
        description="Read any robot model file into one exact model.",
        epilog=f"example: unibody info robot.urdf\n\n{_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    from unibody import __version__

    parser.add_argument("--version", action="version", version=f"unibody {__version__}")
    if verb and not verb.startswith("-") and verb not in VERBS:
        _unknown(parser, verb)
    verbs = parser.add_subparsers(metavar="VERB", required=True, parser_class=_Parser)
    for name, purpose in VERBS.items():
        module = import_module(f"unibody.cli.{name}") if name == verb else None
        inner = verbs.add_parser(
            name,
            help=purpose,
            description=module.__doc__ if module else None,
            epilog=f"example: {module.EXAMPLE}\n\n{getattr(module, 'CODES', _CODES)}" if module else None,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        if module:
            module.arguments(inner)
            inner.set_defaults(run=module.run)
    return parser


def _unknown(parser: argparse.ArgumentParser, word: str) -> None:
    """A verb that does not exist, most often a file name without one."""
    import difflib

    near = difflib.get_close_matches(word, VERBS, 1)
    if near:
        parser.error(f"'{word}' is no verb; did you mean '{near[0]}'?")
    if "." in word or os.path.exists(word):
        parser.error(f"'{word}' is no verb; did you mean 'unibody info {word}'?")
    parser.error(f"'{word}' is no verb; the verbs are {', '.join(VERBS)}")


def _silence() -> None:
    """Let the interpreter's last flush go nowhere: whoever read the output has left."""
    try:
        void = os.open(os.devnull, os.O_WRONLY)
        os.dup2(void, sys.stdout.fileno())
        os.close(void)
    except (OSError, ValueError, AttributeError):
        pass

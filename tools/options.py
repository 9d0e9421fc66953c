"""Generate the page of options from their declarations: python tools/options.py"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from unibody.cli.declaration import Option, declared
from unibody.cli.main import COMMANDS, parsers
from unibody.formats import FORMATS
from unibody.formats.format import Format, ReadOption, WriteOption
from unibody.formats.options import READ_OPTIONS, declared_options
from unibody.text.hint import option_of

ROOT = Path(__file__).resolve().parents[1]
PAGE = "docs/options.md"
HOW = "python tools/options.py"

_HEAD = f"""\
<!-- Made from the records of formats and the declarations of src/unibody/cli by `{HOW}`: do not edit. -->

# Options

## Reading

All verbs that read a model have these options, and all functions that read a path these keywords
(`ub.read`, `load`, `loads`, `check`, `fix`, `convert`, …); `files=` replaces the file system, too. Mappings
are dictionaries in Python: `packages={{"NAME": DIR}}`. [Files](files.md) tells how files are found,
[limits](limits.md) lists the limits.
"""
_MIDDLE = """\

An option that the format of the file does not have is an error
([option-unsupported](findings.md#option-unsupported)); where it is for several models, a warning.

## Writing

`unibody convert` has these options, and `ub.save`, `convert`, `dumps` and `to_mujoco` the same keywords; in
Python, the value of an option without choices is the word in parentheses. Options are checked before
anything is read: one of another format is a SaveError (option-unsupported), one that no format has a
TypeError; in the command, both are wrong usage.
"""
_VERBS = """\

## Options of verbs

All other options of the command, by name; `unibody VERB --help` shows those of a verb in groups.

| option | verbs | effect |
| --- | --- | --- |
"""


def page() -> str:
    """The text of the page."""
    reading = [(option, None) for option in READ_OPTIONS]
    some = [(option, _formats(option)) for option in declared_options().values()]
    written = {option.name: option for format in FORMATS for option in format.options}
    return "".join(
        [
            _HEAD,
            *_table(_row(option, formats) for option, formats in (*reading, *some)),
            _MIDDLE,
            *_table(_written(option) for option in written.values()),
            _VERBS,
            *_verb_rows({option_of(name) for name in written} | {o.option for o, _ in (*reading, *some)}),
        ]
    )


def _verb_rows(shown: set[str]) -> Iterator[str]:
    """A row for each option of verbs, with the verbs that have it."""
    verbs: dict[tuple[str, str], list[str]] = {}
    for verb in COMMANDS:
        for option in options_of(verb):
            if option.names and option.names[-1] not in shown:
                verbs.setdefault((option.spelling, option.help), []).append(verb)
    reading = [verb for verb in COMMANDS if any("--from" in option.names for option in options_of(verb))]
    groups = {tuple(COMMANDS): "all", tuple(reading): "all that read a model"}
    for spelling, effect in sorted(verbs, key=lambda row: row[0].rpartition("--")[2]):
        own = verbs[spelling, effect]
        words = groups.get(tuple(own)) or ", ".join(own)
        yield _cells(f"`{spelling}`".replace("|", "\\|"), words, effect.replace("|", "\\|"))


def options_of(verb: str) -> list[Option]:
    """The options and arguments of a verb."""
    parser = parsers(verb)[1]
    return [] if parser is None else list(declared(parser))


def _table(rows: Iterable[str]) -> Iterator[str]:
    yield "\n| option | in Python | formats | effect |\n| --- | --- | --- | --- |\n"
    yield from rows


def _row(option: ReadOption, formats: str | None) -> str:
    value = option.metavar or f"{{{','.join(option.choices)}}}"
    return _cells(f"`{option.option} {value}`", f"`{option.name}=`", formats or "all", option.help)


def _written(option: WriteOption) -> str:
    choices = [choice for choice in option.choices if choice]
    flag = option_of(option.name)
    if not choices:
        flag, python = f"`{flag} none`", f'`{option.name}=""`'
    elif len(choices) == 1:
        flag, python = f"`{flag}` ({choices[0]})", f"`{option.name}=`"
    else:
        flag, python = f"`{flag} {{{','.join(choices)}}}`", f"`{option.name}=`"
    return _cells(flag, python, _formats(option), option.help)


def _formats(option: ReadOption | WriteOption) -> str:
    return ", ".join(map(_link, (f for f in FORMATS if option in (*f.read_options, *f.options))))


def _link(format: Format) -> str:
    return f"[{format.title}]({format.docs})"


def _cells(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('<', '&lt;') for cell in cells)} |\n"


if __name__ == "__main__":
    (ROOT / PAGE).write_text(page(), "utf-8")

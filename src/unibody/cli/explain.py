"""Explain a finding: why it matters, how to fix it, an example that fails and one that passes.

Without a code, all codes are listed.
"""

from __future__ import annotations

import argparse
import textwrap
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from unibody.cli.declaration import Option, add
from unibody.cli.options import JSON
from unibody.cli.output import UsageError, emit, emit_data, window
from unibody.cli.table import Column, table

if TYPE_CHECKING:
    from unibody.checks.rules import Example, Rule

EXAMPLE = "unibody explain limits-reversed"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    add(parser, Option("[CODE]", "the code in brackets at the end of a finding"), JSON)


def run(options: argparse.Namespace) -> int:
    """Print one entry, or the list of all; return the exit code."""
    from unibody.checks.rules import rules

    known = rules()
    if options.code is None:
        _list(list(known.values()), options.json)
        return 0
    code = options.code.strip("[]")
    if code not in known:
        from unibody.text.near import suggestion

        hint = suggestion(code, known, "unibody explain lists all codes")
        raise UsageError(f"unknown finding code '{options.code}'{hint}")
    if options.json:
        emit_data(_data(known[code]))
    else:
        emit(_text(known[code], window().text_width))
    return 0


def _list(entries: list[Rule], as_json: bool) -> None:
    if as_json:
        emit_data({"codes": [_head(rule) for rule in entries]})
        return
    from unibody.checks.rules.rule import AREAS

    for number, (area, title) in enumerate(AREAS.items()):
        rows = [(r.code, ", ".join(r.severities), r.title) for r in entries if r.area == area]
        emit(
            [*([""] if number else []), title, *table([Column(), Column(), Column()], rows, window().width)]
        )


def _head(rule: Rule) -> dict[str, Any]:
    return {"code": rule.code, "area": rule.area, "severities": rule.severities, "title": rule.title}


def _data(rule: Rule) -> dict[str, Any]:
    return {
        **_head(rule),
        "why": rule.why,
        "remedy": rule.remedy,
        "fails": _example_data(rule.fails),
        "passes": _example_data(rule.passes),
    }


def _example_data(example: Example) -> dict[str, Any]:
    out: dict[str, Any] = {"name": example.name, "format": example.format, "text": example.text}
    out |= {"files": dict(example.files)} if example.files else {}
    out |= {"binary": dict(example.binary)} if example.binary else {}
    return out | ({"command": example.command} if example.command else {})


def _text(rule: Rule, width: int) -> list[str]:
    lines = [f"{rule.code} ({', '.join(rule.severities)})", rule.title, ""]
    for word, text in (("why", rule.why), ("fix", rule.remedy)):
        lines += textwrap.wrap(text, width, initial_indent=f"  {word:8}", subsequent_indent=" " * 10)
    lines += ["", "Fails:", *_example(rule.fails)]
    others = (rule.fails.files, rule.fails.binary)
    if any(others) and others == (rule.passes.files, rule.passes.binary):
        passes = replace(rule.passes, files={}, binary={})
        return [*lines, "", "Passes, with the same other files:", *_example(passes)]
    return [*lines, "", "Passes:", *_example(rule.passes)]


def _example(example: Example) -> list[str]:
    lines = [f"    $ {example.command}", ""] if example.command else []
    several = example.files or example.binary or "/" in example.name
    lines += [f"  {example.name}"] if several else []
    lines += [f"    {line}" for line in _shown(example.text)]
    for name, text in example.files.items():
        lines += [f"  {name}", *(f"    {line}" for line in _shown(text))]
    for name, digits in example.binary.items():
        lines += [f"  {name} (hexadecimal bytes)", f"    {digits}"]
    return lines


def _shown(text: str) -> list[str]:
    return text.split("\n")[:-1] if text.endswith("\n") else [text]

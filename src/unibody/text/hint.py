"""Hints that propose settings: options of the command, arguments of the functions in Python."""

from __future__ import annotations

from typing import Any, Literal

from unibody.text.dataclass import dataclass

#: Who asks: somebody at the command line, or a program in Python.
Asker = Literal["command", "python"]

# Option of the command and keyword of the functions by the name of a setting, and how its value is written:
# "mapping": an entry of a mapping, "list": an item of a list, "limit": an entry of ReadLimits,
# "pair": an item of a list of pairs, "value": the value itself, "flag": no value.
_SPELLINGS: dict[str, tuple[str, str, str]] = {
    "package": ("--package", "packages", "mapping"),
    "allow": ("--allow", "allow", "list"),
    "remap": ("--remap", "remap", "mapping"),
    "limit": ("--limit", "limits", "limit"),
    "format": ("--from", "format", "value"),
    "scale": ("--scale", "scale", "value"),
    "up_axis": ("--up-axis", "up_axis", "value"),
    "bounds": ("--bounds", "bounds", "mapping"),
    "skip": ("--skip", "skip", "pair"),
    "time_limit": ("--time-limit", "time_limit", "value"),
    "overwrite": ("--overwrite", "overwrite", "flag"),
}


def option_of(keyword: str) -> str:
    """The option of the command for a keyword in Python, unless it has another name.

    >>> option_of("up_axis")
    '--up-axis'
    """
    return f"--{keyword.replace('_', '-')}"


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting that a hint proposes.

    ``name`` is one of those that all formats have, or the keyword of an option of a format, whose option in
    the command is ``flag``, by default --NAME. ``key`` is the entry of a setting that is a mapping.
    ``value`` is what to set; None for what the asker has to fill in, which is shown as ``blank``; "" is the
    word "none" of the command.

    >>> Setting("package", "arm").text("command"), Setting("package", "arm").text("python")
    ('--package arm=DIR', 'packages={"arm": DIR}')
    >>> Setting("scale", value=0.001).text("command"), Setting("limit", "nodes", blank="…").text("python")
    ('--scale 0.001', 'limits=ReadLimits(nodes=…)')
    >>> Setting("urdf_version", value="1.2").text("command")
    '--urdf-version 1.2'
    >>> Setting("skip", "wrist", "tool").text("command"), Setting("skip", "wrist", "tool").text("python")
    ('--skip wrist,tool', 'skip=[("wrist", "tool")]')
    """

    name: str
    key: str = ""
    value: str | float | None = None
    blank: str = "DIR"
    flag: str = ""

    @property
    def _spelling(self) -> tuple[str, str, str]:
        return _SPELLINGS.get(self.name, (self.flag or option_of(self.name), self.name, "value"))

    def text(self, asker: Asker) -> str:
        """The option or the argument."""
        option, keyword, kind = self._spelling
        word = self.blank if self.value is None else _word(self.value) or "none"
        if asker == "command":
            pair = f"{self.key}{',' if kind == 'pair' else '='}{word}" if self.key else word
            return option if kind == "flag" else f"{option} {_quoted(pair)}"
        literal = self.blank if self.value is None else _literal(self.value)
        match kind:
            case "mapping":
                return f"{keyword}={{{_literal(self.key)}: {literal}}}"
            case "pair":
                return f"{keyword}=[({_literal(self.key)}, {literal})]"
            case "list":
                return f"{keyword}=[{literal}]"
            case "limit":
                return f"{keyword}=ReadLimits({self.key}={literal})"
            case "flag":
                return f"{keyword}=True"
        return f"{keyword}={{{_literal(self.key)}: {literal}}}" if self.key else f"{keyword}={literal}"

    def json(self) -> dict[str, Any]:
        """Return the setting as plain JSON data: its keyword in Python, the entry and the value."""
        found = {"name": self._spelling[1], "key": self.key, "value": self.value}
        return {name: value for name, value in found.items() if value not in ("", None)}


class Hint(str):
    """A hint with settings; as a text it names the arguments in Python.

    >>> hint = Hint("if you trust it, set ", Setting("allow"), " or ", Setting("package", "NAME"))
    >>> print(hint)
    if you trust it, set allow=[DIR] or packages={"NAME": DIR}
    >>> hint.text("command")
    'if you trust it, set --allow DIR or --package NAME=DIR'
    """

    __slots__ = ("parts",)
    parts: tuple[str | Setting, ...]

    def __new__(cls, *parts: str | Setting) -> Hint:
        """Join texts and settings."""
        flat = tuple(p for part in parts for p in (part.parts if isinstance(part, Hint) else (part,)))
        self = super().__new__(cls, _joined(flat, "python"))
        self.parts = flat
        return self

    def __getnewargs__(self) -> Any:
        """Return the parts, for pickling."""
        return self.parts

    def text(self, asker: Asker) -> str:
        """The hint in the words of the asker."""
        return _joined(self.parts, asker)

    @property
    def settings(self) -> tuple[Setting, ...]:
        """The settings that the hint proposes."""
        return tuple(part for part in self.parts if isinstance(part, Setting))


def hint_text(hint: str, asker: Asker) -> str:
    """A hint in the words of the asker; plain texts are the same for all."""
    return hint.text(asker) if isinstance(hint, Hint) else hint


def _joined(parts: tuple[str | Setting, ...], asker: Asker) -> str:
    return "".join(part if isinstance(part, str) else part.text(asker) for part in parts)


def _word(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def _literal(value: str | float) -> str:
    if isinstance(value, str):
        import json

        return json.dumps(value, ensure_ascii=False)
    return f"{value:g}"


def _quoted(word: str) -> str:
    """A word for the shell, quoted where needed."""
    import shlex

    return word if all(c.isalnum() or c in "…_-./:=,+%@" for c in word) else shlex.quote(word)

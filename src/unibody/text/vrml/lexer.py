"""Tokens of VRML97 and Open Inventor: white space, numbers, strings, lists of numbers."""

from __future__ import annotations

import re

# ISO/IEC 14772-1, annex A.2: white space and commas separate; a comment ends with its line. The pattern
# of a comment includes its line break, so that there is only one way to match. Optional parts are written
# (?:…|), which Python rejects faster than (?:…)?.
_COMMENT = r"#[^\r\n]*(?:[\r\n]|\Z)[\x00-\x20,]*"
GAP = rf"[\x00-\x20,]*(?:{_COMMENT}(?:{_COMMENT})*|)"
_BETWEEN = r"(?:[\x00-\x20,]+|(?=\#))(?:#[^\r\n]*[\r\n][\x00-\x20,]*)*"
# "1.#IND" is NaN as printed by C, not the start of a comment.
NO_COMMENT = r"#(?<=[0-9]\.#)(?:IND|INF|QNAN|SNAN)"
# ISO/IEC 14772-1 forbids ' + - . \ in names or at their start; real files have them.
NAME = r"[^\x00-\x20,\"#\[\]{}]+"
_SEPARATED = r"(?=[\x00-\x20,#])"

_MARK = re.compile(r'["#\[\]{}]')
_FIRST = re.compile(rf"{GAP}[+-]?(?:\.?[0-9]|nan|inf)", re.IGNORECASE)
_FALSE_NUMBER = re.compile(NO_COMMENT)
_LINE_END = re.compile(r"[\r\n]|\Z")


def numbers_end(text: str, at: int) -> int:
    """The offset after a list of numbers whose opening bracket ends at ``at``; −1 for other lists.

    Checks only the first word, and that there are no brackets inside; the numbers are validated when
    they are converted.
    """
    if not _FIRST.match(text, at):
        return -1
    end = text.find("]", at)
    if text.find("#", at, end) >= 0:
        end = _commented_end(text, at)
    else:
        # str.find is many times faster than a pattern, and lists are most of a mesh file's text.
        for mark in ("{", '"', "[", "}"):
            if text.find(mark, at, end) >= 0:
                return -1
    return end + 1 if end >= 0 else -1


def _commented_end(text: str, at: int) -> int:
    """The offset of the bracket that ends a list of numbers with comments; −1 for other lists."""
    while mark := _MARK.search(text, at):
        at = mark.end()
        if mark[0] == "]":
            return at - 1
        if mark[0] != "#":
            return -1
        false = _FALSE_NUMBER.match(text, at - 1)
        at = false.end() if false else _LINE_END.search(text, at).end()  # type: ignore[union-attr]
    return -1


class Group:
    """Groups of the pattern of a value, relative to the group before it."""

    RUN, REST, BRACKET, EMPTY, STRING, DEF, DEFINED, TYPE, REFER, NAME, WORD, BRACE, END = range(1, 14)


class Patterns:
    """The compiled patterns of a dialect.

    ``string`` is the pattern of a string; ``more`` are further characters that end a word.
    """

    def __init__(self, string: str, more: str = "") -> None:
        end = r"\"#\[\]{}" + more
        atom = rf"[^\x00-\x20,{end}]+"
        stop = rf"(?![^\x00-\x20,{end}]|{NO_COMMENT})"
        exponent = r"[eE][+-]?[0-9]+"
        # The common forms of numbers, in the fewest steps: others are matched by `run`, or rejected when
        # the numbers are converted. The bound limits the memory of the match.
        rest = (
            r"(?:([\x00-\x20,]+[-+.0-9][-+.0-9\x00-\x20,]*"
            r"(?:(?:[eE](?<=[0-9.][eE])[+-]?[0-9]+[-+.0-9\x00-\x20,]*){1,99}|))|)"
        )
        value = _value(rf"[-+.]{{0,2}}[0-9][-+.0-9]*(?:{exponent}|){rest}(?<=[0-9.]){stop}", string, atom)
        one = _value(r"(?!)(?!())", string, atom)
        self.string = re.compile(string, re.DOTALL)
        # Groups: 1 the field's name, the value's, then the brace of a node without field, and the end.
        self.item = re.compile(
            rf"{GAP}(?:({atom})(?:(?!{NO_COMMENT}){GAP}(?:{value}|(\{{))|)|(\}}))", re.DOTALL
        )
        # Groups: the value's, then the end of the list.
        self.element = re.compile(rf"{GAP}(?:{one}|(\]))", re.DOTALL)
        self.value = re.compile(rf"{GAP}(?:{value})", re.DOTALL)
        head = rf"({atom}){GAP}([SM]F[A-Z][A-Za-z0-9]*){_SEPARATED}{GAP}({atom})"
        # Groups: 1 keyword, 2 type, 3 name, then the value's.
        self.declared = re.compile(rf"{head}(?:{GAP}(?:{value}))?", re.DOTALL)
        # The same for a field, with the gap before it and a value.
        self.line = re.compile(rf"{GAP}(?=(?:exposedF|f)ield{_SEPARATED}){head}{GAP}(?:{value})", re.DOTALL)
        # Groups: 1 keyword, 2 type, 3 name, 4 name after IS.
        self.event = re.compile(rf"{head}(?:{GAP}IS{_SEPARATED}{GAP}({NAME}))?")
        number = (
            r"[+-]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|0[xX][0-9a-fA-F]+"
            rf"|[0-9]+\.{NO_COMMENT}[0-9]*|[nN][aA][nN](?:\([a-zA-Z0-9]*\))?|[iI][nN][fF]){stop}"
        )
        self.number = re.compile(number)
        # More numbers of any form, with comments between them; longer runs take several matches.
        self.run = re.compile(rf"(?:{_BETWEEN}{number}){{1,99}}")
        self.word = re.compile(rf"{GAP}({atom})")
        self.two = re.compile(rf"{GAP}({atom}){_SEPARATED}{GAP}({atom})")
        self.name = re.compile(rf"{GAP}({NAME})")
        self.route = re.compile(rf"{GAP}({NAME}){_SEPARATED}{GAP}TO{_SEPARATED}{GAP}({NAME})")
        self.brace = re.compile(rf"{GAP}\{{")
        self.square = re.compile(rf"{GAP}\[")
        self.gap = re.compile(GAP)


def _value(run: str, string: str, atom: str) -> str:
    """The pattern of a value, with the groups of :class:`Group`."""
    return (
        rf"({run})|(\[)(?:[\x00-\x20,]*(\])|)|({string})"
        rf"|(DEF){_SEPARATED}{GAP}({NAME}){_SEPARATED}{GAP}({atom}){GAP}\{{"
        rf"|(USE|IS){_SEPARATED}{GAP}({NAME})|({atom})(?:(?!{NO_COMMENT}){GAP}(\{{)|)"
    )

"""The words of VRML97 and Open Inventor text: white space, numbers, strings, lists of numbers."""

from __future__ import annotations

import re

# ISO/IEC 14772-1, annex A.2: white space and commas separate; a comment ends with its line. A comment
# takes its line break along, so that the pattern has one way only to match. What may be there or not is
# written (?:…|) in these patterns: Python finds out sooner than with (?:…)? that it is not.
_COMMENT = r"#[^\r\n]*(?:[\r\n]|\Z)[\x00-\x20,]*"
GAP = rf"[\x00-\x20,]*(?:{_COMMENT}(?:{_COMMENT})*|)"
_BETWEEN = r"(?:[\x00-\x20,]+|(?=\#))(?:#[^\r\n]*[\r\n][\x00-\x20,]*)*"
# "1.#IND" is how C's printf writes NaN: no comment begins there.
_FALSE = r"#(?<=[0-9]\.#)(?:IND|INF|QNAN|SNAN)"
# ISO/IEC 14772-1 forbids ' + - . \ in names or at their beginning; files have them.
NAME = r"[^\x00-\x20,\"#\[\]{}]+"
_SEPARATED = r"(?=[\x00-\x20,#])"

_MARK = re.compile(r'["#\[\]{}]')
_FIRST = re.compile(rf"{GAP}[+-]?(?:\.?[0-9]|nan|inf)", re.IGNORECASE)
_FALSE_NUMBER = re.compile(_FALSE)
_LINE_END = re.compile(r"[\r\n]|\Z")


def numbers_end(text: str, at: int) -> int:
    """Behind the bracket that ends a list of numbers whose first bracket ends at ``at``; −1 if it is none.

    Only the first word is looked at, and that nothing opens or closes inside: whether all words are
    numbers is found when they are converted.
    """
    if not _FIRST.match(text, at):
        return -1
    end = text.find("]", at)
    if text.find("#", at, end) >= 0:
        end = _commented_end(text, at)
    else:
        # str.find is many times faster than a pattern: lists are most of a mesh file's text.
        for mark in ("{", '"', "[", "}"):
            if text.find(mark, at, end) >= 0:
                return -1
    return end + 1 if end >= 0 else -1


def _commented_end(text: str, at: int) -> int:
    """Offset of the bracket that ends a list of numbers with comments; −1 for no such list."""
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
    """Groups of the pattern of a value, counted from the one before it."""

    RUN, REST, BRACKET, EMPTY, STRING, DEF, DEFINED, TYPE, REFER, NAME, WORD, BRACE, END = range(1, 14)


class Patterns:
    """What can stand where, as compiled patterns.

    ``string`` is the pattern of a string; ``more`` are further characters that end a word.
    """

    def __init__(self, string: str, more: str = "") -> None:
        end = r"\"#\[\]{}" + more
        atom = rf"[^\x00-\x20,{end}]+"
        stop = rf"(?![^\x00-\x20,{end}]|{_FALSE})"
        exponent = r"[eE][+-]?[0-9]+"
        # The usual forms of numbers, in the fewest steps: what is odd here is found by `run`, or when
        # the numbers are converted. The bound keeps the memory of the match small.
        rest = (
            r"(?:([\x00-\x20,]+[-+.0-9][-+.0-9\x00-\x20,]*"
            r"(?:(?:[eE](?<=[0-9.][eE])[+-]?[0-9]+[-+.0-9\x00-\x20,]*){1,99}|))|)"
        )
        value = _value(rf"[-+.]{{0,2}}[0-9][-+.0-9]*(?:{exponent}|){rest}(?<=[0-9.]){stop}", string, atom)
        one = _value(r"(?!)(?!())", string, atom)
        # Groups: 1 the field's name, the value's, then the brace of a node without field, and the end.
        self.item = re.compile(
            rf"{GAP}(?:({atom})(?:(?!{_FALSE}){GAP}(?:{value}|(\{{))|)|(\}}))", re.DOTALL
        )
        # Groups: the value's, then the end of the list.
        self.element = re.compile(rf"{GAP}(?:{one}|(\]))", re.DOTALL)
        self.value = re.compile(rf"{GAP}(?:{value})", re.DOTALL)
        head = rf"({atom}){GAP}([SM]F[A-Z][A-Za-z0-9]*){_SEPARATED}{GAP}({atom})"
        # Groups: 1 keyword, 2 type, 3 name, then the value's.
        self.declared = re.compile(rf"{head}(?:{GAP}(?:{value}))?", re.DOTALL)
        # The same of a field, with what stands before it, and with a value.
        self.line = re.compile(rf"{GAP}(?=(?:exposedF|f)ield{_SEPARATED}){head}{GAP}(?:{value})", re.DOTALL)
        # Groups: 1 keyword, 2 type, 3 name, 4 of what the value is.
        self.event = re.compile(rf"{head}(?:{GAP}IS{_SEPARATED}{GAP}({NAME}))?")
        number = (
            r"[+-]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|0[xX][0-9a-fA-F]+"
            rf"|[0-9]+\.{_FALSE}[0-9]*|[nN][aA][nN](?:\([a-zA-Z0-9]*\))?|[iI][nN][fF]){stop}"
        )
        self.number = re.compile(number)
        # More numbers of every form, with comments between them; longer runs go on with the next match.
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
        rf"|(USE|IS){_SEPARATED}{GAP}({NAME})|({atom})(?:(?!{_FALSE}){GAP}(\{{)|)"
    )

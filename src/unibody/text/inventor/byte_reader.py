"""The bytes of a binary Inventor file: words, strings, and the values of fields as text."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable
from dataclasses import field
from typing import Any

import numpy as np

from unibody.text.dataclass import dataclass
from unibody.text.finding import Finding, TextError
from unibody.text.source import Source, Span

NOTE = "the binary file as text"

_NAME = re.compile(r"[^\x00-\x20\"'\[\]{}().,|=~#\\+:;\x7f]{1,200}")
#: Names after DEF and USE.
DEF_NAME = re.compile(r"[^\x00-\x20\"\[\]{},#\x7f]{1,1000}")
_EMPTY = b"\0\0\0\0"

# Words of four bytes per value.
_FLOATS = {
    "Float": 1,
    "Vec2f": 2,
    "Vec3f": 3,
    "Vec4f": 4,
    "Color": 3,
    "Plane": 4,
    "Rotation": 4,
    "Matrix": 16,
}
_INTEGERS = {
    "Bool": 1,
    "Short": 1,
    "UShort": 1,
    "Long": 1,
    "Int32": 1,
    "ULong": 1,
    "UInt32": 1,
    "Vec2s": 2,
    "Vec3s": 3,
    "Vec4s": 4,
}
_HEXADECIMAL = ("ULong", "UInt32")
_WORDS = ("Enum", "Name")
NODES = ("Node", "Engine")
#: All field types whose values can be read, without SF and MF.
TYPES = frozenset(
    [
        *(*_FLOATS, *_INTEGERS, *_WORDS, *NODES),
        *("BitMask", "Double", "Time", "String", "Image", "Image3", "Trigger", "Path"),
    ]
)


def scalar(kind: str) -> str:
    """A field type without its prefix SF or MF."""
    return kind[2:]


@dataclass(slots=True, eq=False)
class Bytes:
    """The bytes of a file, the offset of the next one, and the text of those already read.

    ``packed``: images are stored byte by byte, as from version 2.1 on. All methods raise TextError for
    invalid bytes.
    """

    data: bytes
    name: str
    packed: bool = True
    at: int = 0
    out: list[str] = field(default_factory=list)

    def broken(self, why: str, hint: str = "") -> TextError:
        """The error for invalid bytes, placed at the end of the text so far."""
        source = Source(self.name, "".join(self.out) or "\n", NOTE, derived=True)
        end = len(source.text)
        message = f"binary Inventor, byte {self.at}: {why}"
        return TextError(Finding("inventor-binary", "error", message, Span(source, end - 1, end), hint))

    def take(self, size: int, what: str) -> bytes:
        """Read the next ``size`` bytes."""
        left = len(self.data) - self.at
        if not 0 <= size <= left:
            raise self.broken(
                f"unexpected end of file: {what} needs {size} bytes, but only {left} are left",
                "check whether the file is truncated",
            )
        self.at += size
        return self.data[self.at - size : self.at]

    def word(self, what: str) -> int:
        """Read an unsigned 32-bit word."""
        return int.from_bytes(self.take(4, what), "big")

    def count(self, least: int, what: str) -> int:
        """Read the number of values that follow, each of at least ``least`` bytes."""
        number, left = self.word(f"the number of {what}"), len(self.data) - self.at
        if number * least > left:
            self.at -= 4
            raise self.broken(
                f"unexpected end of file: {number} {what} declared, but only {left} bytes follow",
                "check whether the file is truncated",
            )
        return number

    def string(self, what: str) -> str:
        """Read a length and a string, padded to four bytes."""
        size = self.word(what)
        raw = self.take(size, what)
        self.take(min(-size % 4, len(self.data) - self.at), what)
        try:
            return raw.rstrip(b"\0").decode("utf-8")
        except UnicodeDecodeError:
            return raw.rstrip(b"\0").decode("latin-1")

    def identifier(self, what: str, form: re.Pattern[str] = _NAME) -> str:
        """Read a string that must be a name."""
        start = self.at
        text = self.string(what)
        if form.fullmatch(text) is None:
            self.at = start
            shown = text if len(text) <= 40 else f"{text[:39]}…"
            raise self.broken(f"{what} is not a valid name: {shown!r}", "export the file again")
        return text

    def value(self, name: str, kind: str) -> str:
        """Read the value of a field; returns its text, a list in brackets."""
        base, one = scalar(kind), kind.startswith("SF")
        if base in _FLOATS:
            return self._array(name, one, _FLOATS[base], ">f4", _floats)
        if base in ("Time", "Double"):
            return self._array(name, one, 1, ">f8", _doubles)
        if base in _INTEGERS:
            show = _booleans if base == "Bool" else _hexadecimal if base in _HEXADECIMAL else _integers
            return self._array(name, one, _INTEGERS[base], ">i4", show)
        readers: dict[str, Callable[[str], str]] = {
            "Enum": self._enum,
            "Name": self._string,
            "String": self._string,
            "BitMask": self._mask,
            "Image": lambda name: self._image(2, name),
            "Image3": lambda name: self._image(3, name),
            "Path": self._path,
            "Trigger": lambda name: "",
        }
        read = readers[base]
        if one:
            return read(name)
        number = self.count(4, f"values of '{name}'")
        return f"[ {', '.join(read(name) for _ in range(number))} ]"

    def _array(self, name: str, one: bool, width: int, dtype: str, show: Callable[[Any], list[str]]) -> str:
        size = width * np.dtype(dtype).itemsize
        number = 1 if one else self.count(size, f"values of '{name}'")
        flat = np.frombuffer(self.take(number * size, f"field '{name}'"), dtype)
        words = show(flat.reshape(number, width))
        step = len(words) // number if number else 1
        rows = [" ".join(words[i : i + step]) for i in range(0, len(words), step)]
        if one:
            return rows[0]
        # Vectors go on separate lines, so that places of findings are useful.
        return f"[ {(f',{chr(10)}' if width > 1 else ', ').join(rows)} ]"

    def _string(self, name: str) -> str:
        text = self.string(f"field '{name}'")
        # In ASCII, a quote before a line break ends the string, even after a backslash: a string that ends
        # with a backslash gets a line break, and a quote before a line break gets a blank.
        text = re.sub(r'"(?=[\r\n])', '" ', text).replace('"', '\\"')
        return f'"{text}"\n' if text.endswith("\\") else f'"{text}"'

    def _enum(self, name: str) -> str:
        # Coin writes numbers for classes that it does not know: no letter follows them.
        if self.data[self.at + 4 : self.at + 5] <= b" " or self.data[self.at : self.at + 4] == _EMPTY:
            return str(self.word(f"the value of '{name}'"))
        return self.identifier(f"the value of '{name}'")

    def _mask(self, name: str) -> str:
        """Read the names of the bits that are set, up to an empty one."""
        words: list[str] = []
        while self.data[self.at : self.at + 4] != _EMPTY:
            words.append(self._enum(name))
        self.take(4, f"field '{name}'")
        return words[0] if len(words) == 1 else f"({' | '.join(words)})"

    def _image(self, sizes: int, name: str) -> str:
        *size, components = struct.unpack(f">{sizes + 1}i", self.take(4 * sizes + 4, f"field '{name}'"))
        pixels = math.prod(size)
        if min(size) < 0 or not 0 <= components <= 4:
            shown = "×".join(map(str, size))
            raise self.broken(f"field '{name}': invalid image of {shown} pixels of {components} bytes")
        head = " ".join(map(str, (*size, components)))
        if not pixels or not components:
            return head
        if self.packed:
            raw = self.take(pixels * components, f"the image of '{name}'")
            self.take(-len(raw) % 4, f"the image of '{name}'")
            table = np.frombuffer(raw, np.uint8).reshape(pixels, components)
        else:
            # Before 2.1 each pixel fills a word.
            words = self.take(4 * pixels, f"the image of '{name}'")
            table = np.frombuffer(words, np.uint8).reshape(pixels, 4)[:, 4 - components :]
        text = table.tobytes().hex()
        step = 2 * components
        return f"{head} {' '.join(f'0x{text[i : i + step]}' for i in range(0, len(text), step))}"

    def _path(self, name: str) -> str:
        tag = self.identifier(f"the value of '{name}'")
        if tag != "NULL":
            raise self.broken(f"field '{name}' holds a path, which is unsupported")
        return "NULL"


def _floats(rows: Any) -> list[str]:
    """The shortest decimals that read back to the same 32-bit floats."""
    found: list[str] = rows.reshape(-1).astype(np.float32).astype("U").tolist()
    return [word[:-2] if word.endswith(".0") else word for word in found]


def _doubles(rows: Any) -> list[str]:
    return [repr(v) for v in rows.reshape(-1).tolist()]


def _integers(rows: Any) -> list[str]:
    return [str(v) for v in rows.reshape(-1).tolist()]


def _hexadecimal(rows: Any) -> list[str]:
    return [f"{v & 0xFFFFFFFF:#010x}" for v in rows.reshape(-1).tolist()]


def _booleans(rows: Any) -> list[str]:
    return ["TRUE" if v else "FALSE" for v in rows.reshape(-1).tolist()]

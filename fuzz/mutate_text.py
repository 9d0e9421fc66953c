"""Mutators of bytes and tokens: pure functions (rng, data, seeds of the same kind) → bytes."""

from __future__ import annotations

import gzip
import re
import struct
import zlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random

from fuzz.dictionary import NUMBERS, PIECES, TEXTS

Mutator = Callable[[Random, bytes, Sequence[bytes]], bytes]

# Maximum size of a case, because the limits of time and memory depend on its size.
LARGEST = 120_000
_TOKEN = re.compile(
    rb"[A-Za-z_\x80-\xff][\w\x80-\xff.:-]*|[-+]?[0-9.][0-9.eE+-]*|\"[^\"\n]*\"|\s+|.", re.DOTALL
)
_NUMBER = re.compile(rb"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_WORD = re.compile(rb"[A-Za-z_\x80-\xff][\w\x80-\xff.:-]*")
_EXTREMES = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x1000000)


def _at(rng: Random, data: bytes | bytearray) -> int:
    return rng.randrange(len(data) + 1)


def flip_bits(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Flip a few bits."""
    out = bytearray(data)
    for _k in range(rng.choice((1, 1, 2, 8)) if out else 0):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def change_bytes(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Overwrite, insert or delete bytes."""
    out = bytearray(data)
    for _k in range(rng.choice((1, 1, 4, 16))):
        at, length = _at(rng, out), rng.choice((0, 1, 1, 4, 16))
        out[at : at + length] = rng.randbytes(rng.choice((0, 1, 1, 4)))
    return bytes(out)


def extreme_integer(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Replace two or four bytes by an extreme integer, for counts and indices."""
    size, order = rng.choice((2, 4)), rng.choice("<>")
    at = rng.randrange(max(1, len(data) - size + 1))
    at -= at % size if rng.random() < 0.5 else 0
    value = (rng.choice(_EXTREMES) + rng.choice((0, 0, -1, 1))) % (1 << (8 * size))
    return data[:at] + struct.pack(order + {2: "H", 4: "I"}[size], value) + data[at + size :]


def cut(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Keep only the beginning or the end of the file."""
    at = _at(rng, data)
    return data[:at] if rng.random() < 0.8 else data[at:]


def drop_block(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Delete a block."""
    at = _at(rng, data)
    return data[:at] + data[at + rng.randrange(1, max(2, len(data) // 3)) :]


def repeat_block(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Repeat a block many times."""
    start = _at(rng, data)
    piece = data[start : start + rng.choice((1, 4, 20, 100, 1000))]
    room = max(2, (LARGEST - len(data)) // max(1, len(piece)))
    return data[:start] + piece * min(rng.choice((2, 3, 10, 100, 2000)), room) + data[start:]


def cross(rng: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Join the beginning of this file and the end of another."""
    other = rng.choice(others)
    return data[: _at(rng, data)] + other[_at(rng, other) :]


def reencode(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Change the encoding or line ends, insert zeros, or compress the text."""
    text = data.decode("utf-8", "replace")
    ways: tuple[Callable[[], bytes], ...] = (
        lambda: text.encode("utf-16"),
        lambda: text.encode("utf-16-le"),
        lambda: text.encode("utf-32"),
        lambda: text.encode("shift_jis", "replace"),
        lambda: text.encode("euc_jp", "replace"),
        lambda: b"\xef\xbb\xbf" + data,
        lambda: data.replace(b"\r", b"").replace(b"\n", b"\r"),
        lambda: data.replace(b"\n", b"\r\n"),
        lambda: data.replace(b" ", b"\0", rng.randrange(1, 4)),
        lambda: data.replace(b"\n", b"\xe2\x80\xa8"),
        lambda: gzip.compress(data, mtime=0),
        lambda: zlib.compress(data),
    )
    return rng.choice(ways)()


def inside_gzip(rng: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Damage the content of a gzip file."""
    try:
        plain = zlib.decompressobj(31).decompress(data, LARGEST)
    except zlib.error:
        return flip_bits(rng, data, others)
    return gzip.compress(rng.choice(TOKENS)[1](rng, plain, [plain]), 1, mtime=0)


@lru_cache(maxsize=512)
def tokens(data: bytes) -> list[bytes]:
    """Split a file into words, numbers, strings, white space and single characters."""
    return _TOKEN.findall(data)


def _spots(found: list[bytes]) -> list[int]:
    return [k for k, token in enumerate(found) if not token.isspace()] or [0]


def drop_tokens(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Delete tokens."""
    out = list(tokens(data))
    for _k in range(rng.choice((1, 1, 2, 6)) if out else 0):
        out[rng.choice(_spots(out))] = b""
    return b"".join(out)


def swap_tokens(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Swap two tokens."""
    out = list(tokens(data))
    if out:
        a, b = rng.choice(_spots(out)), rng.choice(_spots(out))
        out[a], out[b] = out[b], out[a]
    return b"".join(out)


def borrow_tokens(rng: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Replace tokens by those of another file."""
    out, other = list(tokens(data)), tokens(rng.choice(others))
    for _k in range(rng.choice((1, 2, 6)) if out and other else 0):
        k, m, length = rng.choice(_spots(out)), rng.choice(_spots(other)), rng.choice((1, 1, 3, 12))
        out[k : k + rng.choice((0, 1, length))] = other[m : m + length]
    return b"".join(out)


def put_piece(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Insert fragments of syntax between tokens."""
    out = list(tokens(data))
    for _k in range(rng.choice((1, 1, 3))):
        out.insert(rng.randrange(len(out) + 1), rng.choice(PIECES).encode())
    return b"".join(out)


def odd_number(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Replace numbers by unusual ones."""
    return _replaced(rng, data, _NUMBER, NUMBERS)


def odd_text(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Replace words by unusual texts."""
    return _replaced(rng, data, _WORD, TEXTS)


def _replaced(rng: Random, data: bytes, what: re.Pattern[bytes], words: Sequence[str]) -> bytes:
    for _k in range(rng.choice((1, 1, 2, 5))):
        found = what.search(data, _at(rng, data)) or what.search(data)
        if found:
            data = data[: found.start()] + rng.choice(words).encode("utf-8", "ignore") + data[found.end() :]
    return data


def swap_words(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Replace all occurrences of a word by another word of the file, so that names refer to other items."""
    found = list(dict.fromkeys(_WORD.findall(data)))
    if len(found) < 2:
        return data
    old, new = rng.sample(found, 2)
    return re.sub(rb"\b" + re.escape(old) + rb"\b", lambda _: new, data)


def lengthen_list(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Repeat a number up to thousands of times, to reach the code for long lists."""
    found = _NUMBER.search(data, _at(rng, data)) or _NUMBER.search(data)
    if not found:
        return data
    mark = rng.choice((b" ", b", ", b",", b"\n"))
    many = [found[0]] * rng.choice((10, 200, 3000))
    if rng.random() < 0.5:
        many[rng.randrange(len(many))] = rng.choice(NUMBERS).encode()
    return data[: found.start()] + mark.join(many) + data[found.end() :]


def nest(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Nest brackets deeply, some of them unclosed."""
    out = list(tokens(data))
    opening, closing = rng.choice(
        (
            (b"[", b"]"),
            (b"{", b"}"),
            (b"(", b")"),
            (b"<a>", b"</a>"),
            (b"Group{children[", b"]}"),
            (b"- ", b""),
        )
    )
    depth = rng.choice((3, 60, 300, 3000, 30_000 // len(opening)))
    at = rng.randrange(len(out) + 1)
    inner = out[at : at + 1]
    ending = [closing * depth] if rng.random() < 0.7 else []
    return b"".join([*out[:at], opening * depth, *inner, *ending, *out[at + 1 :]])


BYTES: tuple[tuple[str, Mutator], ...] = (
    ("flip bits", flip_bits),
    ("change bytes", change_bytes),
    ("extreme integer", extreme_integer),
    ("cut", cut),
    ("drop block", drop_block),
    ("repeat block", repeat_block),
    ("cross", cross),
    ("reencode", reencode),
)
TOKENS: tuple[tuple[str, Mutator], ...] = (
    ("drop tokens", drop_tokens),
    ("swap tokens", swap_tokens),
    ("borrow tokens", borrow_tokens),
    ("put piece", put_piece),
    ("odd number", odd_number),
    ("odd text", odd_text),
    ("swap words", swap_words),
    ("lengthen list", lengthen_list),
    ("nest", nest),
)

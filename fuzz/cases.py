"""Fuzz cases: a kind, a number and a seed determine the bytes on every machine."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from random import Random

from fuzz import mutate_json, mutate_tree
from fuzz.kinds import format_of
from fuzz.mutate_text import BYTES, LARGEST, TOKENS, inside_gzip, tokens
from fuzz.seeds import Seed, seeds

# Kinds of (mostly) binary files.
_BINARY = ("inventor-binary", "inventor-gzip", "glb", "stl", "ply", "record")
_CUTS_OF = 3_000


@dataclass(frozen=True)
class Case:
    """A damaged file: kind, mutator, name, bytes, and the files beside it."""

    kind: str
    mutator: str
    name: str
    data: bytes
    beside: dict[str, bytes] = field(default_factory=dict)


def make(kind: str, number: int, seed: str) -> Case:
    """Create case ``number`` of a kind with a seed."""
    rng = Random(f"{seed}/{kind}/{number}")
    cuts = _cuts(kind) if number % 4 == 0 else []
    if number // 4 < len(cuts):
        begun = Random(seed).randrange(len(cuts))
        chosen, end = cuts[(begun + number // 4) % len(cuts)]
        return Case(kind, "truncation", chosen.name, chosen.data[:end], chosen.beside)
    chosen = rng.choice(seeds(kind))
    name, data = damaged(rng, kind, chosen.name, chosen.data)
    beside = chosen.beside
    if beside and rng.random() < 0.15:
        other = rng.choice(sorted(beside))
        beside = {**beside, other: rng.choice((*BYTES, *TOKENS))[1](rng, beside[other], [chosen.data])}
        if rng.random() < 0.5:
            name, data = "file beside", chosen.data
    return Case(kind, name, chosen.name, data[:LARGEST], beside)


def damaged(rng: Random, kind: str, name: str, data: bytes) -> tuple[str, bytes]:
    """Apply one to three mutators to a file: the name of the first mutator, and the new bytes."""
    others = _data(kind)
    done = ""
    for _k in range(rng.choice((1, 1, 1, 2, 3))):
        what, data = _once(rng, kind, name, data, others)
        done = done or what
    return done, data


def _once(rng: Random, kind: str, name: str, data: bytes, others: list[bytes]) -> tuple[str, bytes]:
    chance = rng.random()
    if kind in mutate_json.KINDS and chance < 0.5:
        made = mutate_json.mutate(rng, data, others)
        if made is not None:
            return made
    format = format_of(kind, name)
    if format is not None and chance < 0.6:
        made = mutate_tree.mutate(rng, data, others, format)
        if made is not None:
            return made
    if kind == "inventor-gzip" and chance < 0.6:
        return "inside gzip", inside_gzip(rng, data, others)
    words = 0.3 if kind in _BINARY else 0.75
    what, mutator = rng.choice(TOKENS if rng.random() < words else BYTES)
    return what, mutator(rng, data, others)


@cache
def _cuts(kind: str) -> list[tuple[Seed, int]]:
    """All token boundaries of the small files of a kind, in a fixed order."""
    out: list[tuple[Seed, int]] = []
    for seed in seeds(kind):
        end = 0
        for token in tokens(seed.data) if len(seed.data) <= _CUTS_OF else ():
            end += len(token)
            if not token.isspace():
                out.append((seed, end))
    Random(kind).shuffle(out)
    return out


@cache
def _data(kind: str) -> list[bytes]:
    return [seed.data for seed in seeds(kind)]

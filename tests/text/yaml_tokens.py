"""All that a YAML file says, in order: keys, words, numbers, anchors and comments."""

from __future__ import annotations

from unibody.text.node import Node, Row, Value, Word
from unibody.text.source import Source
from unibody.text.yaml.printer import comments


def tokens(root: Value, source: Source) -> list[str]:
    """Everything but white space, as it stands in the text from front to back."""
    found: list[tuple[float, str]] = [(at, text) for at, text in comments(root, source)]
    seen: set[int] = set()
    todo = [root]
    while todo:
        value = todo.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if value.name:
            found.append((value.start - 0.5, f"&{value.name}"))
        if isinstance(value, Row):
            todo.extend(value.values)
        elif isinstance(value, Node):
            for key, inner, start in value.items:
                found.append((start, f"{key}:"))
                todo.append(inner)
        elif isinstance(value, Word):
            found.append((value.start, value.text))
        else:
            # the numbers of one list stay together
            found += [(value.start + i * 1e-6, word) for i, word in enumerate(value.words())]
    return [text for _, text in sorted(found, key=lambda pair: pair[0])]

"""Generates the XML Schema 1.0 of an XML format from its declarations, for editors.

Programs extend such files with their own elements. XML Schema 1.0 cannot express "these elements
and any other": an "open" schema therefore accepts any element anywhere and checks declared elements
by name; a "closed" one checks the content of each element and rejects others, except those in a
namespace. Both accept undeclared attributes. An open schema does not look into an element whose name means
another element inside another parent. A "strict" schema, of a format whose loaders reject whatever they do
not know, rejects undeclared attributes, too, except those in a namespace.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from xml.sax.saxutils import escape, quoteattr

from tools.json_schema import meaning
from tools.reference_page import description

from unibody.document.declare import Document, Spec, ValueType, plan

Content = Literal["open", "closed", "strict"]

_SKIPPED = '<xs:any namespace="##any" processContents="skip" minOccurs="0" maxOccurs="unbounded"/>'
# Elements with a prefix, which XML Schema cannot name: elements inside them may have other meanings.
_PREFIXED = '<xs:any namespace="##other" processContents="skip"/>'
# Elements of other programs may contain elements with the names of declared ones.
_OTHER = f"""\
<xs:complexType name="other" mixed="true">
<xs:annotation><xs:documentation>Read by other programs, kept as written.</xs:documentation></xs:annotation>
<xs:sequence>{_SKIPPED}</xs:sequence>
<xs:anyAttribute processContents="skip"/>
</xs:complexType>"""
# xs:double has the syntax of strtod, and INF and NaN.
_NUMBER = """\
<xs:simpleType name="number">
<xs:restriction base="xs:double"><xs:pattern value="[0-9.eE+\\-]+"/></xs:restriction>
</xs:simpleType>"""
_INTEGER = """\
<xs:simpleType name="whole-number">
<xs:restriction base="xs:integer">
<xs:minInclusive value="-9007199254740992"/>
<xs:maxInclusive value="9007199254740992"/>
</xs:restriction>
</xs:simpleType>"""


def xsd(root: type[Document], tag: str, how: str, content: Content = "open", include: str = "") -> str:
    """The schema of the documents of a class; ``how`` is the command that generates it.

    ``include`` is the tag of an element that stands for the content of another file, anywhere.

    >>> from unibody.document.declare import NUMBER, element, key
    >>> @element
    ... class Cup(Document):
    ...     "A cup."
    ...     volume: float = key(NUMBER, 0.2, unit="l")
    >>> '<xs:element name="cup" type="Cup"/>' in xsd(Cup, "cup", "make")
    True
    """
    meanings = _elements(root, tag)
    classes = list(dict.fromkeys(cls for of in meanings.values() for cls in of if cls is not _Text))
    elements = {name: of[0] for name, of in meanings.items() if len(of) == 1 and of[0] is not _Text}
    others = {word for cls in classes for word in cls.KNOWN if ":" not in word} | meanings.keys()
    maker = _Maker(content, frozenset(meanings.keys() - elements.keys()), include)
    if include:
        others.add(include)
    parts = [line for name, cls in elements.items() for line in maker.element(name, cls)]
    parts += [f'<xs:element name="{name}" type="other"/>' for name in sorted(others - elements.keys())]
    parts += [line for cls in classes for line in maker.complex_type(cls)]
    parts += [_OTHER, _NUMBER, _INTEGER, *(_numbers(sizes) for sizes in sorted(maker.lists))]
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f"<!-- Made from the declarations by `{how}`: do not edit. -->",
            '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">',
            *parts,
            "</xs:schema>\n",
        ]
    )


class _Text(Document):
    """Stands for all elements that hold the text of a plain value."""


def _is_text(spec: Spec) -> bool:
    """Whether a plain value is written as an element with text."""
    return spec.type is not None and bool(spec.type.schema.get("element"))


def _elements(root: type[Document], tag: str) -> dict[str, list[type[Document]]]:
    """The classes of all elements by name; a name may mean another element inside another parent."""
    out = {tag: [root]}
    todo = [root]
    for cls in todo:
        for spec in plan(cls).fields.values():
            if _is_text(spec) and ":" not in spec.key:
                known = out.setdefault(spec.key, [])
                known += [_Text] if _Text not in known else []
            for name, member in _children(spec):
                known = out.setdefault(name, [])
                if member not in known:
                    known.append(member)
                if member not in todo:
                    todo.append(member)
    return out


def _children(spec: Spec) -> Iterator[tuple[str, type[Document]]]:
    """The elements inside an element; XML Schema has no names with a prefix, and accepts such elements."""
    for name, member in spec.members.items():
        written = name if spec.by == "key" else spec.key
        if ":" not in written:
            yield written, member


@dataclass(slots=True)
class _Maker:
    """The content model, the names of several elements, and the list types used so far."""

    content: Content
    ambiguous: frozenset[str] = frozenset()
    include: str = ""
    lists: set[tuple[int, ...]] = field(default_factory=set)

    def element(self, name: str, cls: type[Document]) -> Iterator[str]:
        """A global element; xs:key elements require children, which the content model cannot."""
        keys = [
            f'<xs:key name="{name}-needs-{spec.key}">'
            f'<xs:selector xpath="."/><xs:field xpath="{spec.key}/@{inside}"/></xs:key>'
            for spec in plan(cls).fields.values()
            for inside in _told_by(spec)
        ]
        head = f'<xs:element name="{name}" type="{cls.__name__}"'
        yield "\n".join([f"{head}>", *keys, "</xs:element>"]) if keys else f"{head}/>"

    def complex_type(self, cls: type[Document]) -> Iterator[str]:
        """The complex type of a class."""
        specs = plan(cls).fields.values()
        mixed = ' mixed="true"' if any(spec.by == "text" for spec in specs) else ""
        yield f'<xs:complexType name="{cls.__name__}"{mixed}>'
        yield _note(description(cls))
        yield from self._content(cls)
        for spec in specs:
            if spec.type is not None and spec.by != "text" and not _is_text(spec):
                yield from self._attribute(cls, spec, spec.type)
        if self.content == "strict" and not (cls.KEEPS or cls.SKIPPED):
            yield from (
                f'<xs:attribute name="{word}" type="xs:string"/>'
                for word in sorted(cls.KNOWN)
                if ":" not in word
            )
            yield '<xs:anyAttribute namespace="##other" processContents="lax"/>'
        else:
            yield '<xs:anyAttribute processContents="lax"/>'
        yield "</xs:complexType>"

    def _content(self, cls: type[Document]) -> Iterator[str]:
        if self.content == "strict" and cls.SKIPPED:
            yield f"<xs:sequence>{_SKIPPED}</xs:sequence>"
            return
        if self.content == "open":
            yield '<xs:choice minOccurs="0" maxOccurs="unbounded">'
            yield '<xs:any namespace="##local" processContents="lax"/>'
            yield _PREFIXED
            yield "</xs:choice>"
            return
        inner = {n: member for spec in plan(cls).fields.values() for n, member in _children(spec)}
        names = list(inner)
        # a known word may be an attribute; accepting it as an element does no harm
        names += sorted(word for word in cls.KNOWN - set(names) if ":" not in word)
        names += [self.include] if self.include else []
        yield '<xs:choice minOccurs="0" maxOccurs="unbounded">'
        for spec in plan(cls).fields.values():
            if spec.type is not None and _is_text(spec) and ":" not in spec.key:
                yield f'<xs:element name="{spec.key}" type="{self._named(spec.type)}"/>'
        for name in names:
            if name in self.ambiguous and name in inner:
                yield f'<xs:element name="{name}" type="{inner[name].__name__}"/>'
            else:
                yield f'<xs:element ref="{name}"/>'
        yield _PREFIXED
        yield "</xs:choice>"

    def _attribute(self, cls: type[Document], spec: Spec, kind: ValueType) -> Iterator[str]:
        use = ' use="required"' if spec.required == "error" else ""
        words = kind.schema.get("enum")
        named = "" if words else f' type="{self._named(kind)}"'
        yield f'<xs:attribute name="{spec.key}"{named}{use}>'
        yield _note(meaning(cls, spec))
        if words:
            yield '<xs:simpleType><xs:restriction base="xs:string">'
            yield from (f"<xs:enumeration value={quoteattr(word)}/>" for word in words)
            yield "</xs:restriction></xs:simpleType>"
        yield "</xs:attribute>"

    def _named(self, kind: ValueType) -> str:
        schema: dict[str, Any] = dict(kind.schema)
        if "words" in schema:
            self.lists.add(tuple(schema["words"]))
            return _list_name(schema["words"])
        return {"number": "number", "integer": "whole-number", "boolean": "xs:boolean"}.get(
            schema.get("type", ""), "xs:string"
        )


def _told_by(spec: Spec) -> Iterator[str]:
    """A required attribute of a required child."""
    if spec.required == "error" and spec.type is None and not spec.many:
        member = next(iter(spec.members.values()))
        needed = [
            s.key for s in plan(member).fields.values() if s.type is not None and s.required == "error"
        ]
        yield from needed[:1]


def _list_name(sizes: Sequence[int]) -> str:
    return f"numbers-{'-or-'.join(map(str, sizes))}"


def _numbers(sizes: Sequence[int]) -> str:
    """The type of a list of numbers with one of some lengths."""
    one = '<xs:simpleType><xs:list itemType="number"/></xs:simpleType>'
    lists = [f'<xs:restriction>{one}<xs:length value="{size}"/></xs:restriction>' for size in sizes]
    if len(lists) > 1:
        members = "\n".join(f"<xs:simpleType>{made}</xs:simpleType>" for made in lists)
        lists = [f"<xs:union>\n{members}\n</xs:union>"]
    return f'<xs:simpleType name="{_list_name(sizes)}">\n{lists[0]}\n</xs:simpleType>'


def _note(text: str) -> str:
    return f"<xs:annotation><xs:documentation>{escape(text)}</xs:documentation></xs:annotation>"

"""OpenHRP documents at random: what is written reads back, through nodes and through text."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.document.strategies import KEYS, Syntax, documents

from unibody.document.bind import Binding, bind, unbind
from unibody.document.declare import Spec, Tagged, plan
from unibody.files.access import MemoryFiles
from unibody.formats.format import Context
from unibody.formats.openhrp import document as d
from unibody.formats.openhrp.read import bind_file, expand_file
from unibody.formats.vrml97 import document as v
from unibody.text.finding import Findings
from unibody.text.node import Item, Word
from unibody.text.source import Source
from unibody.text.vrml import parser as vrml

SETTINGS = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
UNDECLARED: st.SearchStrategy[list[Item]] = st.lists(
    st.tuples(KEYS, st.sampled_from([Word("1"), Word("TRUE")]), st.just(-1)),
    max_size=2,
    unique_by=lambda item: item[0],
)
SYNTAX = Syntax(UNDECLARED, nodes={**d.OWN, "Transform": v.Transform, "Group": v.Group})
FILES = st.sampled_from(sorted({*d.OWN.values()}, key=lambda cls: cls.__name__)).flatmap(
    lambda cls: st.lists(documents(cls, SYNTAX, 2), max_size=2)
)


def context() -> Context:
    return Context("a.wrl", MemoryFiles({}), Findings(), lambda path, context: None)


@SETTINGS
@given(FILES)
def test_documents_through_nodes(children: list[Tagged]) -> None:
    doc = d.File(children=children)
    assert bind(d.File, unbind(doc), Binding(Findings(), nodes=d.NODES, null="NULL")) == doc


@SETTINGS
@given(FILES)
def test_documents_through_text(children: list[Tagged]) -> None:
    doc, made = d.File(children=children), context()
    root = vrml.parse(Source("a.wrl", vrml.print(unbind(doc))), made.findings)
    assert bind_file(expand_file(root, made), made) == doc


#: What no value of a type is, as written; nothing is wrong for a string that is not a warning.
WRONG = {
    "SFFloat": ["zzwrong", '"1"', "1 2", "nan", "TRUE"],
    "SFInt32": ["zzwrong", '"1"', "1 2", "98765432109876543210"],
    "SFBool": ["zzmaybe", '"TRUE"', "1"],
    "SFString": ["[ 1 2 ]"],
    "SFVec3f": ["1 2", "1 2 3 4", "zzwrong", '"1 2 3"', "1 nan 3"],
    "SFColor": ["1 1", "zzwrong"],
    "SFRotation": ["1 2 3", "0 0 0 1", "zzwrong"],
    "MFFloat": ["zzwrong", "[ 1 nan ]", '"1"'],
    "MFFloat of 9": ["zzwrong", "[ 1 2 3 ]"],
    "SFVec3f, or X, Y, Z": ['"U"', "1 2", "zzwrong"],
    "one of": ['"zzwrong"'],
}
FIELDS = [
    (cls, name, spec)
    for cls in sorted({*d.OWN.values()}, key=lambda cls: cls.__name__)
    for name, spec in plan(cls).fields.items()
    if spec.type is not None and spec.type.name != "MFString"
]


@pytest.mark.parametrize(("cls", "name", "spec"), FIELDS, ids=lambda x: getattr(x, "__name__", ""))
def test_a_wrong_value_is_one_finding_in_its_place(cls: type[Tagged], name: str, spec: Spec) -> None:
    assert spec.type is not None
    kind = "one of" if spec.type.name.startswith("one of") else spec.type.name
    tag = next(word for word, member in d.OWN.items() if member is cls)
    for wrong in WRONG[kind]:
        made, text = context(), f"{tag} {{ {spec.key} {wrong} }}"
        doc = bind_file(expand_file(vrml.parse(Source("a.wrl", text), Findings()), made), made)
        said = [f for f in made.findings if f.code != "proto-missing"]
        # a loader takes the text: the message says what is assumed
        assumed = any(word in f.message for f in said for word in ("; ignored", "; using "))
        assert [f.severity for f in said] == ["warning" if assumed else "error"], (text, said)
        assert spec.key in said[0].message
        assert said[0].at is not None
        start = text.index(wrong)
        assert start <= said[0].at.start <= said[0].at.end <= start + len(wrong), (text, said[0].at.text)
        if "; using " not in said[0].message:
            assert getattr(doc.children[0], name) == plan(cls).defaults[name]

"""Which shapes are read: grouping nodes, shapes, and what they look like."""

from __future__ import annotations

from typing import Any

import pytest
from tests.formats.vrml97.reading import Read, context, read

from unibody.document.declare import Tagged, element
from unibody.formats.budget import Budget
from unibody.formats.placement import Placement
from unibody.formats.vrml97 import document as d
from unibody.formats.vrml97.read import Reader, Step, read_shapes
from unibody.model import shape as s
from unibody.model.pose import Pose
from unibody.text.finding import TextError
from unibody.text.limits import Meter, ReadLimits


@element
class Sensor(Tagged):
    """A node that VRML97 does not know."""


def sizes(made: Read, which: str = "visuals") -> list[float]:
    """The edges of all boxes."""
    return [x.geometry.size[0] for x in getattr(made.found, which)]


def box(size: float) -> str:
    return f"Shape {{ geometry Box {{ size {size} 1 1 }} }}"


# --- grouping -----------------------------------------------------------------------------


@pytest.mark.parametrize("tag", ["Group", "Transform", "Anchor", "Billboard", "Collision"])
def test_groups_hold_shapes_in_order(tag: str) -> None:
    made = read(f"{tag} {{ children [ {box(1)} Group {{ children {box(2)} }} {box(3)} ] }} {box(4)}")
    assert sizes(made) == sizes(made, "collisions") == [1.0, 2.0, 3.0, 4.0]
    assert made.findings == []


@pytest.mark.parametrize(
    ("which", "shown"),
    [("whichChoice 0", [1.0]), ("whichChoice 1", [2.0]), ("", []), ("whichChoice 5", [])],
)
def test_a_switch_shows_one(which: str, shown: list[float]) -> None:
    made = read(f"Switch {{ {which} choice [ {box(1)} {box(2)} ] }}")
    assert sizes(made) == shown
    assert [(f.code, f.severity) for f in made.findings] == [("reference-differs", "info")]


def test_a_switch_of_one_that_is_shown_is_no_news() -> None:
    made = read(f"Switch {{ whichChoice 0 choice {box(1)} }}")
    assert sizes(made) == [1.0]
    assert made.findings == []


def test_the_finest_level_is_shown() -> None:
    assert sizes(read(f"LOD {{ range [ 10 20 ] level [ {box(1)} {box(2)} {box(3)} ] }}")) == [1.0]


def test_what_collides_may_be_another_shape() -> None:
    made = read(f"Collision {{ proxy {box(9)} children [ {box(1)} {box(2)} ] }}")
    assert sizes(made) == [1.0, 2.0]
    assert sizes(made, "collisions") == [9.0]
    assert [(f.code, f.severity) for f in made.findings] == [("reference-differs", "warning")]
    nothing = read(f"Collision {{ collide FALSE proxy {box(9)} children {box(1)} }}")
    assert sizes(nothing) == [1.0]
    assert sizes(nothing, "collisions") == []


def test_a_proxy_inside_of_a_proxy() -> None:
    inner = f"Collision {{ proxy {box(8)} children {box(2)} }}"
    made = read(f"Collision {{ proxy Group {{ children {inner} }} children {box(1)} }}")
    assert sizes(made) == [1.0]
    assert sizes(made, "collisions") == [8.0]


def test_what_is_used_twice_is_one_geometry_and_one_material() -> None:
    text = """DEF S Shape { appearance DEF A Appearance { material Material { } } geometry DEF B Cone { } }
Transform { translation 1 0 0 children [ USE S Shape { appearance USE A geometry USE B } ] }"""
    one, two, three = read(text).found.visuals
    assert one.geometry is two.geometry is three.geometry
    assert one.material is two.material is three.material
    assert one.pose != two.pose
    assert (one.name, three.name) == ("S", "")


def test_uses_that_multiply_end_in_a_finding() -> None:
    text = "DEF A0 Group { }\n"
    for i in range(1, 60):
        text += f"DEF A{i} Group {{ children [ USE A{i - 1} USE A{i - 1} ] }}\n"
    with pytest.raises(TextError) as caught:
        read(text)
    assert caught.value.finding.code == "model-too-large"


def test_nodes_of_other_formats_are_asked_about() -> None:
    sensor = Sensor()
    at = context()
    steps: list[Step] = []

    def foreign(step: Step) -> list[Step]:
        steps.append(step)
        return step.inner([d.Shape(geometry=d.Sphere())])

    group = d.Transform(translation=(1.0, 2.0, 3.0), children=[sensor])
    found = read_shapes([group], Placement(), Reader(at), foreign)
    assert [step.doc for step in steps] == [sensor]
    assert steps[0].at.pose == Pose((1.0, 2.0, 3.0))
    assert [x.pose.xyz for x in found.visuals] == [(1.0, 2.0, 3.0)]
    assert read_shapes([group], Placement(), Reader(at)).kept == [sensor]


def test_the_budget_is_spent() -> None:
    at = context()
    at.budget = Budget(Meter(ReadLimits(work=100)))
    with pytest.raises(TextError):
        read_shapes([d.Group(children=[d.Group() for _ in range(9)])], Placement(), Reader(at))


# --- appearance ---------------------------------------------------------------------------


def material(text: str, files: dict[str, str] | None = None) -> tuple[s.Material | None, Read]:
    made = read(f"Shape {{ appearance Appearance {{ {text} }} geometry Sphere {{ }} }}", files)
    return made.found.visuals[0].material, made


def test_no_appearance_is_no_material() -> None:
    assert read("Shape { geometry Box { } }").found.visuals[0].material is None
    assert material("")[0] is None
    assert read("Shape { appearance NULL geometry Box { } }").findings == []


def test_the_defaults_of_a_material() -> None:
    made, _ = material("material Material { }")
    assert made == s.Material(
        diffuse=(0.8, 0.8, 0.8), ambient=0.2, specular_exponent=127.0 * 0.2 + 1.0, transparency=0.0
    )


def test_every_field_of_a_material() -> None:
    made, reading = material(
        "material DEF M Material { ambientIntensity .3 diffuseColor .1 .2 .3 emissiveColor .4 .5 .6 "
        "shininess .5 specularColor .7 .8 .9 transparency .25 }"
    )
    assert made == s.Material(
        name="M",
        diffuse=(0.1, 0.2, 0.3),
        ambient=0.3,
        emissive=(0.4, 0.5, 0.6),
        specular=(0.7, 0.8, 0.9),
        specular_exponent=64.5,
        transparency=0.25,
    )
    assert made is not None
    assert made.at is not None
    assert reading.findings == []


def test_colours_outside_of_their_range_are_cut() -> None:
    made, reading = material("material Material { diffuseColor 0 2 -1 shininess 7 transparency -1 }")
    assert made is not None
    assert made.diffuse == (0.0, 1.0, 0.0)
    assert made.specular_exponent == 128.0
    assert made.transparency == 0.0
    assert reading.told == ["color-range"]


def test_an_image_and_how_it_lies() -> None:
    made, reading = material(
        'texture ImageTexture { url [ "no.png" "b.png" ] repeatS FALSE } textureTransform TextureTransform '
        "{ center 1 2 rotation .5 scale 3 4 translation 5 6 }",
        {"dir/b.png": ""},
    )
    assert made == s.Material(
        texture=s.Texture(
            uri="b.png",
            repeat_s=False,
            transform=s.TextureTransform(
                center=(1.0, 2.0), rotation=0.5, scale=(3.0, 4.0), translation=(5.0, 6.0)
            ),
        )
    )
    assert made is not None
    assert made.texture is not None
    assert made.texture.path == "dir/b.png"
    assert reading.findings == []


def test_a_missing_image() -> None:
    made, reading = material('texture ImageTexture { url "no.png" }')
    assert made is not None
    assert made.texture == s.Texture(uri="no.png")
    assert reading.told == ["file-missing"]
    assert material("texture ImageTexture { }")[0] is None


def test_an_image_beside_the_file_that_names_it() -> None:
    part = 'Shape { appearance Appearance { texture ImageTexture { url "t.png" } } geometry Box { } }'
    made = read('Inline { url "sub/b.wrl" }', {"dir/sub/b.wrl": part, "dir/sub/t.png": ""})
    found = made.found.visuals[0].material
    assert found is not None
    assert found.texture is not None
    assert found.texture.path == "dir/sub/t.png"


def test_pixels() -> None:
    made, reading = material("texture PixelTexture { image 2 1 3 0xFF0001 0x00FF02 }")
    assert made is not None
    assert made.texture is not None
    assert made.texture.image == (2, 1, 3, 255, 0, 1, 0, 255, 2)
    assert reading.findings == []
    assert material("texture PixelTexture { image 0 0 0 }")[0] is None


@pytest.mark.parametrize("image", ["1 1", "2 2 1 0 0 0", "1 1 5 0", "1 1 1 x", "-1 -1 1 0", "1 1 1 1.5"])
def test_pixels_that_do_not_fit(image: str) -> None:
    made, reading = material(f"texture PixelTexture {{ image [ {image} ] }}")
    assert made is None
    assert reading.told == ["image-size"]


def test_a_film_is_kept() -> None:
    made, reading = material('texture MovieTexture { url "a.mpg" }')
    assert made is None
    assert reading.codes == ["not-drawn"]


@pytest.mark.parametrize(
    ("geometry", "size"), [("Box { size 1 2 3 }", (1.0, 3.0, 2.0)), ("Sphere { }", None)]
)
def test_boxes_and_spheres_with_an_image_stand_along_y(geometry: str, size: Any) -> None:
    look = 'appearance Appearance { texture ImageTexture { url "b.png" } }'
    (shape,) = read(f"Shape {{ {look} geometry {geometry} }}", {"dir/b.png": ""}).found.visuals
    assert shape.pose.rotation()[1][2] == pytest.approx(1.0)
    if size is not None:
        assert shape.geometry == s.Box(size=size)

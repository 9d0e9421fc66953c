"""COLLADA files: units, axes, nodes, primitives, materials."""

from __future__ import annotations

import numpy as np
import pytest
from tests.mesh.build import CORNERS, FACES, codes, dae, one, read, tetrahedron, triangles

from unibody.meshes import area, bounds, signed_volume
from unibody.model.shape import Material

INPUT = '<input semantic="VERTEX" source="#v" offset="0"/>'
USE = '<instance_geometry url="#g"/>'


def test_triangles() -> None:
    surface = one(dae(), ".dae")
    assert triangles(surface) == tetrahedron()
    assert signed_volume(surface) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("unit", "factor"),
    [("", 1.0), ('<unit name="inch" meter="0.0254"/>', 0.0254), ('<unit meter="1e-3"/>', 0.001)],
)
def test_the_unit_is_applied(unit: str, factor: float) -> None:
    surface = one(dae(asset=f"{unit}<up_axis>Z_UP</up_axis>"), ".dae")
    assert np.allclose(surface.vertices.max(0), np.array([1.0, 2.0, 3.0]) * factor, rtol=1e-15)


@pytest.mark.parametrize("meter", ["zero", "0", "-1", "inf", "1e400"])
def test_a_unit_that_is_none_is_one_metre(meter: str) -> None:
    surfaces, cache = read(dae(asset=f'<unit meter="{meter}"/><up_axis>Z_UP</up_axis>'), ".dae")
    assert surfaces[0].vertices.max() == 3.0
    assert codes(cache) == ["mesh-unit"]


@pytest.mark.parametrize("axis", ["<up_axis>Y_UP</up_axis>", "<up_axis>X_UP</up_axis>", ""])
def test_another_axis_up_is_not_turned_but_told_of(axis: str) -> None:
    surfaces, cache = read(dae(asset=axis), ".dae")
    assert triangles(surfaces[0]) == tetrahedron()
    assert codes(cache) == ["up-axis-ignored"]
    assert "three.js" in cache.findings[0].message
    assert "RViz" in cache.findings[0].message
    said = "X" if "X_UP" in axis else "Y"
    assert cache.findings[0].hint.startswith(f'turn it with up_axis={{"part.dae": "{said}"}}')


def test_an_up_axis_that_is_given_is_not_told_of() -> None:
    surfaces, cache = read(dae(asset="<up_axis>Y_UP</up_axis>"), ".dae", up_axis="Z")
    assert triangles(surfaces[0]) == tetrahedron()
    assert codes(cache) == []


def test_transforms_in_the_order_they_stand() -> None:
    # facts E: node transforms; (x, y, z) → scaled, turned by 90° about Z, moved
    node = "<translate>10 0 0</translate><rotate>0 0 1 90</rotate><scale>2 1 1</scale>" + USE
    surface = one(dae(node=node), ".dae")
    assert surface.vertices.tolist() == [[10, 0, 0], [10, 2, 0], [8, 0, 0], [10, 0, 3]]


def test_matrix_and_nested_nodes() -> None:
    node = "<matrix>1 0 0 5 0 1 0 6 0 0 1 7 0 0 0 1</matrix>"
    node += "<node name='in'><translate>1 1 1</translate>{0}</node>"
    low, _ = bounds([one(dae(node=node.format(USE)), ".dae")]) or (None, None)
    assert low is not None
    assert low.tolist() == [6.0, 7.0, 8.0]


def test_lookat_and_skew() -> None:
    look = one(dae(node="<lookat>1 0 0 2 0 0 0 0 1</lookat>" + USE), ".dae")
    # its −Z looks along +X, its Y is up
    assert np.allclose(look.vertices, [[1, 0, 0], [1, -1, 0], [1, 0, 2], [-2, 0, 0]])
    skew = one(dae(node="<skew>45 0 1 0 1 0 0</skew>" + USE), ".dae")
    assert np.allclose(skew.vertices, [[0, 0, 0], [1, 0, 0], [2, 2, 0], [0, 0, 3]])


def test_a_mirror_turns_the_triangles_round() -> None:
    surface = one(dae(node="<scale>-1 1 1</scale>" + USE), ".dae")
    assert signed_volume(surface) == pytest.approx(1.0)


def test_nodes_of_a_library() -> None:
    library = (
        '<library_nodes><node id="n" name="n"><translate>0 0 1</translate>'
        "<instance_geometry url='#g'/></node></library_nodes>"
    )
    node = '<instance_node url="#n"/><node><translate>0 0 1</translate><instance_node url="#n"/></node>'
    surfaces, cache = read(dae(node=node, libraries=library), ".dae")
    assert codes(cache) == []
    assert [s.vertices[:, 2].min() for s in surfaces] == [1.0, 2.0]


@pytest.mark.slow
def test_nodes_that_unfold_without_end_are_refused() -> None:
    library = "<library_nodes>" + "".join(
        f'<node id="n{k}"><instance_node url="#n{k + 1}"/><instance_node url="#n{k + 1}"/></node>'
        for k in range(40)
    )
    library += '<node id="n40"><instance_node url="#n0"/></node></library_nodes>'
    surfaces, cache = read(dae(node='<instance_node url="#n0"/>', libraries=library), ".dae")
    assert surfaces == []
    assert codes(cache) == ["mesh-too-large"]


def test_a_skin_as_it_stands() -> None:
    library = (
        '<library_controllers><controller id="c"><skin source="#g"><bind_shape_matrix>'
        "1 0 0 0 0 1 0 0 0 0 1 4 0 0 0 1</bind_shape_matrix></skin></controller></library_controllers>"
    )
    surface = one(dae(node='<instance_controller url="#c"/>', libraries=library), ".dae")
    assert surface.vertices[:, 2].max() == 7.0


@pytest.mark.parametrize(
    "geometry",
    [
        f"<polylist count='4'>{INPUT}<vcount>3 3 3 3</vcount><p>{{all}}</p></polylist>",
        f"<polygons count='4'>{INPUT}<p>{{0}}</p><p>{{1}}</p><p>{{2}}</p><p>{{3}}</p></polygons>",
        f"<tristrips count='4'>{INPUT}<p>{{0}}</p><p>{{1}}</p><p>{{2}}</p><p>{{3}}</p></tristrips>",
        f"<trifans count='4'>{INPUT}<p>{{0}}</p><p>{{1}}</p><p>{{2}}</p><p>{{3}}</p></trifans>",
        f"<triangles count='2'>{INPUT}<p>{{0}} {{1}}</p><p>{{2}} {{3}}</p></triangles>",
        f"<lines count='1'>{INPUT}<p>0 1</p></lines><triangles count='4'>{INPUT}<p>{{all}}</p></triangles>",
    ],
)
def test_primitives(geometry: str) -> None:
    rows = [" ".join(map(str, face)) for face in FACES]
    text = dae(geometry.format(*rows, all=" ".join(rows)))
    assert triangles(one(text, ".dae")) == tetrahedron()


def test_strips_and_fans_keep_the_side() -> None:
    strip = dae(f"<tristrips count='1'>{INPUT}<p>0 1 2 3</p></tristrips>")
    fan = dae(f"<trifans count='1'>{INPUT}<p>0 1 2 3</p></trifans>")
    corners = [list(c) for c in CORNERS]
    assert triangles(one(strip, ".dae")) == [[corners[i] for i in f] for f in ((0, 1, 2), (1, 3, 2))]
    assert triangles(one(fan, ".dae")) == [[corners[i] for i in f] for f in ((0, 1, 2), (0, 2, 3))]


def test_concave_polygons() -> None:
    points = "0 0 0 2 0 0 2 1 0 1 1 0 1 2 0 0 2 0"
    geometry = (
        f'<source id="q"><float_array id="qa" count="18">{points}</float_array></source>'
        '<vertices id="w"><input semantic="POSITION" source="#q"/></vertices>'
        '<polylist count="1"><input semantic="VERTEX" source="#w" offset="0"/>'
        "<vcount>6</vcount><p>2 3 4 5 0 1</p></polylist>"
    )
    assert area(one(dae(geometry), ".dae")) == pytest.approx(3.0)


def test_normals_texture_coordinates_and_colours() -> None:
    geometry = """
<source id="n"><float_array id="na" count="3">0 0 2</float_array></source>
<source id="t"><float_array id="ta" count="6">0 0 9 1 0 9</float_array>
<technique_common><accessor source="#ta" count="2" stride="3"/></technique_common></source>
<source id="c"><float_array id="ca" count="3">1 0 0.5</float_array>
<technique_common><accessor source="#ca" count="1" stride="3"/></technique_common></source>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/>
<input semantic="NORMAL" source="#n" offset="1"/><input semantic="COLOR" source="#c" offset="1"/>
<input semantic="TEXCOORD" source="#t" offset="3" set="0"/>
<p>0 0 7 0  1 0 7 1  2 0 7 1</p></triangles>"""
    surface = one(dae(geometry), ".dae")
    assert surface.normals is not None
    assert surface.tex_coords is not None
    assert surface.colors is not None
    assert surface.normals.tolist() == [[0.0, 0.0, 1.0]] * 3
    assert surface.tex_coords.tolist() == [[0.0, 0.0], [1.0, 0.0], [1.0, 0.0]]
    assert surface.colors[0].tolist() == [1.0, 0.0, 0.5, 1.0]


EFFECT = """<library_images><image id="i"><init_from>tex%201.png</init_from></image></library_images>
<library_materials><material id="m" name="paint"><instance_effect url="#e"/></material></library_materials>
<library_effects><effect id="e"><profile_COMMON>
<newparam sid="su"><surface type="2D"><init_from>i</init_from></surface></newparam>
<newparam sid="sa"><sampler2D><source>su</source><wrap_s>CLAMP</wrap_s></sampler2D></newparam>
<technique sid="t"><phong>{0}</phong></technique></profile_COMMON></effect></library_effects>"""
BOUND = (
    '<instance_geometry url="#g"><bind_material><technique_common>'
    '<instance_material symbol="M" target="#m"/></technique_common></bind_material></instance_geometry>'
)


def material(look: str) -> Material:
    surfaces, cache = read(dae(node=BOUND, libraries=EFFECT.format(look)), ".dae", {"tex 1.png": b""})
    assert codes(cache) == []
    assert surfaces[0].material is not None
    return surfaces[0].material


def test_colours() -> None:
    found = material(
        "<emission><color>0 0 1 1</color></emission><ambient><color>0.1 0.1 0.1 1</color></ambient>"
        "<diffuse><color>0.5 0.25 0.25 1</color></diffuse><specular><color>1 1 1 1</color></specular>"
        "<shininess><float>50</float></shininess>"
    )
    assert found.name == "paint"
    assert (found.diffuse, found.emissive, found.specular) == ((0.5, 0.25, 0.25), (0, 0, 1), (1, 1, 1))
    assert found.ambient == pytest.approx(0.3)
    assert found.specular_exponent == 50.0


def test_a_texture() -> None:
    found = material("<diffuse><texture texture='sa' texcoord='UV'/></diffuse>")
    assert found.diffuse == (1.0, 1.0, 1.0)
    assert found.texture is not None
    assert (found.texture.uri, found.texture.path) == ("tex 1.png", "m/tex 1.png")
    assert (found.texture.repeat_s, found.texture.repeat_t) == (False, True)
    assert material("<diffuse><texture texture='i' texcoord='UV'/></diffuse>").texture is not None


@pytest.mark.parametrize(
    ("transparent", "amount", "transparency"),
    [
        ("", "0.25", 0.75),
        ('<transparent opaque="A_ONE"><color>1 1 1 0.5</color></transparent>', "0.5", 0.75),
        ("<transparent><color>1 1 1 1</color></transparent>", "1", 0.0),
        ('<transparent opaque="RGB_ZERO"><color>0.25 0.25 0.25 1</color></transparent>', "1", 0.25),
        # invisible as it is written, and opaque as such writers mean it
        ("<transparent><color>1 1 1 1</color></transparent>", "0", 0.0),
    ],
)
def test_transparency(transparent: str, amount: str, transparency: float) -> None:
    found = material(transparent + f"<transparency><float>{amount}</float></transparency>")
    assert found.transparency == pytest.approx(transparency, abs=1e-5)


@pytest.mark.parametrize(
    "transparent",
    [
        '<transparent opaque="RGB_ZERO"><color>1 1 1 1</color></transparent>',
        "<transparent><color>1 1 1 0</color></transparent>",
    ],
)
def test_what_is_invisible_as_it_is_written_is_opaque_and_told_of(transparent: str) -> None:
    surfaces, cache = read(
        dae(node=BOUND, libraries=EFFECT.format(transparent)), ".dae", {"tex 1.png": b""}
    )
    assert surfaces[0].material is not None
    assert surfaces[0].material.transparency == 0.0
    assert codes(cache) == ["visual-invisible"]


def test_a_symbol_that_nobody_binds() -> None:
    text = dae(libraries=EFFECT.format("<diffuse><color>1 0 0 1</color></diffuse>"))
    assert one(text.replace('material="M"', 'material="m"'), ".dae").material is not None
    assert one(text, ".dae").material is None


def test_a_fragment_is_a_node_by_name_or_id_on_its_own_origin() -> None:
    inner = "<translate>0 0 9</translate><rotate>0 0 1 90</rotate>"
    inner += f"<node name='part' id='k'><translate>5 5 5</translate>{USE}</node>"
    text = dae(node=inner, asset='<unit meter="0.5"/><up_axis>Z_UP</up_axis>')
    for name in ("part", "k"):
        surfaces, cache = read(text, ".dae", fragment=name)
        assert codes(cache) == []
        # facts A.9: set on its node's origin, with the turn of the scene
        wanted = np.array([[0, 0, 0], [0, 0.5, 0], [-1, 0, 0], [0, 0, 1.5]])
        assert np.allclose(surfaces[0].vertices, wanted)
    surfaces, cache = read(text, ".dae", fragment="other")
    assert surfaces == []
    assert codes(cache) == ["mesh-fragment"]
    assert "top, part" in cache.findings[0].hint


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("0.0 0.0 0.0", "0.0 zero 0.0", "mesh-broken"),
        ("<p>0 2 1", "<p>0 2.5 1", "mesh-broken"),
        ('offset="0"', 'offset="-1"', "mesh-broken"),
        ('offset="0"', 'offset="99999999999999"', "mesh-broken"),
        ('stride="3"', 'stride="0"', "mesh-empty"),
        ('stride="3"', 'stride="2"', "mesh-empty"),
        ("POSITION", "PLACE", "mesh-broken"),
        ('url="#g"', 'url="other.dae#g"', "mesh-reference"),
        ("COLLADA", "X3D", "mesh-broken"),
        ("</COLLADA>", "", "mesh-broken"),
        ('<node name="top">', '<node name="top"><matrix>1 2 3</matrix>', "mesh-broken"),
        ('<node name="top">', '<node name="top"><scale>nan 1 1</scale>', "mesh-broken"),
        ('<node name="top">', '<node name="top"><translate>1e60 0 0</translate>', "mesh-broken"),
        ("<?xml", '<!DOCTYPE a [<!ENTITY b "c">]><?xml', "mesh-broken"),
    ],
)
def test_what_is_wrong_is_found(old: str, new: str, code: str) -> None:
    surfaces, cache = read(dae().replace(old, new), ".dae")
    assert surfaces == []
    assert code in codes(cache), [str(f) for f in cache.findings]


def test_a_face_without_vertex_is_left_out_with_its_place() -> None:
    surfaces, cache = read(dae().replace("<p>0 2 1", "<p>0 2 7"), ".dae")
    assert triangles(surfaces[0]) == tetrahedron()[1:]
    assert codes(cache) == ["mesh-index"]
    assert cache.findings[0].at is not None


@pytest.mark.parametrize("vcount", ["3 3 3", "3 3 3 4", "3 3 3 -3", "3 99999999999999"])
def test_counts_that_do_not_fit(vcount: str) -> None:
    indices = " ".join(str(i) for face in FACES for i in face)
    text = dae(f"<polylist count='4'>{INPUT}<vcount>{vcount}</vcount><p>{indices}</p></polylist>")
    surfaces, cache = read(text, ".dae")
    assert codes(cache) in (["mesh-index"], ["mesh-broken"])
    assert [triangles(s) for s in surfaces] in ([tetrahedron()[:3]], [])


def test_holes_are_filled_with_a_warning() -> None:
    text = dae(f"<polygons count='1'>{INPUT}<ph><p>0 2 1</p><h>0 1 3</h></ph></polygons>")
    surfaces, cache = read(text, ".dae")
    assert triangles(surfaces[0]) == tetrahedron()[:1]
    assert codes(cache) == ["polygon-holes"]


def test_an_image_outside_the_model_is_not_opened() -> None:
    libraries = EFFECT.format("<diffuse><texture texture='sa' texcoord='UV'/></diffuse>")
    text = dae(node=BOUND, libraries=libraries.replace("tex%201.png", "../../../../etc/passwd"))
    _, cache = read(text, ".dae")
    assert codes(cache) == ["outside-model"]

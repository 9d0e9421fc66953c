"""Declarations of USD: materials and shaders."""

from __future__ import annotations

from unibody.document.declare import element, key
from unibody.formats.usd.document_prim import Prim
from unibody.formats.usd.values import (
    ASSET,
    COLOR3F,
    CONNECTION,
    FLOAT,
    FLOAT2,
    INT,
    NORMAL3F,
    STRING,
    TOKEN,
    token,
)

_WRAP = token("useMetadata", "black", "clamp", "repeat", "mirror")


@element
class Material(Prim):
    """A material: the shader of its surface."""

    TAG = "Material"
    surface_from: tuple[str, ...] = key(CONNECTION, (), name="outputs:surface.connect")
    mdl_surface_from: tuple[str, ...] = key(CONNECTION, (), name="outputs:mdl:surface.connect")


@element
class Shader(Prim):
    """A shader: a preview surface, a texture, a reader of coordinates, or one of another program."""

    TAG = "Shader"
    id: str = key(
        token("UsdPreviewSurface", "UsdUVTexture", "UsdPrimvarReader_float2", uniform=True),
        "",
        name="info:id",
    )
    source_asset: str = key(ASSET, "", name="info:mdl:sourceAsset")
    source_identifier: str = key(TOKEN, "", name="info:mdl:sourceAsset:subIdentifier")
    diffuse_color: tuple[float, ...] = key(COLOR3F, (0.18, 0.18, 0.18), name="inputs:diffuseColor")
    diffuse_color_from: tuple[str, ...] = key(CONNECTION, (), name="inputs:diffuseColor.connect")
    emissive_color: tuple[float, ...] = key(COLOR3F, (0.0, 0.0, 0.0), name="inputs:emissiveColor")
    emissive_color_from: tuple[str, ...] = key(CONNECTION, (), name="inputs:emissiveColor.connect")
    use_specular_workflow: int = key(INT, 0, name="inputs:useSpecularWorkflow")
    specular_color: tuple[float, ...] = key(COLOR3F, (0.0, 0.0, 0.0), name="inputs:specularColor")
    specular_color_from: tuple[str, ...] = key(CONNECTION, (), name="inputs:specularColor.connect")
    metallic: float = key(FLOAT, 0.0, name="inputs:metallic")
    metallic_from: tuple[str, ...] = key(CONNECTION, (), name="inputs:metallic.connect")
    roughness: float = key(FLOAT, 0.5, name="inputs:roughness")
    roughness_from: tuple[str, ...] = key(CONNECTION, (), name="inputs:roughness.connect")
    clearcoat: float = key(FLOAT, 0.0, name="inputs:clearcoat")
    clearcoat_from: tuple[str, ...] = key(CONNECTION, (), name="inputs:clearcoat.connect")
    clearcoat_roughness: float = key(FLOAT, 0.01, name="inputs:clearcoatRoughness")
    clearcoat_roughness_from: tuple[str, ...] = key(
        CONNECTION, (), name="inputs:clearcoatRoughness.connect"
    )
    opacity: float = key(FLOAT, 1.0, name="inputs:opacity")
    opacity_from: tuple[str, ...] = key(CONNECTION, (), name="inputs:opacity.connect")
    opacity_threshold: float = key(FLOAT, 0.0, name="inputs:opacityThreshold")
    opacity_threshold_from: tuple[str, ...] = key(CONNECTION, (), name="inputs:opacityThreshold.connect")
    ior: float = key(FLOAT, 1.5, name="inputs:ior")
    ior_from: tuple[str, ...] = key(CONNECTION, (), name="inputs:ior.connect")
    occlusion: float = key(FLOAT, 1.0, name="inputs:occlusion")
    occlusion_from: tuple[str, ...] = key(CONNECTION, (), name="inputs:occlusion.connect")
    normal: tuple[float, ...] = key(NORMAL3F, (0.0, 0.0, 1.0), name="inputs:normal")
    normal_from: tuple[str, ...] = key(CONNECTION, (), name="inputs:normal.connect")
    file: str = key(ASSET, "", name="inputs:file")
    file_from: tuple[str, ...] = key(CONNECTION, (), name="inputs:file.connect")
    st: tuple[float, ...] = key(FLOAT2, (0.0, 0.0), name="inputs:st")
    st_from: tuple[str, ...] = key(CONNECTION, (), name="inputs:st.connect")
    wrap_s: str = key(_WRAP, "useMetadata", name="inputs:wrapS")
    wrap_t: str = key(_WRAP, "useMetadata", name="inputs:wrapT")
    source_color_space: str = key(token("auto", "raw", "sRGB"), "auto", name="inputs:sourceColorSpace")
    varname: str = key(STRING, "", name="inputs:varname")
    varname_from: tuple[str, ...] = key(CONNECTION, (), name="inputs:varname.connect")

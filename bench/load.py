"""Time to read a model in a warm process."""

from __future__ import annotations

from bench._row import Row, medians, model

ROUNDS = 50


def run() -> list[Row]:
    import yourdfpy

    import unibody

    body, urdf = model("SR1.body"), model("SR1.urdf")
    for path in (body, urdf):
        if unibody.read(path).robot is None:
            raise RuntimeError(f"{path} cannot be read")

    def peer(scene_graph: bool) -> object:
        return yourdfpy.URDF.load(str(urdf), load_meshes=False, build_scene_graph=scene_graph)

    seconds = medians(
        {
            "body": lambda: unibody.read(body),
            "urdf": lambda: unibody.read(urdf),
            "yourdfpy": lambda: peer(True),
            "yourdfpy, no scene graph": lambda: peer(False),
        },
        ROUNDS,
    )
    peers = {name: 1e3 * value for name, value in seconds.items() if name.startswith("yourdfpy")}
    return [
        Row(f"read {body.name}", 1e3 * seconds["body"], {}, "< 12 ms", "ms"),
        Row(f"read {urdf.name}", 1e3 * seconds["urdf"], peers, "<= 0.8 x yourdfpy", "ms"),
    ]

"""The lights of a simulation's pictures: those of the robot's devices, and two that every scene has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from unibody.model.device import DirectionalLight, PointLight, SpotLight
from unibody.model.robot import Robot
from unibody.simulation.checks import has_mjcf
from unibody.text.near import suggestion

KINDS = (PointLight, SpotLight, DirectionalLight)

# Ambient, diffuse and specular parts of the light at the camera, of models that state none of their own.
_HEAD = (0.3, 0.5, 0.1)
# The light of the world: its diffuse part and its direction.
_WORLD, _DOWN = 0.4, (0.2, 0.35, -0.9)


class Lights(Mapping[str, bool]):
    """Whether each light device of the robot is on, by name; assign to switch it.

    ``head`` is a light at the camera, ``world`` one from above, both on at first, as in Choreonoid. A model
    from MJCF has the head light that it states, and no other one.

    >>> import pytest, unibody as ub
    >>> mujoco = pytest.importorskip("mujoco", reason="needs the extra 'simulate' (mujoco)")
    >>> sim = ub.simulate(ub.load("src/unibody/models/biped.body"))
    >>> sim.lights.world = False
    """

    def __init__(self, robot: Robot, model: Any) -> None:
        self._robot, self._model = robot, model
        self._stated = has_mjcf(robot)
        named = {model.light(i).name: i for i in range(model.nlight)}
        lights = [device.name for device in robot.devices if isinstance(device.spec, KINDS)]
        self._ids = {name: named[name] for name in lights if name in named}
        self.head = not self._stated or bool(model.vis.headlight.active)
        self.world = not self._stated

    def __repr__(self) -> str:
        on = [name for name, state in self.items() if state]
        return f"<Lights that are on: {', '.join(on) or 'none'}>"

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    def __getitem__(self, name: str) -> bool:
        return bool(self._model.light_active[self._id(name)])

    def __setitem__(self, name: str, on: bool) -> None:
        self._model.light_active[self._id(name)] = bool(on)

    def take(self, other: Lights) -> None:
        """Be on and off like other lights of the same robot."""
        self.head, self.world = other.head, other.world
        for name, on in other.items():
            self[name] = on

    def light(self, scene: Any) -> None:
        """Set the lights of an engine's scene that was just updated."""
        import mujoco

        kinds = mujoco.mjtLightType
        for light in scene.lights[: scene.nlight]:
            if light.headlight:
                self._adapt_head(light)
            if light.headlight and not self._stated:
                # not along the view: the parts of a picture through a fish-eye lens have different ones
                light.type, light.headlight = kinds.mjLIGHT_POINT, 0
                light.pos[:], light.attenuation[:] = scene.camera[0].pos, (1.0, 0.0, 0.0)
            if light.type == kinds.mjLIGHT_POINT:  # the renderer draws a cone of all directions only
                light.type, light.cutoff, light.exponent = kinds.mjLIGHT_SPOT, 180.0, 0.0
                light.castshadow = 0  # a map of shadows has no cone of all directions
                if light.id >= 0:  # the engine's scene has no attenuation of point lights
                    light.attenuation[:] = self._model.light_attenuation[light.id]
        if self.world and scene.nlight < len(scene.lights):
            self._add_world(scene.lights[scene.nlight])
            scene.nlight += 1

    def _adapt_head(self, light: Any) -> None:
        for part, value in zip((light.ambient, light.diffuse, light.specular), _HEAD, strict=True):
            if not self.head:
                part[:] = 0.0
            elif not self._stated:
                part[:] = value

    def _add_world(self, light: Any) -> None:
        import mujoco

        light.type = mujoco.mjtLightType.mjLIGHT_DIRECTIONAL
        light.headlight, light.castshadow, light.texid = 0, 0, -1
        light.pos[:], light.dir[:], light.attenuation[:] = 0.0, _DOWN, (1.0, 0.0, 0.0)
        light.ambient[:], light.diffuse[:], light.specular[:] = 0.0, _WORLD, 0.0

    def _id(self, name: str) -> int:
        found = self._ids.get(name)
        if found is None:
            raise KeyError(f"{self._robot.name!r} has no light {name!r}{suggestion(name, list(self._ids))}")
        return found

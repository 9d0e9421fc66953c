// Sensors and lights; enabled lights illuminate the scene.

import {
  BufferGeometry,
  Color,
  DirectionalLight,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  type Light,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  PointLight,
  SphereGeometry,
  SpotLight,
  SRGBColorSpace,
} from "three";
import type { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { same } from "../items";
import type { DeviceData, Vector3 } from "../model";
import { fromNumbers } from "../pose";
import type { Settings } from "../settings";
import type { State } from "../state";
import { glyph, lightDirection, number } from "./glyphs";
import { ON_TOP, ORDER, pen, placedGroup, segments } from "./lines";
import type { Part } from "./part";
import { place } from "./place";
import type { Theme } from "./theme";

// Shaders support a limited number of lights.
const MOST_LIGHTS = 8;
/** Maximum drawn range of a device, as a share of the model's size. */
const REACH = 0.32;

interface Drawn {
  readonly holder: Group;
  readonly sized: Group;
  readonly metric: Group;
  readonly handle: Mesh;
}

export class Devices implements Part {
  readonly #drawn: Drawn[];
  readonly #lights: Light[] = [];
  readonly #pens = {
    plain: pen({ width: 1.5, opacity: 0.9 }),
    chosen: pen({ width: 3 }),
    light: pen({ width: 1.5 }),
  };
  readonly #fill = new MeshBasicMaterial({ ...ON_TOP, opacity: 0.06, side: DoubleSide });
  readonly #handle = new MeshBasicMaterial({ ...ON_TOP, opacity: 0 });

  constructor(
    private readonly state: State,
    private readonly settings: Settings,
    links: readonly Group[],
  ) {
    const ball = new SphereGeometry(1, 12, 8);
    this.#drawn = state.robot.devices.map((device, index) => {
      const holder = placedGroup();
      place(holder, fromNumbers(device.pose));
      const [sized, metric] = [new Group(), new Group()];
      // Lines are too thin to be picked.
      const handle = new Mesh(ball, this.#handle);
      handle.userData = { item: { kind: "device", index }, link: device.link };
      holder.add(sized, metric, handle);
      links[device.link]!.add(holder);
      this.#light(device, holder);
      return { holder, sized, metric, handle };
    });
    this.layers();
  }

  layers(): void {
    const { devices } = this.settings.layers;
    this.#drawn.forEach(({ holder }) => (holder.visible = devices));
  }

  light(): void {
    this.#drawn.forEach(({ sized, metric }, index) => {
      const item = { kind: "device", index } as const;
      const chosen = same(this.state.selected, item) || same(this.state.hovered, item);
      for (const line of [...sized.children, ...metric.children]) {
        if (line.userData["lines"]) {
          (line as Mesh).material = chosen ? this.#pens.chosen : this.#penOf(this.state.robot.devices[index]!);
        }
      }
    });
  }

  targets(): Object3D[] {
    return this.settings.layers.devices ? this.#drawn.map(({ handle }) => handle) : [];
  }

  scale(size: number): void {
    this.#drawn.forEach(({ sized, metric, handle }, index) => {
      const device = this.state.robot.devices[index]!;
      const drawn = glyph(device, REACH * size);
      for (const [group, points] of [[sized, drawn.sized], [metric, drawn.metric]] as const) {
        emptied(group);
        if (points.length) {
          const lines = segments(points, this.#penOf(device));
          lines.userData = { lines: true };
          group.add(lines);
        }
      }
      if (drawn.fill.length) {
        metric.add(solid(drawn.fill, this.#fill));
      }
      sized.scale.setScalar(size);
      handle.scale.setScalar(0.022 * size);
    });
    this.light();
  }

  theme(theme: Theme): void {
    this.#pens.plain.color = this.#fill.color = theme.device;
    this.#pens.chosen.color = theme.accent;
    this.#pens.light.color = theme.light;
  }

  #penOf({ kind }: DeviceData): LineMaterial {
    return kind.endsWith("Light") ? this.#pens.light : this.#pens.plain;
  }

  #light(device: DeviceData, holder: Group): void {
    const made = this.#lights.length < MOST_LIGHTS && device.on ? lightOf(device) : null;
    if (made) {
      holder.add(made);
      if ("target" in made) {
        const [x, y, z] = lightDirection(device.spec);
        const target = made.target as Object3D;
        target.position.set(x, y, z);
        holder.add(target);
      }
      this.#lights.push(made);
    }
  }
}

/** Remove the objects of a group and free their GPU memory. */
function emptied(group: Group): void {
  group.children.forEach((drawn) => (drawn as Mesh).geometry.dispose());
  group.clear();
}

function solid(points: readonly Vector3[], material: MeshBasicMaterial): Mesh {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(points.flat() as number[], 3));
  const mesh = new Mesh(geometry, material);
  mesh.renderOrder = ORDER - 1;
  return mesh;
}

/** The three.js light of a device, if it is a light. */
function lightOf({ kind, spec }: DeviceData): Light | null {
  const [r, g, b] = (Array.isArray(spec["color"]) ? spec["color"] : [1, 1, 1]) as number[];
  const color = new Color().setRGB(r ?? 1, g ?? 1, b ?? 1, SRGBColorSpace);
  // Intensity 1 shows a white surface as full white.
  const strength = Math.PI * number(spec["intensity"], 1);
  switch (kind) {
    case "PointLight":
      return new PointLight(color, strength, 0, fading(spec));
    case "SpotLight": {
      const angle = Math.min(number(spec["cut_off_angle"], Math.PI / 4), Math.PI / 2);
      const full = Math.min(number(spec["beam_width"], Math.PI / 2), angle);
      return new SpotLight(color, strength, 0, angle, angle > 0 ? 1 - full / angle : 0, fading(spec));
    }
    case "DirectionalLight":
      return new DirectionalLight(color, strength);
    default:
      return null;
  }
}

/** The exponent of a light's decay with distance: the highest one with an attenuation coefficient. */
function fading(spec: DeviceData["spec"]): number {
  const parts = (Array.isArray(spec["attenuation"]) ? spec["attenuation"] : []) as unknown[];
  return number(parts[2], 0) > 0 ? 2 : number(parts[1], 0) > 0 ? 1 : 0;
}

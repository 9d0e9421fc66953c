// Workspace points in the scene.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  type Group,
  LineBasicMaterial,
  LineSegments,
  Points,
  PointsMaterial,
  SRGBColorSpace,
  Vector3 as Corner,
} from "three";
import { type Cloud, edgesWithin, extent, outermost, rampAt, shades, spacing, withinCut } from "../cloud";
import type { Vector3 } from "../model";
import { compose, inverse, origin, type Pose } from "../pose";
import type { Settings } from "../settings";
import type { State } from "../state";
import { placedGroup } from "./lines";
import type { Part } from "./part";
import { place } from "./place";

// Size of a point as a share of the spacing, and its minimum in pixels.
const WIDE = 0.5;
const LEAST = 2;
// Number of directions in which extreme points are searched.
const WAYS = 120;
// three.js defines the point size as the height in a view that is two units high at distance 1.
const LENS = 1 / Math.tan((16 * Math.PI) / 180);

export class CloudView implements Part {
  readonly #holder = placedGroup();
  readonly #material = round(new PointsMaterial({ vertexColors: true }));
  #shown: Cloud | null = null;
  readonly #pen = new LineBasicMaterial({ vertexColors: true });
  #points: Points | null = null;
  #edges: LineSegments | null = null;
  #outermost: readonly number[] = [];

  constructor(
    private readonly state: State,
    private readonly settings: Settings,
    robot: Group,
  ) {
    robot.add(this.#holder);
    this.cloud();
  }

  /** Redraw the points. */
  cloud(): void {
    const { cloud } = this.state;
    if (cloud !== this.#shown) {
      this.#shown = cloud;
      this.#outermost = cloud ? outermost(cloud.points, WAYS) : [];
      this.#points?.geometry.dispose();
      this.#edges?.geometry.dispose();
      this.#edges = null;
      this.#holder.clear();
      this.#points = cloud ? new Points(new BufferGeometry(), this.#material) : null;
      if (cloud && this.#points) {
        this.#points.geometry.setAttribute("position", new BufferAttribute(cloud.points, 3));
        this.#material.size = WIDE * LENS * spacing(cloud.points);
        this.#holder.add(this.#points);
      }
      if (cloud?.edges && this.#points) {
        this.#edges = new LineSegments(new BufferGeometry(), this.#pen);
        this.#edges.geometry.setAttribute("position", this.#points.geometry.getAttribute("position"));
        this.#holder.add(this.#edges);
      }
    }
    if (cloud && this.#points) {
      const { geometry } = this.#points;
      const { shade, cut } = this.state.look;
      geometry.setAttribute("color", new BufferAttribute(colors(shades(cloud.points, shade, this.#root)), 3));
      geometry.setIndex(new BufferAttribute(withinCut(cloud.points, cut), 1));
      this.#edges?.geometry.setAttribute("color", geometry.getAttribute("color"));
      this.#edges?.geometry.setIndex(new BufferAttribute(edgesWithin(cloud, cut), 1));
    }
    this.layers();
    this.pose();
  }

  /** Move the points with the root. */
  pose(): void {
    const { poses, robot, first } = this.state;
    const root = robot.order[0]!;
    place(this.#holder, compose(poses[root]!, inverse(first[root]!)));
  }

  layers(): void {
    this.#holder.visible = this.settings.layers.workspace;
  }

  /** The extreme points, in the robot's world; none if the points are hidden. */
  corners(): Corner[] {
    const { cloud } = this.state;
    return cloud && this.#holder.visible ? this.#outermost.map((index) => this.#at(cloud, index)) : [];
  }

  /** x, y, z of all points drawn, in the robot's world. */
  drawn(): number[] {
    const { cloud, look } = this.state;
    return cloud && this.#holder.visible
      ? [...withinCut(cloud.points, look.cut)].flatMap((index) => this.#at(cloud, index).toArray())
      : [];
  }

  #at({ points }: Cloud, index: number): Corner {
    return new Corner(...points.subarray(3 * index, 3 * index + 3)).applyMatrix4(this.#holder.matrix);
  }

  get #root(): Vector3 {
    const { first, robot } = this.state;
    return origin(first[robot.order[0]!] as Pose);
  }
}

/** A color for each value, from the minimum to the maximum. */
function colors(values: Float32Array): Float32Array {
  const [low, high] = extent(values);
  const out = new Float32Array(3 * values.length);
  const color = new Color();
  values.forEach((value, index) => {
    const share = high > low ? (value - low) / (high - low) : 0;
    color.setRGB(...rampAt(share), SRGBColorSpace).toArray(out, 3 * index);
  });
  return out;
}

/** A material of discs with a minimum size in pixels. */
function round(material: PointsMaterial): PointsMaterial {
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader.replace(
      "#include <logdepthbuf_vertex>",
      `gl_PointSize = max(gl_PointSize, ${LEAST.toFixed(1)});\n#include <logdepthbuf_vertex>`,
    );
    shader.fragmentShader = shader.fragmentShader.replace(
      "#include <clipping_planes_fragment>",
      "if (length(gl_PointCoord - vec2(0.5)) > 0.5) discard;\n#include <clipping_planes_fragment>",
    );
  };
  return material;
}

// Glyphs of devices, in the device's frame: line segments between pairs of points.

import type { DeviceData, Vector3 } from "../model";
import { arc, arrow, path } from "./lines";

/** Line segments of a device: scaled with the model, and in meters. */
export interface Glyph {
  readonly sized: readonly Vector3[];
  readonly metric: readonly Vector3[];
  /** Triangle vertices of the covered volume, in meters. */
  readonly fill: readonly Vector3[];
}

const NOTHING: Glyph = { sized: [], metric: [], fill: [] };
const QUARTER = Math.PI / 2;

/** The glyph of a device; ``reach`` is the maximum drawn range in m. */
export function glyph({ kind, spec }: DeviceData, reach: number): Glyph {
  switch (kind) {
    case "Camera":
      return camera(spec, reach);
    case "RangeSensor":
      return rangeSensor(spec, reach);
    case "ForceTorque":
      return { ...NOTHING, sized: [...triad(0.075, arrow()), ...triad(1, curl(0.032, 0.05))] };
    case "ContactSwitch":
      return { ...NOTHING, sized: [...box(0.016, 0.016, -0.008, 0), ...box(0.008, 0.008, 0, 0.006)] };
    case "Accelerometer":
      return { ...NOTHING, sized: [...triad(0.05, arrow(0.3)), ...cube(0.011)] };
    case "Gyro":
      return { ...NOTHING, sized: [...triad(1, curl(0.022, 0)), ...cube(0.011)] };
    case "Imu":
      return { ...NOTHING, sized: [...triad(0.05, arrow(0.3)), ...triad(1, curl(0.022, 0)), ...cube(0.011)] };
    case "PointLight":
      return { ...NOTHING, sized: [...ball(0.016), ...rays(0.024, 0.042)] };
    case "SpotLight":
      return { ...NOTHING, sized: [...ball(0.012), ...spot(spec)] };
    case "DirectionalLight":
      return { ...NOTHING, sized: sun(spec) };
    default:
      return { ...NOTHING, sized: octahedron(0.016) };
  }
}

/** A frustum between the near and far planes; it looks along -Z, Y is up. */
function camera(spec: DeviceData["spec"], reach: number): Glyph {
  const body = box(0.016, 0.012, 0, 0.03);
  const [near, far] = [number(spec["near"], 0.04), number(spec["far"], 200)];
  const end = Math.min(far, Math.max(reach, 2 * near));
  if (spec["lens"] !== "normal") {
    return { ...NOTHING, sized: body, metric: dome(number(spec["field_of_view"], Math.PI), end) };
  }
  const [x, y] = viewSlopes(spec);
  const plane = (at: number): Vector3[] => [
    [x * at, y * at, -at], [-x * at, y * at, -at], [-x * at, -y * at, -at], [x * at, -y * at, -at],
  ];
  const [front, back] = [plane(near), plane(end)];
  const edges = front.flatMap((corner, index) => [corner, back[index]!]);
  // The far plane is drawn only if it is within reach.
  const limit = far <= end ? path(back, true) : [];
  // A triangle marks the upper side.
  const [half, height] = [x * end * 0.3, y * end];
  const upright: Vector3[] = [[-half, height, -end], [0, height * 1.16, -end], [half, height, -end]];
  const sides = [0, 1, 2, 3].flatMap((i) => {
    const next = (i + 1) % 4;
    return [front[i]!, back[i]!, back[next]!, front[i]!, back[next]!, front[next]!];
  });
  return { sized: body, metric: [...path(front, true), ...edges, ...limit, ...path(upright)], fill: sides };
}

/** Half width and half height of the image at distance 1; the field of view spans the shorter side. */
export function viewSlopes(spec: DeviceData["spec"]): readonly [number, number] {
  const slope = Math.tan(Math.min(number(spec["field_of_view"], Math.PI / 4), 3.1) / 2);
  const [width, height] = [number(spec["width"], 640), number(spec["height"], 480)];
  return width >= height
    ? [(slope * width) / Math.max(1, height), slope]
    : [slope, (slope * height) / Math.max(1, width)];
}

/** The field of view of a fisheye lens, as a part of a sphere about -Z. */
function dome(angle: number, radius: number): Vector3[] {
  const half = Math.min(angle / 2, Math.PI);
  const tilted = (phi: number): Vector3[] =>
    arc(radius, -half, half).map(([x, y]) => [y * Math.cos(phi), y * Math.sin(phi), -x]);
  const rim = arc(radius * Math.sin(half), 0, 2 * Math.PI, -radius * Math.cos(half));
  return [...path(tilted(0)), ...path(tilted(QUARTER)), ...path(rim)];
}

/** A fan about -Z: rotated about Y (yaw), then tilted about X (pitch). */
function rangeSensor(spec: DeviceData["spec"], reach: number): Glyph {
  const at = (yaw: number, pitch: number, radius: number): Vector3 => [
    -radius * Math.sin(yaw) * Math.cos(pitch),
    radius * Math.sin(pitch),
    -radius * Math.cos(yaw) * Math.cos(pitch),
  ];
  const [left, right] = [number(spec["min_yaw"], 0), number(spec["max_yaw"], 0)];
  const [low, high] = [number(spec["min_pitch"], 0), number(spec["max_pitch"], 0)];
  const near = number(spec["min_distance"], 0.1);
  const most = number(spec["max_distance"], 10);
  const far = Math.min(most, Math.max(reach, 2 * near));
  const pitches = high > low ? [low, (low + high) / 2, high] : [low];
  const turns = Array.from({ length: 25 }, (_, i) => left + ((right - left) * i) / 24);
  const lines = pitches.flatMap((pitch) => [
    ...path(turns.map((yaw) => at(yaw, pitch, far))),
    ...path(turns.map((yaw) => at(yaw, pitch, near))),
    ...turns.filter((_, i) => i % 6 === 0).flatMap((yaw) => [at(yaw, pitch, near), at(yaw, pitch, far)]),
  ]);
  const fill = turns.slice(1).flatMap((yaw, i) => [
    at(turns[i]!, pitches[0]!, near), at(turns[i]!, pitches[0]!, far), at(yaw, pitches[0]!, far),
    at(turns[i]!, pitches[0]!, near), at(yaw, pitches[0]!, far), at(yaw, pitches[0]!, near),
  ]);
  return { sized: path(arc(0.014, 0, 2 * Math.PI)).map(([x, y, z]) => [x, z, y]), metric: lines, fill };
}

/** Lines along Z, repeated along X, Y and Z. */
function triad(size: number, lines: readonly Vector3[]): Vector3[] {
  const turns = [
    ([x, y, z]: Vector3): Vector3 => [z, x, y],
    ([x, y, z]: Vector3): Vector3 => [y, z, x],
    (point: Vector3): Vector3 => point,
  ];
  return turns.flatMap((turn) => lines.map(([x, y, z]) => turn([size * x, size * y, size * z])));
}

/** A circular arrow of 270° about Z. */
function curl(radius: number, z: number): Vector3[] {
  const points = arc(radius, 0, 3 * QUARTER, z);
  const head = radius * 0.35;
  const tip: Vector3 = [0, -radius, z];
  return [...path(points), tip, [-head, -radius - head, z], tip, [-head, -radius + head, z]];
}

function cube(half: number): Vector3[] {
  return box(half, half, -half, half);
}

/** The edges of a box, from one height to another. */
function box(x: number, y: number, low: number, high: number): Vector3[] {
  const plate = (z: number): Vector3[] => [[x, y, z], [-x, y, z], [-x, -y, z], [x, -y, z]];
  const [bottom, top] = [plate(low), plate(high)];
  return [...path(bottom, true), ...path(top, true), ...bottom.flatMap((corner, i) => [corner, top[i]!])];
}

function ball(radius: number): Vector3[] {
  const ring = path(arc(radius, 0, 2 * Math.PI));
  return [...ring, ...ring.map(([x, y]): Vector3 => [x, 0, y]), ...ring.map(([x, y]): Vector3 => [0, x, y])];
}

function rays(from: number, to: number): Vector3[] {
  const d = Math.SQRT1_2;
  const ways: Vector3[] = [
    [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1],
    [d, d, 0], [-d, d, 0], [d, -d, 0], [-d, -d, 0],
  ];
  return ways.flatMap(([x, y, z]) => [[x * from, y * from, z * from] as const, [x * to, y * to, z * to] as const]);
}

/** A cone of light; for the direction see ``turnTo``. */
function spot(spec: DeviceData["spec"]): Vector3[] {
  const angle = Math.min(number(spec["cut_off_angle"], Math.PI / 4), 1.4);
  const [length, radius] = [0.12 * Math.cos(angle), 0.12 * Math.sin(angle)];
  const rim = arc(radius, 0, 2 * Math.PI, length);
  const edges = [0, 1, 2, 3].flatMap((i): Vector3[] => [
    [0, 0, 0], [radius * Math.cos(i * QUARTER), radius * Math.sin(i * QUARTER), length],
  ]);
  return turned(spec, [...path(rim), ...edges]);
}

/** Parallel arrows. */
function sun(spec: DeviceData["spec"]): Vector3[] {
  const places = [[0, 0], [0.03, 0], [-0.03, 0], [0, 0.03], [0, -0.03]] as const;
  return turned(
    spec,
    places.flatMap(([x, y]) => arrow().map(([a, b, c]): Vector3 => [0.09 * a + x, 0.09 * b + y, 0.09 * c])),
  );
}

/** Lines along Z, rotated to the direction of a light. */
function turned(spec: DeviceData["spec"], lines: readonly Vector3[]): Vector3[] {
  const [x, y, z] = lightDirection(spec);
  const side: Vector3 = Math.abs(z) > 0.9 ? [1, 0, 0] : [0, 0, 1];
  const u = normal([side[1] * z - side[2] * y, side[2] * x - side[0] * z, side[0] * y - side[1] * x]);
  const v: Vector3 = [y * u[2] - z * u[1], z * u[0] - x * u[2], x * u[1] - y * u[0]];
  return lines.map(([a, b, c]) => [
    a * u[0] + b * v[0] + c * x, a * u[1] + b * v[1] + c * y, a * u[2] + b * v[2] + c * z,
  ]);
}

/** The unit direction of a light, in the device's frame. */
export function lightDirection(spec: DeviceData["spec"]): Vector3 {
  const given = spec["direction"];
  return Array.isArray(given) && given.length === 3 ? normal(given as unknown as Vector3) : [0, 0, -1];
}

function normal(v: Vector3): Vector3 {
  const length = Math.hypot(...v);
  return length > 0 ? [v[0] / length, v[1] / length, v[2] / length] : [0, 0, -1];
}

function octahedron(r: number): Vector3[] {
  const ring: Vector3[] = [[r, 0, 0], [0, r, 0], [-r, 0, 0], [0, -r, 0]];
  const poles: Vector3[] = [[0, 0, r], [0, 0, -r]];
  return [...path(ring, true), ...poles.flatMap((pole) => ring.flatMap((corner) => [pole, corner]))];
}

/** A number of a specification, or its default. */
export function number(value: unknown, other: number): number {
  return typeof value === "number" && Number.isFinite(value) ? value : other;
}

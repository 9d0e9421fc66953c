// Data of the page: the header written by unibody/page/data.py, and the arrays that follow it.
// Lengths in m, angles in rad, masses in kg; indices refer to the lists of the header.

import type { JointKind } from "./kinds";

export type Vector3 = readonly [number, number, number];

/** Position x, y, z and unit quaternion w, x, y, z. */
export type PoseNumbers = readonly [number, number, number, number, number, number, number];

/** An affine transform: three rows of four numbers. */
export type Place = readonly number[];

/** A number, a vector, a matrix, a text, or a pair of optional bounds. */
export type Value =
  | string
  | number
  | boolean
  | readonly number[]
  | readonly (readonly number[])[]
  | { readonly range: readonly [number | null, number | null] };

export type Property = readonly [label: string, value: Value, unit: string];

/** A source location: source, first and last line, column, and length in the first line. */
export type SourcePlace = readonly [source: number, line: number, last: number, column: number, length: number];

export interface SourceData {
  readonly name: string;
  readonly note: string;
  /** Beginnings of lines, by line number; excerpts of long lines, by "line:column". */
  readonly lines: Readonly<Record<string, string>>;
}

/** An item with a name, properties, and a source location. */
interface Described {
  readonly name: string;
  readonly properties: readonly Property[];
  readonly at: SourcePlace | null;
}

export interface LinkData extends Described {
  /** The parent link, and the joint that moves this link; -1 for the root, and for the surroundings. */
  readonly parent: number;
  readonly joint: number;
  readonly mass: number;
  readonly com: Vector3;
  /** Principal moments, and the rotation from the link's axes to the principal axes. */
  readonly inertia: { readonly moments: Vector3; readonly axes: readonly number[] } | null;
}

export interface JointData extends Described {
  /** "fixed" for a joint whose data are incomplete; ``held`` is then its kind. */
  readonly kind: JointKind;
  readonly held: JointKind | null;
  readonly child: number;
  readonly origin: PoseNumbers;
  readonly axis: Vector3;
  /** The second axis of a universal joint. */
  readonly axis2: Vector3 | null;
  /** Translation of a screw joint per angle, in m/rad. */
  readonly lead: number;
  /** Position limits; null if unlimited. */
  readonly lower: number | null;
  readonly upper: number | null;
  readonly initial: number;
}

/** position(joint) = ratio · position(leader) + offset; without a leader, its position is 0. */
export interface FollowerData {
  readonly joint: number;
  readonly leader: number | null;
  readonly ratio: number;
  readonly offset: number;
}

/** Two anchors that a loop constrains; the axis is in the frame of the first anchor. */
export interface LoopData extends Described {
  readonly a: number;
  readonly b: number;
  readonly poseA: PoseNumbers;
  readonly poseB: PoseNumbers;
  readonly axis: Vector3;
  readonly holds: readonly [along: boolean, across: boolean, about: boolean, tilt: boolean];
}

export interface DeviceData extends Described {
  readonly link: number;
  readonly pose: PoseNumbers;
  readonly kind: string;
  readonly label: string;
  readonly on: boolean;
  readonly spec: Readonly<Record<string, unknown>>;
}

export interface FrameData extends Described {
  readonly link: number;
  readonly pose: PoseNumbers;
  readonly trace: boolean;
}

/** A named posture: joints and their positions. */
export interface PostureData {
  readonly name: string;
  readonly positions: readonly (readonly [joint: number, position: number])[];
}

/** A coordinate of MPK's normalized vector: the positions of joints at 0 and at 1. */
export interface CoordinateData {
  readonly default: number;
  readonly cyclic: boolean;
  readonly drives: readonly (readonly [joint: number, atZero: number, atOne: number])[];
}

export interface CollisionData {
  readonly default: "all" | "none" | "not_adjacent";
  readonly enabled: readonly (readonly [number, number])[];
  readonly disabled: readonly (readonly [number, number])[];
  /** Pairs of one rigid body, or of two that a joint connects, that are not tested for that reason. */
  readonly adjacent: readonly (readonly [number, number])[];
}

export interface MaterialData {
  readonly diffuse: Vector3;
  readonly emissive: Vector3;
  readonly specular: Vector3;
  readonly shininess: number;
  readonly opacity: number;
  /** -1 if none. */
  readonly texture: number;
}

/** Element type, offset in bytes after the header, number of elements. */
export type ArrayData = readonly ["f4" | "i2" | "u1" | "u2" | "u4", number, number];

export interface TextureData {
  readonly bytes: ArrayData;
  /** A media type, or "pixels": RGBA, bottom row first, of this width and height. */
  readonly type: string;
  readonly width?: number;
  readonly height?: number;
  readonly repeat: readonly [boolean, boolean];
  /** Whether its pixels are not to be seen. */
  readonly smooth?: boolean;
  /** The transform of the texture coordinates: two rows of three numbers. */
  readonly matrix: readonly number[] | null;
}

export interface MeshData {
  readonly kind: "triangles" | "lines" | "points";
  readonly vertices: ArrayData;
  readonly indices: ArrayData | null;
  readonly normals: ArrayData | null;
  readonly colors: ArrayData | null;
  readonly coords: ArrayData | null;
  /** Whether its triangles enclose a volume, facing outward. */
  readonly closed?: boolean;
}

/** A mesh on a link; material -1 is the default material. */
export interface ShapeData {
  readonly link: number;
  readonly mesh: number;
  readonly material: number;
  readonly place: Place;
  readonly name: string;
  /** The group of MJCF by which viewers show shapes; 0 if absent. */
  readonly group?: number;
  /** Whether it is a shape of group 0 that collides, beside others of its link that are only seen. */
  readonly behind?: boolean;
  /** The turns of the header that make its mesh file upright: as the file states its axis, and with Y up. */
  readonly turn?: readonly [stated: number, y: number];
  /** The frame that a site belongs to. */
  readonly frame?: number;
  /** Whether the inside belongs to the shape in collisions: of boxes and round shapes, not of meshes. */
  readonly solid?: boolean;
}

/** What is proved of a pair of links of the first robot, and the positions in which it collides. */
export type ProofData = readonly [
  a: number, b: number, status: "adjacent" | "always" | "never" | "possible" | "unseen",
  witness: readonly number[] | null,
];

/** The range of a joint that is proved free (rad or m), and the names of the links that touch beyond its ends. */
export interface RangeData {
  readonly joint: number;
  readonly low: number;
  readonly high: number;
  readonly below: readonly [string, string] | null;
  readonly above: readonly [string, string] | null;
}

/** Proved ranges around positions, but for the pairs of links that touch there. */
export interface RangesData {
  readonly positions: readonly number[];
  readonly joints: readonly RangeData[];
  readonly touching: readonly (readonly [string, string])[];
}

/** A mesh that cannot be shown. */
export interface MissingData {
  readonly link: number;
  readonly place: Place;
}

export type ShapeSet = "visual" | "collision";

/** Shapes that are drawn: also those of sites. */
export type DrawnSet = ShapeSet | "site";

export type Severity = "error" | "warning" | "info";

/** What a finding has an effect on, in the order in which findings are listed. */
export const EFFECTS = ["picture", "motion", "mass", "contact", "control", "text"] as const;
export type Effect = (typeof EFFECTS)[number];

export interface FindingData {
  readonly code: string;
  readonly severity: Severity;
  readonly effect: Effect;
  readonly message: string;
  readonly hint: string;
  readonly at: SourcePlace | null;
  /** The link of the finding, -1 if unknown. */
  readonly link: number;
}

/** Findings, and the lines that their places refer to. */
export interface FindingsData {
  readonly findings: readonly FindingData[];
  readonly sources: readonly SourceData[];
}

export interface RobotData extends FindingsData {
  readonly name: string;
  readonly file: string;
  readonly format: string;
  readonly base: "fixed" | "free" | null;
  /** Initial positions: the pose of the root (7 numbers), then the joints. */
  readonly start: readonly number[];
  readonly links: readonly LinkData[];
  /** All links, parents before children; the root is the first, surroundings are the last. */
  readonly order: readonly number[];
  readonly joints: readonly JointData[];
  /** Couplings, leaders before followers. */
  readonly followers: readonly FollowerData[];
  readonly loops: readonly LoopData[];
  readonly devices: readonly DeviceData[];
  readonly frames: readonly FrameData[];
  readonly poses: readonly PostureData[];
  /** Empty if the robot has no normalized vector. */
  readonly coordinates: readonly CoordinateData[];
  readonly collision: CollisionData;
  readonly shapes: Readonly<Record<ShapeSet, readonly ShapeData[]>>;
  /** The shapes of the sites of MJCF, which have frames. */
  readonly sites: readonly ShapeData[];
  readonly missing: Readonly<Record<ShapeSet, readonly MissingData[]>>;
  /** Whether the findings are all those of unibody check. */
  readonly checked: boolean;
}

/** What a difference matters for, in the order in which differences are listed. */
export const ASPECTS = [
  "motion", "mass", "sensors", "actuation", "shape", "vendor", "planning", "looks", "numbering", "cosmetics",
] as const;
export type Aspect = (typeof ASPECTS)[number];

export interface DifferenceData {
  readonly path: string;
  /** The name of the item of the path, "" for none, and the field of it. */
  readonly item: string;
  readonly field: string;
  readonly kind: string;
  readonly aspect: Aspect;
  readonly text: string;
  /** The links of the difference in both robots, -1 if unknown. */
  readonly links: readonly [number, number];
}

/** Matching items of two robots, as pairs of indices, and the differences. */
export interface ComparisonData {
  readonly links: readonly (readonly [number, number])[];
  readonly joints: readonly (readonly [number, number])[];
  /** Number of differences; the list may be truncated. */
  readonly count: number;
  readonly differences: readonly DifferenceData[];
}

export interface MotionData {
  readonly name: string;
  /** Joint (-1: the base) and index of its position. */
  readonly columns: readonly (readonly [joint: number, part: number])[];
  /** Time of the first row, in s; the other times are relative to it. */
  readonly begin: number;
  readonly times: ArrayData;
  readonly values: ArrayData;
}

/** Workspace of a link or frame of the first robot: x, y, z of each point, in m. */
export interface WorkspaceData {
  readonly item: readonly [kind: "link" | "frame", index: number] | null;
  readonly samples: number;
  readonly method: string;
  readonly seed: number | null;
  readonly search: boolean;
  readonly points: ArrayData;
  /** Pairs of points that the edges of a search tree connect; null without one. */
  readonly edges: ArrayData | null;
}

/** Readings of a sensor at all rows of the motion: lines over time, or the distances of its rays. */
export interface PlotData {
  readonly name: string;
  /** The device, -1 if the robot has none of this name. */
  readonly device: number;
  readonly kind: "lines" | "scan";
  readonly what: string;
  readonly unit: string;
  /** Numbers in a row. */
  readonly size: number;
  readonly labels: readonly string[];
  readonly values: ArrayData;
  /** Of a scan: m per unit of the numbers, of which the largest is a ray without a return; rays at one pitch. */
  readonly scale?: number;
  readonly row?: number;
}

/** The pictures of a camera: PNG files and the times at which they were taken. */
export interface PictureData {
  readonly name: string;
  readonly device: number;
  readonly width: number;
  readonly height: number;
  readonly times: ArrayData;
  readonly frames: readonly ArrayData[];
}

/** A recorded run, besides its motion. */
export interface RecordData {
  /** False if the run was interrupted. */
  readonly finished: boolean;
  /** The link that the view follows, -1 for none. */
  readonly follow: number;
  readonly plots: readonly PlotData[];
  readonly rates: { readonly joints: readonly number[]; readonly velocities: ArrayData; readonly efforts: ArrayData } | null;
  readonly contacts: {
    readonly begins: ArrayData;
    readonly points: ArrayData;
    readonly forces: ArrayData;
    readonly usual: number;
  } | null;
  readonly pictures: readonly PictureData[];
}

export interface Header {
  readonly version: 2;
  /** One robot, or two that are compared. */
  readonly robots: readonly RobotData[];
  readonly comparison: ComparisonData | null;
  readonly materials: readonly MaterialData[];
  readonly meshes: readonly MeshData[];
  readonly textures: readonly TextureData[];
  /** Rotations of meshes, nine numbers each, in the axes of the geometry; the first is none. */
  readonly turns: readonly (readonly number[])[];
  readonly motion: MotionData | null;
  /** The run that the motion belongs to. */
  readonly record: RecordData | null;
  readonly workspace: WorkspaceData | null;
  /** All pairs of links with collision shapes, if they were examined. */
  readonly proof: readonly ProofData[] | null;
  /** The ranges of joints of the first robot that are proved free, if they were examined. */
  readonly ranges: RangesData | null;
  /** The axis that is drawn upward initially. */
  readonly up: "y" | "z";
  /** Initial joint positions (-1: the base) of the first robot, and visible layers ([]: the default). */
  readonly pose: readonly (readonly [joint: number, numbers: readonly number[]])[];
  readonly layers: readonly string[];
  /** Whether the server reports changes. */
  readonly live: boolean;
  /** Whether the server will have the findings of unibody check. */
  readonly checking: boolean;
  /** Whether the server saves poses in the model's files. */
  readonly editing: boolean;
}

export type Numbers = Float32Array | Int16Array | Uint8Array | Uint16Array | Uint32Array;

/** The header and the container's bytes. */
export interface Model extends Header {
  readonly bytes: ArrayBuffer;
  /** Offset of the arrays in the bytes. */
  readonly start: number;
}

/** A view of an array of the model (no copy). */
export function numbers(model: Model, [type, place, count]: ArrayData): Numbers {
  const at = model.start + place;
  switch (type) {
    case "f4":
      return new Float32Array(model.bytes, at, count);
    case "i2":
      return new Int16Array(model.bytes, at, count);
    case "u1":
      return new Uint8Array(model.bytes, at, count);
    case "u2":
      return new Uint16Array(model.bytes, at, count);
    case "u4":
      return new Uint32Array(model.bytes, at, count);
  }
}

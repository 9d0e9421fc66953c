// What the page is given: the header that unibody/view/data.py writes, and the arrays behind it.
// Lengths in m, angles in radians, masses in kg; indices are places in the lists of the header.

export type Vector3 = readonly [number, number, number];

/** Position x, y, z and unit quaternion w, x, y, z. */
export type PoseNumbers = readonly [number, number, number, number, number, number, number];

/** A placement that need not be rigid: three rows of four numbers. */
export type Place = readonly number[];

export interface LinkData {
  readonly name: string;
  /** The parent link and the joint that moves this one; -1 at the root. */
  readonly parent: number;
  readonly joint: number;
  readonly mass: number;
  readonly com: Vector3;
}

export interface JointData {
  readonly name: string;
  readonly kind: string;
  readonly child: number;
  readonly origin: PoseNumbers;
  readonly axis: Vector3;
  /** Bounds of the position; null where there is none. */
  readonly lower: number | null;
  readonly upper: number | null;
  readonly initial: number;
}

/** position(joint) = ratio · position(leader) + offset; without a leader, that position is 0. */
export interface FollowerData {
  readonly joint: number;
  readonly leader: number | null;
  readonly ratio: number;
  readonly offset: number;
}

export interface MaterialData {
  readonly diffuse: Vector3;
  readonly emissive: Vector3;
  readonly specular: Vector3;
  readonly shininess: number;
  readonly opacity: number;
}

/** Element type, place in bytes behind the header, number of elements. */
export type ArrayData = readonly ["f4" | "i2" | "u1" | "u2" | "u4", number, number];

export interface MeshData {
  readonly kind: "triangles" | "lines" | "points";
  readonly vertices: ArrayData;
  readonly indices: ArrayData | null;
  readonly normals: ArrayData | null;
  readonly colors: ArrayData | null;
}

/** A mesh on a link; material -1 is the plain one. */
export interface ShapeData {
  readonly link: number;
  readonly mesh: number;
  readonly material: number;
  readonly place: Place;
}

/** Where a mesh should be that cannot be shown. */
export interface MissingData {
  readonly link: number;
  readonly place: Place;
}

export type ShapeSet = "visual" | "collision";

export type Severity = "error" | "warning" | "info";

export interface FindingData {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint: string;
  readonly file: string;
  readonly line: number;
  /** The link that it speaks of, -1 if that is not known. */
  readonly link: number;
}

export interface Header {
  readonly version: 1;
  readonly name: string;
  readonly file: string;
  readonly format: string;
  readonly root: PoseNumbers;
  readonly links: readonly LinkData[];
  /** All links, parents before children. */
  readonly order: readonly number[];
  readonly joints: readonly JointData[];
  /** Leaders before those that follow them. */
  readonly followers: readonly FollowerData[];
  readonly materials: readonly MaterialData[];
  readonly meshes: readonly MeshData[];
  readonly shapes: Readonly<Record<ShapeSet, readonly ShapeData[]>>;
  readonly missing: Readonly<Record<ShapeSet, readonly MissingData[]>>;
  readonly findings: readonly FindingData[];
}

export type Numbers = Float32Array | Int16Array | Uint8Array | Uint16Array | Uint32Array;

/** The header with the bytes behind it. */
export interface Model extends Header {
  readonly bytes: ArrayBuffer;
  /** Where the arrays begin in the bytes. */
  readonly start: number;
}

/** The numbers of an array of the model, without a copy. */
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

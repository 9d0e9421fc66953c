// Smooth normals for meshes that state none: faces that meet at less than an angle look round.

// The cosine of 30°.
const SMOOTH = Math.cos(Math.PI / 6);

/** The vertices that are drawn, each a vertex of the mesh, with their normals; and the corners of the triangles. */
export interface Creased {
  readonly from: Uint32Array;
  readonly normals: Float32Array;
  readonly indices: Uint32Array;
}

/** Vertices are shared by faces that meet there at less than 30°, directly or one after another. */
export function creased(positions: ArrayLike<number>, corners: ArrayLike<number>): Creased {
  const count = positions.length / 3;
  const faces = Math.floor(corners.length / 3);
  const ways = faceNormals(positions, corners, faces);
  const same = welded(positions, count);
  // The faces around each place, as one list with the beginning of each part.
  const begins = new Uint32Array(count + 1);
  for (let i = 0; i < 3 * faces; i++) {
    begins[same[corners[i]!]! + 1]! += 1;
  }
  for (let i = 0; i < count; i++) {
    begins[i + 1]! += begins[i]!;
  }
  const fill = begins.slice();
  const around = new Uint32Array(3 * faces);
  for (let i = 0; i < 3 * faces; i++) {
    around[fill[same[corners[i]!]!]!++] = i;
  }
  const indices = new Uint32Array(3 * faces);
  const from: number[] = [];
  const normals: number[] = [];
  for (let place = 0; place < count; place++) {
    const here = around.subarray(begins[place], begins[place + 1]);
    for (const bunch of bunches(here, ways)) {
      const sum = [0, 0, 0];
      for (const corner of bunch) {
        const face = 4 * Math.floor(corner / 3);
        // The normals have the length 1; the fourth number is the area.
        sum.forEach((value, axis) => (sum[axis] = value + ways[face + axis]! * ways[face + 3]!));
        indices[corner] = from.length;
      }
      const length = Math.hypot(...sum) || 1;
      normals.push(sum[0]! / length, sum[1]! / length, sum[2]! / length);
      from.push(corners[bunch[0]!]!);
    }
  }
  return { from: Uint32Array.from(from), normals: Float32Array.from(normals), indices };
}

/** The corners at a place in bunches of faces that are smooth there. */
function bunches(corners: Uint32Array, ways: Float64Array): number[][] {
  const out: number[][] = [];
  for (const corner of corners) {
    const close = out.filter((bunch) => bunch.some((other) => isSmooth(corner, other, ways)));
    const [first, ...others] = close;
    if (!first) {
      out.push([corner]);
      continue;
    }
    first.push(corner);
    for (const bunch of others) {
      first.push(...bunch);
      out.splice(out.indexOf(bunch), 1);
    }
  }
  return out;
}

function isSmooth(corner: number, other: number, ways: Float64Array): boolean {
  const [a, b] = [4 * Math.floor(corner / 3), 4 * Math.floor(other / 3)];
  return ways[a]! * ways[b]! + ways[a + 1]! * ways[b + 1]! + ways[a + 2]! * ways[b + 2]! > SMOOTH;
}

/** The unit normal and the doubled area of each face. */
function faceNormals(positions: ArrayLike<number>, corners: ArrayLike<number>, faces: number): Float64Array {
  const out = new Float64Array(4 * faces);
  for (let face = 0; face < faces; face++) {
    const [a, b, c] = [0, 1, 2].map((corner) => 3 * corners[3 * face + corner]!) as [number, number, number];
    const [ux, uy, uz] = [0, 1, 2].map((k) => positions[b + k]! - positions[a + k]!) as [number, number, number];
    const [vx, vy, vz] = [0, 1, 2].map((k) => positions[c + k]! - positions[a + k]!) as [number, number, number];
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const area = Math.hypot(x, y, z);
    const scale = area > 0 ? 1 / area : 0;
    out.set([x * scale, y * scale, z * scale, area], 4 * face);
  }
  return out;
}

/** The first vertex at the place of each vertex. */
function welded(positions: ArrayLike<number>, count: number): Uint32Array {
  const out = new Uint32Array(count);
  const known = new Map<string, number>();
  for (let i = 0; i < count; i++) {
    const key = `${positions[3 * i]},${positions[3 * i + 1]},${positions[3 * i + 2]}`;
    const first = known.get(key);
    out[i] = first ?? i;
    if (first === undefined) {
      known.set(key, i);
    }
  }
  return out;
}

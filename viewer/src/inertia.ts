// What a body of even density looks like that has given moments of inertia.

import type { Vector3 } from "./model";
import type { InertiaForm } from "./settings";

/** Moment about an axis over mass times the sum of the squares of the whole lengths across it. */
const SHARE: Readonly<Record<InertiaForm, number>> = { box: 1 / 12, ellipsoid: 1 / 20 };

/** Lengths along the principal axes; a length that would be imaginary is 0, and no body is possible. */
export function equivalentSize(
  form: InertiaForm,
  mass: number,
  [a, b, c]: Vector3,
): { readonly size: Vector3; readonly possible: boolean } {
  const squares = [b + c - a, a + c - b, a + b - c].map((sum) => sum / (2 * SHARE[form] * mass));
  const largest = Math.max(...squares);
  return {
    size: squares.map((square) => Math.sqrt(Math.max(0, square))) as unknown as Vector3,
    // A flat body has a length of 0, but for the last bits.
    possible: Math.min(a, b, c) >= 0 && Math.min(...squares) >= -1e-6 * largest,
  };
}

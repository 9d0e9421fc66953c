// Bodies of uniform density with given moments of inertia.

import type { Vector3 } from "./model";
import type { InertiaForm } from "./settings";

/** Moment of inertia about an axis = factor · mass · (sum of the squares of the two other side lengths). */
const SHARE: Readonly<Record<InertiaForm, number>> = { box: 1 / 12, ellipsoid: 1 / 20 };

/** Side lengths along the principal axes; an imaginary length becomes 0 and ``possible`` is false. */
export function equivalentSize(
  form: InertiaForm,
  mass: number,
  [a, b, c]: Vector3,
): { readonly size: Vector3; readonly possible: boolean } {
  const squares = [b + c - a, a + c - b, a + b - c].map((sum) => sum / (2 * SHARE[form] * mass));
  const largest = Math.max(...squares);
  return {
    size: squares.map((square) => Math.sqrt(Math.max(0, square))) as unknown as Vector3,
    // A flat body has one length of 0, up to rounding.
    possible: Math.min(a, b, c) >= 0 && Math.min(...squares) >= -1e-6 * largest,
  };
}

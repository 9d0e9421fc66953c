// Sets the matrices of objects from poses.

import type { Object3D } from "three";
import type { Place } from "../model";

/** Set the matrix of an object; its position and scale are ignored. */
export function place(object: Object3D, [a, b, c, d, e, f, g, h, i, j, k, l]: Place): void {
  object.matrix.set(a!, b!, c!, d!, e!, f!, g!, h!, i!, j!, k!, l!, 0, 0, 0, 1);
  object.matrixWorldNeedsUpdate = true;
}

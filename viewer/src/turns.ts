// How mesh files are turned.

import type { Model, Place, ShapeData } from "./model";
import { compose } from "./pose";
import type { Meshes } from "./settings";

/** The place of a shape with its mesh file turned. */
export function turned(model: Model, { place, turn }: ShapeData, meshes: Meshes): Place {
  const turns = turn && meshes !== "read" ? model.turns[turn[meshes === "stated" ? 0 : 1]]! : null;
  if (!turns) {
    return place;
  }
  const [a, b, c, d, e, f, g, h, i] = turns;
  return compose(place, [a!, b!, c!, 0, d!, e!, f!, 0, g!, h!, i!, 0]);
}

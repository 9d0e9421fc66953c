// Interface of the parts of the scene.

import type { Object3D } from "three";
import type { Theme } from "./theme";

export interface Part {
  /** A pose has changed. */
  pose?(): void;
  /** The visible layers have changed. */
  layers?(): void;
  /** The selection or hover has changed. */
  light?(): void;
  theme?(theme: Theme): void;
  /** The size of the model has changed, in m. */
  scale?(size: number): void;
  /** The objects that can be picked. */
  targets?(): Object3D[];
}

// What a drawn part of the scene may want to be told.

import type { Object3D } from "three";
import type { Theme } from "./theme";

export interface Part {
  /** Something moved. */
  pose?(): void;
  /** Other layers are shown. */
  layers?(): void;
  /** Something else is chosen or pointed at. */
  light?(): void;
  theme?(theme: Theme): void;
  /** A length that suits the model, in m. */
  scale?(size: number): void;
  /** What can be pointed at now. */
  targets?(): Object3D[];
}

// Ground grid (Z up): lines fade with distance, the X and Y axes are stronger.

import { BufferAttribute, BufferGeometry, Color, LineBasicMaterial, LineSegments } from "three";
import type { Up } from "../settings";
import { AXES } from "./frames";
import type { Part } from "./part";
import type { Theme } from "./theme";

const CELLS = 24;

/** The largest 1, 2 or 5 times a power of ten that does not exceed a length. */
export function niceStep(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  const digit = length / power;
  return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

export class Grid implements Part {
  readonly object = new LineSegments(
    new BufferGeometry(),
    new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false }),
  );
  /** The usual side of a cell, and the one that was chosen, in m; 0 for none. */
  #usual = 1;
  #chosen = 0;
  #ground = new Color();
  #axes: readonly [number, number] = [AXES[0], AXES[1]];
  #colors: readonly Color[] = [new Color(), new Color(), new Color()];

  /** Choose the spacing for the size of the model. */
  scale(size: number): void {
    this.#usual = niceStep(size / 5);
    this.#draw();
  }

  /** Set the side of a cell in m; 0 for what suits the model. */
  set cell(cell: number) {
    this.#chosen = cell;
    this.#draw();
  }

  /** The height of the ground, in m. */
  set height(height: number) {
    this.object.position.z = height;
  }

  /** Set the upward axis; the colors show the other two. */
  stand(up: Up): void {
    this.#axes = up === "y" ? [AXES[2], AXES[0]] : [AXES[0], AXES[1]];
    this.#paint();
  }

  theme(theme: Theme): void {
    this.#ground = theme.grid;
    this.#paint();
  }

  #paint(): void {
    const axis = (color: number): Color => new Color(color).lerp(this.#ground, 0.35);
    this.#colors = [this.#ground, axis(this.#axes[0]), axis(this.#axes[1])];
    this.#draw();
  }

  #draw(): void {
    const places: number[] = [];
    const colors: number[] = [];
    const step = this.#chosen || this.#usual;
    const point = (x: number, y: number, color: Color): void => {
      places.push(x * step, y * step, 0);
      const far = Math.min(1, Math.hypot(x, y) / CELLS);
      colors.push(color.r, color.g, color.b, (1 - far) ** 2);
    };
    for (let line = -CELLS; line <= CELLS; line++) {
      const [alongX, alongY] = [this.#colors[line ? 0 : 1]!, this.#colors[line ? 0 : 2]!];
      for (let cell = -CELLS; cell < CELLS; cell++) {
        point(cell, line, alongX);
        point(cell + 1, line, alongX);
        point(line, cell, alongY);
        point(line, cell + 1, alongY);
      }
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
    geometry.setAttribute("color", new BufferAttribute(new Float32Array(colors), 4));
    this.object.geometry.dispose();
    this.object.geometry = geometry;
  }
}

// Paths of trace frames along a motion.

import { type Group, Vector3 as Corner } from "three";
import type { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import type { Motion } from "../motion";
import { apply, fromNumbers, origin } from "../pose";
import type { Vector3 } from "../model";
import type { Settings } from "../settings";
import type { State } from "../state";
import { path, pen, segments } from "./lines";
import type { Part } from "./part";
import type { Theme } from "./theme";

// Maximum number of points of a path.
const MOST = 4000;

/** Positions of each trace frame at evenly spaced rows of a motion. */
export function tracePaths(state: State, motion: Motion, most = MOST): Vector3[][] {
  const frames = state.robot.frames.filter(({ trace }) => trace);
  const out = frames.map((): Vector3[] => []);
  const { times } = motion;
  const step = Math.max(1, times.length / most);
  for (let row = 0; frames.length && row < times.length; row += step) {
    const poses = state.mechanism.forward(
      motion.at(state.mechanism, state.robot.start, times[Math.floor(row)]!),
    );
    frames.forEach(({ link, pose }, index) => {
      out[index]!.push(apply(poses[link]!, origin(fromNumbers(pose))));
    });
  }
  return out;
}

export class Traces implements Part {
  readonly #pen = pen({ width: 2.5, opacity: 0.9 });
  readonly #lines: LineSegments2[];
  readonly #paths: readonly (readonly Vector3[])[];

  constructor(
    state: State,
    private readonly settings: Settings,
    robot: Group,
    motion: Motion | null,
  ) {
    this.#paths = motion ? tracePaths(state, motion) : [];
    this.#lines = this.#paths.map((points) => segments(path(points), this.#pen));
    if (this.#lines.length) {
      robot.add(...this.#lines);
    }
    this.layers();
  }

  layers(): void {
    this.#lines.forEach((line) => (line.visible = this.settings.layers.traces));
  }

  /** All points of the paths, in the robot's world; none if the layer is hidden. */
  points(): Corner[] {
    const points = this.settings.layers.traces ? this.#paths.flat() : [];
    return points.map((point) => new Corner(...point));
  }

  theme(theme: Theme): void {
    this.#pen.color = theme.trace;
  }
}


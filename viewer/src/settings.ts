// How things are shown, for all robots of the page.

import { Emitter } from "./events";
import type { RobotData, ShapeSet } from "./model";

export const LAYERS = [
  "visual", "collision", "frames", "axes", "mass", "inertia", "devices", "loops", "traces",
  "workspace",
] as const;
export type Layer = (typeof LAYERS)[number];

export type AngleUnit = "deg" | "rad";
export type InertiaForm = "box" | "ellipsoid";
/** What the pointer does in the picture: turn the view, pull links, measure. */
export type Mode = "look" | "grab" | "measure";
/** Where two robots are: side by side, one in the other, or one of them alone. */
export type Arrangement = "beside" | "over" | "first" | "second";

/** The axis of the world that is drawn upwards; no number of the model changes with it. */
export type Up = "y" | "z";

export type Setting = "layers" | "units" | "mode" | "arrangement" | "focus" | "theme" | "up";
export type ThemeChoice = "auto" | "light" | "dark";

export class Settings extends Emitter<Setting> {
  readonly layers: Record<Layer, boolean>;
  inertia: InertiaForm = "box";
  angles: AngleUnit = "deg";
  mode: Mode = "look";
  arrangement: Arrangement = "beside";
  /** The robot that the panels speak of. */
  focus = 0;
  themeChoice: ThemeChoice = "auto";
  up: Up = "z";

  constructor(robots: readonly RobotData[]) {
    super();
    // There is something to see from the start: collision shapes where there are no others, else frames.
    const visual = has(robots, "visual");
    const collision = !visual && has(robots, "collision");
    const loops = robots.some((robot) => robot.loops.length > 0);
    this.layers = {
      visual, collision, frames: !visual && !collision, axes: false, mass: false, inertia: false,
      devices: false, loops, traces: true, workspace: true,
    };
  }

  show(layer: Layer, on: boolean): void {
    this.layers[layer] = on;
    this.tell("layers");
  }

  /** Inertias: as boxes, as ellipsoids, not at all. */
  nextInertia(): void {
    if (!this.layers.inertia) {
      this.inertia = "box";
      this.show("inertia", true);
    } else if (this.inertia === "box") {
      this.inertia = "ellipsoid";
      this.tell("layers");
    } else {
      this.show("inertia", false);
    }
  }

  setAngles(unit: AngleUnit): void {
    this.angles = unit;
    this.tell("units");
  }

  setMode(mode: Mode): void {
    this.mode = mode;
    this.tell("mode");
  }

  arrange(arrangement: Arrangement): void {
    this.arrangement = arrangement;
    this.tell("arrangement");
  }

  look(robot: number): void {
    this.focus = robot;
    this.tell("focus");
  }

  setUp(up: Up): void {
    this.up = up;
    this.tell("up");
  }

  setTheme(choice: ThemeChoice): void {
    this.themeChoice = choice;
    this.tell("theme");
  }
}

function has(robots: readonly RobotData[], set: ShapeSet): boolean {
  return robots.some(({ shapes, missing }) => shapes[set].length + missing[set].length > 0);
}

// View settings, shared by all robots of the page.

import { Emitter } from "./events";
import type { RobotData, ShapeSet } from "./model";
import type { SettingsSnapshot } from "./snapshot";

export const LAYERS = [
  "visual", "collision", "frames", "axes", "mass", "inertia", "devices", "loops", "traces",
  "workspace", "contacts", "pairs",
] as const;
export type Layer = (typeof LAYERS)[number];

export type AngleUnit = "deg" | "rad";
export type InertiaForm = "box" | "ellipsoid";
/** The pointer's mode: rotate the view, drag links, measure. */
export type Mode = "look" | "grab" | "measure";
/** Arrangement of two robots: side by side, overlaid, or only one of them. */
export type Arrangement = "beside" | "over" | "first" | "second";

/** The world axis that is drawn upward; the model does not change. */
export type Up = "y" | "z";

/** How rotations are printed: roll, pitch and yaw, or a quaternion. */
export type Turns = "rpy" | "quaternion";

/** The widths of the left and the right side, in pixels; null for the usual one. */
export interface Widths {
  readonly left: number | null;
  readonly right: number | null;
}

export type Setting =
  | "layers" | "units" | "mode" | "arrangement" | "focus" | "theme" | "up" | "numbers" | "folds" | "widths" | "drawer";

/** What is open below the scene on a phone. */
export type Drawer = "" | "left" | "right" | "cards";
export type ThemeChoice = "auto" | "light" | "dark";

export class Settings extends Emitter<Setting> {
  readonly layers: Record<Layer, boolean>;
  inertia: InertiaForm = "box";
  angles: AngleUnit = "deg";
  mode: Mode = "look";
  arrangement: Arrangement = "beside";
  /** Index of the robot shown in the panels. */
  focus = 0;
  themeChoice: ThemeChoice = "auto";
  up: Up = "z";
  /** The name of the link in which poses are printed; "" for the world. */
  reference = "";
  turns: Turns = "rpy";
  /** The names of the panels that are folded. */
  folds: readonly string[] = [];
  widths: Widths = { left: null, right: null };
  drawer: Drawer = "";

  constructor(robots: readonly RobotData[]) {
    super();
    // Show collision shapes if there are no visual shapes, and frames if there are neither.
    const visual = has(robots, "visual");
    const collision = !visual && has(robots, "collision");
    const loops = robots.some((robot) => robot.loops.length > 0);
    this.layers = {
      visual, collision, frames: !visual && !collision, axes: false, mass: false, inertia: false,
      devices: false, loops, traces: true, workspace: true, contacts: true, pairs: false,
    };
  }

  show(layer: Layer, on: boolean): void {
    this.layers[layer] = on;
    this.tell("layers");
  }

  /** Cycle inertias: boxes, ellipsoids, hidden. */
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

  /** Print poses in a link ("": the world), with rotations in this form. */
  print(reference: string, turns: Turns): void {
    this.reference = reference;
    this.turns = turns;
    this.tell("numbers");
  }

  /** Fold a panel, or unfold it. */
  fold(panel: string, on: boolean): void {
    this.setFolds([...this.folds.filter((each) => each !== panel), ...(on ? [panel] : [])]);
  }

  setFolds(panels: readonly string[]): void {
    this.folds = [...panels].sort();
    this.tell("folds");
  }

  draw(drawer: Drawer): void {
    this.drawer = drawer;
    this.tell("drawer");
  }

  setWidths(widths: Partial<Widths>): void {
    this.widths = { ...this.widths, ...widths };
    this.tell("widths");
  }

  /** Apply all settings of a snapshot. */
  restore(snapshot: SettingsSnapshot): void {
    const { layers, inertia, angles, mode, arrangement, focus, themeChoice, up, reference, turns } = snapshot;
    const { folds, widths, drawer } = snapshot;
    const other = (Object.keys(this.layers) as Layer[]).some((layer) => layers[layer] !== this.layers[layer]);
    if (other || inertia !== this.inertia) {
      Object.assign(this.layers, layers);
      this.inertia = inertia;
      this.tell("layers");
    }
    const differs = <K extends keyof this>(key: K, value: this[K]): boolean => this[key] !== value;
    const acts: readonly (readonly [boolean, () => void])[] = [
      [differs("angles", angles), () => this.setAngles(angles)],
      [differs("mode", mode), () => this.setMode(mode)],
      [differs("arrangement", arrangement), () => this.arrange(arrangement)],
      [differs("focus", focus), () => this.look(focus)],
      [differs("themeChoice", themeChoice), () => this.setTheme(themeChoice)],
      [differs("up", up), () => this.setUp(up)],
      [differs("reference", reference) || differs("turns", turns), () => this.print(reference, turns)],
      [differs("drawer", drawer), () => this.draw(drawer)],
      [String(folds) !== String(this.folds), () => this.setFolds(folds)],
      [JSON.stringify(widths) !== JSON.stringify(this.widths), () => this.setWidths(widths)],
    ];
    acts.forEach(([isOther, act]) => isOther && act());
  }

  setTheme(choice: ThemeChoice): void {
    this.themeChoice = choice;
    this.tell("theme");
  }
}

function has(robots: readonly RobotData[], set: ShapeSet): boolean {
  return robots.some(({ shapes, missing }) => shapes[set].length + missing[set].length > 0);
}

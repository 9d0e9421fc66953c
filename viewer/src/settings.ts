// View settings, shared by all robots of the page.

import { Emitter } from "./events";
import type { RobotData, ShapeData, ShapeSet } from "./model";
import type { SettingsSnapshot } from "./snapshot";

export const LAYERS = [
  "visual", "collision", "world", "sites", "frames", "axes", "mass", "inertia", "devices", "loops", "traces",
  "workspace", "contacts", "pairs", "labels", "grid",
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

/** How mesh files are turned: as programs read them, as they state, or with Y up. */
export type Meshes = "read" | "stated" | "y";

/** A group of MJCF: shown, hidden, or shown but for what is behind other shapes. */
export const GROUP_STATES = ["on", "off", "front"] as const;
export type GroupState = (typeof GROUP_STATES)[number];

/** How rotations are printed: roll, pitch and yaw, or a quaternion. */
export type Turns = "rpy" | "quaternion";

/** The widths of the left and the right side, in pixels; null for the usual one. */
export interface Widths {
  readonly left: number | null;
  readonly right: number | null;
}

/** How depth is drawn. */
export const LENSES = ["perspective", "orthographic"] as const;
export type Lens = (typeof LENSES)[number];

/** The lengths of frames, as multiples of the usual one, and the cells of the grid in m; 0 for what suits the robot. */
export const FRAME_SIZES = [0.25, 0.5, 1, 2, 4] as const;
export const CELLS = [0, 0.01, 0.1, 1, 10] as const;

export type Setting =
  | "layers" | "meshes" | "units" | "mode" | "arrangement" | "focus" | "theme" | "up" | "numbers" | "folds" | "widths" | "drawer" | "lens" | "sizes" | "matrix" | "loop";

/** What is open below the scene on a phone. */
export type Drawer = "" | "left" | "right" | "cards";
export type ThemeChoice = "auto" | "light" | "dark";

/** How many groups MJCF has. */
export const GROUPS = 6;

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
  meshes: Meshes = "read";
  /** The groups of MJCF. */
  readonly groups: GroupState[];
  /** Whether the matrix of pairs is shown. */
  matrix: "off" | "on" = "off";
  /** Whether a motion begins again at its end. */
  loop: "off" | "on" = "off";
  lens: Lens = "perspective";
  frameSize = 1;
  cell = 0;

  constructor(robots: readonly RobotData[]) {
    super();
    // Show collision shapes if there are no visual shapes, and frames if there are neither.
    const visual = has(robots, "visual");
    const collision = !visual && has(robots, "collision");
    this.groups = firstGroups(robots);
    // Side by side, perspective would show two robots from two angles.
    this.lens = robots.length > 1 ? "orthographic" : "perspective";
    this.layers = {
      visual, collision, world: true, sites: true, frames: !visual && !collision, axes: false, mass: false,
      inertia: false, devices: false, loops: false, traces: true, workspace: true, contacts: true, pairs: false,
      labels: false, grid: true,
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

  /** The next state of a group: with all of its shapes, hidden, and as at first. */
  nextGroup(group: number, hasBehind: boolean): void {
    const next = { on: "off", off: hasBehind ? "front" : "on", front: "on" } as const;
    this.groups[group] = next[this.groups[group]!];
    this.tell("layers");
  }

  /** Whether a shape of the visual ones, or of a site, is in a group that is shown. */
  isGrouped({ group = 0, behind = false }: Pick<ShapeData, "group" | "behind">): boolean {
    const state = this.groups[group] ?? "on";
    return state === "on" || (state === "front" && !behind);
  }

  setMeshes(meshes: Meshes): void {
    this.meshes = meshes;
    this.tell("meshes");
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

  setMatrix(matrix: "off" | "on"): void {
    this.matrix = matrix;
    this.tell("matrix");
  }

  setLoop(loop: "off" | "on"): void {
    this.loop = loop;
    this.tell("loop");
  }

  setLens(lens: Lens): void {
    this.lens = lens;
    this.tell("lens");
  }

  /** Set the size of frames, and that of the cells of the grid (m, or 0). */
  setSizes(frameSize: number, cell: number): void {
    this.frameSize = frameSize;
    this.cell = cell;
    this.tell("sizes");
  }

  /** Apply all settings of a snapshot. */
  restore(snapshot: SettingsSnapshot): void {
    const { layers, groups, meshes, inertia, angles, mode, arrangement, focus, themeChoice, up } = snapshot;
    const { reference, turns, folds, widths, drawer, lens, frameSize, cell, matrix, loop } = snapshot;
    const other = (Object.keys(this.layers) as Layer[]).some((layer) => layers[layer] !== this.layers[layer]);
    if (other || inertia !== this.inertia || String(groups) !== String(this.groups)) {
      Object.assign(this.layers, layers);
      this.groups.splice(0, this.groups.length, ...groups);
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
      [differs("meshes", meshes), () => this.setMeshes(meshes)],
      [differs("up", up), () => this.setUp(up)],
      [differs("reference", reference) || differs("turns", turns), () => this.print(reference, turns)],
      [differs("matrix", matrix), () => this.setMatrix(matrix)],
      [differs("loop", loop), () => this.setLoop(loop)],
      [differs("lens", lens), () => this.setLens(lens)],
      [differs("frameSize", frameSize) || differs("cell", cell), () => this.setSizes(frameSize, cell)],
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

// Groups of MJCF that are shown at first.
const DRAWN = 3;

/** Groups 0 to 2, or all if nothing else would be seen; of group 0 what is in front. */
function firstGroups(robots: readonly RobotData[]): GroupState[] {
  const visual = robots.flatMap(({ shapes }) => shapes.visual);
  const all = !visual.some(({ group = 0 }) => group < DRAWN);
  const first = visual.some(({ behind }) => behind) ? "front" : "on";
  return Array.from({ length: GROUPS }, (_, group) => (!group ? first : all || group < DRAWN ? "on" : "off"));
}

// The robots of a catalogue: their data, and which are shown in which order.

export type Severity = "error" | "warning" | "info";

export interface Found {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  /** File, line and column; "" if unknown. */
  readonly place: string;
}

/** As src/unibody/catalogue/html.py writes it. */
export interface Robot {
  readonly path: string;
  readonly name: string;
  readonly format: string;
  readonly links: number | null;
  readonly joints: number | null;
  /** In kg. */
  readonly mass: number | null;
  readonly devices: number | null;
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
  /** The first findings, the worst first. */
  readonly findings: readonly Found[];
  /** The command that shows the robot. */
  readonly command: string;
  /** A picture as data URL; "" without one. */
  readonly picture: string;
  /** The address of the robot's page beside the catalogue; "" without one. */
  readonly page: string;
}

export const COLUMNS = {
  name: "Name",
  format: "Format",
  links: "Links",
  joints: "Joints",
  mass: "Mass (kg)",
  devices: "Devices",
  findings: "Findings",
} as const;

export type Column = keyof typeof COLUMNS;

export type Health = "any" | "errors" | "warnings" | "clean";

export interface Choice {
  readonly words: string;
  /** "" for all formats. */
  readonly format: string;
  readonly health: Health;
  readonly column: Column;
  readonly descending: boolean;
}

export const FIRST: Choice = { words: "", format: "", health: "any", column: "name", descending: false };

/** The folder that all paths are in, with a slash at its end; "" if there is none. */
export function commonFolder(paths: readonly string[]): string {
  const [first = "", ...others] = paths;
  const folders = first.split("/").slice(0, -1);
  const same = folders.findIndex((_, index) => {
    const start = `${folders.slice(0, index + 1).join("/")}/`;
    return !others.every((path) => path.startsWith(start));
  });
  const common = same < 0 ? folders : folders.slice(0, same);
  return common.length ? `${common.join("/")}/` : "";
}

/** The robots that have all words in name, path, format or the code of a finding, in order. */
export function chosen(robots: readonly Robot[], choice: Choice): readonly Robot[] {
  const words = choice.words.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = robots.filter(
    (robot) =>
      (choice.format === "" || robot.format === choice.format) &&
      healthy(robot, choice.health) &&
      words.every((word) => text(robot).includes(word)),
  );
  return shown.sort((a, b) => compare(a, b, choice.column, choice.descending) || byName(a, b));
}

function healthy(robot: Robot, health: Health): boolean {
  switch (health) {
    case "errors":
      return robot.errors > 0;
    case "warnings":
      return robot.errors + robot.warnings > 0;
    case "clean":
      return robot.errors + robot.warnings === 0;
    default:
      return true;
  }
}

const texts = new WeakMap<Robot, string>();

function text(robot: Robot): string {
  let known = texts.get(robot);
  if (known === undefined) {
    const codes = robot.findings.map(({ code }) => code);
    known = [robot.name, robot.path, robot.format, ...codes].join("\n").toLowerCase();
    texts.set(robot, known);
  }
  return known;
}

/** Compare by a column; robots without a value come last either way. */
function compare(a: Robot, b: Robot, column: Column, descending: boolean): number {
  const sign = descending ? -1 : 1;
  if (column === "name") {
    return sign * byName(a, b);
  }
  if (column === "format") {
    return sign * collator.compare(a.format, b.format);
  }
  if (column === "findings") {
    return sign * (a.errors - b.errors || a.warnings - b.warnings || a.notes - b.notes);
  }
  const [left, right] = [a[column], b[column]];
  return left === null || right === null ? Number(left === null) - Number(right === null) : sign * (left - right);
}

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function byName(a: Robot, b: Robot): number {
  return collator.compare(a.name, b.name) || collator.compare(a.path, b.path);
}

// Poses as text: YAML and JSON by the names of joints, arguments of --set, and MPK's normalized vector.

import { parsePosition } from "./expression";
import { KINDS } from "./kinds";
import { BASE, type Positions, sizeOf } from "./mechanism";
import { fromNormalized, normalizedOf } from "./normalized";
import type { State } from "./state";
import { angleUnit, METERS } from "./units";

/** The notations, with their names for people. */
export const NOTATIONS = { yaml: "YAML", json: "JSON", set: "--set", t: "t" } as const;
export type Notation = keyof typeof NOTATIONS;

/** A pose that was read, or what is wrong with its text. */
export type ReadPose = { readonly positions: Positions; readonly named: ReadonlySet<number> } | { readonly problem: string };

class Problem extends Error {}

/** The notations of a robot: only one with a normalized vector has t. */
export function notationsOf({ robot }: State): readonly Notation[] {
  return (Object.keys(NOTATIONS) as Notation[]).filter((each) => each !== "t" || robot.coordinates.length > 0);
}

/** The positions of all independent joints by name, in rad and m; the base has the name of the root link. */
export function namedPositions(state: State): readonly (readonly [name: string, numbers: readonly number[]])[] {
  const { robot, mechanism } = state;
  const joints = robot.joints.flatMap(({ name, kind }, joint) =>
    sizeOf(kind) > 0 && !mechanism.follows(joint) ? [[name, state.of(joint)] as const] : [],
  );
  const shows = state.floats && (robot.base === "free" || moved(state, BASE));
  return [...(shows ? [[rootOf(state), state.of(BASE)] as const] : []), ...joints];
}

/** A pose as text, with all digits. */
export function poseText(state: State, notation: Notation): string {
  const named = namedPositions(state);
  switch (notation) {
    case "yaml":
      return named.map(([name, numbers]) => `${yamlKey(name)}: ${yamlValue(numbers)}\n`).join("");
    case "json":
      return `${JSON.stringify(Object.fromEntries(named.map(([name, numbers]) => [name, numbers.length === 1 ? numbers[0] : numbers])), null, 1)}\n`;
    case "set": {
      const root = rootOf(state);
      const free = state.robot.base === null && named[0]?.[0] === root && state.floats ? ["--base free"] : [];
      const words = named
        .filter(([name]) => moved(state, jointOf(state, name)!))
        .map(([name, numbers]) => `--set ${quoted(`${name}=${numbers.join(",")}`)}`);
      return [...free, ...words].join(" ");
    }
    case "t":
      return (normalizedOf(state) ?? []).join(" ");
  }
}

/** Read a pose in any of the notations; joints that it does not name stay where they are. */
export function readPose(state: State, text: string): ReadPose {
  try {
    const plain = text.trim();
    if (plain === "") {
      throw new Problem("There is no text.");
    }
    if (/^t:/.test(plain) || /^[-+.\d\se,;[\]]+$/i.test(plain)) {
      return readNormalized(state, plain);
    }
    const entries = plain.startsWith("{") ? readJson(plain) : /(^|\s)--set[\s=]/.test(plain) ? readSet(plain) : readYaml(plain);
    return placed(state, entries);
  } catch (error) {
    if (error instanceof Problem) {
      return { problem: error.message };
    }
    throw error;
  }
}

type Entry = readonly [name: string, values: readonly string[]];

function placed(state: State, entries: readonly Entry[]): ReadPose {
  const unknown = entries.filter(([name]) => jointOf(state, name) === null).map(([name]) => name);
  if (unknown.length) {
    const rest = unknown.length > 3 ? `, and ${unknown.length - 3} more` : "";
    throw new Problem(`The robot has no joint ${unknown.slice(0, 3).join(", ")}${rest}.`);
  }
  const named = new Set<number>();
  let { positions } = state;
  for (const [name, values] of entries) {
    const joint = jointOf(state, name)!;
    const kind = joint === BASE ? "free" : state.robot.joints[joint]!.kind;
    if (values.length !== sizeOf(kind)) {
      throw new Problem(`${name} takes ${sizeOf(kind)} numbers, not ${values.length}.`);
    }
    const unit = KINDS[kind].angular ? angleUnit("rad") : METERS;
    const numbers = values.map((value) => {
      const found = parsePosition(value, unit);
      if ("problem" in found) {
        throw new Problem(`${name}: ${value}: ${found.problem}.`);
      }
      return found.position;
    });
    if (KINDS[kind].quaternion && !numbers.slice(-4).some((value) => value !== 0)) {
      throw new Problem(`${name}: the quaternion is zero.`);
    }
    positions = state.mechanism.with(positions, joint, numbers);
    named.add(joint);
  }
  return { positions: state.mechanism.follow(positions), named };
}

function readNormalized(state: State, text: string): ReadPose {
  const count = state.robot.coordinates.length;
  const words = text.replace(/^t:/, "").split(/[\s,;[\]]+/).filter(Boolean);
  const t = words.map(Number);
  if (!count) {
    throw new Problem("The robot has no normalized vector.");
  }
  if (t.length !== count || !t.every((value) => value >= 0 && value <= 1)) {
    throw new Problem(`The normalized vector has ${count} numbers from 0 to 1, not ${words.length}.`);
  }
  const named = new Set(state.robot.coordinates.flatMap(({ drives }) => drives.map(([joint]) => joint)));
  return { positions: state.mechanism.follow(fromNormalized(state, t)), named };
}

function readJson(text: string): Entry[] {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw new Problem("This is not JSON.");
  }
  return Object.entries(data as Record<string, unknown>).map(([name, value]): Entry => {
    const values = Array.isArray(value) ? value : [value];
    if (!values.every((each) => typeof each === "number" || typeof each === "string")) {
      throw new Problem(`${name}: expected a number or a list of numbers.`);
    }
    return [name, values.map(String)];
  });
}

/** The words behind --set, as a shell splits them. */
function readSet(text: string): Entry[] {
  const words = [...text.replaceAll("\\\n", " ").matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g, (_, single?: string, double?: string, other?: string) =>
      single ?? double?.replace(/\\(.)/g, "$1") ?? other ?? "",
    ),
  );
  return words.flatMap((word, index): Entry[] => {
    const stated = word === "--set" ? words[index + 1] : /^--set=/.test(word) ? word.slice("--set=".length) : null;
    if (stated === null) {
      return [];
    }
    const at = stated?.lastIndexOf("=") ?? -1;
    if (at < 1) {
      throw new Problem(`--set takes JOINT=VALUE${stated === undefined ? "" : `, not ${stated}`}.`);
    }
    return [[stated!.slice(0, at), stated!.slice(at + 1).split(",")]];
  });
}

/** The lines of a flat map, whose values are numbers or lists of numbers. */
function readYaml(text: string): Entry[] {
  const out: [string, string[]][] = [];
  for (const whole of text.split(/\r?\n/)) {
    const line = whole.replace(/(^|\s)#.*$/, "").trimEnd();
    const item = /^\s*-\s+(.*)$/.exec(line);
    const pair = /^("(?:\\.|[^"\\])*"|'(?:''|[^'])*'|[^\s"'#][^#]*?)\s*:(?:\s+(.*))?$/.exec(line);
    if (line === "" || line === "---") {
      continue;
    }
    if (item && out.length) {
      out.at(-1)![1].push(item[1]!.trim());
    } else if (pair) {
      const value = (pair[2] ?? "").trim();
      const list = /^\[(.*)\]$/.exec(value);
      out.push([yamlName(pair[1]!), value === "" ? [] : list ? list[1]!.split(",").map((each) => each.trim()) : [value]]);
    } else {
      throw new Problem(`“${line.trim().slice(0, 40)}”: expected JOINT: VALUE.`);
    }
  }
  return out;
}

function yamlName(text: string): string {
  if (text.startsWith("'")) {
    return text.slice(1, -1).replaceAll("''", "'");
  }
  try {
    return text.startsWith('"') ? (JSON.parse(text) as string) : text;
  } catch {
    throw new Problem(`${text} is no name.`);
  }
}

// What YAML reads as something else than a text.
const WORDS = /^(?:y|n|yes|no|true|false|on|off|null)$/i;

function yamlKey(name: string): string {
  return /^[a-z_][\w./-]*$/i.test(name) && !WORDS.test(name) ? name : JSON.stringify(name);
}

/** YAML 1.1 reads a number with an exponent only if it has a point. */
function yamlValue(numbers: readonly number[]): string {
  const words = numbers.map((value) => String(value).replace(/^(-?\d+)e/, "$1.0e"));
  return words.length === 1 ? words[0]! : `[${words.join(", ")}]`;
}

function quoted(word: string): string {
  return /^[\w./:=,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function rootOf({ robot }: State): string {
  return robot.links[robot.order[0]!]!.name;
}

/** The joint of a name, the base of the root link's name; null if there is none that can be set. */
function jointOf(state: State, name: string): number | null {
  const joint = state.robot.joints.findIndex((each) => each.name === name && sizeOf(each.kind) > 0);
  return joint >= 0 ? joint : name === rootOf(state) && state.floats ? BASE : null;
}

function moved(state: State, joint: number): boolean {
  const start = state.mechanism.of(state.robot.start, joint);
  return state.of(joint).some((value, index) => value !== start[index]);
}

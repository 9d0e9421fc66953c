// Numbers as people read them: degrees or radians, metres, and the range that a slider offers.

import type { JointData, Property, Value } from "./model";
import type { AngleUnit } from "./settings";

const DEGREE = Math.PI / 180;

export interface Unit {
  readonly name: "°" | "rad" | "m";
  /** What it is called where a screen reader says it. */
  readonly word: string;
  /** What one of it is in rad or m. */
  readonly size: number;
  /** Decimals that are shown, and one step of an arrow key. */
  readonly decimals: number;
  readonly step: number;
}

const DEGREES: Unit = { name: "°", word: "degrees", size: DEGREE, decimals: 1, step: 1 };
const RADIANS: Unit = { name: "rad", word: "radians", size: 1, decimals: 4, step: 0.01 };
export const METRES: Unit = { name: "m", word: "metres", size: 1, decimals: 4, step: 0.001 };

export function angleUnit(angles: AngleUnit): Unit {
  return angles === "deg" ? DEGREES : RADIANS;
}

/** The unit that a joint's position is shown in. */
export function unitOf(joint: Pick<JointData, "kind">, angles: AngleUnit = "deg"): Unit {
  return joint.kind === "prismatic" ? METRES : angleUnit(angles);
}

/** The ends of a slider in rad or m; where the joint has no limit, half a turn or 1 m from zero. */
export function sliderRange(joint: Pick<JointData, "kind" | "lower" | "upper">): [number, number] {
  const reach = joint.kind === "prismatic" ? 1 : Math.PI;
  const { lower, upper } = joint;
  if (lower !== null && upper !== null) {
    return [Math.min(lower, upper), Math.max(lower, upper)];
  }
  if (lower !== null) {
    return [lower, Math.max(reach, lower + 2 * reach)];
  }
  if (upper !== null) {
    return [Math.min(-reach, upper - 2 * reach), upper];
  }
  return [-reach, reach];
}

/** A position (rad or m) put within the joint's limits; what is no number becomes null. */
export function clamp(joint: Pick<JointData, "lower" | "upper">, position: number): number | null {
  if (!Number.isFinite(position)) {
    return null;
  }
  const { lower, upper } = joint;
  const bounds = lower !== null && upper !== null && lower > upper ? [upper, lower] : [lower, upper];
  const above = bounds[0] === null ? position : Math.max(bounds[0]!, position);
  return bounds[1] === null ? above : Math.min(bounds[1]!, above);
}

/** A position (rad or m) as the text of a number field. */
export function shown(unit: Unit, position: number): string {
  return plain(position / unit.size, unit.decimals);
}

/** The limits in words. */
export function limits(joint: Pick<JointData, "kind" | "lower" | "upper">, angles: AngleUnit = "deg"): string {
  const { lower, upper } = joint;
  const unit = unitOf(joint, angles);
  const word = (limit: number): string => minus(shown(unit, limit));
  const behind = unit.name === "°" ? "°" : ` ${unit.name}`;
  if (lower !== null && upper !== null) {
    return `${word(lower)} … ${word(upper)}${behind}`;
  }
  if (lower !== null) {
    return `≥ ${word(lower)}${behind}`;
  }
  return upper !== null ? `≤ ${word(upper)}${behind}` : "no limits";
}

/** A mass in words, to four digits. */
export function kilograms(mass: number): string {
  return `${digits(mass, 4)} kg`;
}

/** A length in words: millimetres below a metre. */
export function lengthText(length: number): string {
  return Math.abs(length) < 1 ? `${digits(length * 1000, 5)} mm` : `${digits(length, 5)} m`;
}

/** A count with its noun. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** The value of a property as rows of text, and the unit behind it. */
export function propertyText([, value, unit]: Property, angles: AngleUnit): { rows: string[][]; unit: string } {
  const degrees = angles === "deg" && /^rad\b/.test(unit);
  const number = (v: number): string => digits(degrees ? v / DEGREE : v, 5);
  return { rows: valueRows(value, number), unit: degrees ? unit.replace("rad", "°") : unit };
}

function valueRows(value: Value, number: (v: number) => string): string[][] {
  if (typeof value === "number") {
    return [[number(value)]];
  }
  if (typeof value !== "object") {
    return [[value === true ? "yes" : value === false ? "no" : value]];
  }
  if ("range" in value) {
    const [low, high] = value.range;
    return [[`${low === null ? "−∞" : number(low)} … ${high === null ? "∞" : number(high)}`]];
  }
  return value.some((row) => Array.isArray(row))
    ? (value as readonly (readonly number[])[]).map((row) => row.map(number))
    : [(value as readonly number[]).map(number)];
}

/** A number to so many digits, with a true minus, and no trailing zeros. */
export function digits(value: number, count: number): string {
  const size = Math.abs(value);
  const rounded = Number(value.toPrecision(count));
  const text = size !== 0 && (size < 1e-4 || size >= 1e7) ? rounded.toExponential() : String(rounded);
  return minus(text === "-0" ? "0" : text);
}

function plain(value: number, decimals: number): string {
  const rounded = Number(value.toFixed(decimals));
  // Rounding may leave -0, whose sign says nothing.
  return String(rounded === 0 ? 0 : rounded);
}

/** The text of a number with a true minus. */
export function minus(text: string): string {
  return text.replaceAll("-", "−");
}

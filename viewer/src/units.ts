// Display units, formatted numbers, and the ranges of sliders.

import { KINDS } from "./kinds";
import type { JointData, Property, Value } from "./model";
import type { AngleUnit } from "./settings";

const DEGREE = Math.PI / 180;

export interface Unit {
  readonly name: "°" | "rad" | "m";
  /** The unit's name for screen readers. */
  readonly word: string;
  /** The size of the unit in rad or m. */
  readonly size: number;
  /** Displayed decimals, and the step of the arrow keys. */
  readonly decimals: number;
  readonly step: number;
  /** Whether it measures angles. */
  readonly turns: boolean;
}

const DEGREES: Unit = { name: "°", word: "degrees", size: DEGREE, decimals: 1, step: 1, turns: true };
const RADIANS: Unit = { name: "rad", word: "radians", size: 1, decimals: 4, step: 0.01, turns: true };
export const METERS: Unit = { name: "m", word: "meters", size: 1, decimals: 4, step: 0.001, turns: false };

export function angleUnit(angles: AngleUnit): Unit {
  return angles === "deg" ? DEGREES : RADIANS;
}

/** The display unit of a joint's position. */
export function unitOf(joint: Pick<JointData, "kind">, angles: AngleUnit = "deg"): Unit {
  return KINDS[joint.kind].angular ? angleUnit(angles) : METERS;
}

/** The range of a slider in rad or m; without limits, half a turn or 1 m about zero. */
export function sliderRange(joint: Pick<JointData, "kind" | "lower" | "upper">): [number, number] {
  const reach = KINDS[joint.kind].angular ? Math.PI : 1;
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

/** Clamp a position (rad or m) to the joint's limits; null if it is not finite. */
export function clamp(joint: Pick<JointData, "lower" | "upper">, position: number): number | null {
  if (!Number.isFinite(position)) {
    return null;
  }
  const { lower, upper } = joint;
  const bounds = lower !== null && upper !== null && lower > upper ? [upper, lower] : [lower, upper];
  const above = bounds[0] === null ? position : Math.max(bounds[0]!, position);
  return bounds[1] === null ? above : Math.min(bounds[1]!, above);
}

/** Format a position (rad or m) for a number field. */
export function shown(unit: Unit, position: number): string {
  return plain(position / unit.size, unit.decimals);
}

/** Format the limits of a joint. */
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

/** Format a mass with four digits. */
export function kilograms(mass: number): string {
  return `${digits(mass, 4)} kg`;
}

/** Format a length, in millimeters below one meter. */
export function lengthText(length: number): string {
  return Math.abs(length) < 1 ? `${digits(length * 1000, 5)} mm` : `${digits(length, 5)} m`;
}

/** Format a count and its noun. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** Format the value of a property as rows of text, and its unit. */
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

/** Format a number with a number of significant digits, a minus sign (U+2212), and no trailing zeros. */
export function digits(value: number, count: number): string {
  const size = Math.abs(value);
  const rounded = Number(value.toPrecision(count));
  const text = size !== 0 && (size < 1e-4 || size >= 1e7) ? rounded.toExponential() : String(rounded);
  return minus(text === "-0" ? "0" : text);
}

function plain(value: number, decimals: number): string {
  const rounded = Number(value.toFixed(decimals));
  // Drop the sign of -0, which rounding may leave.
  return String(rounded === 0 ? 0 : rounded);
}

/** Replace hyphens by minus signs (U+2212). */
export function minus(text: string): string {
  return text.replaceAll("-", "−");
}

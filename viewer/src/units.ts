// Joint positions as people read them: degrees or metres, and the range that a slider offers.

import type { JointData } from "./model";

const DEGREE = Math.PI / 180;

export interface Unit {
  readonly name: "°" | "m";
  /** What one of it is in rad or m. */
  readonly size: number;
  /** Decimals that are shown, and one step of an arrow key. */
  readonly decimals: number;
  readonly step: number;
}

const DEGREES: Unit = { name: "°", size: DEGREE, decimals: 1, step: 1 };
const METRES: Unit = { name: "m", size: 1, decimals: 4, step: 0.001 };

/** The unit that a joint's position is shown in. */
export function unitOf(joint: Pick<JointData, "kind">): Unit {
  return joint.kind === "prismatic" ? METRES : DEGREES;
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
export function limits(joint: Pick<JointData, "kind" | "lower" | "upper">): string {
  const { lower, upper } = joint;
  const unit = unitOf(joint);
  const word = (limit: number): string => minus(shown(unit, limit));
  const behind = unit.name === "°" ? "°" : " m";
  if (lower !== null && upper !== null) {
    return `${word(lower)} … ${word(upper)}${behind}`;
  }
  return lower !== null ? `≥ ${word(lower)}${behind}` : upper !== null ? `≤ ${word(upper)}${behind}` : "no limits";
}

/** A mass in words, to four digits. */
export function kilograms(mass: number): string {
  return `${minus(String(Number(mass.toPrecision(4))))} kg`;
}

/** A count with its noun. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function plain(value: number, decimals: number): string {
  const rounded = Number(value.toFixed(decimals));
  // Rounding may leave -0, whose sign says nothing.
  return String(rounded === 0 ? 0 : rounded);
}

function minus(text: string): string {
  return text.replace("-", "−");
}

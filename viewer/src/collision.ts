// Self-collision pairs.

import type { RobotData } from "./model";

export type Pair = "enabled" | "tested" | "disabled" | "adjacent" | "untested" | "self";

/** The self-collision setting of every pair of links. */
export class Pairs {
  readonly #special = new Map<number, Pair>();
  /** Links with collision shapes. */
  readonly links: readonly number[];

  constructor(private readonly robot: RobotData) {
    const { links, collision, shapes, missing } = robot;
    collision.adjacent.forEach(([a, b]) => this.#special.set(this.#key(a, b), "adjacent"));
    collision.disabled.forEach(([a, b]) => this.#special.set(this.#key(a, b), "disabled"));
    collision.enabled.forEach(([a, b]) => this.#special.set(this.#key(a, b), "enabled"));
    const solid = new Set([...shapes.collision, ...missing.collision].map(({ link }) => link));
    this.links = links.flatMap((_, index) => (solid.has(index) ? [index] : []));
  }

  of(a: number, b: number): Pair {
    if (a === b) {
      return "self";
    }
    const usual = this.robot.collision.default === "none" ? "untested" : "tested";
    return this.#special.get(this.#key(a, b)) ?? usual;
  }

  /** The number of tested pairs and of all pairs. */
  count(): readonly [tested: number, all: number] {
    const { links } = this;
    let tested = 0;
    links.forEach((a, index) => {
      for (const b of links.slice(index + 1)) {
        tested += Number(["enabled", "tested"].includes(this.of(a, b)));
      }
    });
    return [tested, (links.length * (links.length - 1)) / 2];
  }

  #key(a: number, b: number): number {
    return Math.min(a, b) * this.robot.links.length + Math.max(a, b);
  }
}

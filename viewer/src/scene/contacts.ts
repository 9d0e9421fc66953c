// Contact forces of a run: an arrow for each contact, from its point along the force.

import type { Group } from "three";
import type { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import type { Vector3 } from "../model";
import type { Contact, Run } from "../run";
import type { Settings } from "../settings";
import type { State } from "../state";
import { pen, segments, setSegments } from "./lines";
import type { Part } from "./part";
import type { Theme } from "./theme";

// Length of the usual force, as a share of the model's size; longer arrows are cut off.
const USUAL = 0.18;
const LONGEST = 2.5;
const HEAD = 0.02;

/** The line segments of arrows for contacts; ``length`` is that of the force ``usual``, in m. */
export function forceArrows(contacts: readonly Contact[], usual: number, length: number, head: number): Vector3[] {
  return contacts.flatMap(({ point, force }) => {
    const size = Math.hypot(...force);
    if (!(size > 0)) {
      return [];
    }
    const drawn = Math.min(size / usual, LONGEST) * length;
    const along: Vector3 = [force[0] / size, force[1] / size, force[2] / size];
    const side = across(along);
    const at = (forward: number, aside: number): Vector3 => [
      point[0] + forward * along[0] + aside * side[0],
      point[1] + forward * along[1] + aside * side[1],
      point[2] + forward * along[2] + aside * side[2],
    ];
    const back = drawn - Math.min(head, drawn / 2);
    const wing = (drawn - back) * 0.45;
    return [point, at(drawn, 0), at(drawn, 0), at(back, wing), at(drawn, 0), at(back, -wing)];
  });
}

/** A unit vector normal to another one. */
function across([x, y, z]: Vector3): Vector3 {
  const [a, b, c]: Vector3 = Math.abs(z) < 0.9 ? [y, -x, 0] : [0, z, -y];
  const length = Math.hypot(a, b, c);
  return [a / length, b / length, c / length];
}

export class ContactForces implements Part {
  readonly #pen = pen({ width: 2.5, opacity: 0.9 });
  readonly #lines: LineSegments2;
  #size = 1;
  #drawn: number | null = null;

  constructor(
    private readonly state: State,
    private readonly settings: Settings,
    robot: Group,
    private readonly run: Run,
  ) {
    this.#lines = segments([], this.#pen);
    this.#lines.frustumCulled = false;
    robot.add(this.#lines);
    this.layers();
  }

  pose(): void {
    const { moment } = this.state;
    if (moment !== this.#drawn && this.settings.layers.contacts) {
      this.#drawn = moment;
      const contacts = moment === null ? [] : this.run.contacts(moment);
      setSegments(this.#lines, forceArrows(contacts, this.run.usual, USUAL * this.#size, HEAD * this.#size));
    }
  }

  layers(): void {
    this.#lines.visible = this.settings.layers.contacts;
    this.#drawn = null;
    this.pose();
  }

  scale(size: number): void {
    this.#size = size;
    this.#drawn = null;
    this.pose();
  }

  theme(theme: Theme): void {
    this.#pen.color = theme.contact;
  }
}

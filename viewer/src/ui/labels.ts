// Names of the links over the scene: one that would cover that of a nearer link, or of the selected one, is left out.

import { linksOf } from "../items";
import { minus } from "../pose";
import type { Stage } from "../scene/stage";
import type { Settings } from "../settings";
import { element } from "./dom";

// Space between two labels, in pixels.
const GAP = 2;

interface Label {
  readonly robot: number;
  readonly link: number;
  readonly made: HTMLElement;
}

/** The labels; they follow the links until the signal is aborted. */
export function labelsOf(stage: Stage, settings: Settings, signal: AbortSignal): HTMLElement {
  const holder = element("div", { class: "labels", "aria-hidden": "true" });
  let labels: readonly Label[] = [];
  const make = (): readonly Label[] =>
    stage.actors.flatMap(({ state: { robot } }, index) =>
      robot.links.map(({ name }, link) => ({ robot: index, link, made: element("span", { class: "label name" }, name) })),
    );
  const show = (): void => {
    holder.hidden = !settings.layers.labels;
    if (holder.hidden) {
      return;
    }
    if (!labels.length) {
      labels = make();
      holder.append(...labels.map(({ made }) => made));
    }
    const strong = stage.actors.map(({ state }) => linksOf(state.robot, state.selected));
    const isStrong = ({ robot, link }: Label): boolean => strong[robot]!.includes(link);
    // All are measured before any is moved: the page is laid out once.
    const sizes = new Map(labels.map(({ made }) => [made, [made.offsetWidth, made.offsetHeight] as const]));
    const taken: (readonly [number, number, number, number])[] = [];
    const { eye } = stage.viewport.view;
    const order = labels.map((label) => {
      const point = stage.middleOf(label.robot, label.link);
      return { label, point, far: isStrong(label) ? -1 : Math.hypot(...minus(point, eye)) };
    });
    for (const { label, point } of order.sort((a, b) => a.far - b.far)) {
      const { robot, link, made } = label;
      const { object, view } = stage.actors[robot]!;
      const at = object.visible && view.links[link]!.visible ? stage.viewport.project(point) : null;
      const [width, height] = sizes.get(made)!;
      const [x, y] = at ? [at[0] - width / 2, at[1] - height / 2] : [0, 0];
      const box = [x - GAP, y - GAP, x + width + GAP, y + height + GAP] as const;
      const isFree = at !== null && !taken.some((other) => meets(box, other));
      made.style.visibility = isFree ? "" : "hidden";
      made.classList.toggle("selected", isStrong(label));
      if (isFree) {
        taken.push(box);
        made.style.transform = `translate(${x}px, ${y}px)`;
      }
    }
  };
  stage.viewport.onDrawn(show, signal);
  return holder;
}

type Box = readonly [left: number, top: number, right: number, bottom: number];

function meets(a: Box, b: Box): boolean {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
}

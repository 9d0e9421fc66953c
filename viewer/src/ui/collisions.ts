// Card of the collisions: the pairs of links that touch, with a point each, and those that are near, with distances.
// What touches at the initial pose is folded: it mostly always does.

import type { Vector3 } from "../model";
import type { Stage } from "../scene/stage";
import type { Settings } from "../settings";
import type { State } from "../state";
import type { Gap, LinkPair } from "../touch";
import { counted, lengthText, minus } from "../units";
import { link } from "../items";
import { button, element } from "./dom";

/** The name of the fold of what touches at the initial pose. */
export const FIRST_TOUCHES = "first-touches";

interface Row {
  readonly pair: LinkPair;
  readonly text: string;
  readonly points: readonly Vector3[];
}

/** The card of one robot; ``act`` makes a step of the history. */
export function collisionsCard(
  state: State, robot: number, settings: Settings, stage: Stage, act: (title: string, run: () => void) => void,
): HTMLElement {
  const { robot: { links } } = state;
  const said = element("p", { class: "count", role: "status" });
  const touching = element("ul");
  const usual = element("ul");
  const near = element("ul");
  const summary = element("summary");
  const fold = element("details", {}, summary, usual);
  const nearTitle = element("h3", {}, "Near each other");
  const close = button("×", { class: "quiet close", "aria-label": "Hide", title: "Hide the collisions (X)" }, () =>
    act("Collisions", () => settings.show("pairs", false)),
  );
  const card = element(
    "section", { class: "card collisions", "aria-label": "Collisions" },
    element("header", {}, element("h2", {}, element("strong", {}, "Collisions")), close),
    said, touching, fold, nearTitle, near,
  );
  const row = ({ pair: [a, b], text, points }: Row): HTMLElement => {
    const names = element("span", { class: "names" }, links[a]!.name, element("br"), links[b]!.name);
    const made = button("", { class: "go", title: "Zoom to it" }, () => {
      act("Zoom to a collision", () => stage.zoomTo(robot, points));
    });
    // A point takes a line of its own: the names need the width.
    const long = points.length === 1;
    if (long) {
      names.append(element("span", { class: "point" }, text));
    }
    made.append(names, ...(long ? [] : [element("span", { class: "kind" }, text)]));
    const over = (): void => state.hover(link(b));
    const out = (): void => state.hover(null);
    [["pointerenter", over], ["focus", over], ["pointerleave", out], ["blur", out]].forEach(([type, listener]) =>
      made.addEventListener(type as string, listener as () => void),
    );
    return element("li", {}, made);
  };
  /** Fill a list, and keep the focus in its row. */
  const fill = (list: HTMLElement, rows: readonly Row[]): void => {
    const at = [...list.children].findIndex((each) => each.contains(document.activeElement));
    list.replaceChildren(...rows.map(row));
    if (at >= 0) {
      list.children[Math.min(at, rows.length - 1)]?.querySelector("button")?.focus();
    }
  };
  const update = (): void => {
    card.hidden = !settings.layers.pairs;
    if (card.hidden) {
      return;
    }
    const first = new Set(state.initial.map(String));
    const points = new Map(state.touches.map(({ pair, point }) => [String(pair), point]));
    const rows = (state.touching ?? []).map((pair): Row => {
      const point = points.get(String(pair));
      return { pair, text: point ? pointText(point) : "touch", points: point ? [point] : middles(state, pair) };
    });
    const [known, other] = [rows.filter(({ pair }) => first.has(String(pair))), rows.filter(({ pair }) => !first.has(String(pair)))];
    said.textContent = state.touching
      ? rows.length ? `${counted(rows.length, "pair")} ${rows.length === 1 ? "touches" : "touch"}` : "No tested pair touches"
      : "Computing …";
    fill(touching, other);
    fill(usual, known);
    fold.hidden = known.length === 0;
    summary.textContent = `Also at the initial pose (${known.length})`;
  };
  const updateNear = (): void => {
    const gaps = settings.layers.pairs ? state.gaps : [];
    nearTitle.hidden = gaps.length === 0;
    fill(near, gaps.map(({ pair, distance, a, b }: Gap): Row => ({ pair, text: lengthText(Number(distance.toPrecision(4))), points: [a, b] })));
  };
  const folded = (): void => {
    fold.open = !settings.folds.includes(FIRST_TOUCHES);
  };
  fold.addEventListener("toggle", () => fold.open === settings.folds.includes(FIRST_TOUCHES) && settings.fold(FIRST_TOUCHES, !fold.open));
  settings.on("folds", folded);
  for (const change of ["touching", "initial"] as const) {
    state.on(change, update);
  }
  state.on("gaps", updateNear);
  settings.on("layers", () => {
    update();
    updateNear();
  });
  folded();
  update();
  updateNear();
  return card;
}

/** A point in the world. */
function pointText(point: Vector3): string {
  return `at ${point.map((value) => minus(value.toFixed(3))).join("  ")} m`;
}

/** The origins of two links, for a pair without a known point. */
function middles({ poses }: State, pair: LinkPair): Vector3[] {
  return pair.map((index): Vector3 => [poses[index]![3]!, poses[index]![7]!, poses[index]![11]!]);
}

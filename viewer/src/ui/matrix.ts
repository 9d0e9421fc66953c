// Dialog of the self-collision pairs as a matrix.

import { type Pair, Pairs } from "../collision";
import { link } from "../items";
import type { State } from "../state";
import { element } from "./dom";
import { dialog } from "./dialog";

const WORDS: Readonly<Record<Pair, string>> = {
  enabled: "tested (enabled in the model)",
  tested: "tested",
  disabled: "not tested (disabled in the model)",
  adjacent: "not tested (adjacent links)",
  untested: "not tested",
  self: "",
};
const LARGEST = 520;
const CELL = 18;

export function matrixDialog(state: State): HTMLDialogElement {
  const pairs = new Pairs(state.robot);
  const { links } = pairs;
  const [tested, all] = pairs.count();
  const canvas = element("canvas", { class: "matrix", role: "img", "aria-label": "Self-collision pairs" });
  const said = element("p", { class: "said", "aria-live": "polite" });
  const usual = `${tested.toLocaleString("en")} of ${all.toLocaleString("en")} pairs are tested`;
  const legend = element(
    "p",
    { class: "legend" },
    ...(["tested", "enabled", "adjacent", "disabled", "untested"] as const).map((pair) =>
      element("span", {}, element("i", { class: `pair ${pair}` }), WORDS[pair]),
    ),
  );
  const content = links.length ? canvas : element("p", {}, "No link has a collision shape.");
  const made = dialog("pairs", "Self-collision pairs", content, said, legend);
  const cell = Math.max(2, Math.min(CELL, Math.floor(LARGEST / Math.max(1, links.length))));
  let at: readonly [number, number] | null = null;
  const name = (index: number): string => state.robot.links[links[index]!]!.name;
  const tell = (): void => {
    if (at) {
      const pair = pairs.of(links[at[0]]!, links[at[1]]!);
      said.textContent = pair === "self" ? name(at[0]) : `${name(at[0])} and ${name(at[1])}: ${WORDS[pair]}`;
    } else {
      said.textContent = usual;
    }
  };
  const draw = (): void => paint(canvas, pairs, { cell, at, colors: colorsOf(made) });
  const point = (event: PointerEvent): void => {
    const { left, top } = canvas.getBoundingClientRect();
    const [column, row] = [Math.floor((event.clientX - left) / cell), Math.floor((event.clientY - top) / cell)];
    at = row >= 0 && column >= 0 && row < links.length && column < links.length ? [row, column] : null;
    state.hover(at ? link(links[at[1]]!) : null);
    tell();
    draw();
  };
  canvas.addEventListener("pointermove", point);
  canvas.addEventListener("pointerleave", () => {
    at = null;
    state.hover(null);
    tell();
    draw();
  });
  canvas.addEventListener("click", () => state.select(at ? link(links[at[0]]!) : null));
  made.addEventListener("opened", () => {
    tell();
    draw();
  });
  return made;
}

interface Look {
  /** Side of a cell in pixels. */
  readonly cell: number;
  /** Row and column under the pointer. */
  readonly at: readonly [number, number] | null;
  readonly colors: Readonly<Record<Pair, string>>;
}

function paint(canvas: HTMLCanvasElement, pairs: Pairs, { cell, at, colors }: Look): void {
  const { links } = pairs;
  const side = links.length * cell;
  const scale = window.devicePixelRatio || 1;
  canvas.width = canvas.height = side * scale;
  canvas.style.width = canvas.style.height = `${side}px`;
  const context = canvas.getContext("2d")!;
  context.scale(scale, scale);
  const gap = cell > 5 ? 1 : 0;
  links.forEach((a, row) =>
    links.forEach((b, column) => {
      context.fillStyle = colors[pairs.of(a, b)];
      context.globalAlpha = at && (at[0] === row || at[1] === column) ? 0.75 : 1;
      context.fillRect(column * cell, row * cell, cell - gap, cell - gap);
    }),
  );
}

function colorsOf(holder: HTMLElement): Record<Pair, string> {
  const color = (pair: string): string => getComputedStyle(holder.querySelector(`.pair.${pair}`)!).backgroundColor;
  const names: readonly Pair[] = ["enabled", "tested", "disabled", "adjacent", "untested"];
  const found = Object.fromEntries(names.map((pair) => [pair, color(pair)]));
  return { ...found, self: "transparent" } as Record<Pair, string>;
}

// Card of the self-collision pairs as a matrix beside the robot, with names on both sides. It is a grid of which only
// the cell with the focus is an element; the others are drawn.

import { type Pair, Pairs } from "../collision";
import { link } from "../items";
import type { ProofData } from "../model";
import type { Settings } from "../settings";
import type { State } from "../state";
import { button, element } from "./dom";

/** What a cell shows: what is proved of the pair if that is known, else whether it is tested. */
type Cell = Pair | Exclude<ProofData[2], "adjacent">;

const WORDS: Readonly<Record<Cell, string>> = {
  enabled: "tested (enabled in the model)",
  tested: "tested",
  disabled: "not tested (disabled in the model)",
  adjacent: "not tested (adjacent links)",
  untested: "not tested",
  self: "",
  always: "always in collision",
  never: "never in collision (proved)",
  possible: "possible: a click shows them in collision",
  unseen: "not seen in collision, not proved",
};
const TESTED: readonly Cell[] = ["tested", "enabled", "adjacent", "disabled", "untested"];
const PROVED: readonly Cell[] = ["possible", "always", "never", "unseen", "adjacent"];
// Sides of cells in pixels, and the room for all of them; more scroll.
const [SMALLEST, LARGEST] = [12, 22];
const ROOM = 270;

/** The card of one robot, shown while the settings say so; ``act`` makes a step of the history. */
export function matrixCard(
  state: State, robot: number, settings: Settings, proof: readonly ProofData[] | null, act: (title: string, run: () => void) => void,
): HTMLElement {
  const pairs = new Pairs(state.robot);
  const { links } = pairs;
  const count = links.length;
  const [tested, all] = pairs.count();
  const cell = Math.max(SMALLEST, Math.min(LARGEST, Math.floor(ROOM / Math.max(1, count))));
  const canvas = element("canvas", { class: "matrix", "aria-hidden": "true" });
  const said = element("p", { class: "said" });
  const focused = element("div", { role: "gridcell", class: "cell", tabindex: 0 });
  const row = element("div", { role: "row" }, focused);
  const name = (index: number): string => state.robot.links[links[index]!]!.name;
  const names = (way: string): HTMLElement[] => {
    const made = links.map((_, index) => element("span", { title: name(index) }, name(index)));
    made.forEach((each) => (each.style[way === "rows" ? "height" : "width"] = `${cell}px`));
    return made;
  };
  const [rowNames, columnNames] = [names("rows"), names("columns")];
  const grid = element(
    "div", { role: "grid", class: "grid", "aria-label": "Pairs of links", "aria-rowcount": count, "aria-colcount": count },
    element("div", { class: "columns-names", "aria-hidden": "true" }, ...columnNames),
    element("div", { class: "rows-names", "aria-hidden": "true" }, ...rowNames),
    element("div", { class: "cells", role: "presentation" }, canvas, row),
  );
  const counted = `${tested.toLocaleString("en")} of ${all.toLocaleString("en")} pairs are tested`;
  const legend = element(
    "p",
    { class: "legend" },
    ...(proof ? PROVED : TESTED).map((pair) =>
      element("span", {}, element("i", { class: `pair ${pair}` }), WORDS[pair]),
    ),
  );
  const close = button("×", { class: "quiet close", "aria-label": "Close", title: "Close (Shift+X)" }, () =>
    act("Pairs", () => settings.setMatrix("off")),
  );
  const made = element(
    "section", { class: "card pairs-card", "aria-label": "Self-collision pairs" },
    element("header", {}, element("h2", {}, element("strong", {}, "Self-collision pairs")), close),
    element("p", { class: "count" }, counted),
    count ? element("div", { class: "scroll" }, grid) : element("p", {}, "No link has a collision shape."), said, legend,
  );
  const known = new Map((proof ?? []).map((each) => [key(each[0], each[1]), each] as const));
  const of = (a: number, b: number): Cell => (a === b ? "self" : (known.get(key(a, b))?.[2] ?? pairs.of(a, b)));
  /** The cell under the pointer, and the one that has the focus, or had it last. */
  let at: readonly [number, number] | null = null;
  let current: readonly [number, number] = [0, Math.min(1, count - 1)];
  const wordsOf = ([first, second]: readonly [number, number]): string => {
    const [a, b] = [links[first]!, links[second]!];
    const [pair, rule] = [of(a, b), pairs.of(a, b)];
    const also = pair === rule ? "" : `; ${WORDS[rule]}`;
    return pair === "self" ? name(first) : `${name(first)} and ${name(second)}: ${WORDS[pair]}${also}`;
  };
  const draw = (): void => {
    const shown = at ?? (document.activeElement === focused ? current : null);
    said.textContent = shown ? wordsOf(shown) : "";
    rowNames.forEach((each, index) => each.classList.toggle("on", index === shown?.[0]));
    columnNames.forEach((each, index) => each.classList.toggle("on", index === shown?.[1]));
    if (count) {
      const [first, second] = current;
      row.setAttribute("aria-rowindex", String(first + 1));
      focused.setAttribute("aria-colindex", String(second + 1));
      focused.setAttribute("aria-label", wordsOf(current));
      focused.style.width = focused.style.height = `${cell}px`;
      focused.style.translate = `${second * cell}px ${first * cell}px`;
    }
    const red = new Set((state.touching ?? []).map(([a, b]) => key(a, b)));
    paint(canvas, links, { cell, at: shown, of, red: (a, b) => red.has(key(a, b)), colors: colorsOf(made) });
  };
  const hover = (): void => state.hover(at ? link(links[at[1]]!) : null);
  const take = ([first, second]: readonly [number, number]): void => {
    const pair = [links[first]!, links[second]!] as const;
    const witness = known.get(key(...pair))?.[3];
    if (witness) {
      act("Show a pair in collision", () => {
        // A selected link would not be drawn in red.
        state.select(null);
        state.demonstrate(pair, witness);
        settings.show("pairs", true);
      });
    } else {
      act("Select", () => state.select(link(pair[0])));
    }
  };
  canvas.addEventListener("pointermove", (event) => {
    const { left, top } = canvas.getBoundingClientRect();
    const [column, line] = [Math.floor((event.clientX - left) / cell), Math.floor((event.clientY - top) / cell)];
    at = line >= 0 && column >= 0 && line < count && column < count ? [line, column] : null;
    hover();
    draw();
  });
  canvas.addEventListener("pointerleave", () => {
    at = null;
    hover();
    draw();
  });
  canvas.addEventListener("click", () => {
    if (at) {
      current = at;
      take(at);
      draw();
    }
  });
  focused.addEventListener("click", () => take(current));
  focused.addEventListener("keydown", (event) => {
    const [first, second] = current;
    const next = MOVES[event.key]?.(first, second, count - 1);
    if (next) {
      current = next.map((index) => Math.max(0, Math.min(count - 1, index))) as unknown as readonly [number, number];
      state.hover(link(links[current[1]]!));
      draw();
      focused.scrollIntoView({ block: "nearest", inline: "nearest" });
    } else if (event.key === "Enter" || event.key === " ") {
      take(current);
    } else {
      return;
    }
    event.preventDefault();
  });
  focused.addEventListener("focus", draw);
  focused.addEventListener("blur", () => {
    state.hover(null);
    draw();
  });
  const update = (): void => {
    made.hidden = settings.matrix === "off" || settings.focus !== robot;
    if (!made.hidden) {
      draw();
    }
  };
  state.on("touching", () => !made.hidden && draw());
  settings.on("theme", () => requestAnimationFrame(update));
  settings.on("matrix", update);
  settings.on("focus", update);
  update();
  return made;
}

const MOVES: Readonly<Record<string, (row: number, column: number, last: number) => readonly [number, number]>> = {
  ArrowUp: (row, column) => [row - 1, column],
  ArrowDown: (row, column) => [row + 1, column],
  ArrowLeft: (row, column) => [row, column - 1],
  ArrowRight: (row, column) => [row, column + 1],
  Home: (row) => [row, 0],
  End: (row, _, last) => [row, last],
  PageUp: (_, column) => [0, column],
  PageDown: (_, column, last) => [last, column],
};

interface Look {
  /** Side of a cell in pixels. */
  readonly cell: number;
  /** Row and column under the pointer. */
  readonly at: readonly [number, number] | null;
  readonly of: (a: number, b: number) => Cell;
  /** Whether two links are in collision. */
  readonly red: (a: number, b: number) => boolean;
  readonly colors: Readonly<Record<Cell | "touching", string>>;
}

/** A number for a pair of links, in either order. */
function key(a: number, b: number): number {
  return Math.min(a, b) * 2 ** 20 + Math.max(a, b);
}

function paint(canvas: HTMLCanvasElement, links: readonly number[], { cell, at, of, red, colors }: Look): void {
  const side = links.length * cell;
  const scale = window.devicePixelRatio || 1;
  canvas.width = canvas.height = side * scale;
  canvas.style.width = canvas.style.height = `${side}px`;
  const context = canvas.getContext("2d")!;
  context.scale(scale, scale);
  const gap = cell > 5 ? 1 : 0;
  links.forEach((a, row) =>
    links.forEach((b, column) => {
      context.fillStyle = colors[red(a, b) ? "touching" : of(a, b)];
      context.globalAlpha = at && (at[0] === row || at[1] === column) ? 0.75 : 1;
      context.fillRect(column * cell, row * cell, cell - gap, cell - gap);
    }),
  );
}

function colorsOf(holder: HTMLElement): Look["colors"] {
  const probe = element("i");
  holder.append(probe);
  const color = (pair: string): string => {
    probe.className = `pair ${pair}`;
    return getComputedStyle(probe).backgroundColor;
  };
  const found = Object.fromEntries([...TESTED, ...PROVED, "touching"].map((pair) => [pair, color(pair)]));
  probe.remove();
  return { ...found, self: "transparent" } as Look["colors"];
}

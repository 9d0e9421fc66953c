// Dialog of the self-collision pairs as a matrix.

import { type Pair, Pairs } from "../collision";
import { link } from "../items";
import type { ProofData } from "../model";
import type { Settings } from "../settings";
import type { State } from "../state";
import { element } from "./dom";
import { dialog } from "./dialog";

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
const LARGEST = 430;
const CELL = 18;

export function matrixDialog(state: State, settings: Settings, proof: readonly ProofData[] | null): HTMLDialogElement {
  const pairs = new Pairs(state.robot);
  const { links } = pairs;
  const [tested, all] = pairs.count();
  const canvas = element("canvas", { class: "matrix", role: "img", "aria-label": "Self-collision pairs" });
  const said = element("p", { class: "said", "aria-live": "polite" });
  const usual = `${tested.toLocaleString("en")} of ${all.toLocaleString("en")} pairs are tested`;
  const legend = element(
    "p",
    { class: "legend" },
    ...(proof ? PROVED : TESTED).map((pair) =>
      element("span", {}, element("i", { class: `pair ${pair}` }), WORDS[pair]),
    ),
  );
  const content = links.length ? canvas : element("p", {}, "No link has a collision shape.");
  const made = dialog("pairs", "Self-collision pairs", content, said, legend);
  const cell = Math.max(2, Math.min(CELL, Math.floor(LARGEST / Math.max(1, links.length))));
  const known = new Map((proof ?? []).map((each) => [key(each[0], each[1]), each] as const));
  const of = (a: number, b: number): Cell => (a === b ? "self" : (known.get(key(a, b))?.[2] ?? pairs.of(a, b)));
  let at: readonly [number, number] | null = null;
  const name = (index: number): string => state.robot.links[links[index]!]!.name;
  const tell = (): void => {
    if (at) {
      const [a, b] = [links[at[0]]!, links[at[1]]!];
      const [pair, rule] = [of(a, b), pairs.of(a, b)];
      const also = pair === rule ? "" : `; ${WORDS[rule]}`;
      said.textContent = pair === "self" ? name(at[0]) : `${name(at[0])} and ${name(at[1])}: ${WORDS[pair]}${also}`;
    } else {
      said.textContent = usual;
    }
  };
  const draw = (): void => {
    const red = new Set((state.touching ?? []).map(([a, b]) => key(a, b)));
    paint(canvas, links, { cell, at, of, red: (a, b) => red.has(key(a, b)), colors: colorsOf(made) });
  };
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
  canvas.addEventListener("click", () => {
    const pair = at && ([links[at[0]]!, links[at[1]]!] as const);
    const witness = pair && known.get(key(...pair))?.[3];
    if (witness) {
      // A selected link would not be drawn in red.
      state.select(null);
      state.demonstrate(pair, witness);
      settings.show("pairs", true);
    } else {
      state.select(pair ? link(pair[0]) : null);
    }
  });
  state.on("touching", () => made.open && draw());
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

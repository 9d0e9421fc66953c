// Card of a run: camera pictures, and plots of the sensors and of the selected joint.

import { BASE } from "../mechanism";
import type { PictureData } from "../model";
import { bounds, linePath, type Run, type Series, visible } from "../run";
import type { State } from "../state";
import { digits } from "../units";
import { element } from "./dom";

const WIDTH = 236;
const HEIGHT = 58;
// Plots that are open at first.
const OPEN = 3;
const SVG = "http://www.w3.org/2000/svg";

/** The card, and a function that shows a time. */
export interface RunCard {
  readonly element: HTMLElement;
  readonly seek: (time: number) => void;
}

export function runCard(run: Run, state: State): RunCard {
  const { motion, data } = run;
  const pictures = data.pictures.map((each) => picture(run, each));
  const count = { open: 0 };
  const plots = run.plots.map(({ data: plot, values }) => {
    const title = [plot.name, plot.what].filter(Boolean).join(" · ");
    const open = count.open++ < OPEN;
    return plot.kind === "scan"
      ? scan(title, values, plot.size, plot.scale ?? 1, plot.row ?? plot.size, open, (time) => motion.row(time))
      : lines({ title, unit: plot.unit, labels: plot.labels, size: plot.size, values }, run, open);
  });
  const joint = element("div", { class: "joint-plots", hidden: true });
  let jointPlots: Drawn[] = [];
  let now = state.moment ?? motion.span[0];
  const choose = (): void => {
    const { selected, robot } = state;
    const index = selected?.kind === "link" ? robot.links[selected.index]!.joint : BASE;
    const moved = index === BASE ? null : robot.joints[index]!;
    const series = moved ? run.joint(index, moved.kind !== "prismatic") : [];
    jointPlots = series.map((each) => lines({ ...each, title: `${moved!.name} · ${each.title}` }, run, true));
    joint.replaceChildren(...jointPlots.map((each) => each.element));
    joint.hidden = jointPlots.length === 0;
    jointPlots.forEach((each) => each.seek(now));
  };
  state.on("selection", choose);
  choose();
  const note = data.finished ? [] : [element("p", { class: "cut-short" }, "This run was interrupted.")];
  const card = element(
    "section",
    { class: "run", "aria-label": "Run" },
    ...note,
    ...pictures.map((each) => each.element),
    joint,
    ...plots.map((each) => each.element),
  );
  card.hidden = pictures.length + plots.length + note.length === 0 && data.rates === null;
  if (!pictures.length && !plots.length && data.rates) {
    card.append(element("p", { class: "told" }, "Select a link to plot its joint."));
  }
  return {
    element: card,
    seek: (time) => {
      now = time;
      [...pictures, ...plots, ...jointPlots].forEach((each) => each.seek(time));
    },
  };
}

interface Drawn {
  readonly element: HTMLElement;
  readonly seek: (time: number) => void;
}

/** A plot of lines over time with a cursor; drawn when it is first opened. */
function lines({ title, unit, labels, size, values }: Series, run: Run, open: boolean): Drawn {
  const { motion } = run;
  const [begin, end] = motion.span;
  const [plot, svg, told] = frame(title, open);
  const cursor = shape("line", { class: "cursor", x1: 0, x2: 0, y1: 0, y2: HEIGHT });
  let drawn = false;
  let now = begin;
  let range = 0;
  const draw = (): void => {
    drawn = true;
    const [low, high] = widened(bounds(values));
    range = high - low;
    const box = { width: WIDTH, height: HEIGHT, low, high };
    if (low < 0 && high > 0) {
      const y = HEIGHT * (1 - (0 - low) / (high - low));
      svg.append(shape("line", { class: "zero", x1: 0, x2: WIDTH, y1: y, y2: y }));
    }
    for (let line = 0; line < size; line++) {
      svg.append(shape("path", { class: `line line-${line % 6}`, d: linePath(values, [size, line], motion.times, box) }));
    }
    svg.append(
      label(digits(high, 3), 9), label(`${digits(low, 3)}${unit && ` ${unit}`}`, HEIGHT - 2), cursor,
    );
  };
  const seek = (time: number): void => {
    now = time;
    if (!plot.open) {
      return;
    }
    if (!drawn) {
      draw();
    }
    const x = String((WIDTH * (time - begin)) / (end - begin || 1));
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
    const row = motion.row(time);
    const texts = Array.from({ length: Math.min(size, 6) }, (_, line) => {
      const text = digits(visible(values[row * size + line]!, range), 3);
      return element("span", { class: `value value-${line % 6}`, title: labels[line] ?? unit }, text);
    });
    told.replaceChildren(...texts);
  };
  plot.addEventListener("toggle", () => seek(now));
  return { element: plot, seek };
}

/** The distances of a range sensor at one time, ray by ray; several rows of rays are several lines. */
function scan(
  title: string, values: ArrayLike<number>, size: number, scale: number, row: number, open: boolean,
  rowOf: (time: number) => number,
): Drawn {
  const [plot, svg, told] = frame(title, open);
  const missing = 65535;
  let far = 0;
  for (let at = 0; at < values.length; at++) {
    far = values[at]! < missing ? Math.max(far, values[at]!) : far;
  }
  const path = shape("path", { class: "line line-2", d: "" });
  svg.append(path, label(`${digits(far * scale, 3)} m`, 9), label("0", HEIGHT - 2));
  let now = 0;
  const seek = (time: number): void => {
    now = time;
    if (!plot.open) {
      return;
    }
    const at = rowOf(time) * size;
    const out: string[] = [];
    let [drawn, near] = [false, Infinity];
    for (let ray = 0; ray < size; ray++) {
      const distance = values[at + ray]!;
      drawn = drawn && distance < missing && ray % row > 0;
      if (distance < missing) {
        // The first ray is the rightmost one.
        const x = row > 1 ? WIDTH * (1 - (ray % row) / (row - 1)) : WIDTH / 2;
        out.push(`${drawn ? "L" : "M"}${x.toFixed(1)} ${(HEIGHT * (1 - distance / (far || 1))).toFixed(1)}`);
        drawn = true;
        near = Math.min(near, distance);
      }
    }
    path.setAttribute("d", out.join(""));
    const text = near < Infinity ? `${digits(near * scale, 3)} m` : "no return";
    told.replaceChildren(element("span", { class: "value value-2", title: "nearest" }, text));
  };
  plot.addEventListener("toggle", () => seek(now));
  return { element: plot, seek };
}

/** The picture of a camera at a time. */
function picture(run: Run, data: PictureData): Drawn {
  const canvas = element("canvas", { width: data.width, height: data.height, "aria-label": data.name });
  const figure = element("figure", { class: "picture" }, canvas, element("figcaption", {}, data.name));
  const context = canvas.getContext("2d");
  let shown = -1;
  const seek = (time: number): void => {
    const found = run.picture(data, time);
    if ((found?.index ?? -1) === shown) {
      return;
    }
    shown = found?.index ?? -1;
    if (!found) {
      context?.clearRect(0, 0, canvas.width, canvas.height);
      return;
    }
    const { index, bytes } = found;
    void createImageBitmap(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "image/png" })).then((image) => {
      // Another picture may have been asked for in the meantime.
      if (index === shown) {
        context?.drawImage(image, 0, 0);
      }
      image.close();
    });
  };
  return { element: figure, seek };
}

function frame(title: string, open: boolean): [HTMLDetailsElement, SVGElement, HTMLElement] {
  const told = element("span", { class: "values" });
  const svg = shape("svg", { class: "plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img" });
  svg.setAttribute("aria-label", title);
  const name = element("span", { class: "name", title }, title);
  return [element("details", { open }, element("summary", {}, name, told), svg), svg, told];
}

function label(text: string, y: number): SVGElement {
  const made = shape("text", { x: 3, y });
  made.textContent = text;
  return made;
}

function shape(tag: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS(SVG, tag);
  Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, String(value)));
  return made;
}

/** Bounds with a margin, so that lines do not touch the frame; what is never negative begins at 0 or above. */
function widened([low, high]: readonly [number, number]): readonly [number, number] {
  const margin = (high - low || Math.abs(high) || 1) * 0.06;
  return [low < 0 ? low - margin : Math.max(low - margin, 0), high + margin];
}

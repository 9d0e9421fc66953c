// Plots over time: lines with their limits, and the rays of a range sensor.

import type { Motion } from "../motion";
import { bounds, linePath, type Series, visible } from "../run";
import { digits } from "../units";
import { element } from "./dom";

const WIDTH = 236;
const HEIGHT = 58;
const SVG = "http://www.w3.org/2000/svg";

/** An element, and a function that shows a time. */
export interface Drawn {
  readonly element: HTMLElement;
  readonly seek: (time: number) => void;
}

/** A plot of lines over time with a cursor, and with the limits that the lines keep; drawn when it is first opened. */
export function lines({ title, unit, labels, size, values, limits: given }: Series, motion: Motion, open: boolean): Drawn {
  const [begin, end] = motion.span;
  const [plot, svg, told] = frame(title, open);
  const cursor = shape("line", { class: "cursor", x1: 0, x2: 0, y1: 0, y2: HEIGHT });
  const limits = [given?.lower, given?.upper].filter((limit) => typeof limit === "number");
  let drawn = false;
  let now = begin;
  let range = 0;
  const draw = (): void => {
    drawn = true;
    const [least, most] = bounds(values);
    const [low, high] = widened([Math.min(least, ...limits), Math.max(most, ...limits)]);
    range = high - low;
    const heightOf = (value: number): number => HEIGHT * (1 - (value - low) / (high - low));
    const box = { width: WIDTH, height: HEIGHT, low, high };
    if (low < 0 && high > 0) {
      svg.append(shape("line", { class: "zero", x1: 0, x2: WIDTH, y1: heightOf(0), y2: heightOf(0) }));
    }
    for (const limit of limits) {
      svg.append(shape("line", { class: "limit", x1: 0, x2: WIDTH, y1: heightOf(limit), y2: heightOf(limit) }));
    }
    for (let line = 0; line < size; line++) {
      svg.append(shape("path", { class: `line line-${line % 6}`, d: linePath(values, [size, line], motion.times, box) }));
    }
    // Limits are told, not where the plot ends.
    const [above, below] = [given?.upper ?? high, given?.lower ?? low];
    svg.append(
      label(digits(above, 3), 9), label(`${digits(below, 3)}${unit && ` ${unit}`}`, HEIGHT - 2), cursor,
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
export function scan(
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

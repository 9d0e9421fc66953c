// A place in a file: its name and line, and the lines around it.

import type { RobotData, SourcePlace } from "../model";
import { element } from "./dom";

// Lines shown from the place on; those of other places may be there, too.
const MOST = 10;
// So many letters stand before a place that is far behind in its line (as page/sources.py cuts it).
const LEAD = 80;

/** File and line, with what the text went through before it was read. */
export function placeText({ sources }: RobotData, [source, line]: SourcePlace): string {
  const { name, note } = sources[source]!;
  return `${name}:${line}${note ? ` (${note})` : ""}`;
}

/** The lines around a place, the place itself marked. */
export function excerpt({ sources }: RobotData, [source, line, last, column, length]: SourcePlace): HTMLElement {
  const { lines } = sources[source]!;
  const cut = lines[`${line}:${column}`];
  const textOf = (number: number): string => (cut !== undefined && number === line ? `…${cut}` : lines[number]!);
  const numbers: number[] = [];
  for (let number = Math.max(1, line - 2); lines[number] !== undefined && number <= line + MOST; number++) {
    numbers.push(number);
  }
  const indent = Math.min(...numbers.map((number) => indentOf(textOf(number))));
  const shown = numbers.map((number) => {
    const text = textOf(number).slice(indent);
    const row = element("code", { class: number >= line && number <= last ? "at" : "near", "data-line": number });
    if (number === line && line === last) {
      const start = cut === undefined ? column - 1 - indent : 1 + LEAD;
      const end = start + Math.max(1, length);
      row.append(text.slice(0, start), element("mark", {}, text.slice(start, end)), text.slice(end));
    } else {
      row.append(text);
    }
    return row;
  });
  return element("pre", { class: "excerpt", tabindex: 0 }, ...shown);
}

/** Letters of white space that a line begins with; lines of nothing else do not count. */
function indentOf(text: string): number {
  return text.trim() ? text.length - text.trimStart().length : Infinity;
}

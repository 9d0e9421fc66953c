// Source excerpts: file name and line number, and the surrounding lines.

import type { FindingsData, SourcePlace } from "../model";
import { element } from "./dom";

type Sources = Pick<FindingsData, "sources">;

// Number of lines from the location on; the file may hold lines of other locations, too.
const MOST = 10;
// Number of characters before a location in a long line (as page/sources.py cuts it).
const LEAD = 80;

/** File and line, and the preprocessing of the text. */
export function placeText({ sources }: Sources, [source, line]: SourcePlace): string {
  const { name, note } = sources[source]!;
  return `${name}:${line}${note ? ` (${note})` : ""}`;
}

/** The lines around a location, which is highlighted. */
export function excerpt({ sources }: Sources, [source, line, last, column, length]: SourcePlace): HTMLElement {
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

/** Common indentation of the lines; blank lines are ignored. */
function indentOf(text: string): number {
  return text.trim() ? text.length - text.trimStart().length : Infinity;
}

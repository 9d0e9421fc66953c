// Panel of the differences between two robots.

import { link } from "../items";
import type { ComparisonData, DifferenceData } from "../model";
import type { State } from "../state";
import { element, panel } from "./dom";

const MOST = 500;

export function differencesPanel(states: readonly State[], { count, differences }: ComparisonData): HTMLElement {
  const filter = element("input", {
    type: "search", class: "narrow", placeholder: "Filter", "aria-label": "Filter differences",
  });
  const [section, body] = panel("differences", `Differences (${count.toLocaleString("en")})`, filter);
  const list = element("ul");
  body.append(list);
  const update = (): void => {
    const wanted = filter.value.trim().toLowerCase();
    const shown = differences.filter(({ path, text }) => `${path} ${text}`.toLowerCase().includes(wanted));
    list.replaceChildren(...shown.slice(0, MOST).map((difference) => row(states, difference)));
    const left = (wanted ? shown.length : count) - Math.min(MOST, shown.length);
    if (left > 0) {
      list.append(element("li", { class: "empty" }, `… and ${left.toLocaleString("en")} more`));
    } else if (!shown.length) {
      list.append(element("li", { class: "empty" }, wanted ? "No matches." : "The robots are identical."));
    }
  };
  filter.addEventListener("input", update);
  update();
  return section;
}

function row(states: readonly State[], { path, kind, text, links }: DifferenceData): HTMLElement {
  const parts = [
    element("span", { class: "path" }, path),
    element("span", { class: `message ${kind}` }, text),
  ];
  if (links.every((index) => index < 0)) {
    return element("li", {}, element("div", { class: "finding" }, ...parts));
  }
  const made = element("button", { type: "button", class: "finding" }, ...parts);
  const each = (act: (state: State, index: number) => void): void =>
    states.forEach((state, side) => act(state, links[side] ?? -1));
  made.addEventListener("click", () => each((state, index) => state.select(link(index))));
  made.addEventListener("pointerenter", () => each((state, index) => state.hover(link(index))));
  made.addEventListener("pointerleave", () => each((state) => state.hover(null)));
  return element("li", {}, made);
}

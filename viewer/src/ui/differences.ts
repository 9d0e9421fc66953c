// Panel of the differences between two robots, by what they matter for.

import { ASPECT_WORDS, categories, type Category, type DifferenceGroup } from "../differences";
import { link } from "../items";
import type { ComparisonData, DifferenceData } from "../model";
import type { State } from "../state";
import { element, panel } from "./dom";
import type { GoTo } from "./findings";

const MOST = 500;
// More differences in one field are one row that opens.
const FEW = 3;
// Categories with more rows are closed at first.
const MANY = 12;

export function differencesPanel(states: readonly State[], { count, differences }: ComparisonData, go: GoTo): HTMLElement {
  const filter = element("input", {
    type: "search", class: "narrow", placeholder: "Filter", "aria-label": "Filter differences",
  });
  const [section, body] = panel("differences", `Differences (${count.toLocaleString("en")})`, filter);
  const update = (): void => {
    const wanted = filter.value.trim().toLowerCase();
    const words = ({ item, field, path, text, aspect }: DifferenceData): string =>
      `${item} ${field} ${path} ${text} ${ASPECT_WORDS[aspect]}`.toLowerCase();
    const shown = differences.filter((each) => words(each).includes(wanted));
    body.replaceChildren(...categories(shown).map((category) => categoryPart(states, go, category, wanted !== "")));
    const left = (wanted ? shown.length : count) - shown.length;
    if (left > 0) {
      body.append(element("p", { class: "empty" }, `… and ${left.toLocaleString("en")} more`));
    } else if (!shown.length) {
      body.append(element("p", { class: "empty" }, wanted ? "No matches." : "The robots are identical."));
    }
  };
  filter.addEventListener("input", update);
  update();
  return section;
}

/** The differences of a category, which opens; while one filters, it is open. */
function categoryPart(states: readonly State[], go: GoTo, { aspect, count, groups }: Category, filtered: boolean): HTMLElement {
  const rows = groups.reduce((sum, { differences }) => sum + (differences.length > FEW ? 1 : differences.length), 0);
  const summary = element(
    "summary", {}, element("span", { class: "name" }, ASPECT_WORDS[aspect]), element("span", { class: "kind" }, count.toLocaleString("en")),
  );
  const list = element("ul");
  const made = element("details", { class: "branch category", "data-aspect": aspect, open: filtered || rows <= MANY }, summary, list);
  const fill = (): void => {
    if (made.open && !list.hasChildNodes()) {
      list.append(...groups.slice(0, MOST).flatMap((group) => groupRows(states, go, group)));
      if (groups.length > MOST) {
        list.append(element("li", { class: "empty" }, `… and ${(groups.length - MOST).toLocaleString("en")} more`));
      }
    }
  };
  made.addEventListener("toggle", fill);
  fill();
  return made;
}

/** Differences in one field: a row for each, or one that opens. */
function groupRows(states: readonly State[], go: GoTo, { field, differences }: DifferenceGroup): HTMLElement[] {
  if (differences.length <= FEW) {
    return differences.map((difference) => row(states, go, difference));
  }
  const texts = new Set(differences.map(({ text }) => text));
  const summary = element(
    "summary", { class: "finding" },
    element("span", { class: "path" }, field, element("span", { class: "count" }, `×${differences.length.toLocaleString("en")}`)),
    element("span", { class: "message" }, texts.size === 1 ? differences[0]!.text : differences.map(({ item }) => item).filter(Boolean).join(", ")),
  );
  const list = element("ul", { "aria-label": field });
  const more = element("details", { class: "rule" }, summary, list);
  more.addEventListener("toggle", () => {
    if (more.open && !list.hasChildNodes()) {
      list.append(...differences.slice(0, MOST).map((difference) => row(states, go, difference)));
    }
  });
  return [element("li", {}, more)];
}

function row(states: readonly State[], go: GoTo, { path, item, field, kind, text, links }: DifferenceData): HTMLElement {
  const parts = [
    element("span", { class: "path", title: path }, ...(item ? [item, element("span", { class: "field" }, field)] : [field])),
    element("span", { class: `message ${kind}` }, text),
  ];
  if (links.every((index) => index < 0)) {
    return element("li", {}, element("div", { class: "finding" }, ...parts));
  }
  const made = element("button", { type: "button", class: "finding" }, ...parts);
  const each = (act: (state: State, index: number) => void): void =>
    states.forEach((state, side) => act(state, links[side] ?? -1));
  made.addEventListener("click", () => go("Go to a difference", () => each((state, index) => state.select(link(index)))));
  made.addEventListener("pointerenter", () => each((state, index) => state.hover(link(index))));
  made.addEventListener("pointerleave", () => each((state) => state.hover(null)));
  return element("li", {}, made);
}

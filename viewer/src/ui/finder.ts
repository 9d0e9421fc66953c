// Search field and its results, shown in place of the tree.

import { type Hit, search } from "../search";
import type { State } from "../state";
import { element } from "./dom";

const MOST = 200;

/** Create the field and its list; the tree is hidden while the field is not empty. */
export function finder(state: State, tree: HTMLElement): HTMLElement {
  const field = element("input", {
    type: "search", class: "find", placeholder: "Search", "aria-label": "Search links, joints, devices, meshes",
    title: "Search (/)", "aria-keyshortcuts": "/", spellcheck: "false", autocomplete: "off",
  });
  const list = element("ul", { class: "hits", hidden: true });
  let hits: readonly Hit[] = [];
  let at = 0;
  const mark = (): void =>
    [...list.children].forEach((row, index) => {
      row.classList.toggle("current", index === at);
      if (index === at) {
        row.scrollIntoView({ block: "nearest" });
      }
    });
  const take = (hit: Hit | undefined): void => {
    if (hit) {
      state.select(hit.item);
    }
  };
  const update = (): void => {
    hits = search(state.robot, field.value, MOST);
    at = 0;
    const searching = field.value.trim() !== "";
    list.hidden = !searching;
    tree.hidden = searching;
    list.replaceChildren(...hits.map((hit) => row(state, hit)));
    if (searching && !hits.length) {
      list.append(element("li", { class: "empty" }, "No matches."));
    } else {
      mark();
    }
  };
  field.addEventListener("input", update);
  field.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && hits.length) {
      event.preventDefault();
      at = (at + step + hits.length) % hits.length;
      mark();
    } else if (event.key === "Enter") {
      take(hits[at]);
      // On to the slider of what was found, where it has one.
      document.querySelector<HTMLElement>("section:not([hidden]) .joint.selected input[type=range]:enabled")?.focus();
    } else if (event.key === "Escape") {
      event.stopPropagation();
      field.value = "";
      field.blur();
      update();
    }
  });
  return element("div", { class: "finder" }, field, list);
}

function row(state: State, hit: Hit): HTMLElement {
  const made = element(
    "button",
    { type: "button", tabindex: -1 },
    element("span", { class: "name" }, hit.name),
    element("span", { class: "kind" }, hit.word),
  );
  made.addEventListener("click", () => state.select(hit.item));
  made.addEventListener("pointerenter", () => state.hover(hit.item));
  made.addEventListener("pointerleave", () => state.hover(null));
  return element("li", {}, made);
}

// The links as a tree, for the pointer and for the keyboard.

import type { Model } from "../model";
import { NONE, type State } from "../state";
import { element, panel } from "./dom";

const DEEPEST = 14;

interface Item {
  readonly link: number;
  readonly element: HTMLElement;
  readonly parent: Item | null;
  readonly children: Item[];
  open: boolean;
}

export function treePanel(state: State): HTMLElement {
  const { model } = state;
  const [section, body] = panel("links", "Links");
  const list = element("div", { role: "tree", "aria-labelledby": "links-title" });
  body.append(list);
  const items = makeItems(model);
  for (const item of items.values()) {
    list.append(item.element);
  }
  const visible = (): Item[] => [...items.values()].filter((item) => isShown(item));
  const focus = (item: Item | undefined): void => {
    if (item) {
      items.forEach((other) => (other.element.tabIndex = other === item ? 0 : -1));
      item.element.focus();
    }
  };
  items.values().next().value?.element.setAttribute("tabindex", "0");
  list.addEventListener("click", (event) => {
    const item = itemOf(items, event.target);
    if (item && (event.target as Element).closest(".twist")) {
      open(items, item, !item.open);
    } else if (item) {
      state.select(item.link);
      focus(item);
    }
  });
  list.addEventListener("keydown", (event) => {
    const item = itemOf(items, event.target);
    if (item && !event.ctrlKey && !event.metaKey && !event.altKey && key(event.key, item, items, visible(), focus, state)) {
      event.preventDefault();
      event.stopPropagation();
    }
  });
  list.addEventListener("pointerover", (event) => state.hover(itemOf(items, event.target)?.link ?? NONE));
  list.addEventListener("pointerleave", () => state.hover(NONE));
  state.on("hover", () => items.forEach((item) => item.element.classList.toggle("hovered", item.link === state.hovered)));
  state.on("selection", () => showSelection(items, state.selected));
  return section;
}

function makeItems(model: Model): Map<number, Item> {
  const items = new Map<number, Item>();
  const worst = worstFindings(model);
  for (const link of model.order) {
    const { name, parent, joint } = model.links[link]!;
    const above = items.get(parent) ?? null;
    const kind = model.joints[joint]?.kind ?? "";
    const level = above ? Number(above.element.getAttribute("aria-level")) + 1 : 1;
    const row = element(
      "div",
      { role: "treeitem", tabindex: -1, "aria-level": level, "aria-selected": "false", "data-link": link, title: name },
      element("span", { class: "twist", "aria-hidden": "true" }),
      element("span", { class: "name" }, name),
    );
    row.style.setProperty("--level", String(Math.min(level - 1, DEEPEST)));
    const severity = worst.get(link);
    if (severity) {
      row.append(element("span", { class: `dot ${severity}`, title: `has ${severity}s` }));
    }
    if (kind === "fixed") {
      row.append(element("span", { class: "kind" }, kind));
    }
    const item: Item = { link, element: row, parent: above, children: [], open: true };
    if (above) {
      above.children.push(item);
      above.element.setAttribute("aria-expanded", "true");
    }
    items.set(link, item);
  }
  return items;
}

function worstFindings({ findings }: Model): Map<number, string> {
  const worst = new Map<number, string>();
  for (const { link, severity } of findings) {
    if (severity === "error" || (severity === "warning" && worst.get(link) !== "error")) {
      worst.set(link, severity);
    }
  }
  return worst;
}

function itemOf(items: Map<number, Item>, target: EventTarget | null): Item | undefined {
  const row = (target as Element | null)?.closest<HTMLElement>("[data-link]");
  return row ? items.get(Number(row.dataset["link"])) : undefined;
}

function isShown(item: Item): boolean {
  for (let above = item.parent; above; above = above.parent) {
    if (!above.open) {
      return false;
    }
  }
  return true;
}

function open(items: Map<number, Item>, item: Item, on: boolean): void {
  if (item.children.length) {
    item.open = on;
    item.element.setAttribute("aria-expanded", String(on));
    items.forEach((other) => (other.element.hidden = !isShown(other)));
  }
}

function showSelection(items: Map<number, Item>, selected: number): void {
  for (const item of items.values()) {
    item.element.setAttribute("aria-selected", String(item.link === selected));
  }
  const chosen = items.get(selected);
  if (chosen) {
    for (let above = chosen.parent; above; above = above.parent) {
      open(items, above, true);
    }
    chosen.element.scrollIntoView({ block: "nearest" });
  }
}

/** The keys of a tree (WAI-ARIA); whether the key was one. */
function key(
  name: string,
  item: Item,
  items: Map<number, Item>,
  visible: readonly Item[],
  focus: (item: Item | undefined) => void,
  state: State,
): boolean {
  const at = visible.indexOf(item);
  switch (name) {
    case "ArrowDown":
      focus(visible[at + 1]);
      return true;
    case "ArrowUp":
      focus(visible[at - 1]);
      return true;
    case "Home":
      focus(visible[0]);
      return true;
    case "End":
      focus(visible.at(-1));
      return true;
    case "ArrowRight":
      if (item.children.length && !item.open) {
        open(items, item, true);
      } else {
        focus(item.children[0]);
      }
      return true;
    case "ArrowLeft":
      if (item.children.length && item.open) {
        open(items, item, false);
      } else {
        focus(item.parent ?? undefined);
      }
      return true;
    case "Enter":
    case " ":
      state.select(item.link);
      return true;
    default:
      return false;
  }
}

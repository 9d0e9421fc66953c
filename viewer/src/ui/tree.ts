// The links as a tree, for the pointer and for the keyboard.

import type { Model, Severity } from "../model";
import { NONE, type State } from "../state";
import { element, panel } from "./dom";

// Rows are not moved further to the right than this many levels.
const DEEPEST = 14;

interface Item {
  readonly link: number;
  readonly row: HTMLElement;
  readonly parent: Item | null;
  readonly children: Item[];
  open: boolean;
  /** Whether all above it are open. */
  shown: boolean;
}

export function treePanel(state: State): HTMLElement {
  const [section, body] = panel("links", "Links");
  body.append(new Tree(state).element);
  return section;
}

class Tree {
  readonly element = element("div", { role: "tree", "aria-labelledby": "links-title" });
  readonly #items: Map<number, Item>;

  constructor(private readonly state: State) {
    this.#items = makeItems(state.model);
    this.element.append(...this.#all().map((item) => item.row));
    this.#all()[0]?.row.setAttribute("tabindex", "0");
    this.element.addEventListener("click", (event) => this.#click(event.target as Element));
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("pointerover", ({ target }) =>
      state.hover(this.#itemOf(target as Element)?.link ?? NONE),
    );
    this.element.addEventListener("pointerleave", () => state.hover(NONE));
    state.on("hover", () => this.#mark("hovered", state.hovered));
    state.on("selection", () => this.#select(state.selected));
  }

  #all(): Item[] {
    return [...this.#items.values()];
  }

  #itemOf(target: Element): Item | undefined {
    const row = target.closest<HTMLElement>("[data-link]");
    return row ? this.#items.get(Number(row.dataset["link"])) : undefined;
  }

  #click(target: Element): void {
    const item = this.#itemOf(target);
    if (!item) {
      return;
    }
    if (item.children.length && target.closest(".twist")) {
      this.#open([item], !item.open);
    } else {
      this.state.select(item.link);
      this.#focus(item);
    }
  }

  /** The keys of a tree, as WAI-ARIA names them. */
  #key(event: KeyboardEvent): void {
    const item = this.#itemOf(event.target as Element);
    if (!item || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const shown = this.#all().filter((other) => other.shown);
    const at = shown.indexOf(item);
    const acts: Readonly<Record<string, () => void>> = {
      ArrowDown: () => this.#focus(shown[at + 1]),
      ArrowUp: () => this.#focus(shown[at - 1]),
      ArrowRight: () => (item.open ? this.#focus(item.children[0]) : this.#open([item], true)),
      ArrowLeft: () =>
        item.open && item.children.length ? this.#open([item], false) : this.#focus(item.parent),
      Home: () => this.#focus(shown[0]),
      End: () => this.#focus(shown.at(-1)),
      Enter: () => this.state.select(item.link),
      " ": () => this.state.select(item.link),
    };
    const act = acts[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  }

  #focus(item: Item | null | undefined): void {
    if (item) {
      this.#all().forEach((other) => (other.row.tabIndex = other === item ? 0 : -1));
      item.row.focus();
    }
  }

  #open(items: readonly Item[], on: boolean): void {
    for (const item of items) {
      item.open = on;
      item.row.setAttribute("aria-expanded", String(on));
    }
    // Parents come first in the list.
    for (const item of this.#all()) {
      item.shown = item.parent === null || (item.parent.shown && item.parent.open);
      item.row.hidden = !item.shown;
    }
  }

  #select(link: number): void {
    for (const item of this.#all()) {
      item.row.setAttribute("aria-selected", String(item.link === link));
    }
    const chosen = this.#items.get(link);
    const closed: Item[] = [];
    for (let above = chosen?.parent; above; above = above.parent) {
      if (!above.open) {
        closed.push(above);
      }
    }
    if (closed.length) {
      this.#open(closed, true);
    }
    chosen?.row.scrollIntoView({ block: "nearest" });
  }

  #mark(name: string, link: number): void {
    this.#all().forEach((item) => item.row.classList.toggle(name, item.link === link));
  }
}

function makeItems(model: Model): Map<number, Item> {
  const items = new Map<number, Item>();
  const worst = worstFindings(model);
  const levels = new Map<number, number>();
  for (const link of model.order) {
    const { parent } = model.links[link]!;
    const above = items.get(parent) ?? null;
    const level = (levels.get(parent) ?? 0) + 1;
    levels.set(link, level);
    const row = makeRow(model, link, level, worst.get(link));
    const item: Item = { link, row, parent: above, children: [], open: true, shown: true };
    above?.children.push(item);
    above?.row.setAttribute("aria-expanded", "true");
    items.set(link, item);
  }
  return items;
}

function makeRow(model: Model, link: number, level: number, severity: Severity | undefined): HTMLElement {
  const { name, joint } = model.links[link]!;
  const row = element(
    "div",
    {
      role: "treeitem", tabindex: -1, "aria-level": level, "aria-selected": "false",
      "data-link": link, title: name,
    },
    element("span", { class: "twist", "aria-hidden": "true" }),
    element("span", { class: "name" }, name),
  );
  row.style.setProperty("--level", String(Math.min(level - 1, DEEPEST)));
  if (severity) {
    row.append(element("span", { class: `dot ${severity}`, role: "img", "aria-label": `has ${severity}s` }));
  }
  if (model.joints[joint]?.kind === "fixed") {
    row.append(element("span", { class: "kind" }, "fixed"));
  }
  return row;
}

/** For links that a finding speaks of, how bad the worst is; what is only worth knowing is left out. */
function worstFindings({ findings }: Model): Map<number, Severity> {
  const worst = new Map<number, Severity>();
  for (const { link, severity } of findings) {
    if (severity === "error" || (severity === "warning" && worst.get(link) !== "error")) {
      worst.set(link, severity);
    }
  }
  return worst;
}

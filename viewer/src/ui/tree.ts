// Tree of the links and the items attached to them.

import { described, type Item, link as linkItem, linksOf, same } from "../items";
import type { FindingsData, RobotData, Severity } from "../model";
import type { State } from "../state";
import { element, panel } from "./dom";
import { finder } from "./finder";

// Indentation: full steps at first, smaller ones at deeper levels, none at the deepest, to leave space for names.
const FULL = 6;
const DEEPEST = 16;
const LESS = 0.35;

/** The indentation of a level, in steps. */
function indent(level: number): number {
  return Math.min(level, FULL) + LESS * Math.max(0, Math.min(level, DEEPEST) - FULL);
}

interface Row {
  readonly item: Item;
  readonly element: HTMLElement;
  readonly parent: Row | null;
  readonly children: Row[];
  open: boolean;
  /** Whether all ancestors are open. */
  shown: boolean;
}

export function treePanel(state: State): HTMLElement {
  const [section, body] = panel("links", "Links");
  const tree = new Tree(state).element;
  // The search field replaces the heading.
  section.querySelector("header")!.replaceChildren(finder(state, tree));
  const hits = section.querySelector(".hits")!;
  body.append(hits, tree);
  return section;
}

class Tree {
  readonly element = element("div", { role: "tree", "aria-label": "Links" });
  /** Parents before children. */
  readonly #rows: readonly Row[];

  constructor(private readonly state: State) {
    this.#rows = makeRows(state.robot);
    this.element.append(...this.#rows.map((row) => row.element));
    this.#rows[0]?.element.setAttribute("tabindex", "0");
    this.element.addEventListener("click", (event) => this.#click(event.target as Element));
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("pointerover", ({ target }) =>
      state.hover(this.#rowOf(target as Element)?.item ?? null),
    );
    this.element.addEventListener("pointerleave", () => state.hover(null));
    state.on("hover", () => this.#mark());
    state.on("selection", () => this.#select());
    state.on("findings", () => this.#flag());
    state.on("folded", () => this.#unfold());
    this.#unfold();
    this.#markSelected();
    this.#flag();
  }

  /** Mark the links with errors and warnings. */
  #flag(): void {
    const worst = worstFindings(this.state.found);
    for (const { item, element: row } of this.#rows) {
      row.querySelector(".dot")?.remove();
      const severity = item.kind === "link" ? worst.get(item.index) : undefined;
      if (severity) {
        const dot = element("span", { class: `dot ${severity}`, role: "img", "aria-label": `has ${severity}s` });
        row.querySelector(".name")!.after(dot);
      }
    }
  }

  #nameOf({ item }: Row): string {
    return described(this.state.robot, item).name;
  }

  #rowOf(target: Element): Row | undefined {
    const found = target.closest<HTMLElement>("[role=treeitem]");
    return found ? this.#rows[Number(found.dataset["row"])] : undefined;
  }

  #click(target: Element): void {
    const row = this.#rowOf(target);
    if (!row) {
      return;
    }
    if (row.children.length && target.closest(".twist")) {
      this.#open([row], !row.open);
    } else {
      this.state.select(row.item);
      this.#focus(row);
    }
  }

  /** Keys of the WAI-ARIA tree pattern. */
  #key(event: KeyboardEvent): void {
    const row = this.#rowOf(event.target as Element);
    if (!row || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const shown = this.#rows.filter((other) => other.shown);
    const at = shown.indexOf(row);
    const acts: Readonly<Record<string, () => void>> = {
      ArrowDown: () => this.#focus(shown[at + 1]),
      ArrowUp: () => this.#focus(shown[at - 1]),
      ArrowRight: () => (row.open ? this.#focus(row.children[0]) : this.#open([row], true)),
      ArrowLeft: () =>
        row.open && row.children.length ? this.#open([row], false) : this.#focus(row.parent),
      Home: () => this.#focus(shown[0]),
      End: () => this.#focus(shown.at(-1)),
      Enter: () => this.state.select(row.item),
      " ": () => this.state.select(row.item),
    };
    const act = acts[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  }

  #focus(row: Row | null | undefined): void {
    if (row) {
      this.#rows.forEach((other) => (other.element.tabIndex = other === row ? 0 : -1));
      row.element.focus();
    }
  }

  #open(rows: readonly Row[], on: boolean): void {
    const folded = new Set(this.state.folded);
    rows.forEach((row) => folded[on ? "delete" : "add"](this.#nameOf(row)));
    this.state.fold(folded);
  }

  /** Show the rows of open branches. */
  #unfold(): void {
    for (const row of this.#rows) {
      const open = !row.children.length || !this.state.folded.has(this.#nameOf(row));
      if (open !== row.open) {
        row.open = open;
        row.element.setAttribute("aria-expanded", String(open));
      }
    }
    for (const row of this.#rows) {
      row.shown = row.parent === null || (row.parent.shown && row.parent.open);
      row.element.hidden = !row.shown;
    }
  }

  /** Mark the selected rows, and return them. */
  #markSelected(): Row[] {
    const { selected, robot } = this.state;
    // A loop has no row; select its two links.
    const marked = selected?.kind === "loop" ? linksOf(robot, selected).map(linkItem) : [selected];
    const chosen = this.#rows.filter((row) => marked.some((item) => same(item, row.item)));
    for (const row of this.#rows) {
      row.element.setAttribute("aria-selected", String(chosen.includes(row)));
    }
    return chosen;
  }

  #select(): void {
    const chosen = this.#markSelected();
    const closed: Row[] = [];
    for (const row of chosen) {
      for (let above = row.parent; above; above = above.parent) {
        if (!above.open) {
          closed.push(above);
        }
      }
    }
    if (closed.length) {
      this.#open(closed, true);
    }
    chosen[0]?.element.scrollIntoView({ block: "nearest" });
  }

  #mark(): void {
    const { hovered } = this.state;
    this.#rows.forEach((row) => row.element.classList.toggle("hovered", same(row.item, hovered)));
  }
}

function makeRows(robot: RobotData): Row[] {
  const rows: Row[] = [];
  const ofLink = new Map<number, Row>();
  const levels = new Map<Row, number>();
  const add = (item: Item, parent: Row | null, name: string, kind: string): Row => {
    const level = (parent ? levels.get(parent)! : 0) + 1;
    const made = makeRow(rows.length, level, name, kind);
    const row: Row = { item, element: made, parent, children: [], open: true, shown: true };
    parent?.children.push(row);
    parent?.element.setAttribute("aria-expanded", "true");
    levels.set(row, level);
    rows.push(row);
    return row;
  };
  const hanging = hangingOn(robot);
  for (const index of robot.order) {
    const { name, parent, joint } = robot.links[index]!;
    const fixed = robot.joints[joint]?.kind === "fixed";
    const row = add(linkItem(index)!, ofLink.get(parent) ?? null, name, fixed ? "fixed" : "");
    ofLink.set(index, row);
    for (const { item, name: own, kind } of hanging.get(index) ?? []) {
      add(item, row, own, kind).element.classList.add("leaf");
    }
  }
  return rows;
}

interface Hanging {
  readonly item: Item;
  readonly name: string;
  readonly kind: string;
}

// Short names of device kinds.
const WORDS: Readonly<Record<string, string>> = {
  Accelerometer: "accel.", Gyro: "gyro", Imu: "IMU", ForceTorque: "force", ContactSwitch: "switch",
  Camera: "camera", RangeSensor: "range",
  PointLight: "light", SpotLight: "light", DirectionalLight: "light",
};

/** Devices and frames by link. */
function hangingOn({ devices, frames }: RobotData): Map<number, Hanging[]> {
  const out = new Map<number, Hanging[]>();
  const add = (link: number, each: Hanging): void => void out.set(link, [...(out.get(link) ?? []), each]);
  devices.forEach(({ link, name, kind, label }, index) =>
    add(link, { item: { kind: "device", index }, name, kind: WORDS[kind] ?? label }),
  );
  frames.forEach(({ link, name, trace }, index) =>
    add(link, { item: { kind: "frame", index }, name, kind: trace ? "traced" : "frame" }),
  );
  return out;
}

function makeRow(index: number, level: number, name: string, kind: string): HTMLElement {
  const row = element(
    "div",
    {
      role: "treeitem", tabindex: -1, "aria-level": level, "aria-selected": "false",
      "data-row": index, title: name,
    },
    element("span", { class: "twist", "aria-hidden": "true" }),
    element("span", { class: "name" }, name),
  );
  row.style.setProperty("--level", String(indent(level - 1)));
  if (kind) {
    row.append(element("span", { class: "kind" }, kind));
  }
  return row;
}

/** The highest severity of each link's findings, without "info". */
function worstFindings({ findings }: FindingsData): Map<number, Severity> {
  const worst = new Map<number, Severity>();
  for (const { link, severity } of findings) {
    if (severity === "error" || (severity === "warning" && worst.get(link) !== "error")) {
      worst.set(link, severity);
    }
  }
  return worst;
}

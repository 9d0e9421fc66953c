// Entry point of the catalogue: a table of robots with search, filters and order, and a pane for one of them.

import "./style.css";
import { button, element } from "../ui/dom";
import { detail } from "./detail";
import { chosen, type Choice, type Column, COLUMNS, commonFolder, FIRST, type Health, type Robot } from "./robots";

const HEALTH: readonly (readonly [Health, string])[] = [
  ["any", "Any findings"],
  ["errors", "With errors"],
  ["warnings", "With errors or warnings"],
  ["clean", "Without errors and warnings"],
];
const NUMBERS: readonly Column[] = ["links", "joints", "mass", "devices"];

class Catalogue {
  #choice: Choice = FIRST;
  #selected: Robot | null = null;
  readonly #folder: string;
  readonly #rows: ReadonlyMap<Robot, HTMLTableRowElement>;
  readonly #body = element("tbody");
  readonly #count = element("p", { class: "count", role: "status" });
  readonly #pane = element("aside", { id: "detail", "aria-label": "Robot", hidden: true });
  readonly #heads = new Map<Column, HTMLElement>();
  readonly #search = element("input", {
    type: "search", placeholder: "Search names, paths, findings", "aria-label": "Search", spellcheck: "false",
  });

  constructor(
    app: HTMLElement,
    private readonly robots: readonly Robot[],
  ) {
    this.#folder = commonFolder(robots.map(({ path }) => path));
    this.#rows = new Map(robots.map((robot) => [robot, this.#row(robot)]));
    const head = element("tr", {}, element("th", { scope: "col", class: "picture" }, hidden("Picture")));
    for (const [column, title] of Object.entries(COLUMNS) as [Column, string][]) {
      const cell = element("th", { scope: "col", class: column }, button(title, {}, () => this.#order(column)));
      this.#heads.set(column, cell);
      head.append(cell);
    }
    const table = element("table", {}, element("thead", {}, head), this.#body);
    app.append(this.#header(), element("main", {}, table), this.#pane);
    document.addEventListener("keydown", (event) => this.#key(event));
    window.addEventListener("hashchange", () => this.#follow());
    this.#show();
    this.#follow();
  }

  #header(): HTMLElement {
    this.#search.addEventListener("input", () => this.#choose({ words: this.#search.value }));
    const formats = [...new Set(this.robots.map(({ format }) => format))].filter(Boolean).sort();
    const format = select("Format", [["", "All formats"], ...formats.map((name) => [name, name] as const)]);
    format.addEventListener("change", () => this.#choose({ format: format.value }));
    const health = select("Findings", HEALTH);
    health.addEventListener("change", () => this.#choose({ health: health.value as Health }));
    const where = this.#folder && element("span", {}, "in ", ...breakable(this.#folder));
    return element("header", {}, element("h1", {}, "Robots ", where), this.#count, this.#search, format, health);
  }

  #row(robot: Robot): HTMLTableRowElement {
    const picture = robot.picture
      ? element("img", { src: robot.picture, alt: "", width: 96, height: 72, loading: "lazy", decoding: "async" })
      : element("span", { class: "blank" });
    const open = button(robot.name, { "aria-controls": "detail", "aria-expanded": "false" }, () => this.select(robot));
    const row = element(
      "tr",
      {},
      element("td", { class: "picture" }, picture),
      element("th", { scope: "row", class: "name" }, open, element("span", { class: "path" }, ...breakable(robot.path.slice(this.#folder.length)))),
      element("td", { class: "format" }, robot.format || "not read"),
      ...NUMBERS.map((column) => element("td", { class: column }, number(robot[column as "links"]))),
      element("td", { class: "findings" }, ...badges(robot)),
    );
    row.addEventListener("click", (event) => {
      if (!(event.target as Element).closest("button") && !getSelection()?.toString()) {
        this.select(robot);
      }
    });
    return row;
  }

  /** Show a robot in the pane; null closes it. */
  select(robot: Robot | null): void {
    const before = this.#selected && this.#rows.get(this.#selected)!;
    before?.classList.remove("selected");
    before?.querySelector("button")?.setAttribute("aria-expanded", "false");
    this.#selected = robot;
    this.#pane.hidden = robot === null;
    if (robot === null) {
      history.replaceState(null, "", " ");
      before?.querySelector("button")?.focus();
      return;
    }
    const row = this.#rows.get(robot)!;
    row.classList.add("selected");
    row.querySelector("button")!.setAttribute("aria-expanded", "true");
    this.#pane.replaceChildren(...detail(robot, () => this.select(null)));
    this.#pane.scrollTop = 0;
    history.replaceState(null, "", `#${encodeURIComponent(robot.path)}`);
  }

  /** Select the robot of the address. */
  #follow(): void {
    let path = "";
    try {
      path = decodeURIComponent(location.hash.slice(1));
    } catch {
      return;
    }
    const robot = this.robots.find((each) => each.path === path);
    if (robot) {
      this.select(robot);
      this.#rows.get(robot)!.scrollIntoView({ block: "center" });
    }
  }

  #order(column: Column): void {
    const { column: now, descending } = this.#choice;
    // Numbers are looked at from the largest on.
    const first = column !== "name" && column !== "format";
    this.#choose({ column, descending: column === now ? !descending : first });
  }

  #choose(part: Partial<Choice>): void {
    this.#choice = { ...this.#choice, ...part };
    this.#show();
  }

  #show(): void {
    const shown = chosen(this.robots, this.#choice);
    this.#body.replaceChildren(...shown.map((robot) => this.#rows.get(robot)!));
    const total = this.robots.length;
    this.#count.textContent = shown.length === total ? `${total}` : `${shown.length} of ${total}`;
    for (const [column, cell] of this.#heads) {
      const now = column === this.#choice.column;
      cell.setAttribute("aria-sort", now ? (this.#choice.descending ? "descending" : "ascending") : "none");
    }
  }

  #key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    const typing = target.matches("input, select");
    if (event.key === "/" && !typing) {
      event.preventDefault();
      this.#search.focus();
    } else if (event.key === "Escape" && this.#selected && !(typing && this.#search.value)) {
      this.select(null);
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !target.matches("select")) {
      const buttons = [...this.#body.querySelectorAll<HTMLElement>("button")];
      const place = buttons.indexOf(target) + (event.key === "ArrowDown" ? 1 : -1);
      if (buttons[place] && (target === this.#search || buttons.includes(target))) {
        event.preventDefault();
        buttons[place].focus();
      }
    }
  }
}

function select(label: string, options: readonly (readonly [string, string])[]): HTMLSelectElement {
  const made = options.map(([value, text]) => element("option", { value }, text));
  return element("select", { "aria-label": label }, ...made);
}

/** A path that may be broken after its slashes. */
function breakable(path: string): Node[] {
  return path.split(/(?<=\/)/).flatMap((part) => [document.createTextNode(part), element("wbr")]);
}

function hidden(text: string): HTMLElement {
  return element("span", { class: "unseen" }, text);
}

function number(value: number | null): string {
  return value === null ? "" : String(Number(value.toPrecision(4)));
}

function badges(robot: Robot): HTMLElement[] {
  const counts = [
    ["error", robot.errors],
    ["warning", robot.warnings],
    ["info", robot.notes],
  ] as const;
  const words = { error: "error", warning: "warning", info: "note" };
  return counts
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => {
      const title = `${count} ${words[severity]}${count === 1 ? "" : "s"}`;
      return element("span", { class: `badge ${severity}`, title }, String(count), hidden(` ${words[severity]}`));
    });
}

const robots = JSON.parse(document.getElementById("robots")!.textContent || "[]") as readonly Robot[];
new Catalogue(document.getElementById("app")!, robots);

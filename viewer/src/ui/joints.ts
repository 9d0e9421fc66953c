// Panel of the joints: a slider and a number field for each position of the joints and the base.

import type { Commands } from "../commands/registry";
import { parsePosition, spoken } from "../expression";
import { branches } from "../branches";
import { link, linksOf, same } from "../items";
import { type Knob, knobsOf } from "../knobs";
import { gap } from "../loops";
import { BASE } from "../mechanism";
import type { JointData, RangeData } from "../model";
import type { Proved } from "../proved";
import type { Settings } from "../settings";
import type { State } from "../state";
import { angleUnit, clamp, digits, lengthText, limits, METERS, minus, shown, type Unit } from "../units";
import { button, choice, element, icon, panel } from "./dom";
import { posesMenu } from "./poses";

const EXAMPLES = "a number or an expression: 30, pi/4, 90deg, 0.5rad, 2*(10+5)";

// Letters of a name that are shown whatever its length: names often differ at the end.
const TAIL = 7;
// Longest name that is shown whole.
const LONG = 16;

interface Row {
  readonly knob: Knob;
  readonly unit: () => Unit;
  readonly slider: HTMLInputElement;
  readonly field: HTMLInputElement;
  readonly suffix: HTMLElement;
  readonly ends: readonly [low: HTMLElement, high: HTMLElement];
  readonly element: HTMLElement;
}

/** The panel; the properties of the selected item are shown below the row of its joint. */
export function jointsPanel(
  state: State, settings: Settings, commands: Commands, properties: HTMLElement, proved: Proved | null,
): HTMLElement {
  const units = choice("Angles in", [["deg", "deg", "Degrees (U)"], ["rad", "rad", "Radians (U)"]], (unit) =>
    settings.setAngles(unit),
  );
  const filter = element("input", {
    type: "search", class: "find filter-joints", placeholder: "Filter", "aria-label": "Filter joints", spellcheck: "false",
    autocomplete: "off",
  });
  const [section, body] = panel("joints", "Joints", units.element, posesMenu(state, commands), filter);
  const leaders = leaderNames(state);
  const rows: Row[] = [];
  const groups: HTMLDetailsElement[] = [];
  const add = (title: string, lines: readonly HTMLElement[]): void => {
    const summary = element("summary", {}, element("span", { class: "name", title }, title), element("span", { class: "kind" }, String(lines.length)));
    const made = element("details", { class: "branch", open: true }, summary, ...lines);
    groups.push(made);
    body.append(made);
  };
  const rowsOf = (joint: number, title: () => string, leader?: string): HTMLElement[] =>
    knobsOf(state, joint).map((knob) => {
      const known = proved?.of(joint);
      const told = (): string => (known ? `${title()}\n${proved!.text(joint, settings.angles)}` : title());
      const row = makeRow({ state, settings, commands, knob, title: told, leader });
      rows.push(row);
      if (proved && known) {
        row.slider.after(provedBar(state, settings, proved, known, row));
      }
      return row.element;
    });
  for (const { title, joints } of branches(state.robot)) {
    add(title, joints.flatMap((index) => {
      const joint = state.robot.joints[index]!;
      const lines = rowsOf(index, () => tip(joint, settings, leaders.get(index)), leaders.get(index));
      return lines.length ? lines : [element("p", { class: "held" }, element("span", {}, joint.name), heldNote(joint))];
    }));
  }
  if (state.floats) {
    add("Base", rowsOf(BASE, () => "pose of the root link in the world"));
  }
  const [loops, showLoops] = loopRows(state);
  body.append(...loops);
  // Nothing to choose from among few joints.
  filter.hidden = rows.length < 8;
  if (!body.hasChildNodes()) {
    body.append(element("p", { class: "empty" }, "No movable joints."));
  }
  body.append(properties);
  const choose = (): void => {
    const wanted = filter.value.trim().toLowerCase();
    for (const group of groups) {
      const lines = [...group.querySelectorAll<HTMLElement>(".joint, .held")];
      const title = group.querySelector("summary")!.textContent!.toLowerCase();
      lines.forEach((line) => (line.hidden = !(title.includes(wanted) || line.dataset["name"]?.includes(wanted))));
      group.hidden = lines.every((line) => line.hidden);
    }
  };
  filter.addEventListener("input", choose);
  const open = (): void => {
    mark(rows, state, "selected");
    const row = rowFor(rows, state);
    if (!row || !state.selected) {
      body.append(properties);
      return;
    }
    if (row.element.hidden) {
      filter.value = "";
      choose();
    }
    row.element.closest("details")!.open = true;
    row.element.after(properties);
    const [top, height] = [row.element.offsetTop - body.offsetTop, row.element.offsetHeight + properties.offsetHeight];
    const isSeen = top >= body.scrollTop && top + Math.min(height, body.clientHeight) <= body.scrollTop + body.clientHeight;
    if (!isSeen) {
      body.scrollTop = top - MARGIN;
    }
  };
  const update = (): void => {
    rows.forEach((row) => show(row, state));
    showLoops();
  };
  const rescale = (): void => {
    units.show(settings.angles);
    rows.forEach(showLimits);
    update();
  };
  state.on("pose", update);
  state.on("hover", () => mark(rows, state, "hovered"));
  state.on("selection", open);
  // What was hidden has no place to scroll to.
  for (const shown of ["drawer", "folds", "focus"] as const) {
    settings.on(shown, () => state.selected && requestAnimationFrame(open));
  }
  settings.on("units", rescale);
  rescale();
  return section;
}

// Distance of the selected row from the edge of the list, in pixels.
const MARGIN = 26;

/** The row of the joint that moves the selected item, or of the next joint above it; of the base if there is none. */
function rowFor(rows: readonly Row[], { robot, selected }: State): Row | undefined {
  let link = linksOf(robot, selected)[0] ?? -1;
  while (link >= 0) {
    const { joint, parent } = robot.links[link]!;
    const found = joint >= 0 ? rows.find(({ knob }) => knob.joint === joint) : undefined;
    if (found) {
      return found;
    }
    link = parent;
  }
  return rows.find(({ knob }) => knob.joint === BASE) ?? rows[0];
}

function heldNote({ held }: JointData): string {
  return held ? `${held} joint, held at zero` : "track, does not move links";
}

/** The name of the leader of each coupled joint. */
function leaderNames({ robot }: State): Map<number, string> {
  const name = (leader: number | null): string => (leader === null ? "" : robot.joints[leader]!.name);
  return new Map(robot.followers.map(({ joint, leader }) => [joint, name(leader)]));
}

interface RowParts {
  readonly state: State;
  readonly settings: Settings;
  readonly commands: Commands;
  readonly knob: Knob;
  readonly title: () => string;
  /** The name of the joint that this one follows. */
  readonly leader: string | undefined;
}

function makeRow({ state, settings, commands, knob, title, leader }: RowParts): Row {
  const unit = (): Unit => (knob.turns ? angleUnit(settings.angles) : METERS);
  const disabled = leader !== undefined;
  const [min, max] = knob.range;
  const shared = { disabled, "data-joint": knob.name };
  const slider = element("input", { type: "range", min, max, step: "any", "aria-label": knob.label, ...shared });
  const words = `${knob.label}, value`;
  const texts = { type: "text", inputmode: "text", autocomplete: "off", spellcheck: "false" };
  const field = element("input", { ...texts, class: "value", "aria-label": words, title: EXAMPLES, ...shared });
  const suffix = element("span", { class: "unit" });
  const name = element("span", { class: "name" }, ...nameParts(knob.label));
  const ends = [element("span", { class: "low" }), element("span", { class: "high" })] as const;
  const range = element("div", { class: "range" }, slider, ...ends);
  const reset = button("", { class: "reset", "aria-label": `Reset ${knob.label}`, title: "Back to the initial position" }, () =>
    commands.act(`Reset ${knob.label}`, () => {
      state.move(knob.joint, state.mechanism.of(state.robot.start, knob.joint));
      slider.focus();
    }),
  );
  reset.append(icon(BACK));
  const note = element("p", { class: "told", role: "status", hidden: true });
  const line = element("div", { class: "joint", "data-name": knob.label.toLowerCase() }, name, range, field, suffix, reset, note);
  const say = (text: string, wrong = false): void => {
    note.textContent = text;
    note.hidden = text === "";
    note.classList.toggle("wrong", wrong);
    line.classList.toggle("noted", text !== "");
    field.setAttribute("aria-invalid", String(wrong));
  };
  const settle = (): void => {
    field.value = shown(unit(), knob.read());
  };
  const put = (position: number): void => {
    knob.write(position);
    settle();
    say(stopped(knob, unit(), position));
  };
  slider.addEventListener("input", () => {
    knob.write(slider.valueAsNumber);
    say("");
  });
  field.addEventListener("change", () => {
    const found = parsePosition(field.value, unit());
    if ("position" in found) {
      put(found.position);
    } else {
      // The text stays while the field has the focus, so that it can be corrected.
      say(`${field.value.trim() ? `${field.value.trim()}: ` : ""}${found.problem}`, true);
    }
  });
  field.addEventListener("blur", settle);
  field.addEventListener("keydown", (event) => {
    const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (steps) {
      event.preventDefault();
      put(knob.read() + steps * unit().step * unit().size * (event.shiftKey ? 10 : 1));
    } else if (event.key === "Escape") {
      settle();
      say("");
    }
  });
  const owner = knob.joint === BASE ? state.robot.order[0]! : state.robot.joints[knob.joint]!.child;
  name.addEventListener("click", () => state.select(link(owner)));
  line.addEventListener("pointerenter", () => {
    line.title = title();
    state.hover(link(owner));
  });
  line.addEventListener("pointerleave", () => state.hover(null));
  return { knob, unit, slider, field, suffix, ends, element: line };
}

/** The proved range of a joint on its slider; faint while what is proved does not hold. */
function provedBar(state: State, settings: Settings, proved: Proved, known: RangeData, { knob, slider }: Row): HTMLElement {
  const bar = element("i", { class: "proved" });
  bar.style.setProperty("--from", String(share(knob, known.low)));
  bar.style.setProperty("--to", String(share(knob, known.high)));
  const update = (): void => {
    bar.classList.toggle("stale", proved.moved(known.joint).length > 0);
    slider.setAttribute("aria-description", proved.text(known.joint, settings.angles));
  };
  state.on("pose", update);
  settings.on("units", update);
  update();
  return bar;
}

const BACK = "M6 3L2.5 6.5 6 10M2.5 6.5h7a3.5 3.5 0 0 1 0 7H6";

/** A name in two parts, of which the second is always shown. */
function nameParts(name: string): HTMLElement[] {
  const head = element("span", { class: "head" }, name.length > LONG ? name.slice(0, -TAIL) : name);
  return name.length > LONG ? [head, element("span", { class: "tail" }, name.slice(-TAIL))] : [head];
}

/** Print the limits at the ends of the slider. */
function showLimits({ knob: { limits: { lower, upper } }, unit, ends: [low, high] }: Row): void {
  low.textContent = lower === null ? "" : minus(shown(unit(), lower));
  high.textContent = upper === null ? "" : minus(shown(unit(), upper));
}

/** Why a joint did not get to a position; "" if it did. */
function stopped({ limits: { lower, upper }, read }: Knob, unit: Unit, wanted: number): string {
  const reached = read();
  if (Math.abs(reached - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted))) {
    return "";
  }
  const limit = clamp({ lower, upper }, wanted);
  return limit !== wanted && limit === reached
    ? `${spoken(unit, wanted)} is beyond the limit of ${spoken(unit, limit)}`
    : `stops at ${spoken(unit, reached)}: a loop would open`;
}

function tip(joint: JointData, { angles }: Settings, leader: string | undefined): string {
  const follows = leader === undefined ? "" : `, follows ${leader || "0"}`;
  return `${joint.name}: ${joint.kind}, ${limits(joint, angles)}${follows}`;
}

function show({ knob, unit, slider, field, suffix, element: line }: Row, { robot, mechanism, positions }: State): void {
  const [from, to] = mechanism.range(knob.joint);
  line.classList.toggle("changed", positions.slice(from, to).some((value, index) => value !== robot.start[from + index]));
  const [position, { name }] = [knob.read(), unit()];
  slider.value = String(position);
  slider.setAttribute("aria-valuetext", `${shown(unit(), position)} ${name}`);
  slider.style.setProperty("--at", String(share(knob, position)));
  suffix.textContent = name === "rad" ? "" : name;
  // Do not overwrite the field while the user types.
  if (document.activeElement !== field) {
    field.value = shown(unit(), position);
  }
}

/** The fraction of a slider's range at a position, 0 to 1. */
function share({ range: [low, high] }: Knob, position: number): number {
  return high > low ? Math.min(1, Math.max(0, (position - low) / (high - low))) : 0;
}

function mark(rows: readonly Row[], { robot, hovered, selected }: State, name: "hovered" | "selected"): void {
  const item = name === "hovered" ? hovered : selected;
  for (const { knob, element: line } of rows) {
    const owner = knob.joint === BASE ? robot.order[0]! : robot.joints[knob.joint]!.child;
    line.classList.toggle(name, same(item, link(owner)));
  }
}

/** The loops with their gaps, and the checkbox that keeps them closed. */
function loopRows(state: State): [HTMLElement[], () => void] {
  const { loops } = state.robot;
  if (!loops.length) {
    return [[], () => undefined];
  }
  const keep = element("input", { type: "checkbox", "data-keep": "loops" });
  keep.addEventListener("change", () => state.close(keep.checked));
  const head = element("h3", {}, "Loops", element("label", { class: "keep" }, keep, "keep closed"));
  const gaps = loops.map(() => element("span", { class: "gap" }));
  const rows = loops.map(({ name }, index) => {
    const label = element("span", { class: "name" }, name);
    const made = element("button", { type: "button", class: "loop" }, label, gaps[index]!);
    made.addEventListener("click", () => state.select({ kind: "loop", index }));
    return made;
  });
  const update = (): void => {
    keep.checked = state.closing;
    loops.forEach((loop, index) => {
      const { distance, angle } = gap(loop, state.poses);
      const open = distance > 1e-4 || angle > 1e-3;
      const tilt = angle > 1e-3 ? ` ${digits((angle * 180) / Math.PI, 3)}°` : "";
      gaps[index]!.textContent = open ? `${lengthText(Number(distance.toPrecision(3)))}${tilt} apart` : "closed";
      gaps[index]!.classList.toggle("open", open);
    });
  };
  state.on("closing", update);
  return [[head, ...rows], update];
}

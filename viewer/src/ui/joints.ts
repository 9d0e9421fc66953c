// Panel of the joints: a slider and a number field for each position of the joints and the base.

import type { Commands } from "../commands/registry";
import { parsePosition, spoken } from "../expression";
import { link, same } from "../items";
import { type Knob, knobsOf } from "../knobs";
import { gap } from "../loops";
import { BASE } from "../mechanism";
import type { JointData } from "../model";
import type { Settings } from "../settings";
import type { State } from "../state";
import { angleUnit, clamp, digits, lengthText, limits, METERS, shown, type Unit } from "../units";
import { choice, element, panel } from "./dom";
import { posesMenu } from "./poses";

// Longest label beside a slider, in characters; and in a narrow window.
const LONG = 17;
const LONG_IN_NARROW = 10;
const EXAMPLES = "a number or an expression: 30, pi/4, 90deg, 0.5rad, 2*(10+5)";

interface Row {
  readonly knob: Knob;
  readonly unit: () => Unit;
  readonly slider: HTMLInputElement;
  readonly field: HTMLInputElement;
  readonly suffix: HTMLElement;
  readonly element: HTMLElement;
}

export function jointsPanel(state: State, settings: Settings, commands: Commands): HTMLElement {
  const units = choice("Angles in", [["deg", "deg", "Degrees (U)"], ["rad", "rad", "Radians (U)"]], (unit) =>
    settings.setAngles(unit),
  );
  const [section, body] = panel("joints", "Joints", units.element, posesMenu(state, commands));
  const leaders = leaderNames(state);
  const rows: Row[] = [];
  const add = (knobs: readonly Knob[], title: () => string, leader?: string): void => {
    for (const knob of knobs) {
      const row = makeRow(state, settings, knob, title, leader);
      rows.push(row);
      body.append(row.element);
    }
  };
  state.robot.joints.forEach((joint, index) => {
    const knobs = knobsOf(state, index);
    if (knobs.length) {
      add(knobs, () => tip(joint, settings, leaders.get(index)), leaders.get(index));
    } else if (joint.held || joint.kind !== "fixed") {
      body.append(element("p", { class: "held" }, element("span", {}, joint.name), heldNote(joint)));
    }
  });
  const [loops, showLoops] = loopRows(state);
  body.append(...loops);
  if (state.floats) {
    body.append(element("h3", {}, "Base"));
    add(knobsOf(state, BASE), () => "pose of the root link in the world");
  }
  // Long names get a line of their own because they often differ at the end.
  const longest = Math.max(0, ...rows.map(({ knob }) => knob.label.length));
  body.classList.toggle("stacked", longest > LONG);
  body.classList.toggle("longish", longest > LONG_IN_NARROW);
  if (!body.hasChildNodes()) {
    body.append(element("p", { class: "empty" }, "No movable joints."));
  }
  const update = (): void => {
    rows.forEach(show);
    showLoops();
  };
  const rescale = (): void => {
    units.show(settings.angles);
    update();
  };
  state.on("pose", update);
  state.on("hover", () => mark(rows, state, "hovered"));
  state.on("selection", () => mark(rows, state, "selected"));
  settings.on("units", rescale);
  rescale();
  return section;
}

function heldNote({ held }: JointData): string {
  return held ? `${held} joint, held at zero` : "track, does not move links";
}

/** The name of the leader of each coupled joint. */
function leaderNames({ robot }: State): Map<number, string> {
  const name = (leader: number | null): string => (leader === null ? "" : robot.joints[leader]!.name);
  return new Map(robot.followers.map(({ joint, leader }) => [joint, name(leader)]));
}

function makeRow(state: State, settings: Settings, knob: Knob, title: () => string, leader?: string): Row {
  const unit = (): Unit => (knob.turns ? angleUnit(settings.angles) : METERS);
  const disabled = leader !== undefined;
  const [min, max] = knob.range;
  const shared = { disabled, "data-joint": knob.name };
  const slider = element("input", { type: "range", min, max, step: "any", "aria-label": knob.label, ...shared });
  const words = `${knob.label}, value`;
  const texts = { type: "text", inputmode: "text", autocomplete: "off", spellcheck: "false" };
  const field = element("input", { ...texts, class: "value", "aria-label": words, title: EXAMPLES, ...shared });
  const suffix = element("span", { class: "unit" });
  const name = element("span", { class: "name" }, knob.label);
  const note = element("p", { class: "told", role: "status", hidden: true });
  const line = element("div", { class: "joint" }, name, slider, field, suffix, note);
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
  return { knob, unit, slider, field, suffix, element: line };
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

function show({ knob, unit, slider, field, suffix }: Row): void {
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

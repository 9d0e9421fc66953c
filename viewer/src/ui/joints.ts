// A slider and a number field for every joint that one number moves.

import { moves } from "../kinematics";
import type { JointData } from "../model";
import type { State } from "../state";
import { clamp, limits, shown, sliderRange, type Unit, unitOf } from "../units";
import { element, panel } from "./dom";

// As many letters as fit beside a slider.
const LONG = 17;

interface Row {
  readonly joint: number;
  readonly unit: Unit;
  readonly slider: HTMLInputElement;
  readonly field: HTMLInputElement;
  readonly element: HTMLElement;
}

export function jointsPanel(state: State): HTMLElement {
  const reset = element("button", { type: "button", class: "quiet", title: "Initial pose (R)" }, "Reset");
  reset.addEventListener("click", () => state.reset());
  const [section, body] = panel("joints", "Joints", reset);
  const leaders = leaderNames(state);
  const rows: Row[] = [];
  state.model.joints.forEach((joint, index) => {
    if (moves(joint.kind)) {
      const row = makeRow(state, index, leaders.get(index));
      rows.push(row);
      body.append(row.element);
    } else if (joint.kind !== "fixed") {
      const note = `${joint.kind} joint, stays at zero`;
      body.append(element("p", { class: "held" }, element("span", {}, joint.name), note));
    }
  });
  // Long names get a line of their own; what they differ in is often their end.
  const longest = Math.max(0, ...rows.map((row) => state.model.joints[row.joint]!.name.length));
  body.classList.toggle("stacked", longest > LONG);
  reset.disabled = rows.length === 0;
  if (!body.hasChildNodes()) {
    body.append(element("p", { class: "empty" }, "No joint moves."));
  }
  const update = (): void => rows.forEach((row) => show(row, state.positions[row.joint]!));
  state.on("pose", update);
  state.on("hover", () => mark(rows, state, "hovered", state.hovered));
  state.on("selection", () => mark(rows, state, "selected", state.selected));
  update();
  return section;
}

/** For joints that follow others, what they follow. */
function leaderNames({ model }: State): Map<number, string> {
  const name = (leader: number | null): string => (leader === null ? "" : model.joints[leader]!.name);
  return new Map(model.followers.map(({ joint, leader }) => [joint, name(leader)]));
}

function makeRow(state: State, index: number, leader: string | undefined): Row {
  const joint = state.model.joints[index]!;
  const unit = unitOf(joint);
  const [low, high] = sliderRange(joint);
  const disabled = leader !== undefined;
  const id = `joint-${index}`;
  const slider = element("input", {
    type: "range", id, min: low, max: high, step: "any", disabled, "data-joint": joint.name,
  });
  const word = unit.name === "°" ? "degrees" : "metres";
  const field = element("input", {
    type: "number", step: "any", disabled, "aria-label": `${joint.name} in ${word}`, "data-joint": joint.name,
  });
  const line = element(
    "div",
    { class: "joint", title: tip(joint, leader) },
    element("label", { for: id }, joint.name),
    slider,
    field,
    element("span", { class: "unit" }, unit.name),
  );
  const take = (position: number): void => {
    const within = clamp(joint, position);
    if (within !== null) {
      state.move(index, within);
    }
  };
  slider.addEventListener("input", () => take(slider.valueAsNumber));
  field.addEventListener("change", () => {
    take(field.valueAsNumber * unit.size);
    field.value = shown(unit, state.positions[index]!);
  });
  field.addEventListener("keydown", (event) => {
    const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (steps) {
      event.preventDefault();
      take(state.positions[index]! + steps * unit.step * unit.size * (event.shiftKey ? 10 : 1));
      field.value = shown(unit, state.positions[index]!);
    }
  });
  line.addEventListener("pointerenter", () => state.hover(joint.child));
  line.addEventListener("pointerleave", () => state.hover(-1));
  return { joint: index, unit, slider, field, element: line };
}

function tip(joint: JointData, leader: string | undefined): string {
  const follows = leader === undefined ? "" : `, follows ${leader || "0"}`;
  return `${joint.name}: ${joint.kind}, ${limits(joint)}${follows}`;
}

function show({ unit, slider, field }: Row, position: number): void {
  slider.value = String(position);
  slider.setAttribute("aria-valuetext", `${shown(unit, position)} ${unit.name}`);
  slider.style.setProperty("--at", String(share(slider, position)));
  // What is being typed is the reader's own until it is done.
  if (document.activeElement !== field) {
    field.value = shown(unit, position);
  }
}

/** How far along its slider a position is, 0 to 1. */
function share(slider: HTMLInputElement, position: number): number {
  const [low, high] = [Number(slider.min), Number(slider.max)];
  return high > low ? Math.min(1, Math.max(0, (position - low) / (high - low))) : 0;
}

function mark(rows: readonly Row[], { model }: State, name: string, link: number): void {
  for (const row of rows) {
    row.element.classList.toggle(name, model.joints[row.joint]!.child === link);
  }
}

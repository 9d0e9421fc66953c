// Panel of the selected item: properties with units, attached items, source excerpt.

import { obstacle } from "../cloud";
import { described, type Item, type ItemKind } from "../items";
import { chain, sizeOf } from "../mechanism";
import type { Property, RobotData, SourcePlace } from "../model";
import type { Proved } from "../proved";
import type { Settings } from "../settings";
import type { State } from "../state";
import { counted, propertyText } from "../units";
import { button, element, panel } from "./dom";
import { numbersOf } from "./numbers";
import { excerpt, placeText } from "./source";

// Longest value beside a label, in characters.
const WIDE = 20;

export function propertiesPanel(
  state: State, settings: Settings, triangles: (mesh: number) => number, proved: Proved | null,
): HTMLElement {
  const close = button("×", { class: "quiet close", title: "Clear the selection (Esc)", "aria-label": "Close" }, () =>
    state.select(null),
  );
  const reach = button("Workspace", { class: "quiet reach", title: "Sample the workspace" }, () => {
    settings.show("workspace", true);
    state.reach(state.selected!);
  });
  const [section, body] = panel("properties", "", reach, close);
  const numbers = numbersOf(state, settings);
  const heading = section.querySelector("h2")!;
  const update = (): void => {
    const { robot, selected } = state;
    section.hidden = selected === null;
    if (!selected) {
      return;
    }
    reach.hidden = !moving(robot, selected) || obstacle(robot) !== null;
    heading.replaceChildren(element("strong", {}, described(robot, selected).name), ` ${selected.kind}`);
    numbers.show(selected);
    body.replaceChildren(numbers.element, ...content(state, settings, selected, triangles));
    prove();
  };
  // What is proved of the joint of a link holds at some poses.
  const note = element("p", { class: "note proved-note" });
  const prove = (): void => {
    const { robot, selected } = state;
    const joint = selected?.kind === "link" ? robot.links[selected.index]!.joint : -1;
    if (proved?.of(joint)) {
      note.textContent = proved.text(joint, settings.angles);
      if (!note.isConnected) {
        [...body.querySelectorAll(":scope > dl")].at(-1)!.after(note);
      }
    }
  };
  state.on("pose", prove);
  state.on("selection", update);
  settings.on("units", update);
  update();
  return section;
}

function content(
  state: State,
  settings: Settings,
  item: Item,
  triangles: (mesh: number) => number,
): HTMLElement[] {
  const { robot } = state;
  const { properties, at } = described(robot, item);
  const out = [table(properties, settings)];
  if (item.kind === "link") {
    const { joint } = robot.links[item.index]!;
    out.push(...sizes(robot, item.index, triangles));
    const moved = robot.joints[joint];
    if (moved) {
      out.push(element("h3", {}, element("strong", {}, moved.name), " joint"), table(moved.properties, settings));
    }
    out.push(...unreachable(robot, item), ...hanging(state, item.index));
    const places = [at, moved?.at ?? null];
    return [...out, ...places.flatMap((place, index) => source(robot, place, places[index - 1]))];
  }
  return [...out, ...unreachable(robot, item), ...source(robot, at)];
}

/** Whether joints move the link of an item. */
function moving(robot: RobotData, { kind, index }: Item): boolean {
  const link = kind === "link" ? index : kind === "frame" ? robot.frames[index]!.link : -1;
  return link >= 0 && chain(robot, link).some((joint) => sizeOf(robot.joints[joint]!.kind) > 0);
}

/** A note why the page cannot sample the workspace of an item. */
function unreachable(robot: RobotData, item: Item): HTMLElement[] {
  const why = moving(robot, item) ? obstacle(robot) : null;
  return why ? [element("p", { class: "note" }, why)] : [];
}

/** The number of triangles of a link's shapes. */
function sizes({ shapes }: RobotData, link: number, triangles: (mesh: number) => number): HTMLElement[] {
  const count = (list: readonly { readonly link: number; readonly mesh: number }[]): number =>
    list.filter((shape) => shape.link === link).reduce((sum, { mesh }) => sum + triangles(mesh), 0);
  const [visual, collision] = [count(shapes.visual), count(shapes.collision)];
  const words = `${counted(visual, "visual triangle")}, ${counted(collision, "collision triangle")}`;
  return visual + collision > 0 ? [element("p", { class: "note" }, words)] : [];
}

function table(properties: readonly Property[], { angles }: Settings): HTMLElement {
  const rows = properties.map((property) => {
    const { rows: lines, unit } = propertyText(property, angles);
    const cells = lines.map((line) =>
      element("tr", {}, ...line.map((text) => element("td", {}, text))),
    );
    const value = typeof property[1] === "string"
      ? element("span", { class: "text" }, lines[0]![0]!)
      : element("table", {}, element("tbody", {}, ...cells));
    const wide = lines.length > 1 || (typeof property[1] !== "string" && lines[0]!.join(" ").length > WIDE);
    const suffix = element("span", { class: "unit" }, unit);
    const parts = [element("dt", {}, property[0]), element("dd", {}, value, suffix)];
    return element("div", { class: wide ? "property wide" : "property" }, ...parts);
  });
  return element("dl", {}, ...rows);
}

/** Devices, frames and loops of a link, as buttons that select them. */
function hanging(state: State, link: number): HTMLElement[] {
  const { robot } = state;
  const go = (kind: ItemKind, index: number, name: string, word: string): HTMLElement => {
    const parts = [element("span", { class: "name" }, name), element("span", { class: "kind" }, word)];
    const made = element("button", { type: "button", class: "go" }, ...parts);
    made.addEventListener("click", () => state.select({ kind, index }));
    return made;
  };
  return [
    ...robot.devices.flatMap((d, index) => (d.link === link ? [go("device", index, d.name, d.label)] : [])),
    ...robot.frames.flatMap((f, index) => (f.link === link ? [go("frame", index, f.name, "frame")] : [])),
    ...robot.loops.flatMap((l, index) => (l.a === link || l.b === link ? [go("loop", index, l.name, "loop")] : [])),
  ];
}

function source(robot: RobotData, at: SourcePlace | null, before?: SourcePlace | null): HTMLElement[] {
  // A link and its joint may have the same source location.
  if (!at || (before && before[0] === at[0] && before[1] === at[1])) {
    return [];
  }
  return [element("p", { class: "place" }, placeText(robot, at)), excerpt(robot, at)];
}

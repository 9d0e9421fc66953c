// Card of the workspace points: colors, extents and a cut.

import { type Cloud, cutAt, extent, rampStyle, type Shade, SHADES, shades } from "../cloud";
import { described } from "../items";
import type { Vector3 } from "../model";
import { origin } from "../pose";
import type { Settings } from "../settings";
import type { State } from "../state";
import { counted, digits, minus } from "../units";
import { button, choice, element } from "./dom";

const METHODS: Readonly<Record<string, string>> = { uniform: "random", halton: "Halton" };
const CUTS = [["", "none", "Show all points"], ...["x", "y", "z"].map((axis, at) => [String(at), axis, `Cut normal to ${axis}`])];

/** The card of one robot's workspace; hidden if the points are. */
export function cloudCard(state: State, settings: Settings): HTMLElement {
  const title = element("h2");
  const close = button("×", { class: "quiet close", "aria-label": "Hide", title: "Hide the points (W)" }, () =>
    settings.show("workspace", false),
  );
  const facts = element("p");
  const ramp = element("i", { class: "ramp" });
  ramp.style.background = rampStyle();
  const ends = element("div", { class: "ends" });
  const shade = element("select", { "aria-label": "Color by" });
  shade.append(...SHADES.map((each) => element("option", { value: each }, shadeText(state, each))));
  shade.addEventListener("change", () => state.see({ shade: shade.value as Shade }));
  const told = element("p", { class: "told" });
  const extents = element("table", { class: "extents" });
  const [cutting, showCut] = cutTools(state);
  const more = element("details", {}, element("summary", {}, "Extents, cut"), extents, ...cutting);
  const card = element(
    "section",
    { class: "card workspace", "aria-label": "Workspace" },
    element("header", {}, title, close), facts, ramp, ends, shade, told, more,
  );
  const look = (): void => {
    const { cloud, look: now } = state;
    if (!cloud) {
      return;
    }
    const values = shades(cloud.points, now.shade, rootOf(state));
    const [low, high] = extent(values);
    ends.replaceChildren(element("span", {}, `${meters(low)} m`), element("span", {}, `${meters(high)} m`));
    shade.value = now.shade;
    told.textContent = shadeText(state, now.shade);
    showCut(cloud);
  };
  const update = (): void => {
    const { cloud } = state;
    card.hidden = cloud === null || !settings.layers.workspace;
    if (cloud) {
      const name = cloud.item ? described(state.robot, cloud.item).name : "";
      const what = cloud.search ? "search tree" : "workspace";
      title.replaceChildren(...(name ? [element("strong", {}, name), ` ${what}`] : ["Workspace"]));
      title.title = name;
      card.setAttribute("aria-label", cloud.search ? "Search tree" : "Workspace");
      facts.textContent = factsOf(cloud);
      extents.replaceChildren(element("tbody", {}, ...[0, 1, 2].map((axis) => row(cloud, axis))));
      look();
    }
  };
  state.on("cloud", update);
  state.on("look", look);
  settings.on("layers", update);
  update();
  return card;
}

/** The controls of the cut, and a function that updates them. */
function cutTools(state: State): [HTMLElement[], (cloud: Cloud) => void] {
  const slider = element("input", { type: "range", min: 0, max: 1, step: "any", "aria-label": "Position of the cut" });
  slider.addEventListener("input", () => {
    const { cut } = state.look;
    if (cut) {
      state.see({ cut: { axis: cut.axis, share: slider.valueAsNumber } });
    }
  });
  const cuts = choice("Cut", CUTS as [string, string, string][], (value) =>
    state.see({ cut: value === "" ? null : { axis: Number(value), share: state.look.cut?.share ?? 0.5 } }),
  );
  const where = element("output", { class: "where" });
  const cutting = element("div", { class: "cutting" }, element("span", {}, "Cut"), cuts.element);
  const sliding = element("div", { class: "sliding" }, slider, where);
  const show = ({ points }: Cloud): void => {
    const { cut } = state.look;
    cuts.show(cut ? String(cut.axis) : "");
    sliding.hidden = cut === null;
    if (cut) {
      slider.value = String(cut.share);
      slider.style.setProperty("--at", String(cut.share));
      const text = `${"xyz"[cut.axis]} ≤ ${meters(cutAt(points, cut))} m`;
      where.textContent = text;
      slider.setAttribute("aria-valuetext", text);
    }
  };
  return [[cutting, sliding], show];
}

function row({ points }: Cloud, axis: number): HTMLElement {
  const [low, high] = extent(points, axis, 3);
  const cells = [meters(low), "…", meters(high), `${meters(high - low)} m`];
  return element("tr", {}, element("th", {}, "xyz"[axis]!), ...cells.map((text) => element("td", {}, text)));
}

function factsOf({ points, samples, method, seed, search }: Cloud): string {
  if (search) {
    return counted(samples, "configuration");
  }
  const count = points.length / 3;
  const some = count < samples ? ` of ${samples.toLocaleString("en")} samples` : "";
  const how = [METHODS[method] ?? method, seed === null ? "" : `seed ${seed}`].filter(Boolean).join(", ");
  return [some ? `${count.toLocaleString("en")}${some}` : counted(count, "point"), how].filter(Boolean).join(" · ");
}

function shadeText({ robot }: State, shade: Shade): string {
  return shade === "distance" ? `Distance from ${robot.links[robot.order[0]!]!.name}` : shade;
}

function rootOf({ robot, first }: State): Vector3 {
  return origin(first[robot.order[0]!]!);
}

/** Format a length in m, with three decimals below ten. */
function meters(value: number): string {
  return Math.abs(value) < 10 ? minus(value.toFixed(3)) : digits(value, 5);
}

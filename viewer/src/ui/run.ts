// Card of a motion: plots of joints, and of a recorded run its camera pictures and sensors.

import { BASE, sizeOf } from "../mechanism";
import type { PictureData } from "../model";
import type { Motion } from "../motion";
import { outside, type Run, type Series } from "../run";
import type { State } from "../state";
import { button, element } from "./dom";
import { type Drawn, lines, scan } from "./plot";

// Plots that are open at first.
const OPEN = 3;

/** The card, the menu of joints that it plots, and a function that shows a time. */
export interface RunCard {
  readonly element: HTMLElement;
  readonly picker: HTMLElement;
  readonly seek: (time: number) => void;
}

/** The card of a motion; ``run`` is the recorded run that it belongs to. */
export function runCard(motion: Motion, run: Run | null, state: State): RunCard {
  const pictures = (run?.data.pictures ?? []).map((each) => picture(run!, each));
  const count = { open: 0 };
  const plots = (run?.plots ?? []).map(({ data: plot, values }) => {
    const title = [plot.name, plot.what].filter(Boolean).join(" · ");
    const open = count.open++ < OPEN;
    return plot.kind === "scan"
      ? scan(title, values, plot.size, plot.scale ?? 1, plot.row ?? plot.size, open, (time) => motion.row(time))
      : lines({ title, unit: plot.unit, labels: plot.labels, size: plot.size, values }, motion, open);
  });
  const parts = pictures.length + plots.length;
  const joints = jointPlots(motion, run, state, (some) => {
    card.hidden = parts + note.length === 0 && !some;
  });
  const note = run && !run.data.finished ? [element("p", { class: "cut-short" }, "This run was interrupted.")] : [];
  const card = element(
    "section",
    { class: "run", "aria-label": run ? "Run" : "Motion" },
    ...note, ...pictures.map((each) => each.element), joints.element, ...plots.map((each) => each.element),
  );
  joints.update();
  return {
    element: card,
    picker: joints.picker,
    seek: (time) => [...pictures, ...plots, joints].forEach((each) => each.seek(time)),
  };
}

interface JointPlots extends Drawn {
  readonly picker: HTMLElement;
  readonly update: () => void;
}

/** The plots of the selected joint and of those that were picked, and the picker; ``told`` whether there are any. */
function jointPlots(motion: Motion, run: Run | null, state: State, told: (some: boolean) => void): JointPlots {
  const { robot } = state;
  const made = new Map<number, readonly Drawn[]>();
  const plotsOf = (joint: number): readonly Drawn[] => {
    const found = made.get(joint) ?? seriesOf(motion, run, state, joint).map((series) => marked(series, motion));
    made.set(joint, found);
    return found;
  };
  const moved = robot.joints.flatMap(({ name, kind }, index) => {
    const isMoved = motion.joints.has(index) || state.mechanism.follows(index);
    return sizeOf(kind) > 0 && (isMoved || run?.joint(index, true).length) ? [[index, name] as const] : [];
  });
  const picker = element("select", { class: "picker", "aria-label": "Plot a joint" });
  const list = element("div", { class: "joint-plots" });
  picker.hidden = moved.length === 0;
  const picked = new Set<number>();
  let now = state.moment ?? motion.span[0];
  let shown: readonly Drawn[] = [];
  const update = (): void => {
    const { selected } = state;
    const chosen = selected?.kind === "link" ? robot.links[selected.index]!.joint : BASE;
    const wanted = [...picked, ...(chosen === BASE || picked.has(chosen) ? [] : [chosen])];
    const parts = wanted.map((joint) => ({ joint, plots: plotsOf(joint) })).filter(({ plots }) => plots.length);
    shown = parts.flatMap(({ plots }) => plots);
    list.replaceChildren(
      ...parts.map(({ joint, plots }) => {
        const name = robot.joints[joint]!.name;
        const close = button("×", { class: "quiet close", "aria-label": `Close the plots of ${name}` }, () => {
          picked.delete(joint);
          update();
        });
        return element(
          "div", { class: "joint-plot", "data-joint": name },
          ...(picked.has(joint) ? [close] : []), ...plots.map((each) => each.element),
        );
      }),
    );
    told(shown.length > 0);
    picker.replaceChildren(
      element("option", { value: "" }, "Plot …"),
      ...moved.filter(([joint]) => !picked.has(joint)).map(([joint, name]) => element("option", { value: joint }, name)),
    );
    shown.forEach((each) => each.seek(now));
  };
  picker.addEventListener("change", () => {
    if (picker.value !== "") {
      picked.add(Number(picker.value));
      update();
    }
  });
  state.on("selection", update);
  return {
    element: list,
    picker,
    update,
    seek: (time) => {
      now = time;
      shown.forEach((each) => each.seek(time));
    },
  };
}

/** Positions of a joint with its limits, and its velocity and effort in a run. */
function seriesOf(motion: Motion, run: Run | null, state: State, joint: number): Series[] {
  const data = state.robot.joints[joint]!;
  const values = motion.positions(state.mechanism, state.robot.start, joint);
  const size = sizeOf(data.kind);
  const turns = data.kind !== "prismatic";
  const titled = (series: Series): Series => ({ ...series, title: `${data.name} · ${series.title}` });
  const unit = size > 1 ? "" : turns ? "rad" : "m";
  const position: Series = { title: "position", unit, labels: [], size, values, ...(size === 1 ? { limits: data } : {}) };
  return [...(values.length ? [position] : []), ...(run?.joint(joint, turns) ?? [])].map(titled);
}

/** A plot; of a joint that goes beyond its limits, with a word about it. */
function marked(series: Series, motion: Motion): Drawn {
  const drawn = lines(series, motion, true);
  const at = series.limits ? outside(series.values, series.limits) : -1;
  if (at >= 0) {
    const time = motion.times[at]!;
    drawn.element.classList.add("beyond");
    drawn.element.append(element("p", { class: "beyond-note" }, `beyond its limit at ${time.toFixed(2)} s`));
  }
  return drawn;
}

/** The picture of a camera at a time. */
function picture(run: Run, data: PictureData): Drawn {
  const canvas = element("canvas", { width: data.width, height: data.height, "aria-label": data.name });
  const figure = element("figure", { class: "picture" }, canvas, element("figcaption", {}, data.name));
  const context = canvas.getContext("2d");
  let shown = -1;
  const seek = (time: number): void => {
    const found = run.picture(data, time);
    if ((found?.index ?? -1) === shown) {
      return;
    }
    shown = found?.index ?? -1;
    if (!found) {
      context?.clearRect(0, 0, canvas.width, canvas.height);
      return;
    }
    const { index, bytes } = found;
    void createImageBitmap(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "image/png" })).then((image) => {
      // Another picture may have been asked for in the meantime.
      if (index === shown) {
        context?.drawImage(image, 0, 0);
      }
      image.close();
    });
  };
  return { element: figure, seek };
}

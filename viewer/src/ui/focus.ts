// Dialog of what is looked at: buttons for the selection, the projection, and the sizes of frames and of the grid.

import type { Commands } from "../commands/registry";
import { CELLS, FRAME_SIZES, type Settings } from "../settings";
import { lengthText } from "../units";
import { commandButton } from "./command";
import { dialog } from "./dialog";
import { choice, element } from "./dom";

export function focusDialog(settings: Settings, commands: Commands): HTMLDialogElement {
  const names = [["zoom", "Zoom to it"], ["hide", "Hide"], ["isolate", "Isolate"], ["fade", "Fade"], ["show", "Show all"]] as const;
  const lens = choice(
    "Projection",
    [["perspective", "Perspective", "What is farther is smaller"], ["orthographic", "Orthographic", "Depth has no effect on sizes (Shift+O)"]],
    (value) => commands.act("Projection", () => settings.setLens(value)),
  );
  const frames = choice(
    "Size of frames",
    FRAME_SIZES.map((size) => [String(size), `× ${size}`, `Frames ${size} times as long as usual`] as const),
    (value) => commands.act("Size of frames", () => settings.setSizes(Number(value), settings.cell)),
  );
  const cells = choice(
    "Cells of the grid",
    CELLS.map((cell) => [String(cell), cell ? lengthText(cell) : "Auto", cell ? `Cells of ${lengthText(cell)}` : "Cells that suit the robot"] as const),
    (value) => commands.act("Cells of the grid", () => settings.setSizes(settings.frameSize, Number(value))),
  );
  const row = (title: string, ...parts: Node[]): HTMLElement => element("div", { class: "row" }, element("h3", {}, title), ...parts);
  const update = (): void => {
    lens.show(settings.lens);
    frames.show(String(settings.frameSize));
    cells.show(String(settings.cell));
  };
  settings.on("lens", update);
  settings.on("sizes", update);
  update();
  return dialog(
    "view", "View",
    row("Selection", element("div", { class: "choice" }, ...names.map(([name, label]) => commandButton(commands, `focus.${name}`, label)))),
    row("Projection", lens.element), row("Frames", frames.element), row("Grid", cells.element),
  );
}

// The page: load the model, show it, and let the parts hear of each other's changes.

import "./style.css";
import { type Box3, Vector3 } from "three";
import { makeApi } from "./api";
import { load } from "./container";
import { Grid } from "./scene/grid";
import { Markers } from "./scene/markers";
import { RobotView } from "./scene/robot";
import { onTheme } from "./scene/theme";
import { Viewport } from "./scene/viewport";
import { State } from "./state";
import { element } from "./ui/dom";
import { findingsPanel } from "./ui/findings";
import { jointsPanel } from "./ui/joints";
import { keys, linkAt, pointing } from "./ui/pointing";
import { summary } from "./ui/summary";
import { toolbar } from "./ui/toolbar";
import { treePanel } from "./ui/tree";

async function start(app: HTMLElement): Promise<void> {
  const model = await load(document);
  document.title = `${model.name} – unibody`;
  const state = new State(model);
  const stage = element("main", { class: "stage" });
  app.replaceChildren(
    element("aside", { class: "side left" }, summary(model), treePanel(state), findingsPanel(state)),
    stage,
    element("aside", { class: "side right" }, jointsPanel(state)),
  );
  picture(state, stage);
}

function picture(state: State, stage: HTMLElement): void {
  const viewport = new Viewport(stage);
  const robot = new RobotView(state);
  const grid = new Grid();
  const markers = new Markers(state, robot.links, viewport.scene);
  viewport.scene.add(grid.object, robot.object);
  const size = sizeOf(robot.bounds());
  [robot, markers].forEach((part) => part.scale(size));
  grid.fit(size);
  const fit = (): void => viewport.fit(robot.bounds(), size);
  const redraw = (...parts: (() => void)[]) => (): void => {
    parts.forEach((part) => part());
    viewport.draw();
  };
  state.on("pose", redraw(() => robot.pose(), () => markers.update()));
  state.on("hover", redraw(() => robot.light()));
  state.on("selection", redraw(() => robot.light()));
  state.on("layers", redraw(() => robot.layers(), () => markers.update()));
  onTheme((theme) => [robot, grid, markers, viewport].forEach((part) => part.theme(theme)));
  stage.append(toolbar(state, fit), pointing(state, viewport, robot));
  keys(state, viewport, fit);
  fit();
  window.unibody = makeApi(state, robot, (x, y) => linkAt(viewport, robot, x, y));
}

/** A length that stands for the whole, in m. */
function sizeOf(box: Box3): number {
  const length = box.getSize(new Vector3()).length();
  return length > 1e-6 ? length : 1;
}

const app = document.getElementById("app")!;
window.unibody = { status: "loading" };
start(app).catch((error: unknown) => {
  const reason = error instanceof Error ? error.message : String(error);
  window.unibody = { status: reason };
  (app.querySelector(".stage") ?? app).append(element("p", { class: "problem", role: "alert" }, reason));
});

// The pointer and the keys over the picture: hover names a link, a click chooses it, keys look around.

import type { RobotView } from "../scene/robot";
import type { Viewport } from "../scene/viewport";
import { NONE, type State } from "../state";
import { element } from "./dom";
import { layerOf } from "./toolbar";

// A press that moves further than this (pixels) turns the view and chooses nothing.
const STILL = 4;

/** The link under a point of the window. */
export function linkAt(viewport: Viewport, robot: RobotView, x: number, y: number): number {
  const hit = viewport.hit(x, y, robot.targets());
  return hit ? (hit.userData["link"] as number) : NONE;
}

export function pointing(state: State, viewport: Viewport, robot: RobotView): HTMLElement {
  const label = element("div", { class: "label", "aria-hidden": "true", hidden: true });
  const { canvas } = viewport;
  let pressed: { x: number; y: number } | null = null;
  let last: PointerEvent | null = null;
  const look = (): void => {
    if (last && !pressed) {
      state.hover(linkAt(viewport, robot, last.clientX, last.clientY));
      label.hidden = state.hovered === NONE;
      label.textContent = described(state);
      beside(label, canvas, last.clientX, last.clientY);
    }
    last = null;
  };
  canvas.addEventListener("pointermove", (event) => {
    if (!last) {
      requestAnimationFrame(look);
    }
    last = event;
  });
  canvas.addEventListener("pointerdown", ({ clientX: x, clientY: y }) => {
    pressed = { x, y };
    label.hidden = true;
  });
  canvas.addEventListener("pointerup", ({ clientX: x, clientY: y, button }) => {
    if (pressed && button === 0 && Math.hypot(x - pressed.x, y - pressed.y) <= STILL) {
      state.select(linkAt(viewport, robot, x, y));
    }
    pressed = null;
  });
  canvas.addEventListener("pointerleave", () => {
    last = null;
    label.hidden = true;
    state.hover(NONE);
  });
  return label;
}

/** Put the label beside a point of the window, on the side where there is more room. */
function beside(label: HTMLElement, canvas: HTMLElement, x: number, y: number): void {
  const frame = canvas.getBoundingClientRect();
  const [left, top] = [x - frame.left, y - frame.top];
  const across = left > frame.width / 2 ? `calc(${left - 12}px - 100%)` : `${left + 14}px`;
  const down = top > frame.height / 2 ? `calc(${top - 10}px - 100%)` : `${top + 14}px`;
  label.style.translate = `${across} ${down}`;
}

/** The hovered link, and the joint that moves it when that has another name. */
function described({ model, hovered }: State): string {
  const link = model.links[hovered];
  const joint = link && model.joints[link.joint];
  return !link ? "" : joint && joint.name !== link.name ? `${link.name}  (${joint.name})` : link.name;
}

/** Keys of the picture when it has the focus, and letters everywhere but where text is typed. */
export function keys(state: State, viewport: Viewport, fit: () => void): void {
  const { canvas } = viewport;
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-label", "The robot. Arrow keys turn the view, plus and minus zoom, 0 shows all.");
  const views: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => viewport.turn(-1, 0),
    ArrowRight: () => viewport.turn(1, 0),
    ArrowUp: () => viewport.turn(0, 1),
    ArrowDown: () => viewport.turn(0, -1),
    "+": () => viewport.zoom(1 / 1.2),
    "=": () => viewport.zoom(1 / 1.2),
    "-": () => viewport.zoom(1.2),
  };
  canvas.addEventListener("keydown", (event) => {
    const act = plain(event) && views[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  });
  document.addEventListener("keydown", (event) => {
    if (!plain(event) || event.defaultPrevented || isTyping(event.target)) {
      return;
    }
    const layer = layerOf(event.key.toLowerCase());
    if (layer) {
      state.show(layer, !state.layers[layer]);
    } else if (event.key === "0") {
      fit();
    } else if (event.key.toLowerCase() === "r") {
      state.reset();
    } else if (event.key === "Escape") {
      state.select(NONE);
    }
  });
}

function plain(event: KeyboardEvent): boolean {
  return !event.ctrlKey && !event.metaKey && !event.altKey;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type !== "range";
}

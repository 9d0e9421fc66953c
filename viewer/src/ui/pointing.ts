// The pointer over the picture: hover names what is there, a click chooses it, a pull moves it.

import { described } from "../items";
import type { Vector3 } from "../model";
import type { Pointed, Stage } from "../scene/stage";
import type { Settings } from "../settings";
import type { State } from "../state";
import { element } from "./dom";

// A press that moves further than this (pixels) turns the view and chooses nothing.
const STILL = 4;

/** A link that is pulled: where it is held, in the world. */
interface Pull {
  readonly robot: number;
  readonly grip: { readonly link: number; readonly point: Vector3 };
  readonly held: Vector3;
}

export function pointing(
  stage: Stage,
  states: readonly State[],
  settings: Settings,
  signal: AbortSignal,
): HTMLElement {
  const label = element("div", { class: "label hover", "aria-hidden": "true", hidden: true });
  const { viewport } = stage;
  const { canvas } = viewport;
  let pressed: { x: number; y: number } | null = null;
  let pull: Pull | null = null;
  let last: PointerEvent | null = null;
  const on = <K extends keyof HTMLElementEventMap>(
    type: K,
    act: (event: HTMLElementEventMap[K]) => void,
    target: HTMLElement = canvas,
    capture = false,
  ): void => target.addEventListener(type, act, { signal, capture });

  const look = (): void => {
    const event = last;
    last = null;
    if (!event || (pressed && !pull)) {
      return;
    }
    if (pull) {
      const target = viewport.beside(event.clientX, event.clientY, pull.held);
      states[pull.robot]!.drag(pull.grip, stage.toRobot(pull.robot, target));
      return;
    }
    const found = stage.pointed(event.clientX, event.clientY);
    states.forEach((state, index) => found?.robot === index && state.hover(found.item));
    if (!found) {
      states.forEach((state) => state.hover(null));
    }
    canvas.style.cursor = cursor(settings, event, found);
    label.hidden = found === null;
    if (found) {
      label.replaceChildren(...words(states[found.robot]!, found));
      beside(label, canvas, event.clientX, event.clientY);
    }
  };
  on("pointermove", (event) => {
    if (!last) {
      requestAnimationFrame(look);
    }
    last = event;
  });
  // Before the view's own controls: a pull does not turn the view.
  on(
    "pointerdown",
    (event) => {
      if (event.target !== canvas || event.button !== 0 || !(settings.mode === "grab" || event.shiftKey)) {
        return;
      }
      pull = pullAt(stage, event);
      if (pull) {
        event.stopPropagation();
        canvas.setPointerCapture(event.pointerId);
        canvas.style.cursor = "grabbing";
        pressed = { x: event.clientX, y: event.clientY };
        label.hidden = true;
      }
    },
    canvas.parentElement!,
    true,
  );
  on("pointerdown", ({ clientX: x, clientY: y }) => {
    pressed = { x, y };
    label.hidden = true;
  });
  on("pointerup", ({ clientX: x, clientY: y, button }) => {
    if (pressed && button === 0 && Math.hypot(x - pressed.x, y - pressed.y) <= STILL) {
      click(stage, states, settings, x, y);
    }
    pressed = null;
    pull = null;
    canvas.style.cursor = "";
  });
  on("pointercancel", () => {
    pressed = null;
    pull = null;
  });
  on("pointerleave", () => {
    last = null;
    label.hidden = true;
    states.forEach((state) => state.hover(null));
  });
  return label;
}

function click(stage: Stage, states: readonly State[], settings: Settings, x: number, y: number): void {
  const found = stage.pointed(x, y);
  if (settings.mode !== "measure") {
    states.forEach((state, index) => (!found || found.robot === index) && state.select(found?.item ?? null));
    if (found && found.robot !== settings.focus) {
      settings.look(found.robot);
    }
  } else if (found) {
    const link = found.link < 0 ? states[found.robot]!.robot.order[0]! : found.link;
    const frame = stage.onLink(found.robot, link);
    const local = frame.into(found.point);
    stage.ruler.take(() => frame.out(local));
    stage.viewport.draw();
  }
}

function pullAt(stage: Stage, { clientX, clientY }: PointerEvent): Pull | null {
  const found = stage.pointed(clientX, clientY);
  if (!found || found.link < 0) {
    return null;
  }
  const point = stage.onLink(found.robot, found.link).into(found.point);
  return { robot: found.robot, grip: { link: found.link, point }, held: found.point };
}

function cursor({ mode }: Settings, { shiftKey }: PointerEvent, found: Pointed | null): string {
  if (mode === "measure") {
    return "crosshair";
  }
  return found && found.link >= 0 && (mode === "grab" || shiftKey) ? "grab" : "";
}

/** Put the label beside a point of the window, on the side where there is more room. */
function beside(label: HTMLElement, canvas: HTMLElement, x: number, y: number): void {
  const frame = canvas.getBoundingClientRect();
  const [left, top] = [x - frame.left, y - frame.top];
  const across = left > frame.width / 2 ? `calc(${left - 12}px - 100%)` : `${left + 14}px`;
  const down = top > frame.height / 2 ? `calc(${top - 10}px - 100%)` : `${top + 14}px`;
  label.style.translate = `${across} ${down}`;
}

/** The name of what is there; below it the joint that moves it, and the shape. */
function words({ robot }: State, { item, link, shape }: Pointed): HTMLElement[] {
  const { name } = described(robot, item);
  const more: string[] = [];
  if (item.kind !== "link") {
    more.push(item.kind === "device" ? robot.devices[item.index]!.label : item.kind);
  }
  const joint = robot.joints[robot.links[link]?.joint ?? -1];
  if (joint && item.kind === "link") {
    more.push(joint.name === name ? `${joint.kind} joint` : `${joint.name} (${joint.kind})`);
  }
  if (shape) {
    more.push(shape);
  }
  return [element("strong", {}, name), element("span", {}, more.join(" · "))];
}

// Pointer input of the scene: hover shows names, click selects, drag moves links.

import { driverOf, type Screen, turnedBy, turnedTo } from "../hand";
import { described } from "../items";
import type { Vector3 } from "../model";
import type { Pointed, Stage } from "../scene/stage";
import type { Settings } from "../settings";
import type { State } from "../state";
import { limits, minus, shown, unitOf } from "../units";
import { element } from "./dom";

// A press that moves further than this (pixels) rotates the view and does not select.
const STILL = 4;

/** A dragged link, the grabbed point in the world, and the joint that it turns; null if it pulls a chain. */
interface Pull {
  /** The id of the dragging pointer. */
  readonly pointer: number;
  readonly robot: number;
  readonly grip: { readonly link: number; readonly point: Vector3 };
  readonly held: Vector3;
  readonly joint: number | null;
}

/** Handle the pointer until the signal is aborted; returns the hover label. */
export function handlePointer(
  stage: Stage,
  states: readonly State[],
  settings: Settings,
  signal: AbortSignal,
): HTMLElement {
  return new Pointing(stage, states, settings, signal).label;
}

class Pointing {
  readonly label = element("div", { class: "label hover", "aria-hidden": "true", hidden: true });
  readonly #canvas: HTMLCanvasElement;
  #pressed: { readonly x: number; readonly y: number } | null = null;
  #pull: Pull | null = null;
  /** The last pointer event since the last frame. */
  #last: PointerEvent | null = null;

  constructor(
    private readonly stage: Stage,
    private readonly states: readonly State[],
    private readonly settings: Settings,
    signal: AbortSignal,
  ) {
    const { canvas } = stage.viewport;
    this.#canvas = canvas;
    const on = (type: "move" | "down" | "up" | "cancel" | "leave", act: (event: PointerEvent) => void): void =>
      canvas.addEventListener(`pointer${type}`, act, { signal });
    on("move", (event) => this.#move(event));
    // Capture the event before the orbit controls: dragging a link must not rotate the view.
    canvas.parentElement!.addEventListener("pointerdown", (event) => this.#grab(event), { signal, capture: true });
    on("down", (event) => this.#press(event));
    on("up", (event) => this.#release(event));
    on("cancel", (event) => this.#end(event));
    canvas.addEventListener("dblclick", (event) => {
      const found = settings.mode === "measure" ? null : stage.pointed(event.clientX, event.clientY);
      if (found) {
        states[found.robot]!.select(found.item);
        stage.zoom(found.robot);
      }
    }, { signal });
    on("leave", () => {
      this.#last = null;
      this.#unhover();
    });
  }

  #move(event: PointerEvent): void {
    if (this.#pull && event.pointerId !== this.#pull.pointer) {
      return;
    }
    if (!this.#last) {
      requestAnimationFrame(() => this.#look());
    }
    this.#last = event;
  }

  /** Process the last pointer event. */
  #look(): void {
    const event = this.#last;
    this.#last = null;
    if (!event) {
      return;
    }
    if (this.#pull) {
      const { robot, grip, held, joint } = this.#pull;
      if (joint !== null) {
        this.#turn(event, this.#pull, joint);
        return;
      }
      const target = this.stage.viewport.beside(event.clientX, event.clientY, held);
      this.states[robot]!.drag(grip, this.stage.toRobot(robot, target));
    } else if (!this.#pressed) {
      this.#name(event);
    }
  }

  /** Turn a joint so that the grabbed point is under the pointer, and print its position. */
  #turn({ clientX, clientY }: PointerEvent, { robot, grip }: Pull, joint: number): void {
    const { stage, label } = this;
    const state = this.states[robot]!;
    const { left, top } = this.#canvas.getBoundingClientRect();
    const driver = driverOf(state.robot, joint)!;
    const screen: Screen = (point) => stage.viewport.project(stage.fromRobot(robot, point));
    state.move(driver, [turnedTo(state.mechanism, state.positions, driver, grip, screen, [clientX - left, clientY - top])]);
    label.hidden = false;
    label.replaceChildren(...positionWords(state, joint, this.settings));
    beside(label, this.#canvas, clientX, clientY);
  }

  /** Show the axis of the joint that a drag would turn. */
  #aim(found: Pointed | null, isHand: boolean): void {
    this.states.forEach((state, robot) => {
      state.aim(isHand && found?.robot === robot && found.link >= 0 ? jointAt(state, found.link) : null);
    });
  }

  #name(event: PointerEvent): void {
    const { states, label } = this;
    const found = this.stage.pointed(event.clientX, event.clientY);
    const isHand = this.settings.mode === "grab" && !event.shiftKey;
    this.#aim(found, isHand);
    if (!found) {
      this.#unhover();
    } else {
      states[found.robot]!.hover(found.item);
      label.hidden = false;
      const joint = isHand && found.link >= 0 ? jointAt(states[found.robot]!, found.link) : null;
      const value = joint === null ? [] : positionWords(states[found.robot]!, joint, this.settings);
      label.replaceChildren(...words(states[found.robot]!, found), ...value);
      beside(label, this.#canvas, event.clientX, event.clientY);
    }
    this.#canvas.style.cursor = cursor(this.settings, event, found);
  }

  #unhover(): void {
    this.label.hidden = true;
    this.#aim(null, false);
    this.states.forEach((state) => state.hover(null));
  }

  #grab(event: PointerEvent): void {
    const grabs = this.settings.mode === "grab" || event.shiftKey;
    if (event.target !== this.#canvas || event.button !== 0 || !grabs) {
      return;
    }
    if (this.#pull) {
      // Ignore a second finger while a link is dragged.
      event.stopPropagation();
      return;
    }
    this.#pull = pullAt(this.stage, this.states, event);
    if (this.#pull) {
      this.states[this.#pull.robot]!.aim(this.#pull.joint);
      event.stopPropagation();
      this.#canvas.setPointerCapture(event.pointerId);
      this.#canvas.style.cursor = "grabbing";
      this.#press(event);
    }
  }

  #press({ clientX: x, clientY: y, isPrimary }: PointerEvent): void {
    // Two fingers rotate and zoom the view and do not select.
    this.#pressed = isPrimary ? { x, y } : { x: Infinity, y: Infinity };
    this.label.hidden = true;
  }

  #release(event: PointerEvent): void {
    const { clientX: x, clientY: y, button } = event;
    const still = this.#pressed && Math.hypot(x - this.#pressed.x, y - this.#pressed.y) <= STILL;
    if (this.#end(event) && still && button === 0) {
      click(this.stage, this.states, this.settings, x, y);
    }
  }

  /** Release the link; whether this pointer dragged it. */
  #end({ pointerId }: PointerEvent): boolean {
    if (this.#pull && pointerId !== this.#pull.pointer) {
      return false;
    }
    if (this.#pull) {
      // A quick release comes before the frame of the last move.
      this.#look();
    }
    this.#pressed = null;
    this.#pull = null;
    this.#canvas.style.cursor = "";
    return true;
  }
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

function pullAt(stage: Stage, states: readonly State[], event: PointerEvent): Pull | null {
  const { clientX, clientY, pointerId: pointer, shiftKey } = event;
  const found = stage.pointed(clientX, clientY);
  if (!found || found.link < 0) {
    return null;
  }
  const point = stage.onLink(found.robot, found.link).into(found.point);
  return { pointer, robot: found.robot, grip: { link: found.link, point }, held: found.point, joint: shiftKey ? null : jointAt(states[found.robot]!, found.link) };
}

/** The joint that a drag of a link turns; null if it pulls the chain above it. */
function jointAt({ robot }: State, link: number): number | null {
  const joint = turnedBy(robot, link);
  return joint !== null && driverOf(robot, joint) !== null ? joint : null;
}

/** The position of a joint, and its limits. */
function positionWords(state: State, joint: number, { angles }: Settings): HTMLElement[] {
  const data = state.robot.joints[joint]!;
  const unit = unitOf(data, angles);
  const value = `${minus(shown(unit, state.of(joint)[0]!))}${unit.name === "°" ? "°" : ` ${unit.name}`}`;
  return [element("span", { class: "position" }, `${data.name}: ${value} (${limits(data, angles)})`)];
}

function cursor({ mode }: Settings, { shiftKey }: PointerEvent, found: Pointed | null): string {
  if (mode === "measure") {
    return "crosshair";
  }
  return found && found.link >= 0 && (mode === "grab" || shiftKey) ? "grab" : "";
}

/** Place the label beside a point of the window, on the side with more space. */
function beside(label: HTMLElement, canvas: HTMLElement, x: number, y: number): void {
  const frame = canvas.getBoundingClientRect();
  const [left, top] = [x - frame.left, y - frame.top];
  const across = left > frame.width / 2 ? `calc(${left - 12}px - 100%)` : `${left + 14}px`;
  const down = top > frame.height / 2 ? `calc(${top - 10}px - 100%)` : `${top + 14}px`;
  label.style.translate = `${across} ${down}`;
}

/** The label: name of the item, its joint, and the shape. */
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

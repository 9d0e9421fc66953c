// Where the selected item is, at every moment: in the world or in any link, to read and to copy.

import { copyText } from "../clipboard";
import type { Item } from "../items";
import { placeOf } from "../placement";
import { origin, type Pose } from "../pose";
import { fromPose, toRpy } from "../quaternion";
import type { Settings, Turns } from "../settings";
import type { State } from "../state";
import { angleUnit, digits, shown } from "../units";
import { button, choice, element } from "./dom";

const DIGITS = 5;

export interface Numbers {
  readonly element: HTMLElement;
  readonly show: (item: Item) => void;
}

/** The numbers of the selected item, updated with the pose. */
export function numbersOf(state: State, settings: Settings): Numbers {
  const { links } = state.robot;
  let item: Item | null = null;
  const frame = element("select", { class: "reference", "aria-label": "Pose in", title: "The frame of these numbers" });
  frame.append(
    element("option", { value: "" }, "the world"),
    ...links.map(({ name }, index) => element("option", { value: `${index}` }, name)),
  );
  const reference = (): number | null => {
    const index = settings.reference === "" ? -1 : links.findIndex(({ name }) => name === settings.reference);
    return index < 0 ? null : index;
  };
  frame.addEventListener("change", () =>
    settings.print(frame.value === "" ? "" : links[Number(frame.value)]!.name, settings.turns),
  );
  const forms = choice<Turns>(
    "Rotation as", [["rpy", "rpy", "Roll, pitch, yaw about the fixed axes"], ["quaternion", "quat", "Quaternion w, x, y, z"]],
    (turns) => settings.print(settings.reference, turns),
  );
  const copy = button("Copy", { class: "quiet copy-numbers", title: "Copy with all digits, in m and rad" }, () => {
    if (item) {
      void copyText(numbersText(placeOf(state, item, reference()), settings.turns)).then((done) => {
        copy.textContent = done ? "Copied" : "Not allowed";
        setTimeout(() => (copy.textContent = "Copy"), 1500);
      });
    }
  });
  const place = element("dd", { "data-numbers": "xyz" });
  const rotation = element("dd", { "data-numbers": "rotation" });
  const made = element(
    "div",
    { class: "numbers" },
    element("div", { class: "row" }, element("span", {}, "Pose in"), frame, forms.element, copy),
    element("dl", {}, element("div", {}, element("dt", {}, "xyz"), place), element("div", {}, element("dt", {}, "rotation"), rotation)),
  );
  const update = (): void => {
    if (!item) {
      return;
    }
    const pose = placeOf(state, item, reference());
    const unit = angleUnit(settings.angles);
    place.replaceChildren(...cells(origin(pose).map((value) => digits(tidy(value), DIGITS)), "m"));
    const turned = settings.turns === "quaternion"
      ? cells(fromPose(pose).map((value) => digits(tidy(value), DIGITS)), "")
      : cells(toRpy(fromPose(pose)).map((value) => shown(unit, value)), unit.name);
    rotation.replaceChildren(...turned);
  };
  const choose = (): void => {
    frame.value = `${reference() ?? ""}`;
    forms.show(settings.turns);
    update();
  };
  state.on("pose", update);
  settings.on("numbers", choose);
  settings.on("units", update);
  return {
    element: made,
    show: (chosen) => {
      item = chosen;
      choose();
    },
  };
}

function cells(texts: readonly string[], unit: string): HTMLElement[] {
  return [...texts.map((text) => element("span", {}, text.replaceAll("-", "−"))), element("span", { class: "unit" }, unit)];
}

/** Rounding errors as zero. */
function tidy(value: number): number {
  return Math.abs(value) < 1e-12 ? 0 : value;
}

/** A pose as text with all digits: position in m, rotation as roll, pitch, yaw in rad or as a quaternion w, x, y, z. */
function numbersText(pose: Pose, turns: Turns): string {
  const quaternion = fromPose(pose);
  const words = (numbers: readonly number[]): string => `[${numbers.join(", ")}]`;
  const rotation = turns === "rpy" ? `rpy: ${words(toRpy(quaternion))}` : `quat: ${words(quaternion)}`;
  return `xyz: ${words(origin(pose))}\n${rotation}\n`;
}

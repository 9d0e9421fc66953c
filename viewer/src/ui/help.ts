// Dialog of the keyboard shortcuts.

import { dialog } from "./dialog";
import { element } from "./dom";
import { keyList } from "./keys";

export function helpDialog(): HTMLDialogElement {
  const groups = keyList().map(([title, keys]) =>
    element(
      "div",
      {},
      element("h3", {}, title),
      element(
        "dl",
        { class: "keys" },
        ...keys.flatMap(([key, text]) => [element("dt", {}, element("kbd", {}, key)), element("dd", {}, text)]),
      ),
    ),
  );
  return dialog("help", "Keyboard shortcuts", element("div", { class: "columns" }, ...groups));
}

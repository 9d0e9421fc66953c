// Dialog of the keyboard shortcuts.

import type { Commands } from "../commands/registry";
import { dialog } from "./dialog";
import { element } from "./dom";
import { keyList } from "./keys";

/** The dialog; its list is made when it is opened, from the commands that there are by then. */
export function helpDialog(commands: Commands): HTMLDialogElement {
  const columns = element("div", { class: "columns" });
  const made = dialog("help", "Keyboard shortcuts", columns);
  made.addEventListener("opened", () => columns.replaceChildren(...keyList(commands).map(group)));
  return made;
}

function group([title, keys]: [string, [string, string][]]): HTMLElement {
  const rows = keys.flatMap(([key, text]) => [element("dt", {}, element("kbd", {}, key)), element("dd", {}, text)]);
  return element("div", {}, element("h3", {}, title), element("dl", { class: "keys" }, ...rows));
}

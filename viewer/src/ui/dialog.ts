// Non-modal dialogs over the scene.

import { button, element } from "./dom";

/** Create a closed dialog; it receives an "opened" event when it is shown. */
export function dialog(name: string, title: string, ...content: Node[]): HTMLDialogElement {
  const made = element("dialog", { class: `sheet ${name}`, "aria-label": title });
  const close = button("×", { class: "quiet close", "aria-label": "Close", title: "Close (Esc)" }, () =>
    made.close(),
  );
  made.append(element("header", {}, element("h2", {}, title), close), ...content);
  made.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      made.close();
    }
  });
  return made;
}

/** Open or close a dialog. */
export function toggleDialog(made: HTMLDialogElement): void {
  if (made.open) {
    made.close();
  } else {
    made.show();
    made.dispatchEvent(new Event("opened"));
  }
}

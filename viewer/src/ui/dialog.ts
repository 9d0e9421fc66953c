// A sheet over the picture that does not stop what is below it.

import { button, element } from "./dom";

/** A dialog, closed at first; it is told "opened" when it has a place on the page. */
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

/** Open a dialog, or close it. */
export function flip(made: HTMLDialogElement): void {
  if (made.open) {
    made.close();
  } else {
    made.show();
    made.dispatchEvent(new Event("opened"));
  }
}

// Creates DOM elements. Strings become text nodes and are never parsed as HTML.

type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Create an element; boolean attributes are present if true. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) {
      made.setAttribute(name, value === true ? "" : String(value));
    }
  }
  made.append(...children);
  return made;
}

/** Create a button with a click handler. */
export function button(label: string, attributes: Attributes, act: () => void): HTMLButtonElement {
  const made = element("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", act);
  return made;
}

/** Create a group of buttons with one active button. */
export function choice<T extends string>(
  label: string,
  options: readonly (readonly [value: T, text: string, title: string])[],
  choose: (value: T) => void,
): { readonly element: HTMLElement; readonly show: (value: T) => void } {
  const buttons = options.map(
    ([value, text, title]) => [value, button(text, { title, "data-choice": value }, () => choose(value))] as const,
  );
  const made = element("div", { class: "choice", role: "group", "aria-label": label }, ...buttons.map(([, b]) => b));
  return {
    element: made,
    show: (now) => buttons.forEach(([value, b]) => b.setAttribute("aria-pressed", String(value === now))),
  };
}

/** Create a section with a heading. */
export function panel(name: string, title: string, ...head: Node[]): [HTMLElement, HTMLElement] {
  const heading = element("h2", {}, title);
  const body = element("div", { class: "panel-body" });
  const section = element(
    "section",
    { class: `panel ${name}`, "aria-label": title },
    element("header", {}, heading, ...head),
    body,
  );
  return [section, body];
}

const SVG = "http://www.w3.org/2000/svg";

/** Create a 16 × 16 icon from an SVG path. */
export function icon(path: string): SVGSVGElement {
  const made = document.createElementNS(SVG, "svg");
  made.setAttribute("viewBox", "0 0 16 16");
  made.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  made.append(line);
  return made;
}

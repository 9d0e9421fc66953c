// Elements from code. Text goes in as text: what a file calls its links is never read as HTML.

type Attributes = Readonly<Record<string, string | number | boolean>>;

/** An element; an attribute that is true is there, one that is false is not. */
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

/** A part of the page with its heading. */
export function panel(name: string, title: string, ...head: Node[]): [HTMLElement, HTMLElement] {
  const heading = element("h2", { id: `${name}-title` }, title);
  const body = element("div", { class: "panel-body" });
  const section = element(
    "section",
    { class: `panel ${name}`, "aria-labelledby": heading.id },
    element("header", {}, heading, ...head),
    body,
  );
  return [section, body];
}

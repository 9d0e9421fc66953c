// What is wrong with the model, or worth knowing, beside it.

import type { FindingData, Severity } from "../model";
import { NONE, type State } from "../state";
import { counted } from "../units";
import { element, panel } from "./dom";

const SEVERITIES: readonly Severity[] = ["error", "warning", "info"];
// More rows than anybody reads would only make the page slow.
const MOST = 500;

export function findingsPanel(state: State): HTMLElement {
  const { findings } = state.model;
  const filters = element("div", { class: "filters", role: "group", "aria-label": "Show" });
  const [section, body] = panel("findings", "Findings", filters);
  const list = element("ul");
  body.append(list);
  const count = (severity: Severity): number => findings.filter((f) => f.severity === severity).length;
  // What is only worth knowing is there for those who ask.
  const on = new Set<Severity>(["error", "warning"]);
  const update = (): void => {
    const shown = findings.filter((finding) => on.has(finding.severity));
    list.replaceChildren(...shown.slice(0, MOST).map((finding) => row(state, finding)));
    if (shown.length > MOST) {
      list.append(note(`… and ${shown.length - MOST} more`));
    } else if (count("error") + count("warning") === 0 && !shown.length) {
      list.append(note("No errors, no warnings."));
    }
    markSelected(list, state.selected);
  };
  for (const severity of SEVERITIES.filter((each) => count(each) > 0)) {
    const word = severity === "info" ? `${count(severity)} info` : counted(count(severity), severity);
    const button = element("button", { type: "button", class: `filter ${severity}` }, word);
    const press = (): void => button.setAttribute("aria-pressed", String(on.has(severity)));
    button.addEventListener("click", () => {
      if (!on.delete(severity)) {
        on.add(severity);
      }
      press();
      update();
    });
    press();
    filters.append(button);
  }
  state.on("selection", () => markSelected(list, state.selected));
  update();
  return section;
}

function note(text: string): HTMLElement {
  return element("li", { class: "empty" }, text);
}

function row(state: State, finding: FindingData): HTMLElement {
  const { severity, message, code, hint, link } = finding;
  const parts = [
    element("span", { class: `badge ${severity}` }, severity),
    element("span", { class: "message" }, message),
    element("span", { class: "source" }, [place(finding), code].filter(Boolean).join(" · ")),
    ...(hint ? [element("span", { class: "hint" }, hint)] : []),
  ];
  if (link === NONE) {
    return element("li", {}, element("div", { class: "finding" }, ...parts));
  }
  const button = element("button", { type: "button", class: "finding", "data-of": link }, ...parts);
  button.addEventListener("click", () => state.select(link));
  button.addEventListener("pointerenter", () => state.hover(link));
  button.addEventListener("pointerleave", () => state.hover(NONE));
  return element("li", {}, button);
}

function place({ file, line }: FindingData): string {
  return line > 0 ? `${file}:${line}` : file;
}

function markSelected(list: HTMLElement, link: number): void {
  for (const finding of list.querySelectorAll<HTMLElement>("[data-of]")) {
    finding.classList.toggle("selected", Number(finding.dataset["of"]) === link);
  }
}

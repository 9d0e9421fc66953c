// Panel of the findings.

import { link as linkItem, linksOf } from "../items";
import { EFFECT_WORDS, type FindingGroup, grouped, REMEDIES, SEVERITIES } from "../groups";
import type { Effect, FindingData, Severity } from "../model";
import type { Checked, State } from "../state";
import { counted } from "../units";
import { button, element, panel } from "./dom";
import { excerpt, placeText } from "./source";

// More rows would slow the page down.
const MOST = 500;
// More findings of one rule are one row that opens.
const FEW = 3;

// What is known, by whether unibody check has run.
const CHECKED: Readonly<Record<Checked, string>> = {
  yes: "",
  no: "Not checked: these findings are of reading only; unibody check looks further.",
  coming: "Not checked yet; checking …",
};

/** Shows where something is: selects it and zooms there, as one step of the history. */
export type GoTo = (title: string, select: () => void) => void;

export function findingsPanel(state: State, go: GoTo): HTMLElement {
  const filters = element("div", { class: "filters", role: "group", "aria-label": "Show" });
  const [section, body] = panel("findings", "Findings", filters);
  const progress = element("p", { class: "checked", role: "status" });
  const list = element("ul");
  body.append(progress, list);
  const count = (severity: Severity): number =>
    state.found.findings.filter((f) => f.severity === severity).length;
  // Findings of severity "info" are hidden by default.
  const on = new Set<Severity>(["error", "warning"]);
  const update = (): void => {
    const shown = state.found.findings.filter((finding) => on.has(finding.severity));
    list.replaceChildren(...grouped(shown).flatMap((group) => groupRows(state, go, group)));
    if (count("error") + count("warning") === 0 && !shown.length && state.checked !== "coming") {
      list.append(note(`No errors or warnings${state.checked === "yes" ? "" : " in reading"}.`));
    }
    markSelected(list, state);
  };
  const filter = (severity: Severity): HTMLElement => {
    const word = severity === "info" ? `${count(severity)} info` : counted(count(severity), severity);
    const made = button(word, { class: `filter ${severity}` }, () => {
      if (!on.delete(severity)) {
        on.add(severity);
      }
      press();
      update();
    });
    const press = (): void => made.setAttribute("aria-pressed", String(on.has(severity)));
    press();
    return made;
  };
  const show = (): void => {
    progress.dataset["checked"] = state.checked;
    progress.textContent = CHECKED[state.checked];
    progress.hidden = state.checked === "yes";
    filters.replaceChildren(...SEVERITIES.filter((each) => count(each) > 0).map(filter));
    update();
  };
  state.on("selection", () => markSelected(list, state));
  state.on("findings", show);
  show();
  return section;
}

/** The rows of a rule; many findings are one row that shows them when it is opened. */
function groupRows(state: State, go: GoTo, group: FindingGroup): HTMLElement[] {
  const { code, severity, effect, findings } = group;
  if (findings.length <= FEW) {
    return findings.map((finding) => row(state, go, finding));
  }
  const summary = element(
    "summary",
    { class: "finding" },
    ...badges(severity, effect),
    element("span", { class: "count" }, `${code} ×${findings.length.toLocaleString("en")}`),
    element("span", { class: "message" }, findings[0]!.message),
    ...(REMEDIES[code] ? [element("span", { class: "hint" }, REMEDIES[code])] : []),
  );
  const list = element("ul", { "aria-label": code });
  const more = element("details", { class: "rule", "data-rule": code }, summary, list);
  summary.dataset["all"] = JSON.stringify([...new Set(findings.map(({ link }) => link))]);
  more.addEventListener("toggle", () => {
    if (more.open && !list.hasChildNodes()) {
      list.append(...findings.slice(0, MOST).map((finding) => row(state, go, finding)));
      if (findings.length > MOST) {
        list.append(note(`… and ${(findings.length - MOST).toLocaleString("en")} more`));
      }
      markSelected(list, state);
    }
  });
  return [element("li", {}, more)];
}

function note(text: string): HTMLElement {
  return element("li", { class: "empty" }, text);
}

/** The severity, and what a finding changes. */
function badges(severity: Severity, effect: Effect): HTMLElement[] {
  const words = EFFECT_WORDS[effect];
  return [
    element("span", { class: `badge ${severity}` }, severity), ...(words ? [element("span", { class: "effect" }, words)] : []),
  ];
}

/** A finding; a click selects its link, zooms there and shows the source excerpt. */
function row(state: State, go: GoTo, finding: FindingData): HTMLElement {
  const { severity, effect, message, code, hint, link, at } = finding;
  const parts = [
    ...badges(severity, effect),
    element("span", { class: "message" }, message),
    element("span", { class: "source" }, place(state, finding, code)),
    ...[REMEDIES[code], hint].flatMap((text) => (text ? [element("span", { class: "hint" }, text)] : [])),
  ];
  const item = element("li");
  if (link < 0 && !at) {
    item.append(element("div", { class: "finding" }, ...parts));
    return item;
  }
  const attributes = { type: "button", class: "finding", "data-of": link, "aria-expanded": "false" };
  const made = element("button", attributes, ...parts);
  made.addEventListener("click", () => {
    if (link >= 0) {
      go("Go to a finding", () => state.select(linkItem(link)));
    }
    if (at) {
      const open = made.getAttribute("aria-expanded") !== "true";
      made.setAttribute("aria-expanded", String(open));
      made.nextElementSibling?.remove();
      if (open) {
        made.after(excerpt(state.found, at));
      }
    }
  });
  made.addEventListener("pointerenter", () => state.hover(linkItem(link)));
  made.addEventListener("pointerleave", () => state.hover(null));
  item.append(made);
  return item;
}

function place({ found }: State, { at }: FindingData, code: string): string {
  return [at ? placeText(found, at) : "", code].filter(Boolean).join(" · ");
}

function markSelected(list: HTMLElement, { robot, selected }: State): void {
  const links = linksOf(robot, selected);
  for (const finding of list.querySelectorAll<HTMLElement>("[data-of]")) {
    finding.classList.toggle("selected", links.includes(Number(finding.dataset["of"])));
  }
  for (const summary of list.querySelectorAll<HTMLElement>("[data-all]")) {
    const all = JSON.parse(summary.dataset["all"]!) as number[];
    summary.classList.toggle("selected", links.some((link) => all.includes(link)));
  }
}

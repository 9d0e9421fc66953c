// The pane of one robot: picture, facts, how to see it, findings.

import { button, element } from "../ui/dom";
import type { Robot, Severity } from "./robots";

const TITLES: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "note" };

export function detail(robot: Robot, close: () => void): HTMLElement[] {
  const head = element(
    "div",
    { class: "head" },
    element("h2", {}, robot.name),
    button("Close", { class: "close" }, close),
  );
  const picture = robot.picture ? [element("img", { src: robot.picture, alt: `Picture of ${robot.name}` })] : [];
  return [head, ...picture, facts(robot), ...opening(robot), ...findings(robot)];
}

function facts(robot: Robot): HTMLElement {
  const { path, format, links, joints, mass, devices } = robot;
  const rows = Object.entries({ File: path, Format: format, Links: links, Joints: joints, Devices: devices });
  const kilograms = mass === null ? null : `${Number(mass.toPrecision(6))} kg`;
  return element(
    "dl",
    {},
    ...[...rows, ["Mass", kilograms] as const]
      .filter(([, value]) => value !== null && value !== "")
      .flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, String(value))]),
  );
}

function opening(robot: Robot): HTMLElement[] {
  if (robot.page) {
    return [element("a", { class: "page", href: robot.page, target: "_blank", rel: "noopener" }, "Open the page of the robot")];
  }
  const words = element("code", {}, robot.command);
  const copy = button("Copy", {}, () => {
    getSelection()?.selectAllChildren(words);
    void navigator.clipboard?.writeText(robot.command).catch(() => undefined);
  });
  return [element("p", { class: "command" }, words, copy)];
}

function findings(robot: Robot): HTMLElement[] {
  const total = robot.errors + robot.warnings + robot.notes;
  if (total === 0) {
    return [element("p", { class: "none" }, "No findings")];
  }
  const entries = robot.findings.map(({ severity, code, message, place }) =>
    element(
      "li",
      { class: severity },
      element("p", {}, element("strong", {}, TITLES[severity]), ` ${message}`),
      element("p", { class: "place" }, [place, code].filter(Boolean).join(" · ")),
    ),
  );
  const more = total - entries.length;
  const rest = more > 0 ? [element("p", { class: "none" }, `and ${more} more`)] : [];
  return [element("h3", {}, "Findings"), element("ul", { class: "findings" }, ...entries), ...rest];
}

// Title of the page: name, file and size of the robot.

import { sizeOf } from "../mechanism";
import type { RobotData } from "../model";
import { counted, kilograms } from "../units";
import { element } from "./dom";

export function summary(robot: RobotData): HTMLElement {
  const joints = robot.joints.filter(({ kind }) => sizeOf(kind) > 0).length;
  const mass = robot.links.reduce((sum, link) => sum + link.mass, 0);
  const facts = [
    counted(robot.links.length, "link"),
    counted(joints, "moving joint"),
    ...(robot.loops.length ? [counted(robot.loops.length, "loop")] : []),
    ...(mass > 0 ? [kilograms(mass)] : []),
  ];
  return element(
    "header",
    { class: "summary" },
    element("h1", { title: robot.name }, robot.name || "robot"),
    element("p", {}, [robot.file, robot.format].filter(Boolean).join(" · ")),
    element("p", {}, facts.join(" · ")),
  );
}

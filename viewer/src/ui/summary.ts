// The head of the page: what this is.

import { moves } from "../kinematics";
import type { Model } from "../model";
import { counted, kilograms } from "../units";
import { element } from "./dom";

export function summary(model: Model): HTMLElement {
  const joints = model.joints.filter((joint) => moves(joint.kind)).length;
  const mass = model.links.reduce((sum, link) => sum + link.mass, 0);
  const facts = [
    counted(model.links.length, "link"),
    counted(joints, "moving joint"),
    ...(mass > 0 ? [kilograms(mass)] : []),
  ];
  return element(
    "header",
    { class: "summary" },
    element("h1", { title: model.name }, model.name || "robot"),
    element("p", {}, [model.file, model.format].filter(Boolean).join(" · ")),
    element("p", {}, facts.join(" · ")),
  );
}

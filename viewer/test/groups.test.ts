import { expect, it } from "vitest";
import { grouped } from "../src/groups";
import type { Effect, FindingData, Severity } from "../src/model";

const finding = (severity: Severity, code: string, message: string, effect: Effect = "text"): FindingData => ({
  code, severity, effect, message, hint: "", at: null, link: -1,
});

it("puts errors first and keeps the findings of one rule together", () => {
  const found = grouped([
    finding("warning", "uri-slip", "a"),
    finding("info", "no-mass", "b"),
    finding("error", "loop", "c"),
    finding("warning", "file-missing", "d"),
    finding("warning", "uri-slip", "e"),
    finding("error", "uri-slip", "f"),
    finding("error", "loop", "g"),
  ]);
  expect(found.map(({ severity, code, findings }) => [severity, code, findings.map(({ message }) => message)])).toEqual([
    ["error", "loop", ["c", "g"]],
    ["error", "uri-slip", ["f"]],
    ["warning", "uri-slip", ["a", "e"]],
    ["warning", "file-missing", ["d"]],
    ["info", "no-mass", ["b"]],
  ]);
});

it("takes thousands of findings quickly", () => {
  const many = Array.from({ length: 100_000 }, (_, index) => finding("warning", `rule-${index % 10}`, String(index)));
  expect(grouped(many).map(({ findings }) => findings.length)).toEqual(Array.from({ length: 10 }, () => 10_000));
});

it("lists what changes the picture first, then what changes the motion, then masses", () => {
  const found = grouped([
    finding("warning", "unknown-key", "a"),
    finding("warning", "mass-zero", "b", "mass"),
    finding("error", "wrong-value", "c"),
    finding("warning", "limits-equal", "d", "motion"),
    finding("error", "axis-zero", "e", "motion"),
    finding("warning", "mesh-empty", "f", "picture"),
    finding("warning", "posture-collides", "g", "contact"),
    finding("warning", "up-axis-ignored", "h", "picture"),
  ]);
  expect(found.map(({ findings }) => findings[0]!.message).join("")).toBe("hecfdbga");
});

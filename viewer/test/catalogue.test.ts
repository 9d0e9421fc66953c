import { describe, expect, it } from "vitest";
import { chosen, commonFolder, FIRST, type Robot } from "../src/catalogue/robots";

const BLANK: Robot = {
  path: "", name: "", format: "urdf", links: 1, joints: 0, mass: 1, devices: 0, errors: 0, warnings: 0, notes: 0,
  findings: [], command: "", picture: "", page: "",
};
const ROBOTS: readonly Robot[] = [
  { ...BLANK, name: "arm 10", path: "a/arm.urdf", mass: 3, joints: 6 },
  { ...BLANK, name: "Arm 9", path: "b/arm.body", format: "body", mass: null, errors: 1 },
  {
    ...BLANK, name: "leg", path: "b/leg.body", format: "body", mass: 2, warnings: 2,
    findings: [{ severity: "warning", code: "limits-reversed", message: "", place: "" }],
  },
];
const names = (part: Partial<typeof FIRST>): string[] => chosen(ROBOTS, { ...FIRST, ...part }).map(({ name }) => name);

describe("which robots are shown", () => {
  it("searches all words in names, paths, formats and codes", () => {
    expect(names({ words: "ARM" })).toEqual(["Arm 9", "arm 10"]);
    expect(names({ words: "b/ arm" })).toEqual(["Arm 9"]);
    expect(names({ words: "limits-rev" })).toEqual(["leg"]);
    expect(names({ words: "nothing" })).toEqual([]);
  });

  it("filters by format and findings", () => {
    expect(names({ format: "body" })).toEqual(["Arm 9", "leg"]);
    expect(names({ health: "errors" })).toEqual(["Arm 9"]);
    expect(names({ health: "warnings" })).toEqual(["Arm 9", "leg"]);
    expect(names({ health: "clean" })).toEqual(["arm 10"]);
  });
});

it("knows the folder that all paths are in", () => {
  expect(commonFolder(["a/b/c.urdf", "a/b/d/e.urdf"])).toBe("a/b/");
  expect(commonFolder(["a/bc/c.urdf", "a/b/e.urdf"])).toBe("a/");
  expect(commonFolder(["/a/c.urdf", "/b/c.urdf"])).toBe("/");
  expect(commonFolder(["a/c.urdf"])).toBe("a/");
  expect(commonFolder(["c.urdf", "a/c.urdf"])).toBe("");
  expect(commonFolder([])).toBe("");
});

describe("their order", () => {
  it("is that of a column, then by name, numbers in texts by value", () => {
    expect(names({})).toEqual(["Arm 9", "arm 10", "leg"]);
    expect(names({ descending: true })).toEqual(["leg", "arm 10", "Arm 9"]);
    expect(names({ column: "joints", descending: true })).toEqual(["arm 10", "Arm 9", "leg"]);
    expect(names({ column: "findings", descending: true })).toEqual(["Arm 9", "leg", "arm 10"]);
    expect(names({ column: "format" })).toEqual(["Arm 9", "leg", "arm 10"]);
  });

  it("has robots without a value last", () => {
    expect(names({ column: "mass" })).toEqual(["leg", "arm 10", "Arm 9"]);
    expect(names({ column: "mass", descending: true })).toEqual(["arm 10", "leg", "Arm 9"]);
  });
});

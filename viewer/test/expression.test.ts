import { describe, expect, it } from "vitest";
import { parsePosition, spoken } from "../src/expression";
import { angleUnit, METERS } from "../src/units";

const [DEG, RAD] = [angleUnit("deg"), angleUnit("rad")];
const RIGHT = Math.PI / 2;

describe("positions", () => {
  it.each([
    ["30", DEG, Math.PI / 6],
    [" -30.5 ", DEG, (-30.5 * Math.PI) / 180],
    ["−1e1", DEG, -Math.PI / 18],
    [".5", RAD, 0.5],
    ["5.", RAD, 5],
    ["pi/4", DEG, Math.PI / 4],
    ["pi/4", RAD, Math.PI / 4],
    ["-PI", DEG, -Math.PI],
    ["π/2", DEG, RIGHT],
    ["2pi", RAD, 2 * Math.PI],
    ["pi/4 rad", DEG, Math.PI / 4],
    ["pi/2", METERS, RIGHT],
    ["90deg", RAD, RIGHT],
    ["90°", DEG, RIGHT],
    ["0.25 turn", DEG, RIGHT],
    ["0.5rad", DEG, 0.5],
    ["90deg + pi/2", DEG, Math.PI],
    ["pi - 90deg", RAD, RIGHT],
    ["2*(10+5)", DEG, Math.PI / 6],
    ["-(30 + 15) * 2", DEG, -RIGHT],
    ["3^2*10", DEG, RIGHT],
    ["2**-1", RAD, 0.5],
    ["45deg*2", RAD, RIGHT],
    ["180deg/2", RAD, RIGHT],
    ["90/3*3", DEG, RIGHT],
    ["atan(1)", DEG, Math.PI / 4],
    ["acos(0) + 90deg", DEG, Math.PI],
    ["sqrt(4)*sin(30deg)", RAD, 1],
    ["25cm", METERS, 0.25],
    ["100 mm + 0.2m", METERS, 0.3],
    ["0.1+0.2", METERS, 0.3],
  ] as const)("%s", (text, unit, position) => {
    const found = parsePosition(text, unit);
    expect("position" in found ? found.position : found.problem).toBeCloseTo(position, 12);
  });
});

describe("refusals", () => {
  it.each([
    ["", DEG, "enter a number"],
    ["30,5", DEG, "30.5"],
    ["1,000.5", DEG, "comma"],
    ["abc", DEG, "unknown name “abc”"],
    ["30 apples", DEG, "unknown unit “apples”"],
    ["30mm", DEG, "not the unit of an angle"],
    ["30deg", METERS, "not the unit of a length"],
    ["pi/", DEG, "incomplete"],
    ["(1+2", DEG, "missing"],
    ["1 2", DEG, "unexpected “2”"],
    ["1)", DEG, "unexpected “)”"],
    ["1/0", DEG, "not a finite number"],
    ["sqrt(-1)", DEG, "not a finite number"],
    ["90deg + 1", DEG, "every term"],
    ["90deg*2deg", DEG, "two factors"],
    ["1/(2deg)", DEG, "divisor"],
    ["(2deg)^2", DEG, "powers"],
    ["2deg deg", DEG, "unexpected"],
    ["30$", DEG, "“$” is not a number"],
    ["alert(1)", DEG, "unknown name “alert”"],
    ["constructor", DEG, "unknown name"],
    ["2 constructor", DEG, "unknown unit"],
    ["1".repeat(300), DEG, "too long"],
    ["(".repeat(150), DEG, "incomplete"],
  ] as const)("%s", (text, unit, part) => {
    const found = parsePosition(text, unit);
    expect("problem" in found ? found.problem : found.position).toContain(part);
  });
});

it("names positions with their unit", () => {
  expect(spoken(DEG, -RIGHT)).toBe("−90°");
  expect(spoken(METERS, 0.25)).toBe("0.25 m");
});

import { describe, expect, it } from "vitest";
// @ts-expect-error The types of Node.js are not installed.
import { readFileSync } from "node:fs";

function read(name: string): string {
  return readFileSync(new URL(`../src/${name}`, import.meta.url), "utf8") as string;
}

const style = [...read("style.css").matchAll(/@import "\.\/(.*)"/g)].map(([, name]) => read(name!)).join("\n");

type Color = readonly number[];

/** The colors of a theme, by name. */
function theme(dark: boolean): Map<string, Color> {
  const out = new Map<string, Color>();
  for (const [, name, light, other] of style.matchAll(/--(\w+): light-dark\((#\w{6}), (#\w{6})\)/g)) {
    const text = dark ? other! : light!;
    out.set(name!, [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16) / 255));
  }
  return out;
}

function luminance(color: Color): number {
  const [r, g, b] = color.map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(a: Color, b: Color): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high! + 0.05) / (low! + 0.05);
}

const mixed = (a: Color, b: Color, share: number): Color => a.map((v, i) => v * share + b[i]! * (1 - share));

// Texts and the grounds that they have; on a selected row and a marked line, faint text is soft.
const TEXTS = {
  ink: ["page", "raised", "pressed", "selected", "marked"],
  soft: ["page", "raised", "selected", "marked"],
  faint: ["page", "raised"],
  warning: ["page", "raised", "selected"],
  error: ["page", "raised", "selected"],
  info: ["page", "raised", "selected"],
} as const;

describe.each([["light", false], ["dark", true]] as const)("%s theme", (_, dark) => {
  const colors = theme(dark);
  const grounds = new Map(colors);
  grounds.set("selected", mixed(colors.get("accent")!, colors.get("page")!, 0.16));
  grounds.set("marked", mixed(colors.get("accent")!, colors.get("raised")!, 0.09));
  it.each(Object.entries(TEXTS).flatMap(([text, on]) => on.map((ground) => [text, ground] as const)))(
    "%s on %s",
    (text, ground) => expect(contrast(colors.get(text)!, grounds.get(ground)!)).toBeGreaterThanOrEqual(4.5),
  );
});

it("faint text is soft where the ground is tinted", () => {
  for (const selector of [".selected {", ".excerpt .at {"]) {
    expect(style.split(selector)[1]!.split("}")[0]).toContain("--faint: var(--soft)");
  }
});

// Colors of the scene, read from the style sheet.

import { Color } from "three";

const NAMES = [
  "scene", "grid", "accent", "collision", "warning", "error", "mass", "axis", "device", "light", "loop", "trace",
  "second", "contact",
] as const;

export type Theme = Readonly<Record<(typeof NAMES)[number], Color>>;

/** The current colors; light-dark() is resolved only on an element. */
export function readTheme(root: HTMLElement): Theme {
  const probe = document.createElement("i");
  root.append(probe);
  const color = (name: string): Color => {
    probe.style.color = `var(--${name})`;
    return new Color(getComputedStyle(probe).color);
  };
  const theme = Object.fromEntries(NAMES.map((name) => [name, color(name)])) as unknown as Theme;
  probe.remove();
  return theme;
}

/** Call ``change`` whenever the system's color scheme changes. */
export function onTheme(change: () => void, signal: AbortSignal): void {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", change, { signal });
}

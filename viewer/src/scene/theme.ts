// The scene's colours, taken from the style sheet: one place says what is dark and what is light.

import { Color } from "three";

const NAMES = [
  "scene", "grid", "accent", "collision", "warning", "error", "mass", "axis", "device", "light", "loop", "trace",
  "second",
] as const;

export type Theme = Readonly<Record<(typeof NAMES)[number], Color>>;

/** The colours as they are now: only an element knows which of two a light-dark() means. */
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

/** Call back whenever the reader's system changes between dark and light. */
export function onTheme(change: () => void, signal: AbortSignal): void {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", change, { signal });
}

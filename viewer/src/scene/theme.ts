// The scene's colours, taken from the style sheet: one place says what is dark and what is light.

import { Color } from "three";

export interface Theme {
  readonly background: Color;
  readonly grid: Color;
  readonly accent: Color;
  readonly collision: Color;
  readonly warning: Color;
  readonly mass: Color;
}

export function readTheme(root: Element): Theme {
  const style = getComputedStyle(root);
  const color = (name: string): Color => new Color(style.getPropertyValue(name).trim());
  return {
    background: color("--scene"),
    grid: color("--grid"),
    accent: color("--accent"),
    collision: color("--collision"),
    warning: color("--warning"),
    mass: color("--mass"),
  };
}

/** Call back now, and whenever the reader's choice between dark and light changes. */
export function onTheme(use: (theme: Theme) => void): void {
  const read = (): void => use(readTheme(document.documentElement));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", read);
  read();
}

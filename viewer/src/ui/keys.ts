// Keyboard shortcuts: those of the commands, on the whole page except in text fields, or while the scene has the focus.

import { type Commands, GROUPS, keyOf, keyText } from "../commands/registry";

/** The shortcuts with descriptions, for the help dialog. */
export function keyList(commands: Commands): [title: string, keys: [key: string, text: string][]][] {
  return GROUPS.map((group): [string, [string, string][]] => [
    group,
    commands.list
      .filter((command) => command.group === group && command.keys?.length)
      .map((command) => [keyText(command), command.title]),
  ]).filter(([, keys]) => keys.length > 0);
}

/** Handle keys until the signal is aborted. */
export function keys(commands: Commands, canvas: HTMLCanvasElement, signal: AbortSignal): void {
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-label", "3D view of the robot. Arrow keys rotate the view, plus and minus zoom, 0 fits the view.");
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.defaultPrevented || isTyping(event.target)) {
        return;
      }
      // The space bar activates the focused control.
      if (event.key === " " && (event.target as Element).closest("button, summary, input[type=checkbox]")) {
        return;
      }
      const command = commands.ofKey(keyOf(event));
      if (command && (!command.inScene || event.target === canvas)) {
        event.preventDefault();
        commands.run(command.name);
      }
    },
    { signal },
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    (target instanceof HTMLInputElement && target.type !== "range" && target.type !== "checkbox") ||
    target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement
  );
}

// Buttons of commands.

import { type Commands, tooltip } from "../commands/registry";
import { button } from "./dom";

/** A button that runs a command; its tooltip has the command's title and key. */
export function commandButton(
  commands: Commands, name: string, label: string, attributes: Readonly<Record<string, string>> = {},
): HTMLButtonElement {
  const command = commands.get(name);
  const keys = command.keys?.length ? { "aria-keyshortcuts": command.keys[0]!.replace("Ctrl", "Control") } : {};
  return button(label, { title: tooltip(command), "data-command": name, ...keys, ...attributes }, () => commands.run(name));
}

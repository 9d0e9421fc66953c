// Commands of the history.

import type { Recorder } from "../recorder";
import type { Command } from "./registry";

export function historyCommands(recorder: Recorder): Command[] {
  const { history } = recorder;
  // Always enabled: a change may not have been recorded yet.
  return [
    { name: "undo", title: "Undo", group: "Actions", keys: ["Ctrl+Z"], run: () => recorder.undo() },
    { name: "redo", title: "Redo", group: "Actions", keys: ["Ctrl+Shift+Z", "Ctrl+Y"], enabled: () => history.next !== undefined, run: () => recorder.redo() },
  ];
}

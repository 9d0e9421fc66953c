// Dialog of the pose as text: copy, paste, names, and saving in the model's files.

import { copyText } from "../clipboard";
import type { Commands } from "../commands/registry";
import { type Notation, NOTATIONS, notationsOf, poseText, readPose } from "../posetext";
import { savePose } from "../saving";
import { capturePose, restorePose } from "../snapshot";
import type { State } from "../state";
import { dialog } from "./dialog";
import { button, choice, element } from "./dom";

export interface PoseDialog {
  readonly element: HTMLDialogElement;
  /** The pose in the notation that was chosen last. */
  readonly text: () => string;
  /** Take a pasted pose; what is wrong with it, "" if nothing is. */
  readonly take: (text: string) => string;
}

/** The dialog of a robot; ``editing``: the server saves poses in its files. */
export function poseDialog(state: State, robot: number, commands: Commands, editing: boolean): PoseDialog {
  let notation: Notation = "yaml";
  const area = element("textarea", {
    class: "pose-text", "aria-label": "Pose as text", spellcheck: "false", autocomplete: "off", rows: 12, wrap: "off",
  });
  const said = element("p", { class: "said-pose", role: "status" });
  const say = (text: string, wrong = false): void => {
    said.textContent = text;
    said.classList.toggle("wrong", wrong);
  };
  const show = (): void => {
    area.value = poseText(state, notation);
    kinds.show(notation);
  };
  const names: [Notation, string, string][] = notationsOf(state).map((each) => [each, NOTATIONS[each], WORDS[each]]);
  const kinds = choice("Notation", names, (chosen) => {
    notation = chosen;
    show();
    say("");
  });
  const take = (text: string): string => {
    const found = readPose(state, text);
    if ("problem" in found) {
      return found.problem;
    }
    commands.act("Paste a pose", () => state.arrange(found.positions, found.named));
    return "";
  };
  const copy = button("Copy", { class: "quiet", title: "Copy the text" }, () => {
    void copyText(area.value).then((done) => say(done ? "Copied." : "The browser does not let the page copy.", !done));
  });
  const apply = button("Apply", { class: "quiet", title: "Take the pose of the text, in any of the notations" }, () => {
    const problem = take(area.value);
    say(problem || "Applied.", problem !== "");
  });
  const name = element("input", {
    type: "text", class: "pose-name", "aria-label": "Name of the pose", placeholder: "Name", maxlength: 100,
    spellcheck: "false", autocomplete: "off",
  });
  const named = (act: (text: string) => void) => (): void => {
    const text = name.value.trim();
    if (text) {
      act(text);
    } else {
      say("A pose needs a name.", true);
      name.focus();
    }
  };
  const keep = button("Keep", { class: "quiet", title: "Keep this pose under the name, on this page and in its address" }, named((text) => {
    const others = state.kept.filter((each) => each.name !== text);
    commands.act(`Keep ${text}`, () => state.keep([...others, { name: text, ...capturePose(state) }]));
    say(`Kept ${text}.`);
  }));
  const save = button("Save in the file", { class: "quiet save-pose", title: "Save this pose in the model's own file" }, named((text) => {
    say("Saving …");
    void savePose(state, robot, text).then((answer) => say(sentence(answer.text), !answer.done));
  }));
  const list = element("ul", { class: "kept", "aria-label": "Kept poses" });
  const showKept = (): void => {
    list.replaceChildren(...state.kept.map((pose) => {
      const go = button(pose.name, { class: "go", title: "Take this pose" }, () =>
        commands.act(pose.name, () => restorePose(state, pose)),
      );
      const drop = button("×", { class: "quiet close", "aria-label": `Forget ${pose.name}`, title: "Forget this pose" }, () =>
        commands.act(`Forget ${pose.name}`, () => state.keep(state.kept.filter((each) => each !== pose))),
      );
      return element("li", {}, go, drop);
    }));
  };
  const made = dialog(
    "poses-sheet", "Pose as text",
    element("div", { class: "row" }, kinds.element, copy, apply),
    area,
    element("div", { class: "row" }, name, keep, ...(editing ? [save] : [])),
    said, list,
  );
  made.addEventListener("opened", () => {
    show();
    say("");
    area.select();
  });
  // The text follows the pose unless somebody edits it.
  state.on("pose", () => made.open && document.activeElement !== area && show());
  state.on("kept", showKept);
  showKept();
  return { element: made, text: () => poseText(state, notation), take };
}

const WORDS: Readonly<Record<Notation, string>> = {
  yaml: "Positions by joint, as YAML",
  json: "Positions by joint, as JSON",
  set: "Arguments of unibody fk, view, mass and others: joints that are not at their initial position",
  t: "The normalized vector of MPK, for --t",
};

function sentence(text: string): string {
  return text ? `${text[0]!.toUpperCase()}${text.slice(1).replace(/\.$/, "")}.` : "";
}

/** Copy and paste poses by the keys of the system where no text is selected, until the signal is aborted. */
export function clipboardKeys(current: () => PoseDialog, told: (text: string) => void, signal: AbortSignal): void {
  const elsewhere = (): boolean => {
    const at = document.activeElement;
    const typing = (at instanceof HTMLInputElement && at.type !== "range" && at.type !== "checkbox") || at instanceof HTMLTextAreaElement;
    return typing || !(getSelection()?.isCollapsed ?? true);
  };
  document.addEventListener("copy", (event) => {
    if (!elsewhere() && event.clipboardData) {
      event.clipboardData.setData("text/plain", current().text());
      event.preventDefault();
      told("Pose copied.");
    }
  }, { signal });
  document.addEventListener("paste", (event) => {
    if (!elsewhere() && event.clipboardData) {
      event.preventDefault();
      told(current().take(event.clipboardData.getData("text/plain")) || "Pose pasted.");
    }
  }, { signal });
}

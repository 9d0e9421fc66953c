// Commands that do with keys what else takes a pointer: move the view aside, measure, and pull the selected link.

import { linksOf } from "../items";
import type { Vector3 } from "../model";
import { plus, scaled } from "../pose";
import type { Stage } from "../scene/stage";
import type { Settings } from "../settings";
import type { State } from "../state";
import type { Command } from "./registry";

/** The arrow keys, and where they point: to the right, and upward. */
const WAYS = [
  ["left", "to the left", "ArrowLeft", -1, 0],
  ["right", "to the right", "ArrowRight", 1, 0],
  ["up", "up", "ArrowUp", 0, 1],
  ["down", "down", "ArrowDown", 0, -1],
] as const;
// One press moves the view, or a link, by these shares of the height of the scene.
const [PAN, PULL] = [0.06, 0.015] as const;

export function handCommands(settings: Settings, states: readonly State[], stage: Stage): Command[] {
  const { viewport } = stage;
  const chosen = (): number | undefined => {
    const { robot, selected } = states[settings.focus]!;
    return linksOf(robot, selected)[0];
  };
  const isChosen = (): boolean => chosen() !== undefined;
  const mark = (): void => {
    const [robot, link] = [settings.focus, chosen()!];
    const frame = stage.onLink(robot, link);
    const local = frame.into(stage.middleOf(robot, link));
    if (settings.mode !== "measure") {
      settings.setMode("measure");
    }
    stage.ruler.take(() => frame.out(local));
    viewport.draw();
  };
  const pull = (right: number, up: number): void => {
    const [robot, link] = [settings.focus, chosen()!];
    const held = stage.middleOf(robot, link);
    const [across, upward] = viewport.sides(held);
    const target: Vector3 = plus(held, plus(scaled(across, PULL * right), scaled(upward, PULL * up)));
    states[robot]!.drag({ link, point: stage.onLink(robot, link).into(held) }, stage.toRobot(robot, target));
  };
  return [
    ...WAYS.map(([name, words, key, right, up]): Command => ({
      name: `pan.${name}`, title: `Move the view ${words}`, group: "View", keys: [`Shift+${key}`], inScene: true,
      run: () => viewport.pan(PAN * right, PAN * up),
    })),
    {
      name: "measure.selection", title: "Measure from, then to, the middle of the selected link", group: "Actions", keys: ["Enter"],
      inScene: true, enabled: isChosen, run: mark,
    },
    ...WAYS.map(([name, words, key, right, up]): Command => ({
      name: `pull.${name}`, title: `Pull the selected link ${words}`, group: "Actions", keys: [`Alt+${key}`], inScene: true,
      enabled: isChosen, run: () => pull(right, up),
    })),
  ];
}

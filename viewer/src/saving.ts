// Saving of poses in the model's files, by the server of `unibody view --edit`.

import { namedPositions } from "./posetext";
import type { State } from "./state";

/** Save the present pose under a name; what was done, or why it was not. */
export async function savePose(state: State, robot: number, name: string): Promise<{ readonly done: boolean; readonly text: string }> {
  const root = state.robot.links[state.robot.order[0]!]!.name;
  const joints = new Set(state.robot.joints.map((joint) => joint.name));
  // The base is no joint of the file.
  const named = namedPositions(state).filter(([each]) => joints.has(each) || each !== root);
  const positions = Object.fromEntries(named.map(([each, numbers]) => [each, numbers.length === 1 ? numbers[0] : numbers]));
  try {
    const answer = await fetch("pose", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ robot, name, positions }),
    });
    return { done: answer.ok, text: (await answer.text()).trim() };
  } catch {
    return { done: false, text: "the server does not answer" };
  }
}

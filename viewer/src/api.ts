// window.unibody: the page for programs and tests. Names of links and joints, SI units.

import { rows } from "./pose";
import type { RobotView } from "./scene/robot";
import { NONE, type State } from "./state";

export interface Api {
  /** "ready" once there is a picture, else why there is none. */
  readonly status: string;
  links(): string[];
  joints(): string[];
  /** The pose of a link in the world as it is drawn: sixteen numbers, row by row. */
  linkPose(name: string): number[];
  position(joint: string): number;
  move(joint: string, position: number): void;
  selected(): string | null;
  select(link: string | null): void;
  /** The link drawn at a point of the window. */
  linkAt(x: number, y: number): string | null;
}

declare global {
  interface Window {
    unibody: Api | { readonly status: string };
  }
}

export function makeApi(state: State, robot: RobotView, linkAt: (x: number, y: number) => number): Api {
  const { model } = state;
  const place = (items: readonly { name: string }[], name: string, word: string): number => {
    const found = items.findIndex((item) => item.name === name);
    if (found < 0) {
      throw new Error(`there is no ${word} ${JSON.stringify(name)}`);
    }
    return found;
  };
  const link = (name: string): number => place(model.links, name, "link");
  const joint = (name: string): number => place(model.joints, name, "joint");
  const nameOf = (index: number): string | null => model.links[index]?.name ?? null;
  return {
    status: "ready",
    links: () => model.links.map(({ name }) => name),
    joints: () => model.joints.map(({ name }) => name),
    linkPose: (name) => {
      const columns = robot.links[link(name)]!.matrixWorld.elements;
      return rows([0, 1, 2].flatMap((row) => [0, 4, 8, 12].map((column) => columns[row + column]!)));
    },
    position: (name) => state.positions[joint(name)]!,
    move: (name, position) => state.move(joint(name), position),
    selected: () => nameOf(state.selected),
    select: (name) => state.select(name === null ? NONE : link(name)),
    linkAt: (x, y) => nameOf(linkAt(x, y)),
  };
}

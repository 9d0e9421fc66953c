import { describe, expect, it, vi } from "vitest";
import { read, written } from "../src/address";
import { Commands, keyOf } from "../src/commands/registry";
import { History } from "../src/history";
import { link as linkItem } from "../src/items";
import { Recorder } from "../src/recorder";
import { Settings } from "../src/settings";
import { capture, capturePose, captureSettings, restore, type Snapshot } from "../src/snapshot";
import { State } from "../src/state";
import { synchronize } from "../src/synchronize";
import { arm, fourBar } from "./make";

function page(states: readonly State[], settings: Settings): { capture: () => Snapshot; apply: (s: Snapshot) => void } {
  return {
    capture: () => ({ robots: states.map(capture), settings: captureSettings(settings), view: null, time: null }),
    apply: ({ robots, settings: was }) => {
      settings.restore(was);
      states.forEach((state, index) => restore(state, robots[index]!));
    },
  };
}

describe("the history", () => {
  it("restores positions exactly, two hundred deep", () => {
    const state = new State(fourBar());
    const recorder = new Recorder(page([state], new Settings([state.robot])), new History(), () => undefined);
    const seen = [state.positions];
    for (let step = 1; step <= 200; step++) {
      state.move(0, [1.5 + 0.4 * Math.sin(step)]);
      recorder.commit();
      seen.push(state.positions);
    }
    for (let step = 199; step >= 0; step--) {
      recorder.undo();
      expect(state.positions).toEqual(seen[step]);
    }
    recorder.undo();
    expect(state.positions).toEqual(state.robot.start);
    for (let step = 1; step <= 200; step++) {
      recorder.redo();
      expect(state.positions).toEqual(seen[step]);
    }
  });

  it("makes one step of a gesture, none of what is undone within it", () => {
    vi.useFakeTimers();
    const state = new State(arm(2));
    const history = new History<Snapshot>();
    const recorder = new Recorder(page([state], new Settings([state.robot])), history, () => undefined);
    state.on("pose", () => recorder.touch("Move"));
    recorder.hold("pointer");
    for (const angle of [0.1, 0.2, 0.3]) {
      state.move(0, [angle]);
      vi.runAllTimers();
    }
    expect(history.last).toBeUndefined();
    recorder.release("pointer");
    vi.runAllTimers();
    expect(history.last?.label).toBe("Move");
    recorder.undo();
    expect(history.last).toBeUndefined();
    expect(state.positions).toEqual(state.robot.start);
    state.move(0, [0.7]);
    vi.runAllTimers();
    expect(history.next).toBeUndefined();
    vi.useRealTimers();
  });

  it("makes a step of each command, however late timers are", async () => {
    vi.useFakeTimers();
    const state = new State(arm(2));
    const history = new History<Snapshot>();
    const recorder = new Recorder(page([state], new Settings([state.robot])), history, () => undefined);
    state.on("pose", () => recorder.touch("Move"));
    const commands = new Commands((title) => recorder.begin(title));
    const turned = (angle: number) => () => {
      state.move(0, [angle]);
      state.move(1, [angle]);
    };
    const seen = [state.positions];
    for (const angle of [0.1, 0.2, 0.3]) {
      commands.act(`Turn by ${angle}`, turned(angle));
      seen.push(state.positions);
      await Promise.resolve();
    }
    for (const step of [2, 1, 0]) {
      recorder.undo();
      expect(state.positions).toEqual(seen[step]);
    }
    expect([history.last, history.next?.label]).toEqual([undefined, "Turn by 0.1"]);
    vi.useRealTimers();
  });

  it("undoes settings and the selection", () => {
    const state = new State(arm(2));
    const settings = new Settings([state.robot]);
    const recorder = new Recorder(page([state], settings), new History(), () => undefined);
    settings.show("axes", true);
    recorder.commit();
    state.select(linkItem(1));
    recorder.commit();
    settings.setTheme("dark");
    recorder.commit();
    recorder.undo();
    expect(settings.themeChoice).toBe("auto");
    recorder.undo();
    expect(state.selected).toBeNull();
    recorder.undo();
    expect(settings.layers.axes).toBe(false);
    recorder.redo();
    expect(settings.layers.axes).toBe(true);
  });
});

describe("the history of two robots", () => {
  it("restores both", () => {
    const states: [State, State] = [new State(arm(3)), new State({ ...arm(2), base: "free" }, true)];
    synchronize(states, { links: [[0, 0], [1, 1]], joints: [[0, 0]], count: 0, differences: [] });
    const settings = new Settings(states.map(({ robot }) => robot));
    const recorder = new Recorder(page(states, settings), new History(), () => undefined);
    states[0].move(0, [0.5]);
    states[1].move(1, [0.25]);
    recorder.commit();
    const seen = states.map(({ positions }) => positions);
    states[1].move(0, [-1]);
    settings.look(1);
    recorder.commit();
    recorder.undo();
    expect(states.map(({ positions }) => positions)).toEqual(seen);
    expect(settings.focus).toBe(0);
    recorder.redo();
    expect(states.map((state) => state.of(0)[0])).toEqual([-1, -1]);
    expect(settings.focus).toBe(1);
  });
});

describe("the address", () => {
  const opened = (): [State, Settings, Snapshot] => {
    const state = new State({ ...arm(3), base: "free" });
    const settings = new Settings([state.robot]);
    return [state, settings, page([state], settings).capture()];
  };

  it("is empty at first, and says what differs", () => {
    const [state, settings, first] = opened();
    const now = (): string => written(page([state], settings).capture(), first);
    expect(now()).toBe("");
    settings.show("axes", true);
    settings.show("frames", false);
    settings.setTheme("dark");
    expect(now()).toBe("theme=dark&layers=-frames,axes");
  });

  it("keeps every digit, and names with any letters", () => {
    const robot = { ...arm(3), base: "free" as const };
    const joints = robot.joints.map((joint, index) => ({ ...joint, name: ["a:b;c", "d&e=f,g", "%#é '"][index]! }));
    const state = new State({ ...robot, joints });
    const settings = new Settings([robot]);
    const first = page([state], settings).capture();
    state.place(state.positions.map((value, index) => value + Math.sin(index) / 3));
    state.select(linkItem(2));
    const now = page([state], settings).capture();
    const fragment = written(now, first);
    expect(fragment).toMatch(/^[!-~]+$/);
    expect(read(fragment, first)).toEqual(now);
    const other = new State(state.robot);
    restore(other, read(`#${fragment}`, first).robots[0]!);
    expect(other.positions).toEqual(state.positions);
  });

  it("keeps poses with names, panels and what is printed", () => {
    const [state, settings, first] = opened();
    state.move(1, [0.5]);
    state.keep([{ name: "a=b;c$d", ...capturePose(state) }, { name: "é", ...capturePose(state) }]);
    settings.print("arm 1", "quaternion");
    settings.setFolds(["right", "links"]);
    settings.setWidths({ right: 400 });
    settings.draw("cards");
    const now = page([state], settings).capture();
    expect(read(written(now, first), first)).toEqual(now);
  });

  it("ignores what is broken", () => {
    const [state, settings, first] = opened();
    const broken = [
      "q=", "q=zzz;j0", "q=0;j0:NaN", "q=0;j0:1:2", "select=planet:x", "select=link:%", "view=1,2,3", "view=0,0,0,0,0,0",
      "layers=nothing,-,constructor", "theme=pink", "focus=7", "time=x", "cut=9,2", "%%%", "=", "q=0;j0:1e999", "poses=x=0;j0:y$$=", "widths=1,2,3", "turns=", "drawer=top", "widths=a",
    ];
    for (const fragment of [...broken, broken.join("&")]) {
      const found = read(fragment, first);
      restore(state, found.robots[0]!);
      settings.restore(found.settings);
      expect(written(page([state], settings).capture(), first)).toBe("");
    }
  });
});

describe("commands", () => {
  it("run by name and by key", () => {
    const ran: string[] = [];
    const commands = new Commands((title) => ran.push(title));
    const run = vi.fn();
    commands.add({ name: "a", title: "Do A", group: "Actions", keys: ["Ctrl+Shift+Z"], run });
    commands.add({ name: "b", title: "Do B", group: "Actions", enabled: () => false, run });
    const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
    expect(commands.ofKey(keyOf({ ...plain, key: "z", metaKey: true, shiftKey: true }))?.name).toBe("a");
    expect([keyOf({ ...plain, key: "?", shiftKey: true }), keyOf({ ...plain, key: "g" })]).toEqual(["?", "G"]);
    expect([commands.run("a"), commands.run("b")]).toEqual([true, false]);
    expect([ran, run.mock.calls.length]).toEqual([["Do A"], 1]);
    expect(() => commands.add({ name: "c", title: "", group: "Actions", keys: ["Ctrl+Shift+Z"], run })).toThrow("taken");
    expect(() => commands.run("d")).toThrow("unknown");
  });
});

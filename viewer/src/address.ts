// The state of the page in the fragment of its address: what differs from the state in which the page opens.
//
//   #q=1f2e3d4c;RLEG_KNEE:0.8&select=link:WAIST&layers=axes,-visual&view=3,2,1,0,0,0.5&theme=dark
//
// Names are percent-encoded, numbers have all of their digits.

import { type Look, SHADES } from "./cloud";
import type { ItemKind } from "./items";
import type { Vector3 } from "./model";
import type { ItemName, KeptPose, PoseSnapshot, RobotSnapshot, SettingsSnapshot, Snapshot, ViewSnapshot } from "./snapshot";
import { CELLS, FRAME_SIZES, GROUP_STATES, GROUPS, type GroupState, type Layer, type Widths } from "./settings";

const KINDS: readonly ItemKind[] = ["link", "device", "frame", "loop"];
// The settings that are one of several words, with their names in the address.
const CHOICES = {
  up: ["up", ["y", "z"]],
  theme: ["themeChoice", ["auto", "light", "dark"]],
  angles: ["angles", ["deg", "rad"]],
  meshes: ["meshes", ["read", "stated", "y"]],
  inertia: ["inertia", ["box", "ellipsoid"]],
  mode: ["mode", ["look", "grab", "measure"]],
  arrange: ["arrangement", ["beside", "over", "first", "second"]],
  turns: ["turns", ["rpy", "quaternion"]],
  pairs: ["matrix", ["off", "on"]],
  loop: ["loop", ["off", "on"]],
  lens: ["lens", ["perspective", "orthographic"]],
  drawer: ["drawer", ["", "left", "right", "cards"]],
} as const satisfies Record<string, readonly [keyof SettingsSnapshot, readonly string[]]>;

type Fields = ReadonlyMap<string, string>;

/** The fragment of a state, without its "#"; "" for the one in which the page opens. */
export function written(now: Snapshot, first: Snapshot): string {
  const fields: [string, string][] = [];
  const add = (name: string, text: string, usual: string): void => {
    if (text !== usual) {
      fields.push([name, text]);
    }
  };
  now.robots.forEach((robot, index) => {
    const usual = first.robots[index]!;
    const [mine, theirs] = [robotFields(robot), robotFields(usual)];
    mine.forEach((text, name) => add(`${name}${index ? index + 1 : ""}`, text, theirs.get(name)!));
  });
  for (const [name, [key]] of Object.entries(CHOICES)) {
    add(name, now.settings[key], first.settings[key]);
  }
  add("in", word(now.settings.reference), word(first.settings.reference));
  add("panels", now.settings.folds.map(word).join(";"), first.settings.folds.map(word).join(";"));
  add("widths", widthsText(now.settings.widths), widthsText(first.settings.widths));
  add("sizes", sizesText(now.settings), sizesText(first.settings));
  add("focus", String(now.settings.focus), String(first.settings.focus));
  add("layers", layersText(now.settings.layers, first.settings.layers), "");
  add("groups", now.settings.groups.join(","), first.settings.groups.join(","));
  add("time", String(now.time), String(first.time));
  const placed = ({ robots }: Snapshot): string => JSON.stringify(robots.map(({ positions }) => positions));
  const fits = now.view?.fit && first.view?.fit && String(now.view.fit.from) === String(first.view.fit.from);
  if (now.view && !(fits && placed(now) === placed(first))) {
    add("view", numbersText([...now.view.eye, ...now.view.target]), "");
  }
  return fields.map(([name, text]) => `${name}=${text}`).join("&");
}

/** The state of a fragment: the first one with what the fragment says; what it says wrongly is ignored. */
export function read(fragment: string, first: Snapshot): Snapshot {
  const fields = fieldsOf(fragment);
  const settings = { ...first.settings };
  for (const [name, [key, words]] of Object.entries(CHOICES)) {
    const word = fields.get(name);
    if (word !== undefined && (words as readonly string[]).includes(word)) {
      Object.assign(settings, { [key]: word });
    }
  }
  const focus = Number(fields.get("focus") ?? first.settings.focus);
  const time = numbersOf(fields.get("time"), 1);
  return {
    robots: first.robots.map((robot, index) => readRobot(fields, index ? String(index + 1) : "", robot)),
    settings: {
      ...settings,
      layers: readLayers(fields.get("layers"), first.settings.layers),
      groups: readGroups(fields.get("groups")) ?? first.settings.groups,
      focus: first.robots[focus] ? focus : first.settings.focus,
      reference: unword(fields.get("in") ?? word(first.settings.reference)),
      folds: readWords(fields.get("panels")) ?? first.settings.folds,
      ...readSizes(fields.get("sizes")),
      widths: readWidths(fields.get("widths")) ?? first.settings.widths,
    },
    view: readView(fields.get("view")) ?? first.view,
    time: first.time === null ? null : (time?.[0] ?? first.time),
  };
}

function robotFields({ selected, closing, reached, look, folded, kept, hidden, faded, chain, ...pose }: RobotSnapshot): Fields {
  return new Map([
    ["q", poseText(pose)],
    ["poses", kept.map((each) => `${word(each.name)}=${poseText(each)}`).join("$")],
    ["select", itemText(selected)],
    ["loops", closing ? "closed" : "open"],
    ["reach", itemText(reached)],
    ["shade", look.shade],
    ["cut", look.cut ? numbersText([look.cut.axis, look.cut.share]) : "none"],
    ["folded", folded.map(word).join(";")],
    ["chain", word(chain)],
    ["hidden", hidden.map(word).join(";")],
    ["faded", faded.map(word).join(";")],
  ]);
}

function readRobot(fields: Fields, suffix: string, first: RobotSnapshot): RobotSnapshot {
  const field = (name: string): string | undefined => fields.get(`${name}${suffix}`);
  const placed = readPlaced(field("q"));
  const loops = field("loops");
  return {
    ...first,
    ...placed,
    selected: readItem(field("select")) ?? (field("select") === "" ? null : first.selected),
    closing: loops === "open" ? false : loops === "closed" ? true : first.closing,
    reached: readItem(field("reach")) ?? first.reached,
    look: readLook(field("shade"), field("cut"), first.look),
    folded: readWords(field("folded")) ?? first.folded,
    chain: unword(field("chain") ?? word(first.chain)),
    hidden: readWords(field("hidden")) ?? first.hidden,
    faded: readWords(field("faded")) ?? first.faded,
    kept: readKept(field("poses")) ?? first.kept,
  };
}

function poseText({ model, positions }: PoseSnapshot): string {
  return [model, ...positions.map(([name, numbers]) => `${word(name)}:${numbersText(numbers)}`)].join(";");
}

function readKept(text: string | undefined): readonly KeptPose[] | null {
  return text?.split("$").flatMap((part) => {
    const at = part.indexOf("=");
    const pose = at > 0 ? readPlaced(part.slice(at + 1)) : null;
    return pose ? [{ ...pose, name: unword(part.slice(0, at)) }] : [];
  }) ?? null;
}

/** The names in a field; null without one. */
function readWords(text: string | undefined): readonly string[] | null {
  return text?.split(";").map(unword).filter((name) => name !== "") ?? null;
}

function widthsText({ left, right }: Widths): string {
  return `${left ?? ""},${right ?? ""}`;
}

function readWidths(text: string | undefined): Widths | null {
  const parts = text?.split(",").map((part) => (/^\d{2,4}$/.test(part) ? Number(part) : null));
  return parts?.length === 2 ? { left: parts[0]!, right: parts[1]! } : null;
}

function sizesText({ frameSize, cell }: Pick<SettingsSnapshot, "frameSize" | "cell">): string {
  return numbersText([frameSize, cell]);
}

function readSizes(text: string | undefined): Partial<SettingsSnapshot> {
  const [frameSize, cell] = numbersOf(text, 2) ?? [];
  const isKnown = (FRAME_SIZES as readonly unknown[]).includes(frameSize) && (CELLS as readonly unknown[]).includes(cell);
  return isKnown ? { frameSize: frameSize!, cell: cell! } : {};
}

function readPlaced(text: string | undefined): PoseSnapshot | null {
  if (text === undefined) {
    return null;
  }
  const [model, ...parts] = text.split(";");
  const positions = parts.map((part) => {
    const [name, numbers, ...rest] = part.split(":");
    const found = rest.length ? null : numbersOf(numbers);
    return found && ([unword(name!), found] as const);
  });
  return positions.every((each) => each !== null) ? { model: model!, positions } : null;
}

function itemText(item: ItemName | null): string {
  return item ? `${item.kind}:${word(item.name)}` : "";
}

function readItem(text = ""): ItemName | null {
  const [kind, name] = text.split(":");
  const found = KINDS.find((each) => each === kind);
  return found && name !== undefined ? { kind: found, name: unword(name) } : null;
}

function readLook(shade: string | undefined, cut: string | undefined, first: Look): Look {
  const found = numbersOf(cut, 2);
  const [axis, share] = found ?? [-1, 0];
  const within = [0, 1, 2].includes(axis!) && share! >= 0 && share! <= 1;
  return {
    shade: SHADES.find((each) => each === shade) ?? first.shade,
    cut: within ? { axis: axis!, share: share! } : cut === "none" ? null : first.cut,
  };
}

function readView(text: string | undefined): ViewSnapshot | null {
  const found = numbersOf(text, 6);
  if (!found) {
    return null;
  }
  const [eye, target] = [found.slice(0, 3), found.slice(3)] as unknown as [Vector3, Vector3];
  return Math.hypot(...eye.map((value, at) => value - target[at]!)) > 0 ? { eye, target, fit: null } : null;
}

/** The layers that are on or, behind a "-", off, other than at first. */
function layersText(now: Readonly<Record<Layer, boolean>>, first: Readonly<Record<Layer, boolean>>): string {
  const names = Object.keys(now) as Layer[];
  return names.flatMap((name) => (now[name] === first[name] ? [] : [now[name] ? name : `-${name}`])).join(",");
}

function readLayers(text: string | undefined, first: Readonly<Record<Layer, boolean>>): Record<Layer, boolean> {
  const out = { ...first };
  for (const part of (text ?? "").split(",")) {
    const name = part.replace(/^-/, "") as Layer;
    if (Object.hasOwn(out, name)) {
      out[name] = !part.startsWith("-");
    }
  }
  return out;
}

/** The states of all groups of MJCF; null for anything else. */
function readGroups(text: string | undefined): GroupState[] | null {
  const found = (text?.split(",") ?? []).flatMap((part) => GROUP_STATES.filter((state) => state === part));
  return found.length === GROUPS ? found : null;
}

function numbersText(numbers: readonly number[]): string {
  return numbers.map(String).join(",");
}

/** Finite numbers, as many as ``count`` says; null for anything else. */
function numbersOf(text: string | undefined, count?: number): readonly number[] | null {
  const words = text?.split(",") ?? [];
  const found = words.map((each) => (each.trim() === "" ? Number.NaN : Number(each)));
  return found.length > 0 && found.every(Number.isFinite) && found.length === (count ?? found.length) ? found : null;
}

function word(name: string): string {
  return encodeURIComponent(name).replaceAll("'", "%27");
}

function unword(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

function fieldsOf(fragment: string): Fields {
  return new Map(
    fragment.replace(/^#/, "").split("&").flatMap((part) => {
      const at = part.indexOf("=");
      return at > 0 ? [[part.slice(0, at), part.slice(at + 1)] as const] : [];
    }),
  );
}

// Browsers limit how often an address may change: Safari to 100 times in 30 s. So many changes at once, then one
// in so many ms.
const BURST = 20;
const PAUSE = 400;
// What a browser left out is written again, so often, after so many milliseconds.
const AGAIN = 20;
const AGAIN_AFTER = 2000;

/** Keeps the fragment of the page's address; one in a notebook cell has no address of its own. */
export class Address {
  #wanted: string | null = null;
  /** The changes that may be made at once, at a time in ms. */
  #left = { changes: BURST, at: 0 };
  #again = 0;

  /** ``entered`` is called when somebody enters another fragment. */
  constructor(entered: () => void) {
    window.addEventListener("hashchange", () => {
      this.#wanted = null;
      entered();
    });
    window.addEventListener("pagehide", () => this.#write());
    document.addEventListener("visibilitychange", () => this.#write());
  }

  get fragment(): string {
    return location.hash.slice(1);
  }

  /** Set the fragment, soon. */
  set(fragment: string): void {
    const waiting = this.#wanted !== null;
    this.#wanted = fragment;
    const now = performance.now();
    const changes = Math.min(BURST, this.#left.changes + (now - this.#left.at) / PAUSE);
    this.#left = { changes, at: now };
    if (changes >= 1) {
      this.#write();
    } else if (!waiting) {
      setTimeout(() => this.#write(), PAUSE * (1 - changes));
    }
  }

  /** The address of the page with the latest state. */
  get full(): string {
    this.#write();
    return location.href;
  }

  #write(): void {
    const wanted = this.#wanted;
    this.#wanted = null;
    if (wanted === null || wanted === this.fragment) {
      return;
    }
    this.#left = { ...this.#left, changes: Math.max(0, this.#left.changes - 1) };
    try {
      history.replaceState(null, "", wanted ? `#${wanted}` : location.pathname + location.search);
    } catch {
      // The page in a notebook cell.
      return;
    }
    // A browser leaves out changes that come too fast.
    if (this.fragment !== wanted && this.#again < AGAIN) {
      this.#again += 1;
      this.#wanted = wanted;
      setTimeout(() => this.#write(), AGAIN_AFTER);
    } else {
      this.#again = 0;
    }
  }
}

// Commands: what can be done on the page, by name. Keys, buttons, menus and the help dialog all come from here.

/** The groups of the help dialog, in its order. */
export const GROUPS = ["Layers", "View", "Poses", "Actions"] as const;

export interface Command {
  /** Its name, such as "fit" or "layer.visual". */
  readonly name: string;
  /** What it does, for tooltips, the help dialog and the history. */
  readonly title: string;
  readonly group: (typeof GROUPS)[number];
  /** Its keys as KeyboardEvent.key names them, letters in capitals: "F", "?", "Ctrl+Z", "ArrowLeft". */
  readonly keys?: readonly string[];
  /** Whether its keys work only while the scene has the focus. */
  readonly inScene?: boolean;
  /** Whether it can be run now; by default it can. */
  readonly enabled?: () => boolean;
  readonly run: () => void;
}

export class Commands {
  readonly #all = new Map<string, Command>();
  #last = "";

  /** ``ran`` is told the title before each run: the recorder makes a step of what the command changes. */
  constructor(private readonly ran: (title: string) => void = () => undefined) {}

  /** Add commands; throws an Error for a name or a key that is taken. */
  add(...commands: readonly Command[]): void {
    for (const command of commands) {
      const taken = (command.keys ?? []).find((key) => this.ofKey(key));
      if (this.#all.has(command.name) || taken) {
        throw new Error(`the command ${command.name} or its key ${taken ?? ""} is taken`);
      }
      this.#all.set(command.name, command);
    }
  }

  get list(): readonly Command[] {
    return [...this.#all.values()];
  }

  has(name: string): boolean {
    return this.#all.has(name);
  }

  get(name: string): Command {
    const found = this.#all.get(name);
    if (!found) {
      throw new Error(`unknown command ${JSON.stringify(name)}`);
    }
    return found;
  }

  ofKey(key: string): Command | undefined {
    return this.list.find(({ keys }) => keys?.includes(key));
  }

  /** The name of the command that was run last; "" if none was. */
  get last(): string {
    return this.#last;
  }

  /** Do something that has no name of its own, such as to take a pose from a list; a step with this title. */
  act(title: string, run: () => void): void {
    this.ran(title);
    run();
  }

  /** Run a command; whether it could be run. */
  run(name: string): boolean {
    const command = this.get(name);
    if (command.enabled && !command.enabled()) {
      return false;
    }
    this.ran(command.title);
    this.#last = name;
    command.run();
    return true;
  }
}

/** The key of an event as commands name it; Cmd counts as Ctrl. */
export function keyOf(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">): string {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  const name = key.length === 1 ? key.toUpperCase() : key;
  // Other signs than letters may need Shift to be typed.
  const shifted = shiftKey && (key.length > 1 || /^\p{L}$/u.test(name));
  return [...(ctrlKey || metaKey ? ["Ctrl"] : []), ...(altKey ? ["Alt"] : []), ...(shifted ? ["Shift"] : []), name].join("+");
}

const SIGNS: Readonly<Record<string, string>> = {
  ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", " ": "Space", Escape: "Esc", "-": "−",
};

/** The first key of a command in words, such as "Ctrl+Z"; "" if it has none. */
export function keyText({ keys }: Pick<Command, "keys">): string {
  const [key] = keys ?? [];
  if (key === undefined) {
    return "";
  }
  const last = Object.keys(SIGNS).find((sign) => key === sign || key.endsWith(`+${sign}`));
  return last ? key.slice(0, key.length - last.length) + SIGNS[last]! : key;
}

/** The tooltip of a command: its title and its key. */
export function tooltip(command: Command): string {
  const key = keyText(command);
  return key ? `${command.title} (${key})` : command.title;
}

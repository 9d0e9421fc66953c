// Pictures of the scene as files: as it is, and animated.

import { Gif } from "./gif";
import { orbit } from "./scene/camera";
import type { Stage } from "./scene/stage";
import type { Vector3 } from "./model";
import { minus, plus } from "./pose";
import type { Player } from "./ui/player";

/** An animation: its size in pixels, frames per second, and how much faster than the motion it is. */
export interface Animation {
  readonly width: number;
  readonly height: number;
  readonly rate: number;
  readonly speed: number;
}

// Seconds of a turn around a robot without a motion.
const TURN = 4;

/** The scene as it is, as a PNG file with the pixels of the screen. */
export async function picture({ textures, viewport }: Stage): Promise<Blob> {
  await textures.all();
  const { width, height } = viewport.canvas;
  const canvas = new OffscreenCanvas(width, height);
  viewport.snap(canvas.getContext("2d")!);
  return canvas.convertToBlob({ type: "image/png" });
}

/** What passes in an animation: its length in s, and a function that shows a time of it. */
interface Course {
  readonly length: number;
  readonly show: (time: number) => void;
  readonly end: () => void;
}

/**
 * The motion as an animated GIF; without one, a turn of the view around the robot. ``told`` is called with the share
 * that is done, and ends the work if it returns false; null then.
 */
export async function animated(
  stage: Stage, player: Player | null, { width, height, rate, speed }: Animation, told: (share: number) => boolean = () => true,
): Promise<Gif | null> {
  await stage.textures.all();
  const { viewport } = stage;
  const { length, show, end } = player && stage.motion ? played(player, stage.motion.span) : turned(stage);
  const gif = new Gif(width, height, rate);
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true })!;
  const count = Math.max(1, Math.floor((length * rate) / speed) + (player ? 1 : 0));
  const times = Array.from({ length: count }, (_, index) => (index * speed) / rate);
  const taken = (time: number): Uint8ClampedArray => {
    show(time);
    viewport.snap(context);
    return context.getImageData(0, 0, width, height).data;
  };
  try {
    const step = Math.max(1, Math.floor(count / 6));
    gif.choose(times.filter((_, index) => index % step === 0).map(taken));
    for (const [index, time] of times.entries()) {
      gif.add(taken(time));
      await new Promise((done) => setTimeout(done));
      if (!told((index + 1) / count)) {
        return null;
      }
    }
  } finally {
    end();
  }
  return gif;
}

function played(player: Player, [begin, last]: readonly [number, number]): Course {
  const now = player.now();
  player.stop();
  return { length: last - begin, show: (time) => player.seek(begin + time), end: () => player.seek(now) };
}

function turned({ viewport }: Stage): Course {
  const { view } = viewport;
  const offset = minus(view.eye, view.target);
  const show = (time: number): void => {
    const eye: Vector3 = plus(view.target, orbit(offset, (2 * Math.PI * time) / TURN, 0));
    viewport.view = { eye, target: view.target, fit: null };
  };
  return { length: TURN, show, end: () => (viewport.view = view) };
}

/** Save a file from the page. */
export function save(file: Blob, name: string): void {
  const link = document.createElement("a");
  const address = URL.createObjectURL(file);
  Object.assign(link, { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A name of a file, of the name of a robot. */
export function fileName(name: string, suffix: string): string {
  return `${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "_") || "robot"}.${suffix}`;
}

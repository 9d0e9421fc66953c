// Commands that save the scene as a picture, or as an animation.

import { animated, fileName, picture, save } from "../pictures";
import type { Recorder } from "../recorder";
import type { Stage } from "../scene/stage";
import type { Player } from "../ui/player";
import type { Command } from "./registry";

export interface Camera {
  readonly stage: Stage;
  readonly player: Player | null;
  readonly recorder: Recorder;
  /** What files are called. */
  readonly name: string;
  /** Tell what is done. */
  readonly tell: (text: string) => void;
}

// An animation: its width in pixels, frames per second, and most frames.
const WIDTH = 640;
const RATE = 20;
const MOST = 300;

export function pictureCommands({ stage, player, recorder, name, tell }: Camera): Command[] {
  let busy = false;
  const took = (file: string): void => tell(`Saved ${file}`);
  const take = async (): Promise<void> => {
    const file = fileName(name, "png");
    save(await picture(stage), file);
    took(file);
  };
  const film = async (): Promise<void> => {
    const { clientWidth, clientHeight } = stage.viewport.canvas;
    const [begin, end] = stage.motion?.span ?? [0, 0];
    const rate = Math.min(RATE, MOST / Math.max(end - begin, 1));
    const height = Math.max(2, Math.round((WIDTH * clientHeight) / Math.max(1, clientWidth)));
    busy = true;
    // What the animation shows is no step of the history.
    recorder.hold("film");
    try {
      const gif = await animated(stage, player, { width: WIDTH, height, rate, speed: 1 }, (share) => {
        tell(`GIF: ${Math.round(100 * share)} %; once more to stop`);
        return busy;
      });
      if (gif) {
        const file = fileName(name, "gif");
        save(new Blob([gif.bytes() as Uint8Array<ArrayBuffer>], { type: "image/gif" }), file);
        took(file);
      } else {
        tell("Stopped");
      }
    } finally {
      busy = false;
      recorder.release("film");
    }
  };
  const failed = (error: unknown): void => tell(error instanceof Error ? error.message : String(error));
  return [
    { name: "picture", title: "Save a picture", group: "Actions", keys: ["Shift+P"], run: () => void take().catch(failed) },
    {
      name: "gif",
      title: stage.motion ? "Save the motion as a GIF, or stop saving" : "Save a turn around the robot as a GIF, or stop saving",
      group: "Actions",
      keys: ["Shift+V"],
      run: () => {
        if (busy) {
          busy = false;
        } else {
          void film().catch(failed);
        }
      },
    },
  ];
}

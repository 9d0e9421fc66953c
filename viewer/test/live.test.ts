import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { listen } from "../src/live";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Listen to a server with these answers: a text, "down" or a status; it hangs after the last one. */
function listening(...answers: (string | number)[]): { log: string[] } {
  const log: string[] = [];
  const left = [...answers];
  vi.stubGlobal("fetch", () => {
    const next = left.shift();
    if (next === undefined) {
      return new Promise(() => undefined);
    }
    if (next === "down") {
      return Promise.reject(new TypeError("failed"));
    }
    return Promise.resolve(
      typeof next === "number" ? new Response("", { status: next }) : new Response(next),
    );
  });
  void listen({
    tell: async ({ state, model, checked, trouble }) => {
      log.push(`model ${model}${checked ? " checked" : ""} ${trouble}`.trim());
      return state !== "9.9";
    },
    lost: (lost) => void log.push(lost ? "lost" : "back"),
    gone: () => void log.push("gone"),
  });
  return { log };
}

it("says within about a second that the server does not answer, and that it is back", async () => {
  const { log } = listening("1.1\n", "down", "down", "down", "1.1\n", "2.1\nwrong");
  await vi.advanceTimersByTimeAsync(500);
  expect(log).toEqual(["model 1"]);
  await vi.advanceTimersByTimeAsync(700);
  expect(log).toEqual(["model 1", "lost"]);
  await vi.advanceTimersByTimeAsync(3000);
  expect(log).toEqual(["model 1", "lost", "back", "model 1 wrong"]);
});

it("ignores a single failure", async () => {
  const { log } = listening("down", "1.1\n");
  await vi.advanceTimersByTimeAsync(5000);
  expect(log).toEqual(["model 1"]);
});

it("tells when the model has been checked, and ends when no more is wanted", async () => {
  const { log } = listening("0.0\n", "0.0+\n", "9.9\n", "10.10\n");
  await vi.advanceTimersByTimeAsync(5000);
  expect(log).toEqual(["model 0 checked", "model 9"]);
});

it("gives up after half a minute", async () => {
  const { log } = listening(...Array.from({ length: 40 }, () => "down"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(log).toEqual(["lost", "gone"]);
});

it("ends when another server answers", async () => {
  const { log } = listening(403);
  await vi.advanceTimersByTimeAsync(100);
  expect(log).toEqual(["gone"]);
});

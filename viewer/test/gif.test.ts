import { describe, expect, it } from "vitest";
import { compressed, Gif } from "../src/gif";

/** Decode LZW codes of 9 to 12 bits, as the GIF specification describes it. */
function expanded(bytes: Uint8Array): number[] {
  const out: number[] = [];
  let [at, width] = [0, 9];
  let table: number[][] = [];
  const reset = (): void => {
    table = Array.from({ length: 256 }, (_, value) => [value]);
    table.push([], []);
    width = 9;
  };
  reset();
  let before: number[] | null = null;
  for (;;) {
    let code = 0;
    for (let bit = 0; bit < width; bit++, at++) {
      code |= ((bytes[at >> 3]! >> (at & 7)) & 1) << bit;
    }
    if (code === 257) {
      return out;
    }
    if (code === 256) {
      reset();
      before = null;
      continue;
    }
    const entry: number[] = table[code] ?? [...before!, before![0]!];
    out.push(...entry);
    if (before && table.length < 4096) {
      table.push([...before, entry[0]!]);
    }
    if (table.length === 1 << width && width < 12) {
      width++;
    }
    before = entry;
  }
}

describe("LZW", () => {
  it.each([
    ["one pixel", [7]],
    ["a repeated pixel", Array.from({ length: 1000 }, () => 3)],
    ["a pattern", Array.from({ length: 5000 }, (_, at) => (at * at) % 7)],
    ["more entries than the table has", Array.from({ length: 60000 }, (_, at) => (at * 7919 + (at >> 5) * 31) % 251)],
  ])("gives back %s", (_, values) => {
    expect(expanded(compressed(Uint8Array.from(values)))).toEqual(values);
  });
});

describe("an animation", () => {
  it("has a header, frames, and an end", () => {
    const gif = new Gif(4, 2, 10);
    const red = Uint8ClampedArray.from(Array.from({ length: 8 }, () => [250, 0, 0, 255]).flat());
    const blue = Uint8ClampedArray.from(Array.from({ length: 8 }, () => [0, 0, 250, 255]).flat());
    gif.choose([red, blue]);
    gif.add(red);
    gif.add(blue);
    const bytes = gif.bytes();
    expect(String.fromCharCode(...bytes.subarray(0, 6))).toBe("GIF89a");
    expect([...bytes.subarray(6, 10)]).toEqual([4, 0, 2, 0]);
    expect(bytes.at(-1)).toBe(0x3b);
    expect([...bytes.subarray(13, 19)].filter((value) => value > 200)).toHaveLength(2);
    expect(atob(gif.base64()).length).toBe(bytes.length);
  });
});

// Writes animated GIF files (GIF89a): one palette for all frames, and only the pixels that change.

const COLORS = 255;
/** The palette entry of pixels that stay as they are. */
const SAME = 255;
// Bits of each color that are told apart.
const BITS = 5;
const SHIFT = 8 - BITS;

interface Cell {
  readonly colors: number[];
  readonly count: number;
}

/** A color reduced to 15 bits. */
function coarse(r: number, g: number, b: number): number {
  return ((r >> SHIFT) << (2 * BITS)) | ((g >> SHIFT) << BITS) | (b >> SHIFT);
}

function channel(color: number, at: number): number {
  return (color >> (BITS * (2 - at))) & ((1 << BITS) - 1);
}

export class Gif {
  readonly #bytes: number[] = [];
  readonly #palette = new Uint8Array(3 * 256);
  readonly #nearest = new Int16Array(1 << (3 * BITS)).fill(-1);
  #last: Uint8Array | null = null;

  /** An animation of this many frames per second. */
  constructor(
    private readonly width: number,
    private readonly height: number,
    private readonly rate: number,
  ) {}

  /** Choose the palette for sample frames (RGBA), by median cut. */
  choose(samples: readonly Uint8ClampedArray[]): void {
    const counts = new Uint32Array(1 << (3 * BITS));
    for (const pixels of samples) {
      for (let at = 0; at < pixels.length; at += 4) {
        counts[coarse(pixels[at]!, pixels[at + 1]!, pixels[at + 2]!)]!++;
      }
    }
    const all = [...counts.keys()].filter((color) => counts[color]! > 0);
    const size = (colors: readonly number[]): number => colors.reduce((sum, color) => sum + counts[color]!, 0);
    const cells: Cell[] = [{ colors: all, count: size(all) }];
    while (cells.length < COLORS) {
      const most = cells.reduce((best, cell, at) => (weight(cell) > weight(cells[best]!) ? at : best), 0);
      const { colors } = cells[most]!;
      if (colors.length < 2) {
        break;
      }
      const widest = [0, 1, 2].reduce((best, at) => (extent(colors, at) > extent(colors, best) ? at : best), 0);
      const sorted = [...colors].sort((a, b) => channel(a, widest) - channel(b, widest));
      let [half, sum] = [0, 0];
      while (half < sorted.length - 1 && (half === 0 || sum < cells[most]!.count / 2)) {
        sum += counts[sorted[half]!]!;
        half++;
      }
      const parts = [sorted.slice(0, half), sorted.slice(half)];
      cells.splice(most, 1, ...parts.map((part) => ({ colors: part, count: size(part) })));
    }
    cells.forEach(({ colors, count }, index) => {
      for (let at = 0; at < 3; at++) {
        const sum = colors.reduce((total, color) => total + (channel(color, at) + 0.5) * counts[color]!, 0);
        this.#palette[3 * index + at] = Math.min(255, Math.round((sum / Math.max(1, count)) * (1 << SHIFT)));
      }
      colors.forEach((color) => (this.#nearest[color] = index));
    });
    this.#begin();
  }

  /** Add a frame (RGBA). */
  add(pixels: Uint8ClampedArray): void {
    const count = this.width * this.height;
    const indices = new Uint8Array(count);
    const drawn = new Uint8Array(count);
    for (let at = 0; at < count; at++) {
      const index = this.#index(coarse(pixels[4 * at]!, pixels[4 * at + 1]!, pixels[4 * at + 2]!));
      indices[at] = index;
      drawn[at] = this.#last?.[at] === index ? SAME : index;
    }
    this.#last = indices;
    const delay = Math.max(2, Math.round(100 / this.rate));
    // Graphic control extension: leave the frame in place, one transparent entry.
    this.#bytes.push(0x21, 0xf9, 4, 0b101, ...short(delay), SAME, 0);
    this.#bytes.push(0x2c, 0, 0, 0, 0, ...short(this.width), ...short(this.height), 0, 8);
    const data = compressed(drawn);
    for (let at = 0; at < data.length; at += 255) {
      const block = data.subarray(at, at + 255);
      this.#bytes.push(block.length, ...block);
    }
    this.#bytes.push(0);
  }

  /** The whole file. */
  bytes(): Uint8Array {
    const out = new Uint8Array(this.#bytes.length + 1);
    out.set(this.#bytes);
    out[this.#bytes.length] = 0x3b;
    return out;
  }

  /** The whole file in base64. */
  base64(): string {
    const bytes = this.bytes();
    let text = "";
    for (let at = 0; at < bytes.length; at += 0x8000) {
      text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    }
    return btoa(text);
  }

  #begin(): void {
    const head = [..."GIF89a"].map((letter) => letter.charCodeAt(0));
    this.#bytes.push(...head, ...short(this.width), ...short(this.height), 0xf7, 0, 0, ...this.#palette);
    // Repeat for ever.
    const loop = [..."NETSCAPE2.0"].map((letter) => letter.charCodeAt(0));
    this.#bytes.push(0x21, 0xff, 11, ...loop, 3, 1, 0, 0, 0);
  }

  /** The palette entry nearest to a color; colors of the samples have their own. */
  #index(color: number): number {
    const known = this.#nearest[color]!;
    if (known >= 0) {
      return known;
    }
    let [best, least] = [0, Infinity];
    for (let index = 0; index < COLORS; index++) {
      let sum = 0;
      for (let at = 0; at < 3; at++) {
        sum += (this.#palette[3 * index + at]! - (channel(color, at) << SHIFT)) ** 2;
      }
      if (sum < least) {
        [best, least] = [index, sum];
      }
    }
    this.#nearest[color] = best;
    return best;
  }
}

/** How much a cell would gain from being divided. */
function weight({ colors, count }: Cell): number {
  const widest = Math.max(...[0, 1, 2].map((at) => extent(colors, at)));
  return colors.length < 2 ? -1 : (widest + 1) * Math.sqrt(count);
}

function extent(colors: readonly number[], at: number): number {
  let [low, high] = [Infinity, -Infinity];
  for (const color of colors) {
    const value = channel(color, at);
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return high - low;
}

function short(value: number): [number, number] {
  return [value & 255, value >> 8];
}

/** LZW with codes of 9 to 12 bits, for palettes of 256 colors. */
export function compressed(indices: Uint8Array): Uint8Array {
  const [clear, end] = [256, 257];
  const out: number[] = [];
  let [buffer, bits, width] = [0, 0, 9];
  const emit = (code: number): void => {
    buffer |= code << bits;
    bits += width;
    while (bits >= 8) {
      out.push(buffer & 255);
      buffer >>>= 8;
      bits -= 8;
    }
  };
  let table = new Map<number, number>();
  let next = end + 1;
  emit(clear);
  let prefix = indices[0] ?? 0;
  for (let at = 1; at < indices.length; at++) {
    const key = (prefix << 8) | indices[at]!;
    const found = table.get(key);
    if (found !== undefined) {
      prefix = found;
      continue;
    }
    emit(prefix);
    if (next < 4096) {
      table.set(key, next);
      // The decoder is one entry behind: it widens its codes after this one.
      if (next === 1 << width && width < 12) {
        width++;
      }
      next++;
    } else {
      emit(clear);
      table = new Map();
      [next, width] = [end + 1, 9];
    }
    prefix = indices[at]!;
  }
  emit(prefix);
  emit(end);
  if (bits > 0) {
    out.push(buffer & 255);
  }
  return Uint8Array.from(out);
}

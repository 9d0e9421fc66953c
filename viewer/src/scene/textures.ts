// Textures, decoded asynchronously: the first frame does not wait for them.

import {
  ClampToEdgeWrapping,
  DataTexture,
  LinearFilter,
  LinearMipmapLinearFilter,
  RGBAFormat,
  RepeatWrapping,
  SRGBColorSpace,
  Texture,
} from "three";
import { type Model, numbers, type TextureData } from "../model";

// Maximum texture size; larger ones are scaled down because not every GPU supports them.
const LARGEST = 4096;

export interface Loaded {
  readonly texture: Texture;
  /** Whether some pixels are translucent. */
  readonly clear: boolean;
}

export class Textures {
  readonly #loaded: readonly Promise<Loaded | null>[];

  constructor(model: Model) {
    this.#loaded = model.textures.map((data) => decode(model, data).catch(() => null));
  }

  /** The decoded texture; null if the image is invalid. */
  get(index: number): Promise<Loaded | null> {
    return this.#loaded[index] ?? Promise.resolve(null);
  }

  /** Free the GPU memory. */
  dispose(): void {
    for (const each of this.#loaded) {
      void each.then((loaded) => loaded?.texture.dispose());
    }
  }

  /** Resolves when all textures are decoded. */
  async all(): Promise<void> {
    await Promise.all(this.#loaded);
  }
}

async function decode(model: Model, data: TextureData): Promise<Loaded> {
  const bytes = numbers(model, data.bytes) as Uint8Array<ArrayBuffer>;
  const made =
    data.type === "pixels"
      ? { texture: new DataTexture(bytes, data.width, data.height, RGBAFormat), clear: hasClear(bytes) }
      : await decoded(new Blob([bytes], { type: data.type }));
  const { texture } = made;
  [texture.wrapS, texture.wrapT] = [wrapping(data.repeat[0]), wrapping(data.repeat[1])];
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 4;
  if (data.type !== "pixels") {
    texture.generateMipmaps = true;
  } else if (data.smooth) {
    texture.generateMipmaps = true;
    [texture.magFilter, texture.minFilter] = [LinearFilter, LinearMipmapLinearFilter];
  }
  if (data.matrix) {
    const [a, b, c, d, e, f] = data.matrix as [number, number, number, number, number, number];
    texture.matrixAutoUpdate = false;
    texture.matrix.set(a, b, c, d, e, f, 0, 0, 1);
  }
  texture.needsUpdate = true;
  return made;
}

async function decoded(file: Blob): Promise<Loaded> {
  // Texture coordinates start at the bottom, images at the top.
  const options = { imageOrientation: "flipY", premultiplyAlpha: "none" } as const;
  let image = await createImageBitmap(file, options);
  const factor = LARGEST / Math.max(image.width, image.height);
  if (factor < 1) {
    const [resizeWidth, resizeHeight] = [image.width, image.height].map((n) => Math.max(1, Math.round(n * factor)));
    image = await createImageBitmap(file, { ...options, resizeWidth: resizeWidth!, resizeHeight: resizeHeight! });
  }
  const texture = new Texture(image);
  texture.flipY = false;
  return { texture, clear: seesThrough(image) };
}

/** Whether a downscaled copy of an image has translucent pixels. */
function seesThrough(image: ImageBitmap): boolean {
  const context = new OffscreenCanvas(48, 48).getContext("2d", { willReadFrequently: true });
  context?.drawImage(image, 0, 0, 48, 48);
  return context !== null && hasClear(context.getImageData(0, 0, 48, 48).data);
}

function hasClear(pixels: ArrayLike<number>): boolean {
  for (let at = 3; at < pixels.length; at += 4) {
    if (pixels[at]! < 250) {
      return true;
    }
  }
  return false;
}

function wrapping(repeat: boolean): typeof RepeatWrapping | typeof ClampToEdgeWrapping {
  return repeat ? RepeatWrapping : ClampToEdgeWrapping;
}

// The model's bytes: "ubvw", the header's length as uint32, the header as JSON, the arrays.
// They come from the server as they are, or stand in the page itself: deflated, in base64.

import type { Header, Model } from "./model";

const MAGIC = "ubvw";
const PREFIX = 8;

/** The model in its bytes; an Error says what is wrong with them. */
export function unpack(bytes: ArrayBuffer): Model {
  if (bytes.byteLength < PREFIX || ascii(new Uint8Array(bytes, 0, 4)) !== MAGIC) {
    throw new Error("these bytes hold no model");
  }
  const length = new DataView(bytes).getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, PREFIX, length))) as Header;
  if (header.version !== 2) {
    throw new Error(`this page cannot read version ${header.version} of the model`);
  }
  return { ...header, bytes, start: PREFIX + length };
}

/** The bytes that deflated base64 text stands for. */
export async function inflate(text: string): Promise<ArrayBuffer> {
  const letters = atob(text);
  const packed = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) {
    packed[at] = letters.charCodeAt(at);
  }
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

/** The model in the page, else the one that the server of this page has. */
export async function load(page: Document): Promise<Model> {
  const embedded = page.getElementById("model")?.textContent?.trim() ?? "";
  if (embedded) {
    return unpack(await inflate(embedded));
  }
  if (!page.location.protocol.startsWith("http")) {
    throw new Error("this page holds no model: write one with unibody view MODEL --html FILE");
  }
  return fetched();
}

/** The model that the server of this page has now. */
export async function fetched(): Promise<Model> {
  const answer = await fetch("model", { cache: "no-store" });
  if (!answer.ok) {
    throw new Error(`the server gives no model (${answer.status})`);
  }
  return unpack(await answer.arrayBuffer());
}

function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

// The binary container of a model: "ubvw", length of the header (uint32), header (JSON), arrays.
// It is fetched from the server, or embedded in the page (deflate, base64).

import type { FindingsData, Header, Model } from "./model";

const MAGIC = "ubvw";
const PREFIX = 8;

/** Parse a container; throws an Error if it is malformed. */
export function unpack(bytes: ArrayBuffer): Model {
  if (bytes.byteLength < PREFIX || ascii(new Uint8Array(bytes, 0, 4)) !== MAGIC) {
    throw new Error("invalid model data");
  }
  const length = new DataView(bytes).getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, PREFIX, length))) as Header;
  if (header.version !== 2) {
    throw new Error(`unsupported version ${header.version} of the model data`);
  }
  return { ...header, bytes, start: PREFIX + length };
}

/** Decode base64 and inflate. */
export async function inflate(text: string): Promise<ArrayBuffer> {
  const letters = atob(text);
  const packed = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) {
    packed[at] = letters.charCodeAt(at);
  }
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

/** Load the embedded model, or fetch it from the server. */
export async function load(page: Document): Promise<Model> {
  const embedded = page.getElementById("model")?.textContent?.trim() ?? "";
  if (embedded) {
    return unpack(await inflate(embedded));
  }
  if (!page.location.protocol.startsWith("http")) {
    throw new Error("this page contains no model; create one with unibody view MODEL --html FILE");
  }
  return fetchModel();
}

/** Fetch the current model from the server. */
export async function fetchModel(): Promise<Model> {
  const answer = await fetch("model", { cache: "no-store" });
  if (!answer.ok) {
    throw new Error(`the server did not send the model (HTTP ${answer.status})`);
  }
  return unpack(await answer.arrayBuffer());
}

/** Fetch what unibody check finds of each robot, null for one that cannot be checked; null if there is none yet. */
export async function fetchFindings(): Promise<readonly (FindingsData | null)[] | null> {
  const answer = await fetch("findings", { cache: "no-store" });
  return answer.ok ? ((await answer.json()) as readonly (FindingsData | null)[] | null) ?? [] : null;
}

function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

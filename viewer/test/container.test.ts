import { expect, it } from "vitest";
import { inflate, unpack } from "../src/container";
import { numbers } from "../src/model";

const HEADER = { version: 2, robots: [{ name: "</script><b>&" }], meshes: [] };

function packed(header: object, arrays: Uint8Array = new Uint8Array()): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const length = Math.ceil(text.length / 4) * 4;
  const out = new Uint8Array(8 + length + arrays.length).fill(32);
  out.set(new TextEncoder().encode("ubvw"));
  new DataView(out.buffer).setUint32(4, length, true);
  out.set(text, 8);
  out.set(arrays, 8 + length);
  return out;
}

it("parses the header and the arrays", () => {
  const arrays = new Uint8Array(new Float32Array([0.5, -2]).buffer);
  const model = unpack(packed(HEADER, new Uint8Array([...arrays, 1, 0, 255, 255])).buffer);
  expect(model.robots[0]!.name).toBe("</script><b>&");
  expect([...numbers(model, ["f4", 0, 2])]).toEqual([0.5, -2]);
  expect([...numbers(model, ["u2", 8, 2])]).toEqual([1, 65535]);
  expect([...numbers(model, ["i2", 8, 2])]).toEqual([1, -1]);
  expect([...numbers(model, ["u1", 8, 4])]).toEqual([1, 0, 255, 255]);
});

it("inflates embedded data", async () => {
  const bytes = packed(HEADER);
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  const deflated = new Uint8Array(await new Response(stream).arrayBuffer());
  const text = btoa(String.fromCharCode(...deflated));
  expect(new Uint8Array(await inflate(text))).toEqual(bytes);
});

it("rejects invalid data", () => {
  expect(() => unpack(new ArrayBuffer(3))).toThrow("invalid model data");
  expect(() => unpack(packed({ ...HEADER, version: 1 }).buffer)).toThrow("unsupported version 1");
});

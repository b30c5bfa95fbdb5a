import type * as Crypto from "node:crypto";
import { expect, it, vi } from "vitest";
import { systemRandom } from "./system-random.js";

/** The buffers that the operating system filled, oldest first, and their locations. */
const { requests, places } = vi.hoisted(() => ({
  requests: new Array<Uint8Array>(),
  places: new Array<Uint8Array>(),
}));

vi.mock("node:crypto", async (importOriginal) => {
  const real = await importOriginal<typeof Crypto>();
  const randomFillSync = (bytes: Uint8Array) => {
    real.randomFillSync(bytes);
    requests.push(bytes.slice());
    places.push(bytes);
    return bytes;
  };
  return { ...real, randomFillSync };
});

it("returns the requested number of bytes, different each time", () => {
  const left = systemRandom.bytes(32);
  expect(left).toHaveLength(32);
  expect(systemRandom.bytes(0)).toHaveLength(0);
  expect(Buffer.from(systemRandom.bytes(32)).equals(left)).toBe(false);
});

it("returns each byte of the operating system once, and nothing of Math.random", async () => {
  const guessable = vi.spyOn(Math, "random");
  vi.resetModules();
  const { systemRandom: fresh } = await import("./system-random.js");
  requests.length = 0;
  const given = [16, 4_000, 80, 64, 5_000, 8].map((count) => fresh.bytes(count));
  const [first, second, large] = requests;
  // 64 bytes no longer fit behind the first three reads. 5 000 bytes exceed the buffer.
  expect(given).toEqual([
    first?.slice(0, 16),
    first?.slice(16, 4_016),
    first?.slice(4_016, 4_096),
    second?.slice(0, 64),
    large,
    second?.slice(64, 72),
  ]);
  expect(guessable).not.toHaveBeenCalled();
});

it("keeps no byte that it returned, and exposes none that it will return", async () => {
  vi.resetModules();
  const { systemRandom: fresh } = await import("./system-random.js");
  places.length = 0;
  const bytes = fresh.bytes(16);
  expect(places[0]?.slice(0, 16)).toEqual(new Uint8Array(16));
  expect(bytes.buffer.byteLength).toBe(16);
});

import { randomBytes } from "node:crypto";
import { expect, it, vi } from "vitest";
import { systemRandom } from "./system-random.js";

vi.mock("node:crypto", { spy: true });

it("gives as many bytes as asked for, different each time", () => {
  const left = systemRandom.bytes(32);
  expect(left).toHaveLength(32);
  expect(systemRandom.bytes(0)).toHaveLength(0);
  expect(Buffer.from(systemRandom.bytes(32)).equals(left)).toBe(false);
});

it("gives what the operating system gave, and no number of Math.random", () => {
  const guessable = vi.spyOn(Math, "random");
  vi.mocked(randomBytes).mockClear();
  const bytes = systemRandom.bytes(32);
  expect(vi.mocked(randomBytes).mock.results).toEqual([{ type: "return", value: bytes }]);
  expect(guessable).not.toHaveBeenCalled();
});

import { describe, expect, it } from "vitest";
import { freeOf } from "./free-bytes.js";

describe("freeOf", () => {
  it("is the space that is available to unprivileged users", () => {
    expect(freeOf({ blocks: 10, bavail: 3, bsize: 4_096 })).toBe(12_288);
  });

  it("is 0 on a full disk", () => {
    expect(freeOf({ blocks: 10, bavail: 0, bsize: 4_096 })).toBe(0);
  });

  it("is infinite on a file system that does not count blocks", () => {
    expect(freeOf({ blocks: 0, bavail: 0, bsize: 4_096 })).toBe(Infinity);
  });
});

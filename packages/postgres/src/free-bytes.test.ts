import { describe, expect, it } from "vitest";
import { freeOf } from "./free-bytes.js";

describe("freeOf", () => {
  it("is what those without privileges may still write", () => {
    expect(freeOf({ blocks: 10, bavail: 3, bsize: 4_096 })).toBe(12_288);
  });

  it("is nothing on a disk that is full", () => {
    expect(freeOf({ blocks: 10, bavail: 0, bsize: 4_096 })).toBe(0);
  });

  it("has no end where the file system does not count", () => {
    expect(freeOf({ blocks: 0, bavail: 0, bsize: 4_096 })).toBe(Infinity);
  });
});

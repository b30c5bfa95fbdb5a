import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { withTemporaryFolder } from "@tillkit/repository";
import { staleFiles } from "./stale-files.js";

describe("staleFiles", () => {
  const expected = new Map([
    ["a.md", "a\n"],
    ["b.md", "b\n"],
  ]);

  it("names what is missing, what differs and what should not be there", async () => {
    await withTemporaryFolder(async (folder) => {
      writeFileSync(`${folder}/b.md`, "changed\n");
      writeFileSync(`${folder}/c.md`, "c\n");
      expect(staleFiles(folder, expected)).toEqual(["a.md", "b.md", "c.md"]);
    });
  });

  it("names nothing when all is as it should be", async () => {
    await withTemporaryFolder(async (folder) => {
      for (const [file, content] of expected) writeFileSync(`${folder}/${file}`, content);
      expect(staleFiles(folder, expected)).toEqual([]);
    });
  });

  it("names everything when there is no folder", async () => {
    await withTemporaryFolder(async (folder) => {
      expect(staleFiles(`${folder}/none`, expected)).toEqual(["a.md", "b.md"]);
    });
  });
});

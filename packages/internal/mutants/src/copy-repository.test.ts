import { readFile, realpath, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { root, withTemporaryFolder } from "@tillkit/repository";
import { copyRepository } from "./copy-repository.js";

const FILE = "packages/core/src/index.ts";

it(
  "copyRepository copies the workspaces, and links the original's dependencies",
  { tags: "slow" },
  async () => {
    const original = await readFile(`${root}${FILE}`, "utf8");
    await withTemporaryFolder(async (folder) => {
      await copyRepository(root.slice(0, -1), folder);
      const copy = await realpath(folder);
      expect(await realpath(`${copy}/node_modules/@tillkit/core`)).toBe(`${copy}/packages/core`);
      expect(await realpath(`${copy}/node_modules/zod`)).toBe(await realpath(`${root}node_modules/zod`));
      await writeFile(`${copy}/node_modules/@tillkit/core/src/index.ts`, "");
      expect(await readFile(`${copy}/${FILE}`, "utf8")).toBe("");
    });
    expect(await readFile(`${root}${FILE}`, "utf8")).toBe(original);
  },
);

import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { buildFolder } from "./build-folder.js";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "sources-"));
  const files = [
    "packages/core/src/a.ts",
    "packages/core/src/deep/b.ts",
    "packages/core/package.json",
    "packages/dashboard/page/src/main.tsx",
    "packages/cli/src/dev/main.ts",
    "packages/internal/start/src/build.ts",
    "packages/internal/dashboard-page/src/build-page.ts",
    "packages/internal/repository/src/index.ts",
    "tsconfig.json",
    "package-lock.json",
    "node_modules/.package-lock.json",
  ];
  for (const path of files) await write(path, "first");
});
afterEach(() => rm(root, { recursive: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

it.each([
  "packages/core/src/deep/b.ts",
  "packages/core/package.json",
  "packages/dashboard/page/src/main.tsx",
  "packages/cli/src/dev/main.ts",
  "packages/internal/start/src/build.ts",
  "tsconfig.json",
  "package-lock.json",
  "node_modules/.package-lock.json",
])(
  "a start needs a new build after a change of %s, and the first build if the change is undone",
  async (path) => {
    const before = buildFolder(root);
    await write(path, "other");
    expect(buildFolder(root)).not.toBe(before);
    await write(path, "first");
    expect(buildFolder(root)).toBe(before);
  },
);

it("a start needs a new build after a file is added, renamed or removed", async () => {
  const seen = [buildFolder(root)];
  const next = () => {
    const folder = buildFolder(root);
    expect(seen).not.toContain(folder);
    seen.push(folder);
  };
  await write("packages/core/src/c.ts", "");
  next();
  await rename(join(root, "packages/core/src/c.ts"), join(root, "packages/core/src/d.ts"));
  next();
  await rm(join(root, "packages/core/src/a.ts"));
  next();
  await rm(join(root, "node_modules/.package-lock.json"));
  next();
});

it("a start needs a new build on another architecture, whose compiled code differs", () => {
  const before = buildFolder(root);
  const process = vi.spyOn(globalThis, "process", "get");
  process.mockReturnValue({ ...globalThis.process, arch: "riscv64" });
  try {
    expect(buildFolder(root)).not.toBe(before);
  } finally {
    process.mockRestore();
  }
});

it("a start keeps the build after changes of tests, of built files and of packages that no host has", async () => {
  const before = buildFolder(root);
  await write("packages/core/src/a.test.ts", "");
  await write("packages/core/dist/index.js", "");
  await write("packages/core/node_modules/x/index.js", "");
  await write("packages/sms/src/index.ts", "");
  expect(buildFolder(root)).toBe(before);
});

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Script } from "node:vm";
import { expect, it } from "vitest";
import { bundleHost } from "./bundle-host.js";

// The bundler itself fails if a source of the host is not in the digest of the sources.
it("bundleHost bundles all sources and libraries into one function without imports", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bundle-"));
  try {
    const file = join(folder, "host/main.cjs");
    await bundleHost(file);
    const text = await readFile(file, "latin1");
    expect(new Script(text).runInThisContext()).toBeTypeOf("function");
    expect(text).not.toMatch(/\bimport\(/);
    expect(text).not.toMatch(/\brequire\("(?:@tillkit|express|pg"|zod|@electric-sql)/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

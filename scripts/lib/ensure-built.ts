import { existsSync, readdirSync, statSync } from "node:fs";
import { promisedFiles, root, runOrThrow, type Workspace } from "@tillkit/repository";

/** Builds all packages if the `dist` of one of them is missing or older than its sources. */
export async function ensureBuilt(packages: readonly Workspace[]): Promise<void> {
  if (packages.every(isFresh)) return;
  console.log("dist is missing or stale: building");
  await runOrThrow(process.execPath, ["--import", "tsx", "scripts/build.ts"], root);
}

function isFresh(one: Workspace): boolean {
  const sources = ["src", "page"].flatMap((folder) =>
    !existsSync(`${one.path}/${folder}`)
      ? []
      : readdirSync(`${one.path}/${folder}`, { recursive: true, encoding: "utf8" })
          .filter((file) => !file.endsWith(".test.ts") && !file.includes("node_modules"))
          .map((file) => `${folder}/${file}`),
  );
  const newest = Math.max(...[...sources, "package.json"].map((file) => changedAt(`${one.path}/${file}`)));
  // A missing file has the time 0, so it counts as stale.
  return promisedFiles(one).every((file) => changedAt(`${one.path}/${file}`) > newest);
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

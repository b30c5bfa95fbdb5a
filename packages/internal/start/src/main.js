// The program of `npm start`. It is JavaScript, because compiling TypeScript takes longer than the
// rest of a start.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildFolder } from "./build-folder.js";
import { runHost } from "./run-host.js";

/** Set by `npm ci`. If this build fails, the first start repeats it and prints the error. */
const buildOnly = process.argv[2] === "--build-only";
const folder = buildFolder();
if (!existsSync(folder)) await build();
if (!buildOnly) await runHost(folder);

async function build() {
  // Loading this module takes time, and most starts do not need it.
  const { spawnSync } = await import("node:child_process");
  console.log("Building the host from its sources (only after a change of the sources) …");
  const program = fileURLToPath(new URL("build.ts", import.meta.url));
  const args = ["--conditions=@tillkit/source", "--import", "tsx", program, folder];
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  if (status !== 0) process.exit(buildOnly ? 0 : (status ?? 1));
}

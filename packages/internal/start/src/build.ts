// Builds the host of `npm start`: its program, the operators' page, and the files that a new data
// folder starts from.
// The argument is the path of the build. The build appears there when it is complete.
import { cp, mkdir, mkdtemp } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ensurePage } from "@tillkit/dashboard-page";
import { root } from "@tillkit/repository";
import { bundleHost } from "./bundle-host.js";
import { SANDBOX_FILE } from "../../../cli/src/dev/open-host.js";
import { SNAPSHOT } from "../../../cli/src/dev/open-storage.js";
import { ensureSandboxFile } from "./ensure-sandbox-file.js";
import { ensureSnapshot } from "./ensure-snapshot.js";
import { linkOrCopy, placeBuild } from "./place-build.js";
import { removeOldBuilds } from "./remove-old-builds.js";

const [folder = ""] = process.argv.slice(2);
const builds = dirname(folder);
await mkdir(builds, { recursive: true });
const building = await mkdtemp(join(builds, "building-"));
await mkdir(join(building, "prepared"));
await Promise.all([
  bundleHost(join(building, "host/main.cjs")),
  // The program prints its version.
  cp(`${root}packages/cli/package.json`, join(building, "package.json")),
  // The dashboard looks for the page in this folder, relative to the host's program.
  ensurePage().then((page) => cp(page, join(building, "node_modules/.page"), { recursive: true })),
  // Builds share the snapshot, which is large and never changes.
  ensureSnapshot(builds).then((snapshot) => linkOrCopy(snapshot, join(building, "prepared", SNAPSHOT))),
  ensureSandboxFile(builds).then((file) => cp(file, join(building, "prepared", SANDBOX_FILE))),
]);
await placeBuild(building, folder);
await removeOldBuilds(folder);

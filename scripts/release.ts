// Publishes the packages. `--dry-run` publishes the next release to a registry on this machine,
// installs the command line from there and pays an order.
import { readdir } from "node:fs/promises";
import { parseArgs } from "node:util";
import {
  publishablePackages,
  root,
  runOrThrow,
  secondsSince,
  withTemporaryFolder,
} from "@tillkit/repository";
import { payWithDev } from "./adoption/steps/dev.js";
import { copyPackages } from "./lib/copy-packages.js";
import { withLocalRelease } from "./release/local-release.js";
import { configuredRegistry, registryAt } from "./release/npm-registry.js";
import { publish } from "./release/publish.js";
import { refusal } from "./release/refusal.js";
import { releaseProblems } from "./release/release-problems.js";

const { values } = parseArgs({ options: { "dry-run": { type: "boolean", default: false } } });
process.exitCode = values["dry-run"] ? await rehearse() : await release();

/** Returns the exit code. */
async function rehearse(): Promise<number> {
  const began = performance.now();
  await withLocalRelease(async (packages, folder) => {
    for (const { workspace, files } of packages)
      console.log(`${workspace.name}@${workspace.version}  ${files.length} files, with CHANGELOG.md`);
    console.log(`published ${packages.length} packages on this machine (${secondsSince(began)} s)`);
    console.log(`tillkit dev in an empty folder: ${await payWithDev(`${folder}/dev`, packages)}`);
  });
  return 0;
}

/** Returns the exit code. */
async function release(): Promise<number> {
  const packages = publishablePackages();
  const files = await readdir(`${root}.changeset`);
  const reason = refusal(
    packages,
    files.filter((file) => file.endsWith(".md")),
    process.env,
  );
  if (reason !== undefined) {
    console.error(reason);
    return 1;
  }
  await runOrThrow(process.execPath, ["--import", "tsx", "scripts/build.ts"], root);
  const registry = registryAt(await configuredRegistry(), process.env["NPM_TOKEN"] ?? "");
  const published = await withTemporaryFolder(async (folder) =>
    publish(await copyPackages(folder), folder, registry),
  );
  for (const { workspace } of published) console.log(`published ${workspace.name}@${workspace.version}`);
  const problems = releaseProblems(published);
  for (const problem of problems) console.error(problem);
  return problems.length === 0 ? 0 : 1;
}

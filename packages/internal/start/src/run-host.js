import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";

/**
 * Runs the host of a build in this process, until the host is ready.
 *
 * The first call stores the compiled code in the build. Later calls load it.
 *
 * @param folder - the path of the build.
 */
export async function runHost(folder) {
  // Node has `navigator` from version 21 on. Without it, pg creates a response of `fetch` to
  // find out where it runs, and Node loads all of `fetch` for that.
  globalThis.navigator ??= { userAgent: `Node.js/${process.versions.node}` };
  process.env["PREPARED"] ??= join(folder, "prepared");
  const file = join(folder, "host/main.cjs");
  const codeFile = join(folder, "host/main.code");
  const cachedData = existsSync(codeFile) ? readFileSync(codeFile) : undefined;
  const script = new Script(readFileSync(file, "latin1"), { filename: file, cachedData });
  const module = { exports: { ready: Promise.resolve() } };
  script.runInThisContext()(module.exports, createRequire(file), module, file);
  await module.exports.ready;
  if (cachedData === undefined || script.cachedDataRejected) store(codeFile, script.createCachedData());
}

/**
 * Replaces a file atomically. Ignores a failure: without the file, a start only takes longer.
 */
function store(file, bytes) {
  const draft = `${file}.${String(process.pid)}`;
  try {
    writeFileSync(draft, bytes);
    renameSync(draft, file);
  } catch (problem) {
    console.error(`The compiled code of the host was not stored: ${String(problem)}`);
  }
}

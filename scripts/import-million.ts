// Imports a million lines twice with the published program. Checks its memory, and that the second
// import changes nothing.
import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { startPostgres } from "@tillkit/local-postgres";
import { z } from "zod";
import { publishablePackages, root, secondsSince, withTemporaryFolder } from "@tillkit/repository";
import { ensureBuilt } from "./lib/ensure-built.js";

const LINES = 1_000_000;
/** The heap that Node.js may use. Without a limit, the peak would depend on uncollected garbage. */
const HEAP_MEGABYTES = 64;
const MOST_MEGABYTES = 160;

/** Prints the peak memory of the process on standard error, in kilobytes. */
const REPORTER = `process.once("exit", () => process.stderr.write("peak " + process.resourceUsage().maxRSS + "\\n"))`;

await ensureBuilt(publishablePackages());
const server = await startPostgres();
try {
  await withTemporaryFolder(async (folder) => {
    const file = `${folder}/counts.csv`;
    await tillkit("migrate");
    const keys = ["--keys-file", `${folder}/keys.json`];
    await tillkit("keys", "create", ...keys);
    const { stdout } = await tillkit("apps", "create", "--name", "Import", "--json", ...keys);
    const { app } = z.object({ app: z.object({ appId: z.string() }) }).parse(JSON.parse(stdout));
    await writeCounts(file, app.appId);
    await importOnce(file, LINES);
    await importOnce(file, 0);
  });
} finally {
  await server.stop();
}

async function importOnce(file: string, changes: number): Promise<void> {
  const began = performance.now();
  const { stdout, stderr } = await tillkit("downloads", "import", file, "--json");
  const { written, changed } = z
    .object({ written: z.number(), changed: z.number() })
    .parse(JSON.parse(stdout));
  const megabytes = Math.round(Number(/peak (\d+)/.exec(stderr)?.[1]) / 1024);
  console.log(`${written} lines in ${secondsSince(began)} s, ${changed} changed, ${megabytes} MB at most`);
  if (written !== LINES || changed !== changes)
    throw new Error(`${LINES} lines and ${changes} changes were expected.`);
  if (!stderr.includes(`${LINES} counts read`)) throw new Error("The import did not report its progress.");
  // Written so that NaN fails as well.
  if (!(megabytes <= MOST_MEGABYTES))
    throw new Error(`The import used ${megabytes} MB, and may use ${MOST_MEGABYTES} MB.`);
}

async function tillkit(...argv: readonly string[]) {
  const child = spawn(
    process.execPath,
    [
      "--import",
      `data:text/javascript,${encodeURIComponent(REPORTER)}`,
      `--max-old-space-size=${HEAP_MEGABYTES}`,
      "packages/cli/dist/main.js",
      ...argv,
    ],
    { cwd: root, env: { ...process.env, DATABASE_URL: server.url }, stdio: ["ignore", "pipe", "pipe"] },
  );
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if ((await ended) !== 0) throw new Error(stderr);
  return { stdout, stderr };
}

async function writeCounts(file: string, appId: string): Promise<void> {
  const out = createWriteStream(file);
  out.write("appId,store,date,newDownloads,updateDownloads\n");
  for (let index = 0; index < LINES; index += 1) {
    const date = new Date(Date.UTC(2020, 0, 1 + (index % 2_000))).toISOString().slice(0, 10);
    const line = `${appId},store_${Math.floor(index / 2_000)},${date},${index},${index % 7}\n`;
    if (!out.write(line)) await once(out, "drain");
  }
  out.end();
  await once(out, "finish");
}

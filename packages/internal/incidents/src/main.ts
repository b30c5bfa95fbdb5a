// Rehearses incidents: `npm run incidents [--only NAME]...`. Exits with 1 if one of
// them raises no alert, raises an alert too early, or if nothing names its cause.
import { access } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "@tillkit/local-postgres";
import { withTemporaryFolder } from "@tillkit/repository";
import { GUIDES, guideRows } from "./guide.js";
import { INCIDENTS } from "./incidents/index.js";
import { hasPrometheus } from "./prometheus.js";
import { type Outcome, rehearse } from "./rehearse.js";

/** The oldest server that Tillkit supports, in the folder where Debian's package installs it. */
const POSTGRES_15 = "/usr/lib/postgresql/15/bin";

const { only = [] } = parseArgs({ options: { only: { type: "string", multiple: true } } }).values;
const unknown = only.filter((name) => !INCIDENTS.some((incident) => incident.name === name));
if (unknown.length > 0) {
  const names = INCIDENTS.map(({ name }) => name).join(", ");
  console.error(`Unknown incident: ${unknown.join(", ")}. There are: ${names}.`);
  process.exit(2);
}
if (!(await hasPrometheus())) {
  console.log("Skipped: this machine has no Prometheus. On Debian, run `apt-get install prometheus`.");
  process.exit(0);
}

const chosen = INCIDENTS.filter(({ name }) => only.length === 0 || only.includes(name));
const [guide] = GUIDES;
const rows = guideRows(guide);
const programs = await access(POSTGRES_15).then(
  () => POSTGRES_15,
  () => undefined,
);
await withTemporaryFolder(async (folder) => {
  const server = await startPostgres({ programs });
  try {
    const waiting = chosen.entries();
    const rehearseNext = async (): Promise<void> => {
      for (const [nth, incident] of waiting) {
        const outcome = await rehearse(incident, server, join(folder, String(nth))).catch(failed);
        print(incident.name, outcome);
        if (outcome.problem !== undefined) process.exitCode = 1;
      }
    };
    // Most of a rehearsal is waiting for an alert.
    await Promise.all([rehearseNext(), rehearseNext()]);
  } finally {
    await server.stop();
  }
});

function failed(cause: unknown): Outcome {
  return { seconds: 0, problem: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) };
}

function print(name: string, { alert, seconds, cause, problem }: Outcome): void {
  const remedy = rows.find(({ incident }) => incident === name)?.remedy ?? "none in the guide";
  console.log(`${problem === undefined ? "ok    " : "FAILED"} ${name}`);
  if (problem !== undefined) console.log(`  problem ${problem}`);
  const signal = alert === undefined ? "no alert" : `${alert.name}: ${alert.summary},`;
  console.log(`  signal  ${signal} after ${seconds} s`);
  console.log(`  cause   ${cause ?? "not named"}`);
  console.log(`  remedy  ${remedy}`);
}

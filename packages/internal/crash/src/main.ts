import { parseArgs } from "node:util";
import { separateProcesses, type CrashStorage } from "./separate-processes.js";
import { type CrashFinding } from "./client-records.js";
import { playHistory } from "./play-history.js";

const HELP = `npm run test:system -- crash [--rounds N] [--storage pglite|postgres] [--seed S]

Kills real processes during creations, payments, refunds and logins: the host, and the database
server, if there is one. Afterwards it compares, order by order, what callers received, the wallets' records
and the database.

  --rounds N    rounds of load that end with a kill (default 10)
  --storage X   pglite: a database in the host's folder; postgres: a server (default both)
  --seed S      decides what callers do, and what is killed when (default 1). What a caller does at the time of a kill varies

Exits with 1 if something was lost, happened twice or contradicts other data.`;

const STORAGES: readonly CrashStorage[] = ["pglite", "postgres"];
/** The number of findings that the program prints. */
const MAX_REPORTED = 20;

const say = (text: string) => void process.stdout.write(`${text}\n`);
const reportProblem = (text: string) => void process.stderr.write(`${text}\n`);

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "10" },
    storage: { type: "string" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean", short: "h" },
  },
});
const rounds = natural("rounds", values.rounds);
const seed = natural("seed", values.seed);
const storages = STORAGES.filter((storage) => (values.storage ?? storage) === storage);
if (storages.length === 0) refuse("--storage takes pglite or postgres: see --help.");

if (values.help === true) say(HELP);
else for (const storage of storages) await play(storage);

async function play(storage: CrashStorage): Promise<void> {
  const startedAt = performance.now();
  const system = await separateProcesses(storage);
  const stop = () => void system.clean().finally(() => process.exit(130));
  process.once("SIGINT", stop);
  try {
    const report = (round: number) => {
      reportProblem(`${storage}: ${String(round)} of ${String(rounds)} rounds`);
    };
    const { findings, hostKills, databaseKills, ...counts } = await playHistory({
      system,
      rounds,
      seed,
      report,
    });
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    const kindOf = (kind: CrashFinding["kind"]) => findings.filter((finding) => finding.kind === kind).length;
    say(
      table(storage, {
        rounds,
        "kills of the host": hostKills,
        "kills of the database": databaseKills,
        ...counts,
        lost: kindOf("lost"),
        duplicated: kindOf("duplicated"),
        contradictions: kindOf("contradiction"),
        seconds,
      }),
    );
    for (const { kind, bizNo, what } of findings.slice(0, MAX_REPORTED))
      reportProblem(`${kind} ${bizNo}: ${what}`);
    if (findings.length > 0) process.exitCode = 1;
  } finally {
    process.off("SIGINT", stop);
    await system.clean();
  }
}

function table(title: string, counts: Readonly<Record<string, number>>): string {
  const rows = Object.entries(counts).map(
    ([name, count]) => `  ${name.padEnd(22)}${String(count).padStart(8)}`,
  );
  return [title, ...rows, ""].join("\n");
}

function natural(name: string, text: string): number {
  return /^[1-9]\d{0,5}$/.test(text)
    ? Number(text)
    : refuse(`--${name} takes a number from 1 to 999999: see --help.`);
}

function refuse(why: string): never {
  reportProblem(why);
  process.exit(2);
}

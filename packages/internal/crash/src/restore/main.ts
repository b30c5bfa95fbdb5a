import { parseArgs } from "node:util";
import { BACKUP_METHODS } from "./backup-method.js";
import { runRestore } from "./run-restore.js";
import { findServerPrograms } from "./server-programs.js";

const HELP = `npm run test:system -- restore [--method M] [--orders N] [--seed S]

Backs up a PostgreSQL server under load, kills it, restores the backup and reconciles with the wallets. Then
it looks for every payment and every refund of the wallets in the database and in the open exceptions.

  --method M  base-backup: pg_basebackup with archived WAL; dump: pg_dump and pg_restore (default both)
  --orders N  the number of orders before the backup, and again after it (default 150)
  --seed S    decides what the customers do (default 1)

Needs PostgreSQL's server and client programs: in the folder TEST_POSTGRES_PROGRAMS, or in /usr/lib/postgresql.
Exits with 1 if a payment or a refund is unaccounted for, if a sum differs by a cent, or if an exception stays
open.`;

const say = (text: string) => void process.stdout.write(`${text}\n`);
const reportProblem = (text: string) => void process.stderr.write(`${text}\n`);

const { values } = parseArgs({
  options: {
    method: { type: "string" },
    orders: { type: "string", default: "150" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean", short: "h" },
  },
});
const methods = BACKUP_METHODS.filter((method) => (values.method ?? method) === method);
const [orders = 0, seed = 0] = [values.orders, values.seed].map(Number);

if (values.help === true) say(HELP);
else if (methods.length === 0) refuse("--method takes base-backup or dump: see --help.");
else if (![orders, seed].every((value) => Number.isSafeInteger(value) && value > 0))
  refuse("--orders and --seed take whole numbers from 1 on: see --help.");
else await runAll();

async function runAll(): Promise<void> {
  const programs = findServerPrograms(process.env["TEST_POSTGRES_PROGRAMS"] ?? "");
  if (programs === undefined) {
    refuse("PostgreSQL's programs were not found. Install postgresql, or set TEST_POSTGRES_PROGRAMS.");
    return;
  }
  let [payments, refunds] = [0, 0];
  for (const method of methods) {
    const startedAt = performance.now();
    const report = (progress: string) =>
      reportProblem(`${method}, ${String(since(startedAt))} s: ${progress}`);
    const { counts, findings } = await runRestore({ method, programs, seed, orders, report });
    const rows = Object.entries({ ...counts, seconds: since(startedAt) });
    say(method);
    for (const [name, count] of rows) say(`  ${name.padEnd(32)}${String(count).padStart(12)}`);
    for (const finding of findings) reportProblem(`${method}: ${finding}`);
    if (findings.length > 0) process.exitCode = 1;
    payments += counts["payments unaccounted for"] ?? 0;
    refunds += counts["refunds unaccounted for"] ?? 0;
  }
  say(`Restore: ${String(payments)} payments and ${String(refunds)} refunds unaccounted for.`);
}

function since(startedAt: number): number {
  return Math.round((performance.now() - startedAt) / 1_000);
}

function refuse(why: string): void {
  reportProblem(why);
  process.exitCode = 2;
}

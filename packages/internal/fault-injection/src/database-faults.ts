import { setTimeout as pause } from "node:timers/promises";
import { type Ask, detailOf, type Outcome, purchase } from "./ask.js";
import { type Row, rowOf } from "./row.js";
import type { Scenario } from "./scenario.js";

/** A fault of the database. */
export interface DatabaseFault {
  readonly name: string;
  /** Milliseconds until the fault ends. */
  readonly lasts: number;
  /** Whether the fault also lasts until at least one order was refused. */
  readonly untilRefused?: boolean;
  /** The number of concurrent callers. Defaults to 16. */
  readonly callers?: number;
  begin(scenario: Scenario): Promise<void>;
  mend(scenario: Scenario): Promise<void>;
}

const nothing = async (): Promise<void> => undefined;

/** The database faults of the run. */
export const DATABASE_FAULTS: readonly DatabaseFault[] = [
  {
    name: "database stopped",
    lasts: 3_000,
    begin: ({ server }) => server.halt(),
    mend: ({ server }) => server.start(),
  },
  {
    name: "database restarted",
    lasts: 0,
    begin: async ({ server }) => {
      await server.halt();
      await server.start();
    },
    mend: nothing,
  },
  {
    name: "database silent",
    lasts: 12_000,
    begin: ({ server }) => server.suspend(),
    mend: ({ server }) => server.resume(),
  },
  {
    name: "database slow",
    lasts: 0,
    // Every read of an app waits for this lock, longer than the statement timeout.
    begin: ({ asOwner }) =>
      asOwner((sql) =>
        sql.script("begin; lock table tillkit.apps in access exclusive mode; select pg_sleep(7); commit"),
      ),
    mend: nothing,
  },
  {
    name: "database out of connections",
    lasts: 3_000,
    begin: ({ asOwner, role }) =>
      asOwner(async (sql) => {
        await sql.script(`alter role ${role} connection limit 0`);
        await sql.script(
          `select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = '${role}'`,
        );
      }),
    mend: ({ asOwner, role }) => asOwner((sql) => sql.script(`alter role ${role} connection limit -1`)),
  },
  {
    name: "database failed over",
    lasts: 3_000,
    // The primary becomes a read-only standby that keeps its connections. Later its address leads
    // to the new primary.
    begin: ({ asOwner }) =>
      asOwner(async (sql) => {
        await sql.script("alter system set default_transaction_read_only = on");
        await sql.script("select pg_reload_conf()");
      }),
    mend: async ({ asOwner, server }) => {
      await asOwner((sql) => sql.script("alter system reset default_transaction_read_only"));
      await server.halt();
      await server.start();
    },
  },
];

const CALLERS = 16;
/** A fault has ended when no request failed for this time, in milliseconds. */
const QUIET = 1_500;

/**
 * Buys and reads while the fault begins and ends, then verifies the outcomes.
 *
 * It reads every acknowledged purchase and repeats every refused one.
 */
export async function runDatabaseFault(scenario: Scenario, fault: DatabaseFault): Promise<Row> {
  const outcomes: Outcome[] = [];
  const acknowledged: string[] = [];
  const refused: string[] = [];
  const mark = fault.name.replaceAll(" ", "-");
  let [over, made, lastFailure] = [false, 0, 0];
  const ask: Ask = async (path, body) => {
    const outcome = await scenario.ask(path, body);
    outcomes.push(outcome);
    if (outcome.code !== 0) lastFailure = performance.now();
    return outcome;
  };
  const isOver = (): boolean => over;
  const call = async (): Promise<void> => {
    while (!isOver()) {
      made += 1;
      const bizNo = `${mark}-${made}`;
      const { code } = await ask("/order.json", purchase(bizNo));
      (code === 0 ? acknowledged : refused).push(bizNo);
      await ask(code === 0 ? detailOf(bizNo) : "/payTools.json");
      await pause(20);
    }
  };
  const callers = Array.from({ length: fault.callers ?? CALLERS }, call);
  await pause(200);
  await fault.begin(scenario);
  await pause(fault.lasts);
  while (fault.untilRefused === true && refused.length === 0) await Promise.race([pause(20), scenario.died]);
  await fault.mend(scenario);
  const mendedAt = performance.now();
  while (performance.now() - Math.max(mendedAt, lastFailure) < QUIET)
    await Promise.race([pause(50), scenario.died]);
  over = true;
  await Promise.all(callers);
  const lost = await countLost(scenario.ask, acknowledged, refused);
  const recovery = Math.max(0, Math.round(lastFailure - mendedAt));
  return { ...rowOf(fault.name, outcomes, 99998, lost), recovery };
}

/** Counts acknowledged purchases that are missing and refused ones whose retry fails. */
async function countLost(
  ask: Ask,
  acknowledged: readonly string[],
  refused: readonly string[],
): Promise<number> {
  let lost = 0;
  for (const bizNo of acknowledged) if ((await ask(detailOf(bizNo))).code !== 0) lost += 1;
  for (const bizNo of refused) if ((await ask("/order.json", purchase(bizNo))).code !== 0) lost += 1;
  return lost;
}

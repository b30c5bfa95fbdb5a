import { seededChoices } from "@tillkit/simulation/choice-source";
import { buyContinuously } from "./buy.js";
import { compareCustomers } from "./compare-customers.js";
import { compareEffects } from "./compare-effects.js";
import { compareEvents } from "./compare-events.js";
import { compareOrders } from "./compare-orders.js";
import { readEffects } from "./effects.js";
import { quiesce, killAndStart, pause } from "./kill-and-start.js";
import { type CrashFinding, newClientRecords } from "./client-records.js";
import { openHostConnection } from "./host-connection.js";
import { journalFile, readJournal } from "./journal.js";
import { logInContinuously } from "./log-in.js";
import { readSnapshot } from "./read-snapshot.js";
import { readLedger } from "./read-ledger.js";
import type { CrashEnvironment } from "./crash-environment.js";

/** The options of a history: one run of the crash test. */
export interface HistoryOptions {
  readonly system: CrashEnvironment;
  /** The number of rounds. Each round of load ends with a kill. */
  readonly rounds: number;
  /** Determines what callers do and what is killed. The timing still differs between runs. */
  readonly seed: number;
  /** Called at the end of each round. */
  readonly report?: (round: number) => void;
}

/** The counts of a history, and its findings. */
export interface History {
  readonly hostKills: number;
  readonly databaseKills: number;
  readonly requests: number;
  readonly acknowledged: number;
  /** The number of orders paid at the wallets. */
  readonly paid: number;
  /** The number of refunds at the wallets. */
  readonly refunds: number;
  /** The number of events that the host's handler received, with repeats. */
  readonly events: number;
  /** The number of events that took effect in a transaction of the host's transactional handler. */
  readonly effects: number;
  readonly findings: readonly CrashFinding[];
}

/** The number of customers who buy at the same time. */
const LANES = 4;

/** Runs one history: continuous load, kills during the load, and a comparison at the end. */
export async function playHistory({ system, rounds, seed, report }: HistoryOptions): Promise<History> {
  const began = Date.now();
  const known = newClientRecords();
  const line = openHostConnection(known);
  const choices = seededChoices(seed);
  let ending = false;
  const contextOf = (lane: number) => ({
    line,
    known,
    ending: () => ending,
    choices: seededChoices(seed * 1_000 + lane),
  });
  const lanes = Array.from({ length: LANES }, (_, lane) =>
    buyContinuously(`b${String(lane)}`, contextOf(lane)),
  );
  lanes.push(logInContinuously(contextOf(LANES)));

  const kills = { host: 0, database: 0 };
  let host = await system.startHost();
  line.connect(host);
  for (let round = 1; round <= rounds; round += 1) {
    await line.acknowledged(10 + choices.next(40));
    await pause(choices.next(20));
    host = await killAndStart({ system, line, choices, kills }, host);
    // The leases of a dead host expire, and the wallets repeat unacknowledged notifications.
    await system.advance(host, 10_000 + choices.next(50_000));
    report?.(round);
  }
  ending = true;
  await Promise.all(lanes);
  const ended = await quiesce(system, host);
  const ofCustomers = await compareCustomers(known, host, { began, ended });
  await system.killHost();
  const ledger = readLedger(system.ledgerFile);
  const snapshot = await readSnapshot(system);
  const journal = readJournal(journalFile(system.dataDir));
  const effects = await readEffects(system);
  const findings = [
    ...known.findings,
    ...ofCustomers,
    ...compareOrders(known, ledger, snapshot),
    ...(journal === undefined ? [] : compareEvents(journal, snapshot)),
    ...(effects === undefined ? [] : compareEffects(effects, snapshot)),
  ];
  return {
    hostKills: kills.host,
    databaseKills: kills.database,
    requests: known.requests,
    acknowledged: known.acknowledged,
    paid: ledger.filter(({ paid }) => paid).length,
    events: journal?.length ?? 0,
    effects: effects?.length ?? 0,
    refunds: ledger.reduce((sum, { refunds }) => sum + refunds.length, 0),
    findings,
  };
}

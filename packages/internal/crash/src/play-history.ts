import { seededTape } from "@tillkit/simulation/tape";
import { buyOnAndOn } from "./buy.js";
import { compareCustomers } from "./compare-customers.js";
import { compareOrders } from "./compare-orders.js";
import { comeToRest, killAndStart, pause } from "./deaths.js";
import { type Finding, newKnowledge } from "./knowledge.js";
import { openLine } from "./line-to-host.js";
import { logInOnAndOn } from "./log-in.js";
import { readBook } from "./read-book.js";
import { readLedger } from "./read-ledger.js";
import type { World } from "./world.js";

/** The size of a history. */
export interface HistoryOptions {
  readonly world: World;
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
  readonly findings: readonly Finding[];
}

/** The number of customers who buy at the same time. */
const LANES = 4;

/** Runs one history: continuous load, kills during the load, and a comparison at the end. */
export async function playHistory({ world, rounds, seed, report }: HistoryOptions): Promise<History> {
  const began = Date.now();
  const known = newKnowledge();
  const line = openLine(known);
  const choices = seededTape(seed);
  let ending = false;
  const contextOf = (lane: number) => ({
    ...{ line, known, ending: () => ending },
    choices: seededTape(seed * 1_000 + lane),
  });
  const lanes = Array.from({ length: LANES }, (_, lane) => buyOnAndOn(`b${String(lane)}`, contextOf(lane)));
  lanes.push(logInOnAndOn(contextOf(LANES)));

  const kills = { host: 0, database: 0 };
  let host = await world.startHost();
  line.connect(host);
  for (let round = 1; round <= rounds; round += 1) {
    await line.acknowledged(10 + choices.next(40));
    await pause(choices.next(20));
    host = await killAndStart({ world, line, choices, kills }, host);
    // The leases of the dead host expire, and the wallets repeat unacknowledged notifications.
    await world.advance(host, 10_000 + choices.next(50_000));
    report?.(round);
  }
  ending = true;
  await Promise.all(lanes);
  const ended = await comeToRest(world, host);
  const ofCustomers = await compareCustomers(known, host, { began, ended });
  await world.killHost();
  const ledger = readLedger(world.ledgerFile);
  const findings = [
    ...known.findings,
    ...ofCustomers,
    ...compareOrders(known, ledger, await readBook(world)),
  ];
  return {
    ...{ hostKills: kills.host, databaseKills: kills.database },
    ...{ requests: known.requests, acknowledged: known.acknowledged },
    paid: ledger.filter(({ paid }) => paid).length,
    refunds: ledger.reduce((sum, { refunds }) => sum + refunds.length, 0),
    findings,
  };
}

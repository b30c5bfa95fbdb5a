import type { ChoiceSource } from "@tillkit/simulation/choice-source";
import type { HostConnection } from "./host-connection.js";
import type { RunningHost, CrashEnvironment } from "./crash-environment.js";

const MINUTE = 60_000;

/** The moves of the clock after which every refund has ended and every unpaid order is closed. */
const REST: readonly number[] = [
  ...Array.from({ length: 5 }, () => MINUTE),
  ...Array.from({ length: 5 }, () => 10 * MINUTE),
  ...Array.from({ length: 4 }, () => 60 * MINUTE),
];

/** The context of a kill, and the counts of kills. */
export interface Killer {
  readonly system: CrashEnvironment;
  readonly line: HostConnection;
  readonly choices: ChoiceSource;
  readonly kills: { host: number; database: number };
}

/** Waits for real time, in milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Kills the host, the database server, or both, and restarts what died.
 *
 * @returns the host that runs afterwards.
 */
export async function killAndStart(
  { system, line, choices, kills }: Killer,
  host: RunningHost,
): Promise<RunningHost> {
  const { database } = system;
  const victims = database === undefined ? "host" : (["host", "database", "both"] as const)[choices.next(3)];
  const hostDies = victims !== "database";
  if (hostDies) line.connect(undefined);
  const kill = async () => {
    kills.host += 1;
    await system.killHost();
  };
  await Promise.all([hostDies ? kill() : undefined, victims === "host" ? undefined : database?.kill()]);
  if (victims !== "host") {
    kills.database += 1;
    await pause(choices.next(200));
    await database?.start();
  }
  if (!hostDies) return host;
  // Sometimes the host dies while it starts.
  if (choices.next(6) === 0) {
    const started = system.startHost().catch(() => undefined);
    await pause(choices.next(3_000));
    await kill();
    await started;
  }
  const next = await system.startHost();
  line.connect(next);
  return next;
}

/** Moves the clock until nothing is in progress. Returns the new time in epoch milliseconds. */
export async function quiesce(system: CrashEnvironment, host: RunningHost): Promise<number> {
  let now = 0;
  for (const ms of REST) now = await system.advance(host, ms);
  return now;
}

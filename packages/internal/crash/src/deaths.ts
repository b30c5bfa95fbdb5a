import type { Tape } from "@tillkit/simulation/tape";
import type { Line } from "./line-to-host.js";
import type { RunningHost, World } from "./world.js";

const MINUTE = 60_000;

/** The moves of time after which nothing is under way any more: refunds are pursued, what nobody paid is closed. */
const REST: readonly number[] = [
  ...Array.from({ length: 5 }, () => MINUTE),
  ...Array.from({ length: 5 }, () => 10 * MINUTE),
  ...Array.from({ length: 4 }, () => 60 * MINUTE),
];

/** Who kills, and counts it. */
export interface Killer {
  readonly world: World;
  readonly line: Line;
  readonly choices: Tape;
  readonly kills: { host: number; database: number };
}

/** Takes some milliseconds of real time. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Kills the host, the database server, or both, and starts again what died. Gives the host that then runs. */
export async function killAndStart(
  { world, line, choices, kills }: Killer,
  host: RunningHost,
): Promise<RunningHost> {
  const { database } = world;
  const victims = database === undefined ? "host" : (["host", "database", "both"] as const)[choices.next(3)];
  const hostDies = victims !== "database";
  if (hostDies) line.connect(undefined);
  const kill = async () => {
    kills.host += 1;
    await world.killHost();
  };
  await Promise.all([hostDies ? kill() : undefined, victims === "host" ? undefined : database?.kill()]);
  if (victims !== "host") {
    kills.database += 1;
    await pause(choices.next(200));
    await database?.start();
  }
  if (!hostDies) return host;
  // Now and then it dies while it starts.
  if (choices.next(6) === 0) {
    const started = world.startHost().catch(() => undefined);
    await pause(choices.next(3_000));
    await kill();
    await started;
  }
  const next = await world.startHost();
  line.connect(next);
  return next;
}

/** Lets time pass until nothing is under way. Gives the time it is then. */
export async function comeToRest(world: World, host: RunningHost): Promise<number> {
  let now = 0;
  for (const ms of REST) now = await world.advance(host, ms);
  return now;
}

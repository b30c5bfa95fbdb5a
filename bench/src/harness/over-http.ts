import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { type Load, loadResult, sample } from "../load/load.js";
import type { Contestant, Role, Round } from "./row.js";
import { startProgram } from "./start-program.js";

/** A contestant that serves HTTP from its own process. */
export interface OverHttp {
  readonly name: string;
  readonly role: Role;
  /** The module that serves by calling `runAsServer`. */
  readonly program: URL;
  readonly facts: unknown;
  readonly load: Load;
  /** Extracts the part of an answer that contestants must share. Defaults to the whole body. */
  readonly essence?: (body: unknown) => unknown;
  /** Node options for the server, such as those of a profile. */
  readonly nodeOptions?: readonly string[];
}

/**
 * The limit for longer rounds, in milliseconds.
 *
 * A round without an answer is repeated at twice its length.
 */
const LONGEST_MS = 20_000;
/**
 * How to wait until a server is idle.
 *
 * `everyMs` is the interval of the checks, `cpu` the microseconds of processor time per interval
 * that count as idle, and `patienceMs` the longest wait.
 */
const IDLE = { everyMs: 40, cpu: 2_000, patienceMs: 20_000 } as const;

const reportSchema = z.object({ port: z.int() });
const usage = z.object({ cpu: z.number(), rss: z.number() });

/** Starts the server and a load generator, each in its own process. */
export async function overHttp(options: OverHttp): Promise<Contestant> {
  const { name, role, program, facts, load, essence = (body: unknown) => body } = options;
  const server = await startProgram(program, facts, options.nodeOptions);
  const { port } = reportSchema.parse(server.reported);
  const run = randomBytes(4).toString("hex");
  const generator = await startProgram(new URL("../load/load-program.ts", import.meta.url), {
    load,
    port,
    run,
  }).catch(async (thrown: unknown) => {
    await server.close();
    throw thrown;
  });
  const usageNow = async () => usage.parse(await server.ask("usage"));
  const play = async (ms: number): Promise<Round> => {
    const before = await usageNow();
    const result = loadResult.nullable().parse(await generator.ask({ ms }));
    const { cpu, rss } = await usageNow();
    await untilIdle(usageNow);
    if (result !== null) {
      const { works, ...seen } = result;
      return { ...seen, cpu: (cpu - before.cpu) / works, rss };
    }
    if (ms > LONGEST_MS) throw new Error(`${name} sent no response within ${ms} ms.`);
    return play(ms * 2);
  };
  let answer: Promise<unknown> | undefined;
  const ask = async () => {
    const { status, body } = sample.parse(await generator.ask("sample"));
    return { status, body: essence(body) };
  };
  return {
    name,
    role,
    play,
    // Always returns the answer of the first operation.
    answer: () => (answer ??= ask()),
    close: async () => {
      await generator.close();
      await server.close();
    },
  };
}

/**
 * Waits until the server is idle.
 *
 * It may still process requests of disconnected clients, which would slow the next contestant.
 */
async function untilIdle(usageNow: () => Promise<z.infer<typeof usage>>): Promise<void> {
  let { cpu } = await usageNow();
  for (let waited = 0; waited < IDLE.patienceMs; waited += IDLE.everyMs) {
    await pause(IDLE.everyMs);
    const now = await usageNow();
    if (now.cpu - cpu < IDLE.cpu) return;
    cpu = now.cpu;
  }
}

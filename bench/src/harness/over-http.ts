import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { type Load, loadResult, sample, type workItem } from "../load/load.js";
import type { Usage } from "./proc.js";
import type { Role, Round } from "./row.js";
import { startProgram } from "./start-program.js";
import type { TakingContestant } from "./supplied.js";

/** What a load generator requests of a contestant. */
export interface UnderLoad {
  readonly name: string;
  readonly role: Role;
  readonly load: Load;
  /** Extracts the part of an answer that contestants must share. Defaults to the whole body. */
  readonly essence?: (body: unknown) => unknown;
}

/** A server that runs in its own process. */
export interface ServerProgram {
  /** The module that serves by calling `runAsServer`. */
  readonly program: URL;
  readonly facts: unknown;
  /** Node options for the server, such as those of a profile. */
  readonly nodeOptions?: readonly string[];
}

/** A contestant that serves HTTP from its own process. */
export type OverHttp = UnderLoad & ServerProgram;

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
const IDLE = { everyMs: 20, cpu: 1_000, patienceMs: 20_000 } as const;

const reportSchema = z.object({ port: z.int() });
const usage = z.object({ cpu: z.number(), rss: z.number() });

/** A running server, for a load generator. */
export interface RunningServer {
  readonly port: number;
  /** Resolves with the usage of all processes of the server. */
  readonly usage: () => Promise<Usage>;
  /** Resolves with the processor time of the database so far, in microseconds. */
  readonly databaseCpu?: () => Promise<number>;
  /** Resolves with the number of database connections of the server. */
  readonly connections?: () => Promise<number>;
  readonly close: () => Promise<void>;
}

/** A contestant that a load generator requests. */
export interface LoadedContestant extends TakingContestant {
  /** Adds items to those of the load. */
  readonly add: (items: readonly z.infer<typeof workItem>[]) => Promise<void>;
}

/** Starts the server and a load generator, each in its own process. */
export async function overHttp(options: OverHttp): Promise<LoadedContestant> {
  return underLoad(options, await startServer(options));
}

/** Starts a server in its own process. */
export async function startServer({ program, facts, nodeOptions }: ServerProgram): Promise<RunningServer> {
  const { ask, close, reported } = await startProgram(program, facts, nodeOptions);
  const { port } = reportSchema.parse(reported);
  return { port, usage: async () => usage.parse(await ask("usage")), close };
}

/** Starts a load generator for a server, and makes a contestant of both. */
export async function underLoad(options: UnderLoad, server: RunningServer): Promise<LoadedContestant> {
  const { name, role, load, essence = (body: unknown) => body } = options;
  const { port, usage: usageNow, databaseCpu, connections } = server;
  const run = randomBytes(4).toString("hex");
  const generator = await startProgram(new URL("../load/load-program.ts", import.meta.url), {
    load,
    port,
    run,
  }).catch(async (thrown: unknown) => {
    await server.close();
    throw thrown;
  });
  const play = async (ms: number): Promise<Round> => {
    const before = await usageNow();
    const databaseBefore = await databaseCpu?.();
    const result = loadResult.nullable().parse(await generator.ask({ ms }));
    const { cpu, rss } = await usageNow();
    const databaseAfter = await databaseCpu?.();
    const opened = await connections?.();
    await untilIdle(usageNow);
    if (result !== null) {
      const { works, ...seen } = result;
      return {
        ...seen,
        cpu: (cpu - before.cpu) / works,
        rss,
        ...(databaseBefore === undefined || databaseAfter === undefined
          ? {}
          : { databaseCpu: (databaseAfter - databaseBefore) / works }),
        ...(opened === undefined ? {} : { connections: opened }),
      };
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
    taken: async () => z.int().parse(await generator.ask("taken")),
    add: async (items) => {
      await generator.ask({ items });
    },
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
async function untilIdle(usageNow: () => Promise<Usage>): Promise<void> {
  let { cpu } = await usageNow();
  for (let waited = 0; waited < IDLE.patienceMs; waited += IDLE.everyMs) {
    await pause(IDLE.everyMs);
    const now = await usageNow();
    if (now.cpu - cpu < IDLE.cpu) return;
    cpu = now.cpu;
  }
}

import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { type Load, loadResult, sample } from "../load/load.js";
import type { Contestant, Role, Round } from "./row.js";
import { startProgram } from "./start-program.js";

/** A contestant that serves HTTP from a process of its own. */
export interface OverHttp {
  readonly name: string;
  readonly role: Role;
  /** The module that serves, by way of `beServer`. */
  readonly program: URL;
  readonly facts: unknown;
  readonly load: Load;
  /** What of an answer contestants have in common; the whole body unless told. */
  readonly essence?: (body: unknown) => unknown;
  /** Options for the server's Node, such as those of a profile. */
  readonly nodeOptions?: readonly string[];
}

/** A round of a slow server on a busy machine is made longer, up to this. */
const LONGEST_MS = 20_000;
/** How often a server is looked at, the microseconds of processor time that are nothing, and how long it may take until there is no more. */
const IDLE = { everyMs: 40, cpu: 2_000, patienceMs: 20_000 } as const;

const said = z.object({ port: z.int() });
const usage = z.object({ cpu: z.number(), rss: z.number() });

/** Starts the server and a load generator, each in a process of its own. */
export async function overHttp(options: OverHttp): Promise<Contestant> {
  const { name, role, program, facts, load, essence = (body: unknown) => body } = options;
  const server = await startProgram(program, facts, options.nodeOptions);
  const { port } = said.parse(server.said);
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
    if (ms > LONGEST_MS) throw new Error(`${name} answered nothing within ${ms} ms.`);
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
    // That of the first work, however often it is asked for.
    answer: () => (answer ??= ask()),
    close: async () => {
      await generator.close();
      await server.close();
    },
  };
}

/** A server goes on with what it was asked last when its clients have gone: the next contestant shall not pay for that. */
async function untilIdle(usageNow: () => Promise<z.infer<typeof usage>>): Promise<void> {
  let { cpu } = await usageNow();
  for (let waited = 0; waited < IDLE.patienceMs; waited += IDLE.everyMs) {
    await pause(IDLE.everyMs);
    const now = await usageNow();
    if (now.cpu - cpu < IDLE.cpu) return;
    cpu = now.cpu;
  }
}

import { randomBytes } from "node:crypto";
import { z } from "zod";
import { type Load, loadResult, sample } from "../load/load.js";
import type { Contestant, Role } from "./row.js";
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
  let answer: Promise<unknown> | undefined;
  const ask = async () => {
    const { status, body } = sample.parse(await generator.ask("sample"));
    return { status, body: essence(body) };
  };
  return {
    name,
    role,
    play: async (ms) => {
      const before = await usageNow();
      const { works, ...seen } = loadResult.parse(await generator.ask({ ms }));
      const { cpu, rss } = await usageNow();
      return { ...seen, cpu: (cpu - before.cpu) / works, rss };
    },
    // That of the first work, however often it is asked for.
    answer: () => (answer ??= ask()),
    close: async () => {
      await generator.close();
      await server.close();
    },
  };
}

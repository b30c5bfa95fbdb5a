import { z } from "zod";
import type { Contestant, Role } from "./row.js";
import { startProgram } from "./start-program.js";

const seen = z.object({
  perSecond: z.number(),
  p50: z.number(),
  p99: z.number(),
  cpu: z.number(),
  rss: z.number(),
});

/** A contestant that needs no load generator: a program that works when it is told for how long. */
export async function ownProgram(options: {
  readonly name: string;
  readonly role: Role;
  readonly program: URL;
  readonly facts: unknown;
}): Promise<Contestant> {
  const { name, role, program, facts } = options;
  const { ask, close } = await startProgram(program, facts);
  return { name, role, play: async (ms) => seen.parse(await ask({ ms })), close };
}

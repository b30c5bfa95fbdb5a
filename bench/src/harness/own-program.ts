import { z } from "zod";
import type { Role } from "./row.js";
import { startProgram } from "./start-program.js";
import type { TakingContestant } from "./supplied.js";

const seen = z.object({
  perSecond: z.number(),
  p50: z.number(),
  p99: z.number(),
  cpu: z.number(),
  rss: z.number(),
});

/** Creates a contestant that needs no load generator: a program that runs for a given time. */
export async function ownProgram(options: {
  readonly name: string;
  readonly role: Role;
  readonly program: URL;
  readonly facts: unknown;
}): Promise<TakingContestant> {
  const { name, role, program, facts } = options;
  const { ask, close } = await startProgram(program, facts);
  return {
    name,
    role,
    play: async (ms) => seen.parse(await ask({ ms })),
    taken: async () => z.int().parse(await ask("taken")),
    close,
  };
}

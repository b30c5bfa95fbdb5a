import type { z } from "zod";
import type { databaseWork } from "../servers/database-work.js";
import { ownProgram } from "./own-program.js";
import type { TakingContestant } from "./supplied.js";

/**
 * Creates the upper limit of a row's speed: the same statements on the database, without a server.
 */
export function databaseAlone(name: string, facts: z.input<typeof databaseWork>): Promise<TakingContestant> {
  const program = new URL("../servers/database-alone.ts", import.meta.url);
  return ownProgram({ name, role: "limit", program, facts });
}

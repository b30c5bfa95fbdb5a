import { z } from "zod";

/** What `database-alone.ts` is told: the statements of a work, each a transaction of its own and sent when the one before is answered. */
export const databaseWork = z.object({
  databaseUrl: z.string(),
  /** Connections to the database; statements are sent on one without waiting for those of other works. */
  connections: z.int().min(1),
  /** As in a `Load`. */
  among: z.int().min(1).optional(),
  /** Each gives or changes `rows` rows; in values `{n}` stands for the number of the work. */
  steps: z.array(z.object({ text: z.string(), values: z.array(z.string()), rows: z.int().default(1) })),
  /** A signature that is checked before each work. */
  check: z.object({ publicKey: z.string(), text: z.string(), signature: z.string() }).optional(),
});

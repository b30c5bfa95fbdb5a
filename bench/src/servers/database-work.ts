import { z } from "zod";

/**
 * The facts for `database-alone.ts`: the statements of an operation.
 *
 * Each statement is its own transaction and is sent after the previous answer.
 */
export const databaseWork = z.object({
  databaseUrl: z.string(),
  /** Connections to the database. Each pipelines the statements of several operations. */
  connections: z.int().min(1),
  /** As in a `Load`. */
  among: z.int().min(1).optional(),
  /**
   * Each statement returns or changes `rows` rows. In values, `{n}` is the number of the operation.
   */
  steps: z.array(z.object({ text: z.string(), values: z.array(z.string()), rows: z.int().default(1) })),
  /**
   * Whether the operations of one turn of the event loop share one execution of each statement.
   *
   * `$1` is then a JSON array with the `values` of each operation, as an object with the members
   * `v0`, `v1` and so on. The statement returns or changes `rows` rows for each operation.
   */
  batched: z.boolean().default(false),
  /** A signature that is verified before each operation. */
  check: z.object({ publicKey: z.string(), text: z.string(), signature: z.string() }).optional(),
});

import { z } from "zod";

const compared = { ours: z.string().exactOptional(), than: z.string() };

/**
 * The schema of a target for Tillkit.
 *
 * `ours` names the contestant that must reach the target. It defaults to the first of the row.
 * `than` names the contestant that `ours` is compared with.
 */
export const target = z.discriminatedUnion("kind", [
  /**
   * Operations per second of `ours`, as a multiple of the operations of `than`.
   *
   * The target is also met if the median is at least `orPerSecond`, which depends on the machine.
   */
  z.object({
    kind: z.literal("speed"),
    ...compared,
    atLeast: z.number(),
    orPerSecond: z.number().exactOptional(),
  }),
  /** The median or 99th percentile of the response time, as a multiple of the time of `than`. */
  z.object({ kind: z.enum(["p50", "p99"]), ...compared, atMost: z.number() }),
  /** Processor time per operation, as a multiple of the time of `than`. */
  z.object({ kind: z.literal("cpu"), ...compared, atMost: z.number() }),
  /** Processor time of the database per operation, as a multiple of the time for `than`. */
  z.object({ kind: z.literal("database-cpu"), ...compared, atMost: z.number() }),
  /** Processor time of `than` per operation, as a multiple of the time of `ours`. */
  z.object({ kind: z.literal("less-cpu"), ...compared, atLeast: z.number() }),
  /** How much the median response time may exceed that of `than`, in milliseconds. */
  z.object({ kind: z.literal("added-ms"), ...compared, atMost: z.number() }),
  /** How much processor time per operation may exceed that of `than`, in microseconds. */
  z.object({ kind: z.literal("added-cpu"), ...compared, atMost: z.number() }),
  /**
   * Memory in the second half of the rounds, as a multiple of that in the first half.
   *
   * Variation by the garbage collector does not count as growth.
   */
  z.object({ kind: z.literal("memory"), ours: z.string().exactOptional(), atMost: z.number() }),
  /** Megabytes of memory at the end of a round, the larger median of both halves of the rounds. */
  z.object({ kind: z.literal("megabytes"), ours: z.string().exactOptional(), atMost: z.number() }),
  /** A value that is counted, not measured. */
  z.object({ kind: z.literal("count"), what: z.string(), is: z.number(), atMost: z.number() }),
]);

/** A target for Tillkit. */
export type Target = z.infer<typeof target>;

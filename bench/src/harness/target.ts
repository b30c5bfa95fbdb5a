import { z } from "zod";

const compared = { ours: z.string().exactOptional(), than: z.string() };

/** What ours has to reach. `ours` names the contestant that has to, the first of the row unless told; `than` the one it is compared with. */
export const target = z.discriminatedUnion("kind", [
  /** Works a second, as a multiple of the other's. */
  z.object({ kind: z.literal("speed"), ...compared, atLeast: z.number() }),
  /** Half of its works, or 99 in 100 of them, take at most this multiple of the other's time. */
  z.object({ kind: z.enum(["p50", "p99"]), ...compared, atMost: z.number() }),
  /** Milliseconds that half of its works take longer than the other's at most. */
  z.object({ kind: z.literal("added-ms"), ...compared, atMost: z.number() }),
  /** Microseconds of processor time that a work costs more than the other's at most. */
  z.object({ kind: z.literal("added-cpu"), ...compared, atMost: z.number() }),
  /** Memory in the second half of its rounds, as a multiple of that in the first: what goes up and down with the collector is no growth. */
  z.object({ kind: z.literal("memory"), ours: z.string().exactOptional(), atMost: z.number() }),
  /** Something that is counted and not measured. */
  z.object({ kind: z.literal("count"), what: z.string(), is: z.number(), atMost: z.number() }),
]);

/** What ours has to reach. */
export type Target = z.infer<typeof target>;

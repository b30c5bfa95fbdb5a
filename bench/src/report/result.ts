import { z } from "zod";
import { target } from "../harness/target.js";

const played = z.object({
  name: z.string(),
  role: z.enum(["ours", "alternative", "limit"]),
  rounds: z
    .array(
      z.object({
        perSecond: z.number(),
        p50: z.number(),
        p99: z.number(),
        cpu: z.number().exactOptional(),
        rss: z.number().exactOptional(),
      }),
    )
    .readonly(),
});

/** The schema of a row's result file. */
export const result = z.object({
  name: z.string(),
  work: z.string(),
  targets: z.array(target).readonly(),
  played: z.array(played).readonly(),
  /** The date; the next fields are the circumstances of the measurement. */
  date: z.string(),
  machine: z.string(),
  versions: z.string(),
  command: z.string(),
});

/** The result of a row. */
export type RowResult = z.infer<typeof result>;

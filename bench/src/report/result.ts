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
        databaseCpu: z.number().exactOptional(),
        connections: z.number().exactOptional(),
        rss: z.number().exactOptional(),
      }),
    )
    .readonly(),
});

const counts = z.object({
  title: z.string(),
  lines: z.array(z.object({ name: z.string(), count: z.number() })).readonly(),
});

const noise = z.object({
  /** The start of the run. All rows of one run have the same value. */
  run: z.string(),
  /** Microseconds per RSA-2048 signature, one sample before each round. */
  signatureUs: z.array(z.number()).readonly(),
  /** The load average of the machine over a minute, at the start and at the end of the row. */
  load: z.tuple([z.number(), z.number()]).readonly(),
});

/** The noise of the machine during a row. */
export type RowNoise = z.infer<typeof noise>;

/** The schema of a row's result file. */
export const result = z.object({
  name: z.string(),
  work: z.string(),
  targets: z.array(target).readonly(),
  counts: counts.exactOptional(),
  played: z.array(played).readonly(),
  /** The noise of the machine during the row. */
  noise: noise.exactOptional(),
  /** The date; the next fields are the circumstances of the measurement. */
  date: z.string(),
  machine: z.string(),
  versions: z.string(),
  command: z.string(),
});

/** The result of a row. */
export type RowResult = z.infer<typeof result>;

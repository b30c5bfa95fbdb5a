import { z } from "zod";

const step = z.object({
  method: z.enum(["GET", "POST"]),
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().optional(),
});

/** Connections of a host under load: those of most rows. */
export const CONNECTIONS = 64;

/**
 * The works a load generator asks of a server, as data, because it runs in a process of its own. Paths, headers and bodies have places: `{n}` for the
 * number of the work, `{n8}` for its eight digits, `{customer}` for the number of its customer, `{run}` for a word that no other generator has,
 * `{kept}` for what the header `x-bench-keep` of the step before said, and any other name for that of the work's item.
 */
export const load = z.object({
  connections: z.int().min(1),
  /** Numbers are drawn from 1 to this, all over; without it they count up and none comes twice. */
  among: z.int().min(1).optional(),
  /** So many customers take turns: the first has works 1, 1 + customers and so on. Without it each work has one of its own. */
  customers: z.int().min(1).optional(),
  /** What the first work is about, the second and so on. A work beyond the last is an error. */
  items: z.array(z.record(z.string(), z.string())).optional(),
  /** What a customer does in one work: requests, each sent when the one before is answered. */
  steps: z.array(step).min(1),
  /** A text that every right answer has in it. */
  expects: z.string(),
});

/** One request. */
export type Step = z.infer<typeof step>;
/** What a load generator asks of a server. */
export type Load = z.infer<typeof load>;

/** What a load generator is told at its start. */
export const loadFacts = z.object({ load, port: z.int(), run: z.string() });

/** What a load generator saw in one round; it says `null` when nothing was answered. */
export const loadResult = z.object({
  perSecond: z.number(),
  p50: z.number(),
  p99: z.number(),
  works: z.number(),
});

/** The status and the body of an answer; the value where the body is JSON. */
export const sample = z.object({ status: z.number(), body: z.unknown() });

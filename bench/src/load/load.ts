import { z } from "zod";

const step = z.object({
  method: z.enum(["GET", "POST"]),
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().optional(),
});

/** The values of an operation that can be done once, by the names of their placeholders. */
export const workItem = z.record(z.string(), z.string());

/** The number of connections in most rows. */
export const CONNECTIONS = 64;

/**
 * The schema of the operations that a load generator requests. The load generator runs in its own
 * process.
 *
 * Paths, headers and bodies may contain placeholders:
 *
 * - `{n}`: the number of the operation; `{n8}`: the same with eight digits.
 * - `{customer}`: the number of its customer.
 * - `{run}`: a text that is unique to the generator.
 * - `{kept}`: the value of the header `x-bench-keep` in the previous response.
 * - Any other name: the value with that name in the operation's item.
 */
export const load = z.object({
  connections: z.int().min(1),
  /** Spreads the numbers over 1 to this limit. Without it they count up and never repeat. */
  among: z.int().min(1).optional(),
  /**
   * The number of customers, who take turns: the first has operations 1, 1 + customers and so on.
   *
   * Without it each operation has its own customer.
   */
  customers: z.int().min(1).optional(),
  /**
   * The items of the operations, in order. An operation beyond the last item is an error.
   *
   * A row may add items between its rounds.
   */
  items: z.array(workItem).optional(),
  /** The requests of one operation, each sent after the previous response. */
  steps: z.array(step).min(1),
  /** A text that every correct response contains. */
  expects: z.string(),
});

/** One request. */
export type LoadStep = z.infer<typeof step>;
/** The operations that a load generator requests of a server. */
export type Load = z.infer<typeof load>;

/** The facts that a load generator receives at its start. */
export const loadFacts = z.object({ load, port: z.int(), run: z.string() });

/** The measurement of one round. The load generator returns `null` if nothing was answered. */
export const loadResult = z.object({
  perSecond: z.number(),
  p50: z.number(),
  p99: z.number(),
  works: z.number(),
});

/** The status and the body of an answer. A JSON body is parsed. */
export const sample = z.object({ status: z.number(), body: z.unknown() });

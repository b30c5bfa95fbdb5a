import { ERROR_CATALOG } from "@tillkit/core/errors";
import { z } from "zod";

/** A response of a host, or the reason why there was none. */
export type Outcome = { readonly status: number; readonly body: string } | { readonly problem: string };

/** The requests of a run, counted by the load balancer. */
export interface TrafficCounts {
  /** Counts one request that a host served, or did not serve. */
  count(host: string, request: string, outcome: Outcome, durationMs: number): void;
  readonly requests: number;
  /** The failed requests: each with its host, its path and what came back. */
  readonly failures: readonly string[];
  /** The longest request in milliseconds. */
  readonly longestMs: number;
  /** The number of requests of each host. */
  readonly byHost: ReadonlyMap<string, number>;
}

/** The code for a refund of an order whose previous refund has not ended. The caller waits. */
export const REFUND_IN_PROGRESS = ERROR_CATALOG["refund.in-progress"].code;
const RETRYABLE: ReadonlySet<number> = new Set(
  Object.values(ERROR_CATALOG)
    .filter(({ retryable, code }) => retryable && code !== REFUND_IN_PROGRESS)
    .map(({ code }) => code),
);
const withCode = z.object({ code: z.int() });

/** Creates empty counts. */
export function newTrafficCounts(): TrafficCounts {
  const failures: string[] = [];
  const byHost = new Map<string, number>();
  let [requests, longestMs] = [0, 0];
  return {
    count: (host, request, outcome, durationMs) => {
      requests += 1;
      longestMs = Math.max(longestMs, durationMs);
      byHost.set(host, (byHost.get(host) ?? 0) + 1);
      const problem = failureOf(outcome);
      if (problem !== undefined) failures.push(`${host} ${request}: ${problem}`);
    },
    get requests() {
      return requests;
    },
    failures,
    get longestMs() {
      return longestMs;
    },
    byHost,
  };
}

/**
 * Returns why a request failed, or `undefined` if it did not fail.
 *
 * A request fails without a response, with a status of 500 or more, and with a code that asks the
 * caller to retry. An expected refusal, such as a used-up limit of codes, is no failure.
 */
export function failureOf(outcome: Outcome): string | undefined {
  if ("problem" in outcome) return outcome.problem;
  const { status, body } = outcome;
  if (status >= 500) return `${String(status)} ${body}`;
  const code = withCode.safeParse(parsed(body)).data?.code;
  return code !== undefined && RETRYABLE.has(code) ? `${String(status)} ${body}` : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A response to a wallet is not always JSON.
    return undefined;
  }
}

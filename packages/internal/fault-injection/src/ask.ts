import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";

/** The outcome of a request: a code, an invalid response, or no response in time. */
export interface Outcome {
  readonly code: number | "wrong" | "hung";
  readonly ms: number;
}

/** Sends one request: a POST if there is a body, otherwise a GET. */
export type Ask = (path: string, body?: object) => Promise<Outcome>;

/**
 * Timeout in milliseconds after which a request counts as hung.
 *
 * It exceeds the host's storage deadline of 10 s plus its queue timeout of 1 s.
 */
const HUNG_AFTER = 15_000;
const envelope = z.object({ code: z.int() });

/**
 * The number of kept connections, as a load balancer has them.
 *
 * New connections would wait in the kernel, where the host cannot refuse them.
 */
export const CONNECTIONS = 128;

/** Creates a sender with the credentials of the prepared app. It never rejects. */
export function requesterOf(
  base: string,
  { appId, appSecret }: { readonly appId: string; readonly appSecret: string },
): Ask {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const headers = { APP_ID: appId, APP_SECRET: appSecret, "content-type": "application/json" };
  return async (path, body) => {
    const startedAt = performance.now();
    const signal = AbortSignal.timeout(HUNG_AFTER);
    try {
      const method = body === undefined ? "GET" : "POST";
      const answer = await new Promise<string>((resolve, reject) => {
        const sent = request(`${base}${path}`, { method, headers, signal, agent }, (response) => {
          text(response).then(resolve, reject);
        });
        sent.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
      });
      const read = envelope.safeParse(JSON.parse(answer));
      const ms = performance.now() - startedAt;
      return { code: read.success ? read.data.code : "wrong", ms };
    } catch {
      return { code: signal.aborted ? "hung" : "wrong", ms: performance.now() - startedAt };
    }
  };
}

/** Returns the request body of a purchase. */
export function purchase(bizNo: string, changes: object = {}): object {
  const terms = { customerIdentity: "user-1", amount: 600, goodsTitle: "One month", payChannel: "WALLET_B" };
  return { bizNo, ...terms, ...changes };
}

/** Returns the path that reads a purchase. */
export function detailOf(bizNo: string): string {
  return `/detail.json?bizNo=${bizNo}&customerIdentity=user-1`;
}

import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";

/** How a request ended: with a code, with something that is no answer of the service, or not at all. */
export interface Outcome {
  readonly code: number | "wrong" | "hung";
  readonly ms: number;
}

/** Sends one request: a GET, or a POST when there is a body. */
export type Ask = (path: string, body?: object) => Promise<Outcome>;

/** The host gives up on storage after 10 s, and nobody waits for more than a second before. After this a request counts as hung. */
const HUNG_AFTER = 15_000;
const envelope = z.object({ code: z.int() });

/** Connections that are kept, as a load balancer keeps them. A flood of new ones would wait in the kernel, where no host can refuse them. */
export const CONNECTIONS = 128;

/** Asks as the prepared app. Never rejects. */
export function askerOf(
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

/** A purchase under the number `bizNo`. */
export function purchase(bizNo: string, changes: object = {}): object {
  const terms = { customerIdentity: "user-1", amount: 600, goodsTitle: "One month", payChannel: "WALLET_B" };
  return { bizNo, ...terms, ...changes };
}

/** The path that reads the purchase `bizNo`. */
export function detailOf(bizNo: string): string {
  return `/detail.json?bizNo=${bizNo}&customerIdentity=user-1`;
}

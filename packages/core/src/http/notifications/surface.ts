import { PAY_CHANNELS } from "../../pay-tools/pay-tool.js";
import type { Ports } from "../../ports.js";
import { newTraceId } from "../../shared/random.js";
import { type NotificationAddress, takeNotification } from "../../wallets/take-notification.js";
import type { HttpReply, RefusingSurface } from "../request.js";
import { returnPage } from "./return-page.js";

/** Where the wallets report, and where WALLET_B sends a browser after a payment. Mounted under `ports.notificationsUrl`. */
export const notificationRoutes = [
  { method: "POST", path: "/notify/{payChannel}/{payToolId}/{orderRef}" },
  { method: "GET", path: "/return/{payChannel}" },
] as const;

/**
 * The endpoints on which the wallets call us. They take no app headers: a wallet's signature over the raw bytes is the authentication, and what it demands is the
 * answer. Every other path is left to the host.
 */
export function notificationsSurface(ports: Ports): RefusingSurface {
  return {
    name: "notifications",
    maxRequestBytes: ports.policy.maxRequestBytes,
    owns: (method, path) => addressOf(method, path) !== undefined || isReturn(method, path),
    async handle({ method, path, headers, body }): Promise<HttpReply> {
      const address = addressOf(method, path);
      if (address === undefined) return returnPage();
      const taken =
        body !== "too-large" && (await takeNotification(ports, address, { headers, body })).isOk();
      return answerOf(ports, address, taken);
    },
    senderOf: ({ method, path }) => addressOf(method, path)?.payToolId ?? "",
    refuse({ method, path }, retryAfter) {
      const address = addressOf(method, path);
      // The page costs less than another one that says no.
      if (address === undefined) return returnPage();
      const { headers, body } = answerOf(ports, address, false);
      const more = { "retry-after": retryAfter, "x-trace-id": newTraceId(ports.random) };
      // Every status but 2xx makes both wallets come again; this one says whose fault it is.
      return { status: 503, headers: { ...headers, ...more }, body };
    },
  };
}

function answerOf({ wallets }: Ports, { payChannel }: NotificationAddress, taken: boolean): HttpReply {
  const { status, contentType, body } = wallets[payChannel].answer(taken);
  return { status, headers: { "content-type": contentType }, body };
}

function addressOf(method: string, path: string): NotificationAddress | undefined {
  const match = /^\/notify\/([A-Z_]+)\/([0-9A-Za-z_-]{1,64})\/([0-9A-Za-z_-]+)$/.exec(path);
  const [, name, payToolId, orderRef] = match ?? [];
  const payChannel = PAY_CHANNELS.find((channel) => channel === name);
  if (method !== "POST" || payChannel === undefined) return undefined;
  return payToolId === undefined || orderRef === undefined ? undefined : { payChannel, payToolId, orderRef };
}

function isReturn(method: string, path: string): boolean {
  return method === "GET" && PAY_CHANNELS.some((channel) => path === `/return/${channel}`);
}

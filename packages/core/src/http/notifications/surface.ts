import { PAY_CHANNELS, type PayChannel } from "../../pay-tools/pay-tool.js";
import type { Ports } from "../../ports.js";
import { takeNotification } from "../../wallets/take-notification.js";
import type { HttpReply, Surface } from "../request.js";
import { returnPage } from "./return-page.js";

/** Where the wallets report, and where WALLET_B sends a browser after a payment. Mounted under `ports.notificationsUrl`. */
export const notificationRoutes = [
  { method: "POST", path: "/notify/{payChannel}/{payToolId}/{orderRef}" },
  { method: "GET", path: "/return/{payChannel}" },
] as const;

const NOTIFY = /^\/notify\/([A-Z_]+)\/([0-9A-Za-z_-]{1,64})\/([0-9A-Za-z_-]+)$/;
const RETURN = /^\/return\/([A-Z_]+)$/;

/**
 * The endpoints on which the wallets call us. They take no app headers: a wallet's signature over the raw bytes is the authentication, and what it demands is the
 * answer. Every other path is left to the host.
 */
export function notificationsSurface(ports: Ports): Surface {
  return {
    maxRequestBytes: ports.policy.maxRequestBytes,
    owns: (method, path) =>
      (method === "POST" && channelOf(NOTIFY, path) !== undefined) ||
      (method === "GET" && channelOf(RETURN, path) !== undefined),
    async handle({ method, path, headers, body }): Promise<HttpReply> {
      if (method === "GET") return returnPage();
      const payChannel = channelOf(NOTIFY, path) ?? "WALLET_A";
      const [, , payToolId = "", orderRef = ""] = NOTIFY.exec(path) ?? [];
      const taken =
        body !== "too-large" &&
        (await takeNotification(ports, { payChannel, payToolId, orderRef }, { headers, body })).isOk();
      const { status, contentType, body: text } = ports.wallets[payChannel].answer(taken);
      return { status, headers: { "content-type": contentType }, body: text };
    },
  };
}

function channelOf(pattern: RegExp, path: string): PayChannel | undefined {
  const name = pattern.exec(path)?.[1];
  return PAY_CHANNELS.find((channel) => channel === name);
}

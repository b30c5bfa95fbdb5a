import { eventHandler, type EventHandler, type OrderEvent } from "@tillkit/core";
import { Webhook } from "standardwebhooks";

/** Where webhooks are sent, and how they are signed. */
export interface WebhookTarget {
  readonly url: string;
  /** The secret that sender and receiver share: base64 with the prefix `whsec_`. */
  readonly secret: string;
}

/**
 * Creates an event handler that posts each event to the target.
 *
 * A request that fails or is not answered with 2xx fails the attempt. Tillkit repeats it later.
 */
export function webhookHandler({ url, secret }: WebhookTarget): EventHandler {
  const webhook = new Webhook(secret);
  return eventHandler({
    name: "webhooks",
    types: ["order.paid", "order.closed", "order.refunded", "refund.confirmed", "refund.failed"],
    handle: async (event, { signal }) => {
      const body = bodyOf(event);
      const now = new Date();
      const headers = {
        "content-type": "application/json",
        "webhook-id": event.id,
        "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
        "webhook-signature": webhook.sign(event.id, now, body),
      };
      const response = await fetch(url, { method: "POST", headers, body, signal, redirect: "error" });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`The receiver answered with ${String(response.status)}.`);
    },
  });
}

/** Returns what leaves the host: only what the receiver needs in order to verify the order. */
function bodyOf({ type, at, bizNo, appId }: OrderEvent): string {
  return JSON.stringify({ type, timestamp: new Date(at).toISOString(), data: { appId, bizNo } });
}

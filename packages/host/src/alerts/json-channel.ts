import { createHmac } from "node:crypto";
import type { AlertChannel } from "@tillkit/core";
import { type ChannelOptions, failureOfStatus, webhookChannel } from "./webhook.js";

/** The options of {@link jsonChannel}. */
export interface JsonChannelOptions extends ChannelOptions {
  /** The secret that both sides share: `whsec_` and base64 of 24 to 64 bytes. */
  readonly secret: string;
}

/**
 * Creates an alert channel to a receiver of your own, which gets each message as signed JSON.
 *
 * The body is an `AlertMessage`. The headers `webhook-id`, `webhook-timestamp` and
 * `webhook-signature` follow Standard Webhooks, so a receiver can verify them with a library. A
 * repeated message has the same id. The receiver must answer with a 2xx status.
 *
 * @returns the channel, for the option `alerts` of {@link createTillkit}.
 * @throws TypeError if an option is not usable. The message contains no value.
 * @example
 * ```ts
 * import { jsonChannel } from "@tillkit/host";
 *
 * const channel = jsonChannel({ url: "https://ops.example.com/tillkit", secret: "whsec_…" });
 * ```
 * @see {@link https://www.standardwebhooks.com | Standard Webhooks}
 */
export function jsonChannel({ secret, ...options }: JsonChannelOptions): AlertChannel {
  const key = keyOf(secret);
  return webhookChannel(options, {
    service: "json",
    language: "en",
    pauseMs: 1_000,
    secrets: [secret],
    request: (url, message) => {
      const body = JSON.stringify(message);
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const signature = createHmac("sha256", key)
        .update(`${message.id}.${timestamp}.${body}`)
        .digest("base64");
      const headers = {
        "webhook-id": message.id,
        "webhook-timestamp": timestamp,
        "webhook-signature": `v1,${signature}`,
      };
      return { url, body, headers };
    },
    failureOf: (answer) =>
      answer.status >= 200 && answer.status < 300 ? undefined : failureOfStatus(answer),
  });
}

function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  if (!secret.startsWith("whsec_") || key.length < 24 || key.length > 64)
    throw new TypeError("The secret of a JSON channel must be whsec_ and base64 of 24 to 64 bytes.");
  return key;
}

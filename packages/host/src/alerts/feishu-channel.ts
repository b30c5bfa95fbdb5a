import { createHmac } from "node:crypto";
import type { AlertChannel } from "@tillkit/core";
import { type ChannelOptions, failureOfCode, type ServiceCodes, textOf, webhookChannel } from "./webhook.js";

/** The options of {@link feishuChannel}. */
export interface FeishuOptions extends ChannelOptions {
  /** The secret of the robot, if its signature verification is on. */
  readonly secret?: string | undefined;
}

/**
 * Creates an alert channel to a group of Feishu or Lark, through a custom bot.
 *
 * Messages are in Chinese by default. The service accepts at most 100 messages a minute and 5 a
 * second from a bot. A request may have at most 20 KB.
 *
 * @returns the channel, for the option `alerts` of {@link createTillkit}.
 * @throws TypeError if an option is not usable. The message contains no value.
 * @example
 * ```ts
 * import { feishuChannel } from "@tillkit/host";
 *
 * const channel = feishuChannel({
 *   url: "https://open.feishu.cn/open-apis/bot/v2/hook/…",
 *   secret: "…",
 * });
 * ```
 * @see {@link https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot | Custom bot guide}
 */
export function feishuChannel({ secret, ...options }: FeishuOptions): AlertChannel {
  return webhookChannel(options, {
    service: "feishu",
    language: "zh",
    pauseMs: 1_000,
    secrets: [secret],
    request: (url, message) => {
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const content = { msg_type: "text", content: { text: textOf(message, 10_000) } };
      const signed = secret === undefined ? {} : { timestamp, sign: signatureOf(timestamp, secret) };
      return { url, body: JSON.stringify({ ...signed, ...content }) };
    },
    failureOf: (answer) => failureOfCode(answer, CODES),
  });
}

// The service uses the time and the secret as the key, and signs an empty text.
function signatureOf(timestamp: string, secret: string): string {
  return createHmac("sha256", `${timestamp}\n${secret}`).update("").digest("base64");
}

const BUSY = {
  retryAfterMs: 60_000,
  advice: "The bot sends too much, or the service is busy at full hours. Tillkit sends the message later.",
};
const ADVICE: Readonly<Record<number, string>> = {
  9499: "The service could not read the request. Check that the address is that of a custom bot.",
  19001: "No bot has this address. Copy the webhook address of the bot again.",
  19002: "The service could not read the request. Check that the address is that of a custom bot.",
  19021:
    "The signature is wrong. Copy the secret of the bot again, and check the clock of the host: it may be off by an hour at most.",
  19022: "The bot accepts only some IP addresses. Add that of the host in the settings of the bot.",
  19024: "The bot accepts only messages with its keyword. Add the keyword Tillkit in its settings.",
};
const CODES: ServiceCodes = {
  members: ["code", "msg"],
  later: { 11232: BUSY, 99991400: BUSY },
  adviceOf: (code) =>
    ADVICE[code] ?? "Look the code up in the guide of custom bots, and correct the bot in its group.",
};

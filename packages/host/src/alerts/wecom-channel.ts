import type { AlertChannel } from "@tillkit/core";
import { type ChannelOptions, failureOfCode, type ServiceCodes, textOf, webhookChannel } from "./webhook.js";

/**
 * Creates an alert channel to a group of WeCom (企业微信), through a group robot.
 *
 * Messages are in Chinese by default. WeCom accepts at most 20 messages a minute from a robot, with
 * at most 2,048 bytes of text each. The requests have no signature: the key in the address is the
 * only secret.
 *
 * @returns the channel, for the option `alerts` of {@link createTillkit}.
 * @throws TypeError if an option is not usable. The message contains no value.
 * @example
 * ```ts
 * import { wecomChannel } from "@tillkit/host";
 *
 * const channel = wecomChannel({ url: "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=…" });
 * ```
 * @see {@link https://developer.work.weixin.qq.com/document/path/91770 | Group robots}
 */
export function wecomChannel(options: ChannelOptions): AlertChannel {
  return webhookChannel(options, {
    service: "wecom",
    language: "zh",
    pauseMs: 4_000,
    request: (url, message) => ({
      url,
      body: JSON.stringify({ msgtype: "text", text: { content: textOf(message, 2_048) } }),
    }),
    failureOf: (answer) => failureOfCode(answer, CODES),
  });
}

const BUSY = {
  retryAfterMs: 60_000,
  advice: "The robot got more than 20 messages in a minute. Tillkit sends the message later.",
};
const UNREADABLE =
  "The service does not accept the message. Check that the address is that of a group robot.";
const ADVICE: Readonly<Record<number, string>> = {
  40008: UNREADABLE,
  40058: UNREADABLE,
  93000:
    "No robot has this key, or it was removed from its group. Copy the webhook address of the robot again.",
};
const CODES: ServiceCodes = {
  members: ["errcode", "errmsg"],
  later: {
    [-1]: { retryAfterMs: 60_000, advice: "The service is busy. Tillkit tries again." },
    45009: BUSY,
    45033: BUSY,
  },
  adviceOf: (code) => ADVICE[code] ?? "Look the code up in the list of global error codes of WeCom.",
};

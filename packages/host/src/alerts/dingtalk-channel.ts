import { createHmac } from "node:crypto";
import type { AlertChannel } from "@tillkit/core";
import { type ChannelOptions, failureOfCode, type ServiceCodes, textOf, webhookChannel } from "./webhook.js";

/** The options of {@link dingtalkChannel}. */
export interface DingtalkOptions extends ChannelOptions {
  /** The secret of the robot, if it requires signatures (加签). Begins with `SEC`. */
  readonly secret?: string | undefined;
}

/**
 * Creates an alert channel to a group of DingTalk, through a custom robot.
 *
 * Messages are in Chinese by default. A robot may send 20 messages a minute. If it sends more,
 * DingTalk refuses its messages for ten minutes. An organization has a quota of messages, too.
 *
 * @returns the channel, for the option `alerts` of {@link createTillkit}.
 * @throws TypeError if an option is not usable. The message contains no value.
 * @example
 * ```ts
 * import { dingtalkChannel } from "@tillkit/host";
 *
 * const channel = dingtalkChannel({
 *   url: "https://oapi.dingtalk.com/robot/send?access_token=…",
 *   secret: "SEC…",
 * });
 * ```
 * @see {@link https://open.dingtalk.com/document/robots/custom-robot-access | Custom robot access}
 */
export function dingtalkChannel({ secret, ...options }: DingtalkOptions): AlertChannel {
  return webhookChannel(options, {
    service: "dingtalk",
    language: "zh",
    pauseMs: 4_000,
    secrets: [secret],
    request: (url, message) => {
      const body = JSON.stringify({ msgtype: "text", text: { content: textOf(message, 10_000) } });
      if (secret === undefined) return { url, body };
      const signed = new URL(url);
      const timestamp = String(Date.now());
      signed.searchParams.set("timestamp", timestamp);
      signed.searchParams.set("sign", signatureOf(timestamp, secret));
      return { url: signed, body };
    },
    failureOf: (answer) => failureOfCode(answer, CODES),
  });
}

function signatureOf(timestamp: string, secret: string): string {
  return createHmac("sha256", secret).update(`${timestamp}\n${secret}`).digest("base64");
}

/**
 * Returns what to do about the code 310000.
 *
 * DingTalk returns this code if one of the robot's three security settings refuses the message.
 * Only the text of the error shows which one.
 */
function adviceOfCheck(text: string): string {
  if (/keyword|关键词/i.test(text))
    return "The robot accepts only messages with its keyword. Add the keyword Tillkit in its settings.";
  if (/timestamp|时间/i.test(text))
    return "The clock of the host is off by more than an hour. Correct the clock.";
  if (/ip|whitelist|白名单/i.test(text))
    return "The robot accepts only some IP addresses. Add that of the host in its settings.";
  return "The signature is wrong. Copy the secret of the robot again: it begins with SEC.";
}

const BUSY = {
  retryAfterMs: 600_000,
  advice: "The robot got more than 20 messages in a minute. Tillkit sends the message after ten minutes.",
};
const ADVICE: Readonly<Record<number, string>> = {
  40035: "The service could not read the request. Check that the address is that of a custom robot.",
  300001: "No robot has this address. Copy the webhook address of the robot again.",
  400013: "The group was dissolved. Add a robot to another group.",
  400101: "No robot has this address. Copy the webhook address of the robot again.",
  400102: "The robot is disabled. Enable it in its group.",
  400106: "The robot was removed. Add a robot to the group, and copy its address.",
  430101: "The service takes the link in the message for unsafe. Use an address that it accepts.",
};
const CODES: ServiceCodes = {
  members: ["errcode", "errmsg"],
  later: {
    [-1]: { retryAfterMs: 60_000, advice: "The service is busy. Tillkit tries again." },
    90030: {
      retryAfterMs: 3_600_000,
      advice: "The quota of webhook messages is used up. Extend it at DingTalk, or wait for the next one.",
    },
    130101: BUSY,
    130102: BUSY,
    410100: BUSY,
  },
  adviceOf: (code, text) =>
    code === 310000
      ? adviceOfCheck(text)
      : (ADVICE[code] ??
        "Look the code up in the guide of custom robots, and correct the robot in its group."),
};

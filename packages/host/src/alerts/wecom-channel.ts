import type { AlertChannel } from "@tillkit/core";
import { type ChannelOptions, codeOf, failureOfStatus, textOf, webhookChannel } from "./webhook.js";

/**
 * Creates a channel to a group of WeCom (企业微信), through a group robot. In Chinese by default.
 *
 * The service accepts 20 messages a minute of a robot, and 2,048 bytes of text. It has no
 * signature: the key in the address is the only secret.
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
    failureOf: (answer) => {
      const said = codeOf(answer, "errcode", "errmsg");
      if (said === undefined) return failureOfStatus(answer);
      if (said.code === 0) return undefined;
      const detail = `${said.code} ${said.text}`;
      if (LIMITED.includes(said.code))
        return { reason: "rate-limited", detail, advice: BUSY, retryAfterMs: 60_000 };
      return { reason: "refused", detail, advice: ADVICE[said.code] ?? OTHER };
    },
  });
}

const LIMITED: readonly number[] = [45009, 45033];
const BUSY = "The robot got more than 20 messages in a minute. Tillkit sends the message later.";
const OTHER = "Look the code up in the list of global error codes of WeCom.";
const ADVICE: Readonly<Record<number, string>> = {
  [-1]: "The service is busy. Tillkit tries again.",
  40008: "The service does not accept the message. Check that the address is that of a group robot.",
  40058: "The service does not accept the message. Check that the address is that of a group robot.",
  93000:
    "No robot has this key, or it was removed from its group. Copy the webhook address of the robot again.",
};

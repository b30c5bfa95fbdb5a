import type { AlertChannel } from "@tillkit/core";
import { type ChannelOptions, failureOfStatus, textOf, webhookChannel } from "./webhook.js";

/**
 * Creates an alert channel that writes to a channel of Slack, through an incoming webhook.
 *
 * Messages are in English by default. Slack accepts one message a second. The requests have no
 * signature: the address is the secret.
 *
 * @returns the channel, for the option `alerts` of {@link createTillkit}.
 * @throws TypeError if an option is not usable. The message contains no value.
 * @example
 * ```ts
 * import { slackChannel } from "@tillkit/host";
 *
 * const channel = slackChannel({ url: "https://hooks.slack.com/services/T…/B…/…" });
 * ```
 * @see {@link https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks |
 *   Sending messages using incoming webhooks}
 */
export function slackChannel(options: ChannelOptions): AlertChannel {
  return webhookChannel(options, {
    service: "slack",
    language: "en",
    pauseMs: 1_500,
    request: (url, message) => ({ url, body: JSON.stringify({ text: escaped(textOf(message, 4_000)) }) }),
    failureOf: (answer) => {
      const code = answer.text.trim();
      if (answer.status === 200 && code === "ok") return undefined;
      const advice = ADVICE[code];
      if (advice === undefined || answer.status === 429 || answer.status >= 500)
        return failureOfStatus(answer);
      return { reason: "refused", detail: `HTTP ${answer.status} ${code}`, advice };
    },
  });
}

/** Slack reads `<…>` as links and mentions. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const AGAIN =
  "The webhook was removed, or its address is wrong. Create an incoming webhook, and copy its address.";
const ADVICE: Readonly<Record<string, string>> = {
  no_service: AGAIN,
  no_service_id: AGAIN,
  no_team: AGAIN,
  no_active_hooks: AGAIN,
  invalid_token: AGAIN,
  user_not_found: AGAIN,
  channel_not_found: "The channel of Slack does not exist. Create a webhook for another channel.",
  channel_is_archived:
    "The channel of Slack is archived. Restore it, or create a webhook for another channel.",
  action_prohibited: "An administrator of the workspace forbids the message. Ask for the permission.",
  posting_to_general_channel_denied: "An administrator forbids messages to #general. Use another channel.",
  team_disabled: "The workspace of Slack is disabled.",
  invalid_payload: "Slack could not read the message. Check that the address is that of an incoming webhook.",
};

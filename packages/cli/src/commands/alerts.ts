import { type AlertChannel, testAlert } from "@tillkit/core";
import { alertChannelsFrom } from "@tillkit/host";
import { systemRandom as random } from "@tillkit/runtime";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import type { CommandResult } from "../answer.js";
import type { Context } from "../context.js";
import { type CliFailure, usage } from "../failure.js";
import type { Io } from "../io.js";
import { examples, groupCommand, plainCommand } from "../settings.js";

/** Creates `tillkit alerts`, which checks the chats that get alerts. */
export function alertsCommand({ io, report }: Context) {
  const test = plainCommand("test")
    .description(
      "Send a test message to each alert channel that the TILLKIT_ALERT_ variables describe, and print the answer of each service and what to do. Needs no database. Exits with 1 if a service did not accept the message.",
    )
    .addHelpText("after", examples("tillkit alerts test", "tillkit alerts test --json"))
    .action((options) =>
      report(
        options,
        channelsOf(io).asyncAndThen((channels) =>
          ResultAsync.combine(channels.map((channel) => send(io, channel))).map(answerOf),
        ),
      ),
    );

  return groupCommand("alerts")
    .description("Check the chats that get a message about what needs a person.")
    .addCommand(test);
}

/**
 * What a service answered. The last three members are absent if the service accepted the message.
 */
interface ChannelAnswer {
  readonly channel: string;
  readonly sent: boolean;
  readonly reason?: string;
  readonly detail?: string;
  readonly advice?: string;
}

function channelsOf({ env }: Pick<Io, "env">): Result<readonly AlertChannel[], CliFailure> {
  return alertChannelsFrom(env)
    .mapErr((problems) => usage(problems.join("\n")))
    .andThen((channels) =>
      channels.length === 0
        ? err(usage("No alert channel is set. Set a variable such as TILLKIT_ALERT_FEISHU_URL."))
        : ok(channels),
    );
}

function send({ clock }: Pick<Io, "clock">, channel: AlertChannel): ResultAsync<ChannelAnswer, never> {
  const sent = channel.send(testAlert({ clock, random }, channel)).match<ChannelAnswer>(
    () => ({ channel: channel.name, sent: true }),
    ({ reason, detail, advice }) => ({ channel: channel.name, sent: false, reason, detail, advice }),
  );
  return ResultAsync.fromSafePromise(sent);
}

function answerOf(channels: readonly ChannelAnswer[]): CommandResult {
  const text = channels
    .map(({ channel, sent, reason = "", detail = "", advice = "" }) =>
      sent ? `${channel}: accepted` : `${channel}: ${reason} (${detail})\n  ${advice}`,
    )
    .join("\n");
  return { data: { channels }, text, finding: channels.some(({ sent }) => !sent) };
}

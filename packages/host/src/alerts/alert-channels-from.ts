import type { AlertChannel } from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";
import { dingtalkChannel } from "./dingtalk-channel.js";
import { feishuChannel } from "./feishu-channel.js";
import { jsonChannel } from "./json-channel.js";
import { slackChannel } from "./slack-channel.js";
import { wecomChannel } from "./wecom-channel.js";

/** The variables that {@link alertChannelsFrom} reads. */
export const ALERT_VARIABLES = [
  "TILLKIT_ALERT_FEISHU_URL",
  "TILLKIT_ALERT_FEISHU_SECRET",
  "TILLKIT_ALERT_DINGTALK_URL",
  "TILLKIT_ALERT_DINGTALK_SECRET",
  "TILLKIT_ALERT_WECOM_URL",
  "TILLKIT_ALERT_SLACK_URL",
  "TILLKIT_ALERT_JSON_URL",
  "TILLKIT_ALERT_JSON_SECRET",
  "TILLKIT_ALERT_LANGUAGE",
] as const;

type Variable = (typeof ALERT_VARIABLES)[number];

/**
 * Creates the alert channels that environment variables describe.
 *
 * Hosts and the command `tillkit` read the same variables.
 *
 * @param environment - for example `process.env`. An empty variable counts as absent.
 * @returns the channels, none if no address is set. Fails with one line per problem. No line
 *   contains a value, because addresses are secrets.
 * @example
 * ```ts
 * import { alertChannelsFrom } from "@tillkit/host";
 *
 * const channels = alertChannelsFrom(process.env);
 * if (channels.isErr()) throw new Error(channels.error.join("\n"));
 * ```
 */
export function alertChannelsFrom(
  environment: Readonly<Record<string, string | undefined>>,
): Result<readonly AlertChannel[], readonly string[]> {
  const of = (name: Variable): string | undefined =>
    environment[name] === "" ? undefined : environment[name];
  const problems: string[] = [];
  const channels: AlertChannel[] = [];
  const given = of("TILLKIT_ALERT_LANGUAGE");
  const language = given === "en" || given === "zh" ? given : undefined;
  if (given !== language) problems.push("TILLKIT_ALERT_LANGUAGE must be en or zh.");
  const add = (
    variable: Variable,
    secretVariable: Variable | undefined,
    create: (options: {
      url: string;
      secret?: string | undefined;
      language?: "en" | "zh" | undefined;
    }) => AlertChannel,
  ): void => {
    const [url, secret] = [of(variable), secretVariable === undefined ? undefined : of(secretVariable)];
    if (url === undefined) {
      if (secret !== undefined)
        problems.push(`${secretVariable ?? ""} is set without ${variable}: set both.`);
      return;
    }
    try {
      channels.push(create({ url, secret, language }));
    } catch (thrown) {
      const reason = thrown instanceof TypeError ? thrown.message : "It is not usable.";
      problems.push(`${variable}: ${reason}`);
    }
  };
  add("TILLKIT_ALERT_FEISHU_URL", "TILLKIT_ALERT_FEISHU_SECRET", feishuChannel);
  add("TILLKIT_ALERT_DINGTALK_URL", "TILLKIT_ALERT_DINGTALK_SECRET", dingtalkChannel);
  add("TILLKIT_ALERT_WECOM_URL", undefined, wecomChannel);
  add("TILLKIT_ALERT_SLACK_URL", undefined, slackChannel);
  add("TILLKIT_ALERT_JSON_URL", "TILLKIT_ALERT_JSON_SECRET", ({ secret = "", ...options }) =>
    jsonChannel({ ...options, secret }),
  );
  return problems.length === 0 ? ok(channels) : err(problems);
}

import { type App, type AppWithSecret, createApp, disableApp, enableApp, rotateSecret } from "@tillkit/core";
import { type CommandResult, table, timeText } from "../answer.js";
import type { Context } from "../context.js";
import { coreFailure } from "../failure.js";
import { wholeNumberTo } from "../numbers.js";
import { withPorts } from "../ports.js";
import { examples, groupCommand, keyedCommand } from "../settings.js";

const HOUR = 3_600_000;

/** Creates `tillkit apps`, which manages the callers of the payments and session endpoints. */
export function appsCommand({ io, report }: Context) {
  const create = keyedCommand("create")
    .description("Register an app. Its secret is printed once and cannot be had again.")
    .requiredOption("--name <name>", "1 to 64 characters")
    .option("--without-accounts", "its customers have no accounts: orders need no customerIdentity")
    .option("--allow-email", "do not refuse a customerIdentity that looks like an e-mail address")
    .option("--allow-phone", "do not refuse one that looks like a phone number")
    .option("--allow-card", "do not refuse one that looks like a card number, as long numeric user ids do")
    .addHelpText(
      "after",
      examples("tillkit apps create --name Notes", "tillkit apps create --name Kiosk --without-accounts"),
    )
    .action(({ name, withoutAccounts, allowEmail, allowPhone, allowCard, ...options }) =>
      report(
        options,
        withPorts(io, options, (ports) =>
          createApp(ports, {
            name,
            accountBased: withoutAccounts !== true,
            identityChecks: {
              email: allowEmail !== true,
              phone: allowPhone !== true,
              card: allowCard !== true,
            },
          })
            .mapErr(coreFailure)
            .map(secretAnswer),
        ),
      ),
    );

  const list = keyedCommand("list")
    .description("List every app.")
    .addHelpText("after", examples("tillkit apps list", "tillkit apps list --json"))
    .action((options) =>
      report(
        options,
        withPorts(io, options, (ports) =>
          ports.apps
            .list()
            .mapErr(coreFailure)
            .map((apps) => ({
              data: { apps: apps.map(appData) },
              text: table(
                ["APP ID", "NAME", "STATE", "ACCOUNTS", "SECRETS", "CREATED"],
                apps.map(({ appId, name, disabled, accountBased, secrets, gmtCreate }) => [
                  ...[appId, name, disabled ? "disabled" : "enabled", accountBased ? "yes" : "no"],
                  ...[String(secrets.length), timeText(gmtCreate)],
                ]),
              ),
            })),
        ),
      ),
    );

  const rotate = keyedCommand("rotate-secret")
    .description(
      "Give an app a new secret, printed once, which works at once. The previous one works on for a while; an older one ends, within a second in hosts that run.",
    )
    .argument("<app-id>", "the app")
    .option("--overlap-hours <hours>", "how long the previous secret works on", wholeNumberTo(366 * 24), 24)
    .addHelpText(
      "after",
      examples("tillkit apps rotate-secret app_1", "tillkit apps rotate-secret app_1 --overlap-hours 0"),
    )
    .action((appId, { overlapHours, ...options }) =>
      report(
        options,
        withPorts(io, options, (ports) =>
          rotateSecret(ports, appId, overlapHours * HOUR)
            .mapErr(coreFailure)
            .map(secretAnswer),
        ),
      ),
    );

  const disable = keyedCommand("disable")
    .description(
      "Refuse every call of an app, within a second in hosts that run. Its open orders are still settled.",
    )
    .argument("<app-id>", "the app")
    .addHelpText("after", examples("tillkit apps disable app_1"))
    .action((appId, options) =>
      report(
        options,
        withPorts(io, options, (ports) => disableApp(ports, appId).mapErr(coreFailure).map(stateAnswer)),
      ),
    );

  const enable = keyedCommand("enable")
    .description("Let a disabled app in again, with the secrets it had.")
    .argument("<app-id>", "the app")
    .addHelpText("after", examples("tillkit apps enable app_1"))
    .action((appId, options) =>
      report(
        options,
        withPorts(io, options, (ports) => enableApp(ports, appId).mapErr(coreFailure).map(stateAnswer)),
      ),
    );

  return groupCommand("apps")
    .description("The callers of the payments and session endpoints.")
    .addCommand(create)
    .addCommand(list)
    .addCommand(rotate)
    .addCommand(disable)
    .addCommand(enable);
}

function secretAnswer({ app, appSecret }: AppWithSecret): CommandResult {
  return {
    data: { app: appData(app), appSecret },
    text: `APP_ID      ${app.appId}\nAPP_SECRET  ${appSecret}\n\nKeep the secret now: only its hash is stored.`,
  };
}

function stateAnswer(app: App): CommandResult {
  return {
    data: { app: appData(app) },
    text: `The app ${app.appId} is ${app.disabled ? "disabled" : "enabled"}.`,
  };
}

/** Returns an app without the hashes of its secrets. */
function appData({ secrets, ...app }: App) {
  return { ...app, secrets: secrets.map(({ hash: _hidden, ...secret }) => secret) };
}

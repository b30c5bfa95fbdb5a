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
    .description("Register an app and print its secret. The secret cannot be printed again.")
    .requiredOption("--name <name>", "the app's name, 1 to 64 characters")
    .option("--without-accounts", "the app has no customer accounts: its orders need no customerIdentity")
    .option("--allow-email", "accept a customerIdentity that looks like an e-mail address")
    .option("--allow-phone", "accept a customerIdentity that looks like a phone number")
    .option(
      "--allow-card",
      "accept a customerIdentity that looks like a card number, such as a long numeric user id",
    )
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
      "Give an app a new secret and print it once. Running hosts accept the new secret at once, and the previous secret during the overlap. They reject older secrets within a second.",
    )
    .argument("<app-id>", "the app")
    .option(
      "--overlap-hours <hours>",
      "how long the previous secret stays valid",
      wholeNumberTo(366 * 24),
      24,
    )
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
      "Reject every request of an app. Running hosts do so within a second. They still complete the payments and refunds of its existing orders.",
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
    .description("Accept requests of a disabled app again. Its secrets stay the same.")
    .argument("<app-id>", "the app")
    .addHelpText("after", examples("tillkit apps enable app_1"))
    .action((appId, options) =>
      report(
        options,
        withPorts(io, options, (ports) => enableApp(ports, appId).mapErr(coreFailure).map(stateAnswer)),
      ),
    );

  return groupCommand("apps")
    .description("Manage apps, the callers of the payments and session endpoints.")
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

import { Option } from "@commander-js/extra-typings";
import {
  type App,
  type AppRules,
  type AppWithSecret,
  createApp,
  type CreateAppInput,
  registerApp,
} from "@tillkit/core";
import {
  disableApp,
  enableApp,
  type OperatorCommand,
  rotateSecret,
  setAppRules,
} from "@tillkit/core/operators";
import { err, errAsync, ok, okAsync, Result, type ResultAsync } from "neverthrow";
import { type CommandResult, table, timeText } from "../answer.js";
import { commandOf } from "../audit.js";
import type { Context } from "../context.js";
import { type CliFailure, coreFailure, usage } from "../failure.js";
import { wholeNumberTo } from "../numbers.js";
import type { Io } from "../io.js";
import { type CommandPorts, withPorts } from "../ports.js";
import { readText } from "../read-text.js";
import { changingCommand, CSV_OPTION, examples, groupCommand, keyedCommand } from "../settings.js";

const HOUR = 3_600_000;

/** Creates `tillkit apps`, which manages the callers of the payments and session endpoints. */
export function appsCommand({ io, report }: Context) {
  const create = changingCommand("create")
    .description(
      "Register an app and print its secret. The secret cannot be printed again. An app that moves from another service keeps its credentials with --app-id and --app-secret-stdin.",
    )
    .requiredOption("--name <name>", "the app's name, 1 to 64 characters")
    .option("--without-accounts", "the app has no customer accounts: its orders need no customerIdentity")
    .option("--allow-email", "accept a customerIdentity that looks like an e-mail address")
    .option("--allow-phone", "accept a customerIdentity that looks like a phone number")
    .option(
      "--allow-card",
      "accept a customerIdentity that looks like a card number, such as a long numeric user id",
    )
    .option("--allow-identity-card", "accept a customerIdentity that looks like an identity card number")
    .option(
      "--allow-wallet-account",
      "accept a customerIdentity that looks like a WeChat openid or an Alipay user id",
    )
    .option("--allow-biz-no", "accept a customerIdentity that equals the bizNo of the order")
    .option(
      "--app-id <app-id>",
      "keep this APP_ID, 1 to 64 visible ASCII characters; needs --app-secret-stdin (default: a generated id)",
    )
    .option(
      "--app-secret-stdin",
      "keep the APP_SECRET on standard input, 8 to 512 visible ASCII characters; needs --app-id",
    )
    .addHelpText(
      "after",
      examples(
        "tillkit apps create --name Notes",
        "tillkit apps create --name Kiosk --without-accounts",
        "pass show notes-secret | tillkit apps create --name Notes --app-id 10086 --app-secret-stdin",
      ),
    )
    .action(({ name, withoutAccounts, appId, appSecretStdin, ...options }) => {
      const settings = {
        name,
        accountBased: withoutAccounts !== true,
        identityChecks: {
          email: options.allowEmail !== true,
          phone: options.allowPhone !== true,
          card: options.allowCard !== true,
          identityCard: options.allowIdentityCard !== true,
          walletAccount: options.allowWalletAccount !== true,
          bizNo: options.allowBizNo !== true,
        },
      };
      return report(
        options,
        commandOf(io, options).asyncAndThen((by) =>
          credentialsOf(io, appId, appSecretStdin).andThen((credentials) =>
            withPorts(io, options, (ports) => createOrRegister(ports, settings, credentials, by)),
          ),
        ),
      );
    });

  const set = changingCommand("set")
    .description(
      "Change whether an app has customer accounts, and which values it may send as customerIdentity. A rule without an option stays unchanged. Running hosts apply the change within a second.",
    )
    .argument("<app-id>", "the app")
    .addOption(
      new Option("--with-accounts", "every new order needs a customerIdentity").conflicts("withoutAccounts"),
    )
    .option("--without-accounts", "the app has no customer accounts: its orders need no customerIdentity")
    .addOption(
      new Option("--refuse-email", "refuse a customerIdentity that looks like an e-mail address").conflicts(
        "allowEmail",
      ),
    )
    .option("--allow-email", "accept a customerIdentity that looks like an e-mail address")
    .addOption(
      new Option("--refuse-phone", "refuse a customerIdentity that looks like a phone number").conflicts(
        "allowPhone",
      ),
    )
    .option("--allow-phone", "accept a customerIdentity that looks like a phone number")
    .addOption(
      new Option("--refuse-card", "refuse a customerIdentity that looks like a card number").conflicts(
        "allowCard",
      ),
    )
    .option("--allow-card", "accept a customerIdentity that looks like a card number")
    .addOption(
      new Option(
        "--refuse-identity-card",
        "refuse a customerIdentity that looks like an identity card number",
      ).conflicts("allowIdentityCard"),
    )
    .option("--allow-identity-card", "accept a customerIdentity that looks like an identity card number")
    .addOption(
      new Option(
        "--refuse-wallet-account",
        "refuse a customerIdentity that looks like a WeChat openid or an Alipay user id",
      ).conflicts("allowWalletAccount"),
    )
    .option(
      "--allow-wallet-account",
      "accept a customerIdentity that looks like a WeChat openid or an Alipay user id",
    )
    .addOption(
      new Option("--refuse-biz-no", "refuse a customerIdentity that equals the bizNo of the order").conflicts(
        "allowBizNo",
      ),
    )
    .option("--allow-biz-no", "accept a customerIdentity that equals the bizNo of the order")
    .addHelpText(
      "after",
      examples(
        "tillkit apps set app_1 --allow-card",
        "tillkit apps set app_1 --with-accounts --refuse-phone",
      ),
    )
    .action((appId, options) =>
      report(
        options,
        Result.combine([rulesOf(options), commandOf(io, options)]).asyncAndThen(([rules, by]) =>
          withPorts(io, options, (ports) =>
            setAppRules(ports, appId, rules, by).mapErr(coreFailure).map(rulesAnswer),
          ),
        ),
      ),
    );

  const list = keyedCommand("list")
    .description("List every app.")
    .option(...CSV_OPTION)
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
                  appId,
                  name,
                  disabled ? "disabled" : "enabled",
                  accountBased ? "yes" : "no",
                  String(secrets.length),
                  timeText(gmtCreate),
                ]),
              ),
            })),
        ),
      ),
    );

  const rotate = changingCommand("rotate-secret")
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
        commandOf(io, options).asyncAndThen((by) =>
          withPorts(io, options, (ports) =>
            rotateSecret(ports, appId, overlapHours * HOUR, by)
              .mapErr(coreFailure)
              .map(secretAnswer),
          ),
        ),
      ),
    );

  const disable = changingCommand("disable")
    .description(
      "Reject every request of an app. Running hosts do so within a second. They still complete the payments and refunds of its existing orders. Its customers' sessions are no longer checked, because its calls are refused. Its downloads clients still read their reports: see `tillkit clients disable`.",
    )
    .argument("<app-id>", "the app")
    .addHelpText("after", examples("tillkit apps disable app_1"))
    .action((appId, options) =>
      report(
        options,
        commandOf(io, options).asyncAndThen((by) =>
          withPorts(io, options, (ports) =>
            disableApp(ports, appId, by).mapErr(coreFailure).map(stateAnswer),
          ),
        ),
      ),
    );

  const enable = changingCommand("enable")
    .description("Accept requests of a disabled app again. Its secrets stay the same.")
    .argument("<app-id>", "the app")
    .addHelpText("after", examples("tillkit apps enable app_1"))
    .action((appId, options) =>
      report(
        options,
        commandOf(io, options).asyncAndThen((by) =>
          withPorts(io, options, (ports) => enableApp(ports, appId, by).mapErr(coreFailure).map(stateAnswer)),
        ),
      ),
    );

  return groupCommand("apps")
    .description("Manage apps, the callers of the payments and session endpoints.")
    .addCommand(create)
    .addCommand(set)
    .addCommand(list)
    .addCommand(rotate)
    .addCommand(disable)
    .addCommand(enable);
}

interface AppCredentials {
  readonly appId: string;
  readonly appSecret: string;
}

function credentialsOf(
  io: Pick<Io, "stdin">,
  appId: string | undefined,
  stdin: true | undefined,
): ResultAsync<AppCredentials | undefined, CliFailure> {
  if ((appId === undefined) !== (stdin === undefined))
    return errAsync(
      usage("Set both --app-id and --app-secret-stdin to keep existing credentials, or neither."),
    );
  if (appId === undefined) return okAsync(undefined);
  // The line end is not part of the secret.
  return readText(io, "-").map((text) => ({ appId, appSecret: text.replace(/\r?\n$/, "") }));
}

function createOrRegister(
  ports: CommandPorts,
  settings: CreateAppInput,
  credentials: AppCredentials | undefined,
  by: OperatorCommand,
): ResultAsync<CommandResult, CliFailure> {
  if (credentials === undefined) return createApp(ports, settings, by).mapErr(coreFailure).map(secretAnswer);
  return registerApp(ports, { ...settings, ...credentials }, by)
    .mapErr(coreFailure)
    .map((app) => ({
      data: { app: appData(app) },
      text: `The app ${app.appId} is registered with its existing secret. Only the hash of the secret is stored.`,
    }));
}

interface RuleOptions {
  readonly withAccounts?: true | undefined;
  readonly withoutAccounts?: true | undefined;
  readonly refuseEmail?: true | undefined;
  readonly allowEmail?: true | undefined;
  readonly refusePhone?: true | undefined;
  readonly allowPhone?: true | undefined;
  readonly refuseCard?: true | undefined;
  readonly allowCard?: true | undefined;
  readonly refuseIdentityCard?: true | undefined;
  readonly allowIdentityCard?: true | undefined;
  readonly refuseWalletAccount?: true | undefined;
  readonly allowWalletAccount?: true | undefined;
  readonly refuseBizNo?: true | undefined;
  readonly allowBizNo?: true | undefined;
}

function rulesOf(options: RuleOptions): Result<AppRules, CliFailure> {
  const rule = (on: true | undefined, off: true | undefined): boolean | undefined =>
    on ?? (off === undefined ? undefined : false);
  const accountBased = rule(options.withAccounts, options.withoutAccounts);
  const email = rule(options.refuseEmail, options.allowEmail);
  const phone = rule(options.refusePhone, options.allowPhone);
  const card = rule(options.refuseCard, options.allowCard);
  const identityCard = rule(options.refuseIdentityCard, options.allowIdentityCard);
  const walletAccount = rule(options.refuseWalletAccount, options.allowWalletAccount);
  const bizNo = rule(options.refuseBizNo, options.allowBizNo);
  const rules = [accountBased, email, phone, card, identityCard, walletAccount, bizNo];
  if (rules.every((value) => value === undefined))
    return err(usage("Set at least one rule: see `tillkit apps set --help`."));
  return ok({
    ...(accountBased === undefined ? {} : { accountBased }),
    identityChecks: {
      ...(email === undefined ? {} : { email }),
      ...(phone === undefined ? {} : { phone }),
      ...(card === undefined ? {} : { card }),
      ...(identityCard === undefined ? {} : { identityCard }),
      ...(walletAccount === undefined ? {} : { walletAccount }),
      ...(bizNo === undefined ? {} : { bizNo }),
    },
  });
}

function rulesAnswer(app: App): CommandResult {
  const { email, phone, card, identityCard, walletAccount, bizNo } = app.identityChecks;
  const rows = [
    ["an e-mail address", email],
    ["a phone number", phone],
    ["a card number", card],
    ["an identity card number", identityCard],
    ["a WeChat openid or an Alipay user id", walletAccount],
    ["the bizNo of the order", bizNo],
  ] as const;
  const checks = table(
    ["CUSTOMER IDENTITY", "CHECK"],
    rows.map(([words, isRefused]) => [words, isRefused ? "refused" : "accepted"]),
  );
  return {
    data: { app: appData(app) },
    text: [
      `The app ${app.appId} has ${app.accountBased ? "" : "no "}customer accounts. Values that look like:\n`,
      checks,
    ],
  };
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

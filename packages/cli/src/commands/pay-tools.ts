import { configurePayTool, type PayTool } from "@tillkit/core";
import { changePayTool, type ChangePayToolFailure, listPayTools } from "@tillkit/core/operators";
import { storedWalletOptions } from "@tillkit/core/ports";
import { formatJsonPath } from "@tillkit/core/text";
import type { Keyring } from "@tillkit/runtime";
import { err, ok, type ResultAsync } from "neverthrow";
import { z } from "zod";
import { type CommandResult, table } from "../answer.js";
import { accountProblems, type CheckedAccounts, gatewayProblems } from "../account-problems.js";
import { commandOf } from "../audit.js";
import { clockReadings } from "../clock-readings.js";
import type { Context } from "../context.js";
import type { Database } from "../database.js";
import { type CliFailure, coreFailure, failure, usage } from "../failure.js";
import type { Io } from "../io.js";
import { type WalletPorts, withPorts, withWallets } from "../ports.js";
import { readJson } from "../read-text.js";
import {
  AUDIT_OPTIONS,
  CSV_OPTION,
  examples,
  groupCommand,
  keyedCommand,
  walletCommand,
} from "../settings.js";

const TITLES = ["CHANNEL", "STATUS", "ENV", "MERCHANT", "WALLET APP ID", "ID"];

const payToolFile = z.strictObject({
  payChannel: z.enum(["WALLET_A", "WALLET_B"]),
  accountId: z.string(),
  walletAppId: z.string(),
  appEnv: z.enum(["DEV", "PROD"]),
  appName: z.string().exactOptional(),
  appPackageName: z.string().exactOptional(),
  appSignature: z.string().exactOptional(),
  credentials: z.record(z.string(), z.string()),
  // Core checks the options, and names the wrong one and its wallet.
  walletOptions: storedWalletOptions().exactOptional(),
});

const payToolChange = payToolFile
  .pick({ appName: true, appPackageName: true, appSignature: true, walletOptions: true })
  .extend({ credentials: z.record(z.string(), z.string().nullable()).exactOptional() });

const FILE_HELP = `
The file is one JSON object, which only its owner can read (chmod 600):
  payChannel      WALLET_A or WALLET_B
  accountId       the merchant's account at the wallet
  walletAppId     the application id at the wallet
  appEnv          DEV (the wallet's sandbox) or PROD
  appName, appPackageName, appSignature   shown to callers; optional
  credentials     object of strings; the guide "Connect your account" names the members
  walletOptions   options of new orders, such as { "limit_pay": ["no_credit"] }; optional. The guide
                  "Options of a wallet request" names them`;

/**
 * Creates `tillkit pay-tools`, which manages the merchant accounts that apps take payments with.
 */
export function payToolsCommand({ io, report }: Context) {
  const set = walletCommand("set")
    .description(
      "Set an app's pay tool of one channel from a JSON file, and check its credentials. If the merchant account is the same, the command replaces the keys. If it is another account, existing orders keep the previous pay tool.",
    )
    .argument("<file>", "the JSON file, - for standard input")
    .requiredOption("--app <app-id>", "the app")
    .option(...AUDIT_OPTIONS[0])
    .option(...AUDIT_OPTIONS[1])
    .addHelpText("after", FILE_HELP)
    .addHelpText(
      "after",
      examples(
        "tillkit pay-tools set --app app_1 wallet-a.json",
        "pass show wallet-a | tillkit pay-tools set --app app_1 -",
      ),
    )
    .action((file, { app, ...options }) =>
      report(
        options,
        commandOf(io, options)
          .asyncAndThen((by) =>
            readTool(io, file, payToolFile, "tillkit pay-tools set").andThen((input) =>
              withWallets(io, options, (ports) =>
                configurePayTool(ports, app, input, by).mapErr(coreFailure),
              ),
            ),
          )
          .map(({ payTool, problems }) => ({
            data: { payTool, problems },
            text: [
              table(TITLES, [rowOf(payTool)]),
              ...problems.map((problem) => `These credentials do not work: ${problem}`),
            ],
            finding: problems.length > 0,
          })),
      ),
    );

  const change = walletCommand("change")
    .description(
      "Change some keys, labels or options of a pay tool from a JSON file. What the file does not name stays as it is. The command checks the credentials first, and changes nothing if they do not work.",
    )
    .argument("<id>", "the id of the pay tool: `tillkit pay-tools list`")
    .argument("<file>", "the JSON file, - for standard input")
    .option(...AUDIT_OPTIONS[0])
    .option(...AUDIT_OPTIONS[1])
    .addHelpText(
      "after",
      `
The file is one JSON object, which only its owner can read (chmod 600). Each member is optional:
  credentials     object of the new values; null removes a credential
  appName, appPackageName, appSignature   shown to callers
  walletOptions   the options of new orders, instead of all former ones; {} removes them`,
    )
    .addHelpText(
      "after",
      examples("pass show new-key | tillkit pay-tools change 01JZ0V6T6S5Q7P4N2M8K3H9F1D -"),
    )
    .action((id, file, options) =>
      report(
        options,
        commandOf(io, options)
          .asyncAndThen((by) =>
            readTool(io, file, payToolChange, "tillkit pay-tools change").andThen((input) =>
              withWallets(io, options, (ports) =>
                changePayTool(ports, id, input, by).mapErr((failure) => changeFailure(failure, id)),
              ),
            ),
          )
          .map((payTool) => ({ data: { payTool }, text: table(TITLES, [rowOf(payTool)]) })),
      ),
    );

  const list = keyedCommand("list")
    .description("List an app's current pay tools, without their credentials.")
    .requiredOption("--app <app-id>", "the app")
    .option(...CSV_OPTION)
    .addHelpText("after", examples("tillkit pay-tools list --app app_1"))
    .action(({ app, ...options }) =>
      report(
        options,
        withPorts(io, options, (ports) =>
          listPayTools(ports, app)
            .mapErr(coreFailure)
            .map((payTools) => ({ data: { payTools }, text: table(TITLES, payTools.map(rowOf)) })),
        ),
      ),
    );

  const check = walletCommand("check")
    .description(
      "Check the credentials of every pay tool: that the command can decrypt them, that the keys are valid and match each other, and that no certificate expires soon (`credentialWarning` of the policy, 30 days by default). Then query the wallet about an order that does not exist, to check that the wallet accepts the credentials and that the clock of this machine agrees with the wallet's. Exits with 1 if it finds a problem.",
    )
    .option("--offline", "do not call the wallets")
    .addHelpText(
      "after",
      examples(
        "tillkit pay-tools check",
        "tillkit pay-tools check --offline",
        "tillkit pay-tools check --wallet-a-gateway http://127.0.0.1:4001 --wallet-b-gateway http://127.0.0.1:4002",
      ),
    )
    .action(({ offline, ...options }) => {
      const readings = clockReadings();
      const examine = (ports: WalletPorts, database: Database, { credentialKeys }: Keyring) => {
        const storage = { ...database, credentialKeys };
        const found =
          offline === true
            ? accountProblems(storage, ports.wallets, { now: ports.clock.now(), policy: ports.policy })
            : gatewayProblems(storage, ports);
        return found
          .map((checked) => ({ ...checked, findings: [...readings.findings(), ...checked.findings] }))
          .map((checked) => checkAnswer(checked, offline === true));
      };
      return report(options, withWallets(io, options, examine, readings.observer));
    });

  return groupCommand("pay-tools")
    .description("Manage pay tools, the merchant accounts that apps take payments with.")
    .addCommand(set)
    .addCommand(change)
    .addCommand(list)
    .addCommand(check);
}

function checkAnswer(
  { checked, findings }: Pick<CheckedAccounts, "checked" | "findings">,
  offline: boolean,
): CommandResult {
  const valid = `The credentials of ${checked === 1 ? "the pay tool" : `all ${checked} pay tools`} are valid`;
  const nothing =
    "The database has no pay tool, so nothing was checked. `tillkit pay-tools set` stores one. If you expected pay tools, check DATABASE_URL or DATA_DIR, and TILLKIT_SCHEMA.";
  const success = offline ? `${valid}. No wallet was called.` : `${valid}, and the wallets accept them.`;
  const problems = findings.map(({ message, fix }) => `${message}\n  ${fix}`).join("\n");
  return {
    data: { checked, findings },
    text: checked === 0 ? nothing : findings.length === 0 ? success : problems,
    finding: findings.length > 0,
  };
}

function changeFailure(failed: ChangePayToolFailure, id: string): CliFailure {
  if (failed.name === "pay-tool.unknown")
    return failure("refused", failed.name, `There is no pay tool with the id ${id}. Nothing was changed.`);
  if (failed.name === "pay-tool.not-working") {
    const problems = failed.problems.map(({ message }) => message.en).join(" ");
    return failure("refused", failed.name, `These credentials do not work: ${problems} Nothing was changed.`);
  }
  return coreFailure(failed);
}

function readTool<T>(
  io: Io,
  file: string,
  schema: z.ZodType<T>,
  command: string,
): ResultAsync<T, CliFailure> {
  return readJson(io, file, { what: "pay tool file", command, secret: true }).andThen((json) => {
    const parsed = schema.safeParse(json);
    if (parsed.success) return ok(parsed.data);
    const places = parsed.error.issues.map(
      ({ path, code }) => `${formatJsonPath(path) || "the object"} (${code})`,
    );
    return err(
      usage(`The pay tool file is wrong or incomplete at ${places.join(", ")}: see \`${command} --help\`.`),
    );
  });
}

function rowOf({ payChannel, signStatus, appEnv, accountId, walletAppId, id }: PayTool): readonly string[] {
  return [payChannel, signStatus, appEnv, accountId, walletAppId, id];
}

import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { FailureOf, StorageFailureName } from "../errors/failure.js";
import { activeApp } from "../apps/active-app.js";
import { auditEntryIfAny, type AuditFacts, type OperatorCommand } from "../operators/operator-command.js";
import type { Ports } from "../ports.js";
import { issue, type InputFailure, nonBlankText, lazySchema, parseInput } from "../shared/input.js";
import { newShortId } from "../shared/random.js";
import { attempt } from "../shared/attempt.js";
import { PAY_CHANNELS, type PayTool, type WalletAccount } from "./pay-tool.js";
import { payToolLabel, type PayToolLabel } from "./pay-tool-input.js";
import { optionNames } from "./option-channels.js";
import { signStatusOf } from "./sign-status.js";
import { addOptionIssue, defaultProblem, walletOptions } from "./wallet-options-input.js";
import { withProvider } from "./with-provider.js";

/** Operator's settings of one app at one wallet. Absent labels are stored as empty texts. */
export type ConfigurePayToolInput = Omit<
  WalletAccount,
  "id" | "appId" | "signStatus" | "gmtCreate" | "gmtModified" | "provider" | PayToolLabel
> &
  Partial<Pick<WalletAccount, PayToolLabel>>;

const configurePayToolInput = lazySchema(() =>
  z
    .object({
      accountId: nonBlankText(64),
      walletAppId: nonBlankText(64),
      payChannel: z.enum(PAY_CHANNELS, issue("pay-channel.invalid")),
      appEnv: z.enum(["DEV", "PROD"]),
      appName: label(),
      appPackageName: label(),
      appSignature: label(),
      credentials: z.record(z.string(), z.string()),
      walletOptions: walletOptions().optional(),
    })
    .check((payload) => {
      const { walletOptions: options, payChannel } = payload.value;
      if (payload.issues.length === 0 && options !== undefined)
        addOptionIssue(payload, defaultProblem(options, payChannel));
    }),
);

function label() {
  return payToolLabel().default("");
}

/**
 * The stored pay tool and the problems of its credentials. Without problems, `signStatus` is `OK`.
 */
export interface ConfiguredPayTool {
  readonly payTool: PayTool;
  /** English sentences for operators. */
  readonly problems: readonly string[];
}

/**
 * Stores an app's pay tool for a channel and checks its credentials.
 *
 * `signStatus` is `OK` only if the wallet's adapter can sign and verify with the credentials. If
 * merchant, wallet app and environment stay the same, the pay tool keeps its id and gets the new
 * keys. Otherwise a new pay tool becomes current, and the old one keeps serving its orders.
 *
 * @param by - the operator. If set, the audit log gets an entry in the same transaction.
 * @returns the stored pay tool and the problems of its credentials, in words for operators. Fails
 *   with `credentials.invalid` if the app does not exist or is disabled.
 * @example
 * ```ts
 * import { configurePayTool } from "@tillkit/core";
 *
 * const configured = await configurePayTool(ports, appId, {
 *   payChannel: "WALLET_A",
 *   accountId: "1900000001",
 *   walletAppId: "wx0000000000000001",
 *   appEnv: "PROD",
 *   appName: "Demo shop",
 *   appPackageName: "com.example.shop",
 *   appSignature: "",
 *   credentials,
 * });
 * if (configured.isErr()) throw new Error(configured.error.name);
 * const { payTool, problems } = configured.value;
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/order-creation.md |
 *   One order and one prepayment per bizNo}
 */
export function configurePayTool(
  ports: Pick<Ports, "apps" | "payTools" | "wallets" | "clock" | "random">,
  appId: string,
  input: ConfigurePayToolInput,
  by?: OperatorCommand,
): ResultAsync<ConfiguredPayTool, InputFailure | FailureOf<"credentials.invalid" | StorageFailureName>> {
  return attempt(async () => {
    const parsed = parseInput(configurePayToolInput(), { ...input });
    if (parsed.isErr()) return parsed;
    const { walletOptions: options = {}, ...parameters } = parsed.value;
    const active = await activeApp(ports, appId);
    if (active.isErr()) return active;
    const now = ports.clock.now();
    const draft = {
      ...parameters,
      ...(optionNames(options).length === 0 ? {} : { walletOptions: options }),
      id: newShortId(ports),
      appId,
      signStatus: "NO",
      gmtCreate: now,
      gmtModified: now,
    } as const;
    const complete = await withProvider(ports.payTools, draft);
    if (complete.isErr()) return complete;
    const problems = await ports.wallets[parameters.payChannel].checkAccount(complete.value);
    const account: WalletAccount = { ...draft, signStatus: signStatusOf(problems) };
    const result = await ports.payTools.put(account, auditEntryIfAny(ports, by, configurationFacts(account)));
    if (result.isErr()) return result;
    const { credentials: _secret, ...payTool } = result.value;
    return ok({ payTool, problems: problems.map(({ message }) => message.en) });
  });
}

/** Returns the facts of the audit entry, without the credentials. */
function configurationFacts({
  appId,
  payChannel,
  accountId,
  walletAppId,
  appEnv,
  signStatus,
  walletOptions: options,
}: WalletAccount): AuditFacts {
  const detail = JSON.stringify({ accountId, walletAppId, appEnv, signStatus, walletOptions: options });
  return { action: "pay-tool.set", subject: `pay-tool:${appId}/${payChannel}`, appId, detail };
}

import { err, ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { fail, type StorageFailure } from "../errors/failure.js";
import { auditEntryIfAny, type AuditFacts, type OperatorCommand } from "../operators/operator-command.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { type InputFailure, lazySchema, parseInput, wellFormedText } from "../shared/input.js";
import type { AccountProblem } from "./account-problem.js";
import type { PayTool, WalletAccount } from "./pay-tool.js";
import { PAY_TOOL_LABELS, payToolLabel } from "./pay-tool-input.js";
import { optionNames } from "./option-channels.js";
import type { WalletOptions } from "./wallet-options.js";
import { defaultProblem, walletOptions } from "./wallet-options-input.js";
import { withProvider } from "./with-provider.js";

/** There is no pay tool with this id. */
export interface UnknownPayTool {
  readonly name: "pay-tool.unknown";
}

/** The pay tool would not work with the credentials. Nothing was changed. */
export interface PayToolNotWorking {
  readonly name: "pay-tool.not-working";
  /** What the wallet's adapter found. Contains no part of a credential. */
  readonly problems: readonly AccountProblem[];
}

/** Why {@link changePayTool} changed nothing. */
export type ChangePayToolFailure = InputFailure | UnknownPayTool | PayToolNotWorking | StorageFailure;

/** Schema of what {@link changePayTool} changes. Absent members stay as they are. */
export const changePayToolInput = lazySchema(() => {
  const label = () => payToolLabel().exactOptional();
  return z.object({
    appName: label(),
    appPackageName: label(),
    appSignature: label(),
    credentials: z
      .record(z.string(), wellFormedText().nullable())
      .exactOptional()
      .describe("The new values by name. `null` removes a credential. The others stay as they are."),
    walletOptions: walletOptions()
      .exactOptional()
      .describe("The new defaults of new orders, instead of all former ones. Empty removes them."),
  });
});
/** What {@link changePayTool} changes. */
export type ChangePayToolInput = Omit<z.input<ReturnType<typeof changePayToolInput>>, "walletOptions"> & {
  readonly walletOptions?: WalletOptions;
};
type Change = z.output<ReturnType<typeof changePayToolInput>>;

/**
 * Changes credentials, labels and default options of a pay tool. Absent members stay as they are.
 *
 * Merchant, wallet app and environment stay the same, so the pay tool keeps its id and its orders.
 * A pay tool that is no longer current can be changed, too: its orders still need its keys. Nothing
 * is changed if the credentials would not work. Two concurrent changes of different credentials
 * both take effect.
 *
 * @param by - the operator. If set, the audit log gets an entry in the same transaction. The
 *   entry names the changed members, and contains no credential.
 * @returns the changed pay tool. Fails with `pay-tool.unknown` if it does not exist, and with
 *   `pay-tool.not-working` and the problems if the wallet's adapter refuses the new credentials.
 * @example
 * ```ts
 * import { changePayTool } from "@tillkit/core/operators";
 *
 * declare const payToolId: string;
 * declare const apiV3Key: string;
 *
 * const changed = await changePayTool(ports, payToolId, { credentials: { apiV3Key } });
 * ```
 */
export function changePayTool(
  ports: Pick<Ports, "payTools" | "wallets" | "clock">,
  id: string,
  input: ChangePayToolInput,
  by?: OperatorCommand,
): ResultAsync<PayTool, ChangePayToolFailure> {
  return attempt(async () => {
    const change = parseInput(changePayToolInput(), { ...input });
    if (change.isErr()) return err(change.error);
    for (;;) {
      const before = await ports.payTools.find(id);
      if (before.isErr()) return err(before.error);
      if (before.value === undefined) return err({ name: "pay-tool.unknown" } as const);
      const problem = defaultProblem(change.value.walletOptions ?? {}, before.value.payChannel);
      if (problem !== undefined) {
        const { option, rule } = problem;
        return fail("parameter.invalid", { parameter: `walletOptions.${option}`, rule });
      }
      const after = changedAccount(ports, before.value, change.value);
      if (change.value.credentials !== undefined) {
        const complete = await withProvider(ports.payTools, after);
        if (complete.isErr()) return err(complete.error);
        const problems = await ports.wallets[after.payChannel].checkAccount(complete.value);
        if (problems.length > 0) return err({ name: "pay-tool.not-working", problems } as const);
      }
      const audit = auditEntryIfAny(ports, by, changeFacts(before.value, change.value));
      const replaced = await ports.payTools.replace(before.value, after, audit);
      if (replaced.isErr()) return err(replaced.error);
      const { credentials: _secret, ...payTool } = after;
      if (replaced.value) return ok(payTool);
      // Another operator changed the pay tool in between: merge with what is stored now.
    }
  });
}

/** Merges a change. A change of labels keeps `signStatus`. */
function changedAccount(
  { clock }: Pick<Ports, "clock">,
  before: WalletAccount,
  { credentials, walletOptions: options, ...labels }: Change,
): WalletAccount {
  const account = { ...withOptions(before, options), ...labels, gmtModified: clock.now() };
  if (credentials === undefined) return account;
  const entries = Object.entries({ ...before.credentials, ...credentials }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  return { ...account, credentials: Object.fromEntries(entries), signStatus: "OK" };
}

function withOptions(account: WalletAccount, options: WalletOptions | undefined): WalletAccount {
  if (options === undefined) return account;
  const { walletOptions: _former, ...others } = account;
  return optionNames(options).length === 0 ? others : { ...others, walletOptions: options };
}

/** Returns the facts of the audit entry: what is changed, and the replaced labels and options. */
function changeFacts(
  before: WalletAccount,
  { credentials = {}, walletOptions: options, ...labels }: Change,
): AuditFacts {
  const { id, appId, payChannel, accountId } = before;
  const changedLabels = PAY_TOOL_LABELS.filter(
    (name) => labels[name] !== undefined && labels[name] !== before[name],
  );
  const ofCredentials = (isRemoval: boolean) =>
    Object.keys(credentials).filter((name) => (credentials[name] === null) === isRemoval);
  const facts = {
    payChannel,
    accountId,
    changed: [...changedLabels, ...(options === undefined ? [] : ["walletOptions"]), ...ofCredentials(false)],
    removed: ofCredentials(true),
    before: {
      ...Object.fromEntries(changedLabels.map((name) => [name, before[name]])),
      ...(options === undefined ? {} : { walletOptions: before.walletOptions }),
    },
  };
  return { action: "pay-tool.change", subject: `pay-tool:${id}`, appId, detail: JSON.stringify(facts) };
}

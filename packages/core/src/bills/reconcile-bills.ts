import { err, ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { isDate } from "../shared/date.js";
import { isStorageFailure, type StorageFailure } from "../errors/failure.js";
import { PAY_CHANNELS } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { emit } from "../shared/emit.js";
import { issue, singleLineText, lazySchema } from "../shared/input.js";
import { attempt } from "../shared/attempt.js";
import type { WalletFailure } from "../wallets/wallet.js";
import { billDay } from "./bill-day.js";
import { type Bill, billedMerchants, isSameBilledMerchant, type Merchant } from "./bill.js";
import {
  type BillFailure,
  type BillPorts,
  type OnBillProgress,
  reconcileBill,
  type ReconciledBill,
} from "./reconcile-bill.js";
import { tookMoney } from "./took-money.js";

/** The parameters of {@link reconcileBills}: the day, and optionally the account, of the bills. */
export const reconcileBillsInput = lazySchema(() =>
  z
    .object({
      /** From 2000-01-01 on. */
      day: singleLineText(10).refine((day) => isDate(day) && day >= "2000-01-01", issue("date")),
      payChannel: z.enum(PAY_CHANNELS).optional(),
      appEnv: z.enum(["DEV", "PROD"]).optional(),
      accountId: singleLineText(64).optional(),
    })
    .brand<"ReconcileBillsInput">(),
);
/** Valid parameters, the output of `parseInput(reconcileBillsInput(), …)`. */
export type ReconcileBillsInput = z.output<ReturnType<typeof reconcileBillsInput>>;

/** One bill and its result. */
export type BillOutcome =
  | { readonly kind: "compared"; readonly bill: Bill; readonly reconciled: ReconciledBill }
  | {
      readonly kind: "not-compared";
      readonly bill: Bill;
      readonly failure: Exclude<BillFailure, StorageFailure>;
    };

/**
 * Reconciles the bills of a day. Each merchant account at a wallet has one bill.
 *
 * The optional parameters limit the accounts. Includes the accounts of replaced pay tools. Leaves
 * out a merchant that has no working credentials and took no money through Tillkit on that day.
 * Differences become exceptions. Tillkit queries the wallet about them, and updates the orders and
 * refunds that the wallet confirms.
 *
 * A bill that cannot be read does not stop the others. Safe to repeat and to run in several
 * processes at once.
 *
 * @returns one outcome per bill. Fails only with a {@link StorageFailure}.
 * @example
 * ```ts
 * import {
 *   lastBillDay,
 *   parseInput,
 *   reconcileBills,
 *   reconcileBillsInput,
 * } from "@tillkit/core";
 *
 * const day = lastBillDay(ports.clock.now());
 * const outcomes = await parseInput(reconcileBillsInput(), { day }).asyncAndThen((input) =>
 *   reconcileBills(ports, input),
 * );
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/bill-reading.md |
 *   How a wallet's bill is read and verified}
 */
export function reconcileBills(
  ports: BillPorts,
  { day: date, ...of }: ReconcileBillsInput,
  onProgress: OnBillProgress = () => undefined,
): ResultAsync<readonly BillOutcome[], StorageFailure> {
  return attempt(async () => {
    const day = billDay(date);
    const outcomes: BillOutcome[] = [];
    const tools = await ports.payTools.listAll();
    if (tools.isErr()) return tools;
    for (const billed of billedMerchants(tools.value)) {
      if (!isOf(of, billed.merchant)) continue;
      if (billed.asking.signStatus === "NO") {
        const took = await tookMoney(ports, billed, day);
        if (took.isErr()) return took;
        if (!took.value) continue;
      }
      const bill: Bill = { ...billed.merchant, day: date };
      if (ports.clock.now() < day.endsAt) {
        outcomes.push(notCompared(ports, bill, DAY_NOT_OVER));
        continue;
      }
      const result = await reconcileBill(ports, billed, day, onProgress);
      if (result.isOk()) {
        outcomes.push({ kind: "compared", bill, reconciled: result.value });
        continue;
      }
      const { error: failure } = result;
      if (isStorageFailure(failure)) return err(failure);
      outcomes.push(notCompared(ports, bill, failure));
    }
    return ok(outcomes);
  });
}

/** Returns whether an account matches the parameters. An absent parameter limits nothing. */
function isOf(of: Omit<ReconcileBillsInput, "day">, merchant: Merchant): boolean {
  const { payChannel = merchant.payChannel, appEnv = merchant.appEnv, accountId = merchant.accountId } = of;
  return isSameBilledMerchant({ payChannel, appEnv, accountId }, merchant);
}

function notCompared(
  ports: Pick<Ports, "observer">,
  bill: Bill,
  failure: Exclude<BillFailure, StorageFailure>,
): BillOutcome {
  emit(ports, {
    type: "bill.not-compared",
    payChannel: bill.payChannel,
    accountId: bill.accountId,
    day: bill.day,
    failure: failure.name,
    ...(failure.name === "wallet.rejected" && { reason: failure.reason }),
  });
  return { kind: "not-compared", bill, failure };
}

const DAY_NOT_OVER: WalletFailure = {
  name: "wallet.rejected",
  reason: "not-ready",
  trusted: true,
  detail: "the day is not over in China",
};
